import type { Config } from '../config.ts'
import { isResultOwed, type RecordState } from '../domain/record/record.ts'
import { LONGEST_KEPT_REPORT, type OwedResult, type Part } from '../kept/owed-result.ts'
import type { ChatEvent } from '../mail/events.ts'
import { type FetchedResult, type Half, WHOLE_TRIES } from './fetch-result.ts'

/** What is known of a delivery. */
export type Delivery = {
  state: RecordState
  owed: OwedResult | undefined
  /** Whose participant's chat the delivery is for. */
  chatId: number
  /** The chats that may have the result. */
  entitled: readonly number[]
  resultTo: Config['resultTo']
  tries: number
  /** Only this chat, which has asked for it once more. */
  again: number | undefined
  isRepeat: boolean
  blocked: readonly number[]
  /** It was told that the result cannot be had for now. */
  isTold: boolean
}

/**
 * `fetch`: the result itself; `layOut`: what it consists of for each recipient; `fetchReport`: the part of it that was
 * missing; `send`: one part, with a report that is too long to be kept.
 */
export type Ask =
  | { ask: 'fetch' }
  | { ask: 'layOut'; result: FetchedResult }
  | { ask: 'fetchReport' }
  | { ask: 'send'; part: Part; html?: string }
export type Answer =
  /** `over`: it was delivered meanwhile. */
  | { to: 'fetch'; got: FetchedResult | 'later' | 'refused' | 'absent' | 'over' }
  | { to: 'layOut'; result: FetchedResult; parts: Part[] }
  | { to: 'fetchReport'; got: Half<{ html: string }> }
  /** `apart`: this Telegram takes no album, so its pictures go one by one. */
  | { to: 'send'; part: Part; became: 'sent' | 'refused' | 'blocked' | 'apart' }

/** How this step of the delivery ends; the next one follows at once where it goes on. */
export type Step =
  | { end: 'over'; tell?: ChatEvent; forget?: true }
  | { again: 'later'; tell?: ChatEvent }
  | { goOn: 'anew' | 'on'; keep: OwedResult; tell?: ChatEvent }
  | { goOn: 'without'; chatId: number }
export type Next = Ask | Step

/** After so many tries a report that cannot be had is told of, beside a result that could. */
export const REPORT_TRIES = 2 * WHOLE_TRIES

const OVER: Step = { end: 'over' }
const LATER: Step = { again: 'later' }

/** Where a delivery begins, or goes on. */
export function first(delivery: Delivery): Next {
  const { state, owed, again, isRepeat } = delivery
  const isDone = state.stage === 'done'
  // What was delivered meanwhile is not fetched and sent once more.
  if (state.stage !== 'scored' && !(isRepeat && isDone)) return OVER
  if (owed) return again === undefined ? nextPart(delivery, owed) : { ask: 'layOut', result: owed }
  // Another job has brought the rest meanwhile.
  return isDone && again === undefined ? OVER : { ask: 'fetch' }
}

/** What comes next in bringing a result, part by part, so that a confirmed part is never sent again. */
export function next(delivery: Delivery, answer: Answer): Next {
  const { owed } = delivery
  if (answer.to === 'fetch') {
    if (answer.got === 'over') return OVER
    if (answer.got === 'later') return LATER
    if (answer.got === 'absent') return { end: 'over', tell: { kind: 'result-failed' } }
    // It stays owed: what is refused for now (the key, an outage) may be given later.
    if (answer.got === 'refused')
      return delivery.isTold ? LATER : { again: 'later', tell: { kind: 'result-failed' } }
    return { ask: 'layOut', result: answer.got }
  }
  if (answer.to === 'layOut') return laidOut(delivery, answer)
  if (!owed) return OVER
  return answer.to === 'fetchReport'
    ? withReport(delivery, owed, answer.got)
    : afterPart(delivery, owed, answer)
}

function laidOut(
  { state, owed, again }: Delivery,
  { result, parts }: Extract<Answer, { to: 'layOut' }>,
): Step {
  const others = owed ? owed.parts.filter(({ chatId }) => chatId !== again) : []
  // Whoever asks before anybody has it brings it to all: it counts as delivered when this is done.
  const isForAll = again === undefined || (state.stage === 'scored' && !owed)
  const wanted = parts.filter(({ chatId }) => isForAll || chatId === again)
  return { goOn: owed ? 'on' : 'anew', keep: { ...result, parts: [...others, ...wanted] } }
}

/** What has not been confirmed yet, for those who may still have it. */
const openParts = ({ entitled }: Delivery, { parts }: OwedResult): Part[] =>
  parts.filter(({ chatId }) => entitled.includes(chatId))

function nextPart(delivery: Delivery, owed: OwedResult): Next {
  const parts = openParts(delivery, owed)
  const open = parts.filter(({ chatId }) => !delivery.blocked.includes(chatId))
  // A report that has to be waited for comes last, for everybody.
  const part = open.find(({ kind }) => kind !== 'document' || owed.html !== undefined) ?? open[0]
  if (!part) return conclude(delivery, parts)
  return part.kind === 'document' && owed.html === undefined ? { ask: 'fetchReport' } : { ask: 'send', part }
}

/** Nothing more can be sent now. */
function conclude({ state, chatId, resultTo }: Delivery, left: readonly Part[]): Step {
  // Whoever else has blocked the bot does not keep this chat waiting.
  if (left.some((part) => part.chatId === chatId)) return OVER
  // What is owed goes in the same step in which the record is done: no second job finds it owed again.
  if (state.stage === 'scored' || (isResultOwed({ state }) && left.length === 0))
    return { end: 'over', tell: { kind: 'delivered', to: resultTo } }
  return left.length === 0 ? { end: 'over', forget: true } : OVER
}

function withReport(delivery: Delivery, owed: OwedResult, got: Half<{ html: string }>): Next {
  if (typeof got === 'object') {
    const { html } = got.value
    const part = openParts(delivery, owed).find(
      ({ kind, chatId }) => kind === 'document' && !delivery.blocked.includes(chatId),
    )
    if (part && html.length > LONGEST_KEPT_REPORT) return { ask: 'send', part, html }
    return { goOn: 'on', keep: { ...owed, html } }
  }
  if (got !== 'absent' && delivery.tries === REPORT_TRIES)
    return { again: 'later', tell: { kind: 'report-missing' } }
  if (got !== 'absent' || delivery.tries < REPORT_TRIES) return LATER
  const { isReportAwaited: _, ...rest } = owed
  const parts = openParts(delivery, owed).filter(({ kind }) => kind !== 'document')
  return { goOn: 'on', keep: { ...rest, parts }, tell: { kind: 'report-missing' } }
}

function afterPart(
  delivery: Delivery,
  owed: OwedResult,
  { part, became }: Extract<Answer, { to: 'send' }>,
): Step {
  if (became === 'blocked') return { goOn: 'without', chatId: part.chatId }
  // One part that Telegram will never take must not hold up the others.
  const instead = became === 'apart' ? picturesOf(part) : []
  const parts = openParts(delivery, owed).flatMap((other) => (other === part ? instead : [other]))
  return { goOn: 'on', keep: { ...owed, parts } }
}

/** The pictures of an album, each a part of its own. */
const picturesOf = ({ count = 0, ...album }: Part): Part[] =>
  Array.from({ length: count }, (_, at) => ({ ...album, kind: 'picture', index: album.index + at }))
