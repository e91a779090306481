import { setImmediate } from 'node:timers/promises'
import type { Passage, Scale, TestResult } from '../domain/result.ts'
import type { ResultSection, RoadmapResult } from '../domain/roadmap-result.ts'
import { beginningOf, everySentence, partsOf, sentencesOf } from '../domain/sentences.ts'
import { formatNumber } from '../pictures/text.ts'
import { raw, type Translate } from '../texts/texts.ts'
import { type Button, lines, MESSAGE_LIMIT, type Packing, pack, paragraphs, visibleLength } from './view.ts'

/** The facts that are sent beside the result itself, and the limit for all. */
type Around = {
  supportText?: string | undefined
  hasReport: boolean
  /** The data for the pictures and words did not arrive. */
  isFigureless?: boolean
  /** The service's result is longer than the stored part of it. */
  isCut?: boolean | undefined
  /** The upper limit for the number of messages. */
  most?: number
}
export type ResultText = Around & { title: string; result: TestResult }

export const MOST_MESSAGES = 10
/** The letters of a piece of text. With its heading it fits in a message. */
const PIECE = 3_000
const LONGEST_TITLE = 300
/** With a title they fit in a caption. */
const LONGEST_NAMES = 500
/** After this many pieces other work has its turn. */
const PIECES_AT_ONCE = 20

/** The result as text: all its words, every scale with its interpretation, and the closing. */
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
  /** All people whose result it is. */
  people: readonly string[]
}

/** A combined result beside its report: its people, its words on the whole, then test by test. */
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

/** Describes the picture of a family for people who cannot see it. */
export function familyCaption(
  t: Translate,
  { title: whole, people }: { title: string; people: readonly string[] },
): string {
  const title = clip(whole)
  if (people.length === 0) return t('result-picture-caption', { title, page: 1, pages: 1 })
  const names = beginningOf(namesOf(t, people), LONGEST_NAMES)
  return t('result-picture-caption-family', { title, people: names })
}

/** This many sentences of a summary are visible. The rest is in an expandable quotation. */
const SENTENCES = 3

/** What a result says about one test, in pieces that fit in a message each. */
function* testPieces(t: Translate, { summary, passages = [], scales }: TestResult): Generator<string> {
  if (summary) yield* summaryPieces(t, summary, passages)
  yield* passagePieces(t, ordered(passages, IN_A_TEST))
  for (const scale of scales) yield* scalePieces(t, scale)
}

function* summaryPieces(t: Translate, summary: string, passages: readonly Passage[]): Generator<string> {
  const [first, rest] = sentencesOf(summary, SENTENCES)
  const short = rest && shortOf(summary, passages)
  yield* textPieces(t, short || first)
  // Sentences that are shown out of their order stay in the full text as well.
  for (const part of partsOf(short ? summary : rest, PIECE))
    yield `<blockquote expandable>${t('result-summary', { summary: part })}</blockquote>`
}

/**
 * Three sentences of a summary: those about strengths, concerns and next steps, unless a passage has that
 * heading, then others from its beginning. `undefined` where it has no such sentence.
 */
function shortOf(summary: string, passages: readonly Passage[]): string | undefined {
  const all = everySentence(summary)
  const named = SAYS.flatMap(({ head, words }) => {
    const hasPassage = passages.some(({ title = '' }) => head.test(title))
    return (hasPassage ? undefined : all.find((each) => words.test(each))) ?? []
  })
  if (named.length === 0) return undefined
  const shown = new Set([...named, ...all].slice(0, SENTENCES))
  return all.filter((each) => shown.has(each)).join(' ')
}

/** Headings that the service gives to the passages that are read first. */
const STRONG = /قوت|توانمند|strength/i
const CARE = /مراقبت|care|concern/i
const NEXT = /پیشنهاد|گام|قدم|توصیه|next|suggest|recommend/i
const DIFFERENCE = /تفاوت|differ/i
/** The words by which a sentence of a summary shows its topic. */
const SAYS = [
  { head: STRONG, words: /قوت|توانمندی|از همه پررنگ|strength|strongest/i },
  { head: CARE, words: /مراقبت|رسیدگی|look after|needs? care/i },
  { head: NEXT, words: /پیشنهاد|گام بعد|قدم بعد|توصیه|suggest|recommend|next step/i },
]
const IN_A_TEST = [STRONG, CARE, NEXT]
const IN_A_FAMILY = [DIFFERENCE, NEXT]

const placeOf = ({ title = '' }: Passage, heads: readonly RegExp[]): number =>
  heads.findIndex((head) => head.test(title))

/** Sorts the passages that have these headings, within the places that they have. */
function ordered(passages: readonly Passage[], heads: readonly RegExp[]): Passage[] {
  const found = passages.filter((each) => placeOf(each, heads) >= 0)
  const sorted = found.toSorted((one, other) => placeOf(one, heads) - placeOf(other, heads)).values()
  return passages.map((each) => (placeOf(each, heads) < 0 ? each : (sorted.next().value ?? each)))
}

/** Puts the passages that have these headings before all others, in the order of the headings. */
function first(passages: readonly Passage[], heads: readonly RegExp[]): Passage[] {
  const isHeaded = (each: Passage) => placeOf(each, heads) >= 0
  return [...ordered(passages.filter(isHeaded), heads), ...passages.filter((each) => !isHeaded(each))]
}

/** Words under their headings. A heading that several passages share is shown once. */
function* passagePieces(t: Translate, passages: readonly Passage[]): Generator<string> {
  for (const [index, { title, text }] of passages.entries()) {
    const isNew = title !== undefined && title !== passages[index - 1]?.title
    yield* headed(isNew ? t('roadmap-section', { title: clip(title) }) : '', textPieces(t, text))
  }
}

/** Puts a heading before the first of its pieces, or alone where there are none. */
function* headed(head: string, pieces: Iterable<string>): Generator<string> {
  let before = head
  for (const piece of pieces) {
    yield before ? `${before}\n${piece}` : piece
    before = ''
  }
  if (before) yield before
}

/** Cuts a title, because a heading has to fit in a message or a caption with what follows it. */
export const clip = (title: string): string => beginningOf(title, LONGEST_TITLE)

function* textPieces(t: Translate, text: string): Generator<string> {
  for (const part of partsOf(text, PIECE)) yield t('result-summary', { summary: part })
}

/** A scale with its figures, and its words in an expandable quotation. */
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

/** The end of every result: no diagnosis, whom to ask, and the organizer's own support text. */
function closing(t: Translate, { supportText = '', isFigureless = false }: Around): string[] {
  const missing = isFigureless ? [t('result-figures-missing')] : []
  const support = [...partsOf(supportText, PIECE)].map((text) => t('result-support', { text }))
  return [...missing, t('result-closing'), ...support]
}

/** Packs pieces into as few messages as possible, up to the limit. The last one says where the rest is. */
async function packResult(t: Translate, pieces: Iterable<string>, around: Around): Promise<string[]> {
  const { hasReport, isCut = false, most = MOST_MESSAGES } = around
  const rest = hasReport ? t('result-rest-in-report') : t('result-rest-left-out')
  const end = closing(t, around)
  const packing: Packing = { messages: [''], length: 0 }
  // The closing is in the last message, with the note where the rest is.
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

/** The beginning of the inline query, before Telegram's id of the report. */
const SHARED = 'report '

/** Sends the report to a person who is chosen in Telegram, where inline mode is on. */
export const shareReportButton = (t: Translate, fileId: string): Button => ({
  text: t.plain('button-hand-on'),
  switch_inline_query_chosen_chat: { query: `${SHARED}${fileId}`, allow_user_chats: true },
})

/** Telegram's id of the report that an inline query asks for. */
export const sharedReportId = (query: string): string | undefined => /^report ([\w-]{20,})$/.exec(query)?.[1]
