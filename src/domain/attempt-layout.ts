import { LANGUAGES, type Language, languageNumbered } from '../texts/languages.ts'

/**
 * An attempt is kept as one value: a header of fixed width, the first answers (one encrypted byte each, in the order
 * of the questions), then the changes in the order they were made.
 *
 * The header: one byte for the version, then these fields in this order, numbers big-endian; widths in bytes. All
 * versions have the same fields; version 4 encrypts an answer by a permutation of its own.
 */
export const attemptLayout = {
  version: 4,
  /** Every version that can be read. No single flipped bit turns one into another. */
  versions: [2, 4],
  bytes: { owner: 8, id: 8, contentHash: 32, mac: 16 },
  numbers: {
    state: 1,
    language: 1,
    questions: 2,
    view: 2,
    answered: 2,
    revision: 4,
    activeMs: 4,
    lastActivityAt: 6,
    shownAt: 6,
    dataKey: 2,
    retentionSeconds: 4,
    lastMessageId: 4,
    fastAnswers: 2,
    pauses: 2,
    resumes: 2,
    macRevision: 4,
  },
} as const

/** A change behind the first answers: question (2), revision (4), byte (1). */
export const CHANGE_BYTES = 7

export const ATTEMPT_STATES = ['open', 'paused', 'locked'] as const
export type AttemptState = (typeof ATTEMPT_STATES)[number]

type Numbers = Record<Exclude<keyof typeof attemptLayout.numbers, 'state' | 'language'>, number>
type Bytes = Record<keyof typeof attemptLayout.bytes, Buffer>

/**
 * The fields of an attempt. Times are milliseconds. `lastActivityAt`: the last answer, pause or resume;
 * active time is counted up to there. `macRevision`: the revision that `mac` was made at, 0 while there is
 * none. `layout`: the version that the attempt was begun in; it does not change.
 */
export type Attempt = Numbers &
  Bytes & {
    layout: number
    state: AttemptState
    language: Language
    /** One option a row, nothing folded. */
    isLarge: boolean
    /** The questions name their test, because other tests are open as well. */
    isNamed: boolean
    /** First answers, encrypted: `answered` bytes. */
    firsts: Buffer
    changes: AttemptChange[]
  }

/** `revision`: the revision at which the change was made. No two accepted moves have the same one. */
export type AttemptChange = { question: number; revision: number; byte: number }

const byteFields = Object.entries(attemptLayout.bytes) as [keyof Bytes, number][]
const numberFields = Object.entries(attemptLayout.numbers) as [keyof typeof attemptLayout.numbers, number][]
export const ATTEMPT_HEADER_BYTES = [...byteFields, ...numberFields].reduce(
  (sum, [, width]) => sum + width,
  1,
)

export type Look = Pick<Attempt, 'language' | 'isLarge' | 'isNamed'>
/** Added to the language's number for large text, and for a named test. */
const LARGE = 8
const NAMED = 16

/** The look as one number, so that its field keeps its width. */
const lookNumber = ({ language, isLarge, isNamed }: Look): number =>
  LANGUAGES[language].number + (isLarge ? LARGE : 0) + (isNamed ? NAMED : 0)

export const readLook = (number: number): Look => ({
  language: languageNumbered(number % LARGE),
  isLarge: number % NAMED >= LARGE,
  isNamed: number >= NAMED,
})

/** Whether these bytes are an attempt in a layout that this program knows. */
export function isAttempt(buffer: Buffer): boolean {
  const { 0: layout = 0, length } = buffer
  return length >= ATTEMPT_HEADER_BYTES && attemptLayout.versions.some((version) => version === layout)
}

/** Reads a stored attempt. Throws a `RangeError` for any other bytes. */
export function openAttempt(buffer: Buffer): Attempt {
  if (!isAttempt(buffer)) throw new RangeError('not an attempt of this layout')
  const { bytes, numbers } = attemptLayout
  let offset = 1
  const take = (width: number) => {
    offset += width
    return offset - width
  }
  const cut = (width: number) => buffer.subarray(take(width), offset)
  const read = (width: number) => buffer.readUIntBE(take(width), width)
  // The fields in the order of the layout. A loop over their names takes ten times as long, at every answer.
  const header = {
    layout: buffer.readUInt8(),
    owner: cut(bytes.owner),
    id: cut(bytes.id),
    contentHash: cut(bytes.contentHash),
    mac: cut(bytes.mac),
    state: ATTEMPT_STATES[read(numbers.state)] ?? 'locked',
    ...readLook(read(numbers.language)),
    questions: read(numbers.questions),
    view: read(numbers.view),
    answered: read(numbers.answered),
    revision: read(numbers.revision),
    activeMs: read(numbers.activeMs),
    lastActivityAt: read(numbers.lastActivityAt),
    shownAt: read(numbers.shownAt),
    dataKey: read(numbers.dataKey),
    retentionSeconds: read(numbers.retentionSeconds),
    lastMessageId: read(numbers.lastMessageId),
    fastAnswers: read(numbers.fastAnswers),
    pauses: read(numbers.pauses),
    resumes: read(numbers.resumes),
    macRevision: read(numbers.macRevision),
  }
  const firsts = cut(header.answered)
  const changes: AttemptChange[] = []
  for (; offset < buffer.length; offset += CHANGE_BYTES) {
    changes.push({
      question: buffer.readUInt16BE(offset),
      revision: buffer.readUInt32BE(offset + 2),
      byte: buffer.readUInt8(offset + 6),
    })
  }
  return Object.assign(header, { firsts, changes })
}

/** Encodes an attempt for the store; the inverse of `openAttempt`. */
export function encodeAttempt(attempt: Attempt): Buffer {
  const { firsts, changes } = attempt
  const buffer = Buffer.alloc(ATTEMPT_HEADER_BYTES + firsts.length + changes.length * CHANGE_BYTES)
  const state = ATTEMPT_STATES.indexOf(attempt.state)
  const language = lookNumber(attempt)
  const fields = { ...attempt, state, language }
  let offset = buffer.writeUInt8(attempt.layout)
  for (const [name, width] of byteFields) {
    if (fields[name].length !== width) throw new RangeError(`${name} has ${width} bytes`)
    offset += fields[name].copy(buffer, offset)
  }
  for (const [name, width] of numberFields) offset = buffer.writeUIntBE(fields[name], offset, width)
  offset += firsts.copy(buffer, offset)
  for (const { question, revision, byte } of changes) {
    offset = buffer.writeUInt16BE(question, offset)
    offset = buffer.writeUInt32BE(revision, offset)
    offset = buffer.writeUInt8(byte, offset)
  }
  return buffer
}
