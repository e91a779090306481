import { FIRST_LANGUAGE, LANGUAGE_CODES, type Language } from '../texts/languages.ts'

/**
 * A sitting is kept as one value: a header of fixed width, the first answers (one encrypted byte each, in the order
 * of the questions), then the changes in the order they were made.
 *
 * The header: one byte for the version, then these fields in this order, numbers big-endian; widths in bytes. Version 2
 * has the fields of version 1; its owner and its code are bound to the record, too.
 */
export const sittingLayout = {
  version: 2,
  oldest: 1,
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

export const SITTING_STATES = ['open', 'paused', 'locked'] as const
export const SITTING_LANGUAGES = LANGUAGE_CODES
export type SittingState = (typeof SITTING_STATES)[number]

type Numbers = Record<Exclude<keyof typeof sittingLayout.numbers, 'state' | 'language'>, number>
type Bytes = Record<keyof typeof sittingLayout.bytes, Buffer>

/**
 * The fields of a sitting. Times are milliseconds. `lastActivityAt`: the last answer, pause or resume; active time is
 * counted up to there. `macRevision` is the revision that `mac` was made at, 0 while there is none. `layout` is the version
 * that it was begun in, and keeps.
 */
export type Sitting = Numbers &
  Bytes & {
    layout: number
    state: SittingState
    language: Language
    /** First answers, encrypted: `answered` bytes. */
    firsts: Buffer
    changes: SittingChange[]
  }

/** `revision` is the one that the change was made at: no two accepted moves have the same. */
export type SittingChange = { question: number; revision: number; byte: number }

const byteFields = listed(sittingLayout.bytes)
const numberFields = listed(sittingLayout.numbers)
export const SITTING_HEADER_BYTES = [...byteFields, ...numberFields].reduce(
  (sum, [, width]) => sum + width,
  1,
)

function listed<K extends string>(widths: Readonly<Record<K, number>>): [name: K, width: number][] {
  const list: [K, number][] = []
  for (const name in widths) list.push([name, widths[name]])
  return list
}

/** Whether these bytes are a sitting of a layout that this program knows. */
export function isSitting(buffer: Buffer): boolean {
  const { 0: layout = 0, length } = buffer
  return length >= SITTING_HEADER_BYTES && layout >= sittingLayout.oldest && layout <= sittingLayout.version
}

/** Reads a kept sitting. Throws a `RangeError` when it is none. */
export function openSitting(buffer: Buffer): Sitting {
  if (!isSitting(buffer)) throw new RangeError('not a sitting of this layout')
  const layout = buffer.readUInt8()
  let offset = 1
  const take = (width: number) => {
    offset += width
    return offset - width
  }
  const bytes = byteFields.map(([name, width]) => [name, buffer.subarray(take(width), offset)])
  const numbers = numberFields.map(([name, width]) => [name, buffer.readUIntBE(take(width), width)])
  // Both lists have exactly the names of the layout, and this is done at every answer: it is not looked at again.
  const header = Object.fromEntries([...bytes, ...numbers]) as Numbers &
    Bytes & { state: number; language: number }
  const firsts = buffer.subarray(offset, offset + header.answered)
  const changes: SittingChange[] = []
  for (let at = offset + header.answered; at < buffer.length; at += CHANGE_BYTES) {
    changes.push({
      question: buffer.readUInt16BE(at),
      revision: buffer.readUInt32BE(at + 2),
      byte: buffer.readUInt8(at + 6),
    })
  }
  const state = SITTING_STATES[header.state] ?? 'locked'
  const language = SITTING_LANGUAGES[header.language] ?? FIRST_LANGUAGE
  return { ...header, layout, state, language, firsts, changes }
}

/** Writes a sitting as it is kept; the opposite of `openSitting`. */
export function encodeSitting(sitting: Sitting): Buffer {
  const { firsts, changes } = sitting
  const buffer = Buffer.alloc(SITTING_HEADER_BYTES + firsts.length + changes.length * CHANGE_BYTES)
  const state = SITTING_STATES.indexOf(sitting.state)
  const language = SITTING_LANGUAGES.indexOf(sitting.language)
  const fields = { ...sitting, state, language }
  let offset = buffer.writeUInt8(sitting.layout)
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
