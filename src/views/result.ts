import { setImmediate } from 'node:timers/promises'
import type { Passage, Scale, TestResult } from '../domain/result.ts'
import type { ResultSection, RoadmapResult } from '../domain/roadmap-result.ts'
import { beginningOf, everySentence, partsOf, sentencesOf } from '../domain/sentences.ts'
import { formatNumber } from '../pictures/text.ts'
import { raw, type Translate } from '../texts/texts.ts'
import { type Button, lines, MESSAGE_LIMIT, type Packing, pack, paragraphs, visibleLength } from './view.ts'

/** What is said beside the result itself. */
type Around = {
  supportText?: string | undefined
  hasReport: boolean
  /** What pictures and words are made of did not come. */
  isFigureless?: boolean
  /** The service says more than what was kept of it. */
  isCut?: boolean | undefined
  /** So many messages at most. */
  most?: number
}
export type ResultText = Around & { title: string; result: TestResult }

export const MOST_MESSAGES = 10
/** Letters of a text in one piece: with its head it fits a message. */
const PIECE = 3_000
const LONGEST_TITLE = 300
/** With a title they fit a caption. */
const LONGEST_NAMES = 500
/** So many pieces are written before others have their turn. */
const PIECES_AT_ONCE = 20

/** The result as text: all its words, every scale with its interpretation, and the closing; one or more messages. */
export function resultMessages(t: Translate, text: ResultText): Promise<string[]> {
  const head = t('result-title', { title: text.title })
  return packResult(t, resultPieces(t, head, text.result), text)
}

function* resultPieces(t: Translate, head: string, result: TestResult): Generator<string> {
  yield head
  yield* testPieces(t, result)
}

type RoadmapText = Around & {
  title: string
  result: RoadmapResult
  /** Everybody whose result it is. */
  people: readonly string[]
}

/** A combined result beside its report: its people, all that it says of the whole, then test by test. */
export const roadmapMessages = (t: Translate, text: RoadmapText): Promise<string[]> =>
  packResult(t, roadmapPieces(t, text), text)

function* roadmapPieces(t: Translate, { title, people, result }: RoadmapText): Generator<string> {
  const names = people.length > 1 && t('roadmap-people', { people: namesOf(t, people) })
  yield lines(t('roadmap-report', { title }), names)
  yield* passagePieces(t, first(result.passages, IN_A_FAMILY))
  for (const section of result.sections) yield* headed(sectionHead(t, section), testPieces(t, section))
}

function sectionHead(t: Translate, { title: whole, role }: ResultSection): string {
  const title = clip(whole)
  return role ? t('roadmap-section-role', { title, role: clip(role) }) : t('roadmap-section', { title })
}

const namesOf = (t: Translate, people: readonly string[]): string => people.join(t('result-figures-joint'))

/** Says what the picture of a family shows, for whoever cannot see it. */
export function familyCaption(
  t: Translate,
  { title: whole, people }: { title: string; people: readonly string[] },
): string {
  const title = clip(whole)
  if (people.length === 0) return t('result-picture-caption', { title, page: 1, pages: 1 })
  const names = beginningOf(namesOf(t, people), LONGEST_NAMES)
  return t('result-picture-caption-family', { title, people: names })
}

/** So many sentences of a summary stand open; the rest of it opens. */
const SENTENCES = 3

/** What a result says of one test, in pieces that fit a message each. */
function* testPieces(t: Translate, { summary, passages = [], scales }: TestResult): Generator<string> {
  if (summary) yield* summaryPieces(t, summary, passages)
  yield* passagePieces(t, ordered(passages, IN_A_TEST))
  for (const scale of scales) yield* scalePieces(t, scale)
}

function* summaryPieces(t: Translate, summary: string, passages: readonly Passage[]): Generator<string> {
  const [first, rest] = sentencesOf(summary, SENTENCES)
  const short = rest && shortOf(summary, passages)
  yield* textPieces(t, short || first)
  // What stands out of its order is not taken out of it.
  for (const part of partsOf(short ? summary : rest, PIECE))
    yield `<blockquote expandable>${t('result-summary', { summary: part })}</blockquote>`
}

/**
 * Three sentences of a summary: those that say themselves what is strong, what to care for and what comes next, unless a
 * part of its own does; with others from its beginning. `undefined` where none says so.
 */
function shortOf(summary: string, passages: readonly Passage[]): string | undefined {
  const all = everySentence(summary)
  const named = SAYS.flatMap(({ head, words }) => {
    const isApart = passages.some(({ title = '' }) => head.test(title))
    return (isApart ? undefined : all.find((each) => words.test(each))) ?? []
  })
  if (named.length === 0) return undefined
  const shown = new Set([...named, ...all].slice(0, SENTENCES))
  return all.filter((each) => shown.has(each)).join(' ')
}

/** What is read first of what the service says, by the heads that it gives. */
const STRONG = /قوت|توانمند|strength/i
const CARE = /مراقبت|care|concern/i
const NEXT = /پیشنهاد|گام|قدم|توصیه|next|suggest|recommend/i
const DIFFERENCE = /تفاوت|differ/i
/** How a sentence of a summary says what it is. */
const SAYS = [
  { head: STRONG, words: /قوت|توانمندی|از همه پررنگ|strength|strongest/i },
  { head: CARE, words: /مراقبت|رسیدگی|look after|needs? care/i },
  { head: NEXT, words: /پیشنهاد|گام بعد|قدم بعد|توصیه|suggest|recommend|next step/i },
]
const IN_A_TEST = [STRONG, CARE, NEXT]
const IN_A_FAMILY = [DIFFERENCE, NEXT]

const placeOf = ({ title = '' }: Passage, heads: readonly RegExp[]): number =>
  heads.findIndex((head) => head.test(title))

/** Those under these heads in their order, where any of them stood. */
function ordered(passages: readonly Passage[], heads: readonly RegExp[]): Passage[] {
  const found = passages.filter((each) => placeOf(each, heads) >= 0)
  const sorted = found.toSorted((one, other) => placeOf(one, heads) - placeOf(other, heads)).values()
  return passages.map((each) => (placeOf(each, heads) < 0 ? each : (sorted.next().value ?? each)))
}

/** Those under these heads in their order, before all others. */
function first(passages: readonly Passage[], heads: readonly RegExp[]): Passage[] {
  const isHeaded = (each: Passage) => placeOf(each, heads) >= 0
  return [...ordered(passages.filter(isHeaded), heads), ...passages.filter((each) => !isHeaded(each))]
}

/** Words under their heads; a head that several share is said once. */
function* passagePieces(t: Translate, passages: readonly Passage[]): Generator<string> {
  for (const [index, { title, text }] of passages.entries()) {
    const isNew = title !== undefined && title !== passages[index - 1]?.title
    yield* headed(isNew ? t('roadmap-section', { title: clip(title) }) : '', textPieces(t, text))
  }
}

/** A head in front of the first of its pieces, alone where there are none. */
function* headed(head: string, pieces: Iterable<string>): Generator<string> {
  let before = head
  for (const piece of pieces) {
    yield before ? `${before}\n${piece}` : piece
    before = ''
  }
  if (before) yield before
}

/** Nothing that is called so long can be read; a head has to fit a message or a caption with what it heads. */
export const clip = (title: string): string => beginningOf(title, LONGEST_TITLE)

function* textPieces(t: Translate, text: string): Generator<string> {
  for (const part of partsOf(text, PIECE)) yield t('result-summary', { summary: part })
}

/** A scale with its figures, and what is said of it in a quotation that opens. */
function* scalePieces(t: Translate, scale: Scale): Generator<string> {
  const { interpretation, passages = [] } = scale
  const words = [...(interpretation ? [interpretation] : []), ...passages].join('\n')
  const quotations = [...partsOf(words, PIECE)].map(
    (part) => `<blockquote expandable>${t('result-interpretation', { text: part })}</blockquote>`,
  )
  yield* headed(scaleHead(t, scale), quotations)
}

/** A scale with its figures, on one line. */
function scaleHead(t: Translate, { title: given, score, percentile }: Scale): string {
  const title = given ? clip(given) : t('result-scale-untitled')
  const figures = [
    ...(score === undefined ? [] : [t('result-score', { score: formatNumber(t.language, score) })]),
    ...(percentile === undefined
      ? []
      : [t('result-percentile', { percentile: formatNumber(t.language, percentile) })]),
  ].join(t('result-figures-joint'))
  return figures ? t('result-scale', { title, figures: raw(figures) }) : t('result-scale-bare', { title })
}

/** What every result ends with: not a diagnosis, whom to ask, the organizer's own words of support. */
function closing(t: Translate, { supportText = '', isFigureless = false }: Around): string[] {
  const missing = isFigureless ? [t('result-figures-missing')] : []
  const support = [...partsOf(supportText, PIECE)].map((text) => t('result-support', { text }))
  return [...missing, t('result-closing'), ...support]
}

/** Packs pieces into as few messages as hold them, and no more than are read; the last says where the rest is. */
async function packResult(t: Translate, pieces: Iterable<string>, around: Around): Promise<string[]> {
  const { hasReport, isCut = false, most = MOST_MESSAGES } = around
  const rest = hasReport ? t('result-rest-in-report') : t('result-rest-left-out')
  const end = closing(t, around)
  const packing: Packing = { messages: [''], length: 0 }
  // The closing stands in the last message, with what is said where the rest is.
  const room = MESSAGE_LIMIT - visibleLength(`\n\n${paragraphs(rest, end)}`)
  let count = 0
  let isFull = false
  for (const piece of pieces) {
    if (++count % PIECES_AT_ONCE === 0) await setImmediate()
    const mayBegin = packing.messages.length < most
    isFull = !pack(packing, piece, mayBegin ? MESSAGE_LIMIT : room, mayBegin)
    if (isFull) break
  }
  for (const piece of isFull || isCut ? [rest, ...end] : end) pack(packing, piece, MESSAGE_LIMIT)
  return packing.messages
}

/** What the button brings before Telegram's id of the report, so that it is known for one. */
const SHARED = 'report '

/** Sends the report to somebody whom the person chooses, where inline mode is on. */
export const handOnButton = (t: Translate, fileId: string): Button => ({
  text: t.plain('button-hand-on'),
  switch_inline_query_chosen_chat: { query: `${SHARED}${fileId}`, allow_user_chats: true },
})

/** Telegram's id of the report that is handed on. */
export const sharedFileIn = (query: string): string | undefined => /^report ([\w-]{20,})$/.exec(query)?.[1]
