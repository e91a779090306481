import { setImmediate } from 'node:timers/promises'
import type { Said, Scale, TestResult } from '../domain/result.ts'
import { beginningOf, partsOf } from '../domain/sentences.ts'
import { perLanguage } from '../texts/languages.ts'
import { raw, type Translate } from '../texts/texts.ts'
import { MESSAGE_LIMIT, visibleLength } from './view.ts'

type Ending = { organizerContact: string; supportText?: string | undefined }
export type ResultText = Ending & {
  title: string
  result: TestResult
  hasReport: boolean
  /** The service says more than what was kept of it. */
  isCut?: boolean | undefined
  /** So many messages at most. */
  most?: number
}

export const MOST_MESSAGES = 10
/** Letters of a text in one piece: with its head it fits a message. */
const PIECE = 3_000
const LONGEST_TITLE = 300
/** So many pieces are written before others have their turn. */
const PIECES_AT_ONCE = 20

/** The result as text: all its words, every scale with its interpretation, and the closing; one or more messages. */
export function resultMessages(t: Translate, text: ResultText): Promise<string[]> {
  const head = t('result-title', { title: text.title })
  return packResult(t, pieces(t, head, text.result), text)
}

function* pieces(t: Translate, head: string, result: TestResult): Generator<string> {
  yield head
  yield* testPieces(t, result)
}

/** What a result says of one test, in pieces that fit a message each. */
export function* testPieces(t: Translate, { summary, said = [], scales }: TestResult): Generator<string> {
  if (summary) yield* textPieces(t, summary)
  yield* saidPieces(t, said)
  for (const scale of scales) yield* scalePieces(t, scale)
}

/** Words under their heads; a head that several share is said once. */
export function* saidPieces(t: Translate, said: readonly Said[]): Generator<string> {
  for (const [index, { title, text }] of said.entries()) {
    const isNew = title !== undefined && title !== said[index - 1]?.title
    yield* headed(isNew ? t('roadmap-section', { title: clip(title) }) : '', textPieces(t, text))
  }
}

/** A head in front of the first of its pieces, alone where there are none. */
export function* headed(head: string, pieces: Iterable<string>): Generator<string> {
  let before = head
  for (const piece of pieces) {
    yield before ? `${before}\n${piece}` : piece
    before = ''
  }
  if (before) yield before
}

/** Nothing that is called so long can be read; a head has to fit a message with what it heads. */
export const clip = (title: string): string => beginningOf(title, LONGEST_TITLE)

function* textPieces(t: Translate, text: string): Generator<string> {
  for (const part of partsOf(text, PIECE)) yield t('result-summary', { summary: part })
}

/** A scale with its figures, and what is said of it in a quotation that opens. */
function* scalePieces(t: Translate, scale: Scale): Generator<string> {
  const { interpretation, said = [] } = scale
  const words = [...(interpretation ? [interpretation] : []), ...said].join('\n')
  const quotations = [...partsOf(words, PIECE)].map(
    (part) => `<blockquote expandable>${t('result-interpretation', { text: part })}</blockquote>`,
  )
  yield* headed(scaleHead(t, scale), quotations)
}

/** A scale with its figures, on one line. */
function scaleHead(t: Translate, { title: given, score, percentile }: Scale): string {
  const title = given ? clip(given) : t('result-scale-untitled')
  const figures = [
    ...(score === undefined ? [] : [t('result-score', { score: number(t, score) })]),
    ...(percentile === undefined ? [] : [t('result-percentile', { percentile: number(t, percentile) })]),
  ].join(t('result-figures-joint'))
  return figures ? t('result-scale', { title, figures: raw(figures) }) : t('result-scale-bare', { title })
}

/** What every result ends with: not a diagnosis, whom to ask, the organizer's own words of support. */
function closing(t: Translate, { organizerContact, supportText = '' }: Ending): string[] {
  const support = [...partsOf(supportText, PIECE)].map((text) => t('result-support', { text }))
  return [t('result-closing', { contact: organizerContact }), ...support]
}

/** Packs pieces into as few messages as hold them, and no more than are read; the last says where the rest is. */
export async function packResult(
  t: Translate,
  pieces: Iterable<string>,
  { hasReport, isCut = false, most = MOST_MESSAGES, ...ending }: Omit<ResultText, 'title' | 'result'>,
): Promise<string[]> {
  const contact = ending.organizerContact
  const rest = hasReport ? t('result-rest-in-report') : t('result-rest-left-out', { contact })
  const end = closing(t, ending)
  const packing = { messages: [''], length: 0, isFull: false }
  // The closing stands in the last message, with what is said where the rest is.
  const room = MESSAGE_LIMIT - visibleLength(['', rest, ...end].join('\n\n'))
  let count = 0
  for (const piece of pieces) {
    if (++count % PIECES_AT_ONCE === 0) await setImmediate()
    add(packing, piece, { most, room })
    if (packing.isFull) break
  }
  const last = packing.isFull || isCut ? [rest, ...end] : end
  for (const piece of last) add(packing, piece, { most: Number.POSITIVE_INFINITY, room: MESSAGE_LIMIT })
  return packing.messages
}

type Packing = { messages: string[]; length: number; isFull: boolean }

/** Puts a piece behind the last one, or into a message of its own; `room` is that of the last message. */
function add(packing: Packing, piece: string, { most, room }: { most: number; room: number }): void {
  const { messages } = packing
  const size = visibleLength(piece)
  const limit = messages.length < most ? MESSAGE_LIMIT : room
  const joint = packing.length === 0 ? '' : '\n\n'
  if (packing.length + joint.length + size <= limit) {
    messages.push(`${messages.pop() ?? ''}${joint}${piece}`)
    packing.length += joint.length + size
  } else if (messages.length < most) {
    messages.push(piece)
    packing.length = size
  } else packing.isFull = true
}

/** At most two decimals; the sign stays on its side in a Persian line. */
const number = (t: Translate, value: number): string => numberFormat(t.language).format(value)
const numberFormat = perLanguage(
  ({ locale }) => new Intl.NumberFormat(locale, { maximumFractionDigits: 2, useGrouping: false }),
)
