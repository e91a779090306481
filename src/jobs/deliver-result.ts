import { z } from 'zod'
import { backOffMs } from '../domain/durations.ts'
import { isIn, isResultOwed, type RecordFile } from '../domain/record/record.ts'
import { postEvent } from '../queue/chat-message.ts'
import { currentFile, type Handler, handler, type JobEnd, job, type Task } from '../queue/job.ts'
import { attemptKey, ownerOf } from '../storage/documents/attempts.ts'
import {
  accounts,
  LONGEST_KEPT_REPORT,
  type OwedResult,
  onBehalfSchema,
  owedResults,
  type ResultPart,
  recordFiles,
} from '../storage/documents/kinds.ts'
import { postAct } from './acts.ts'
import type { JobDeps } from './deps.ts'
import { createResultFetcher, type FetchedResult, REPORT_TRIES } from './fetch-result.ts'
import { postNotice } from './notices.ts'
import { sendPart } from './outbox.ts'
import { recipientsOf, resultToOf } from './recipients.ts'
import { createResultParts } from './result-parts.ts'

const resultBody = z.object({
  s: z.string(),
  onBehalf: onBehalfSchema,
  tries: z.number().optional(),
  /** How often the service did not have the figures. */
  absences: z.number().optional(),
  /** The chat that has requested the result again. */
  again: z.number().optional(),
  /** The participant was notified that the result is not available for now. */
  isTold: z.literal(true).optional(),
  /** Chats that have blocked the bot: what they are owed waits for their next /start. */
  blocked: z.array(z.number()).optional(),
})
type ResultBody = z.infer<typeof resultBody>
type End = JobEnd<ResultBody>

/** The delivery of a result. Keyed by record id. */
export const resultJob = job('result', resultBody)

const BACK_OFF_MS = [
  1_000, 3_000, 5_000, 10_000, 30_000, 60_000, 60_000, 60_000, 120_000, 300_000, 600_000, 1_800_000,
]

type DeliveryDeps = Omit<JobDeps, 'store' | 'fetchPicture'> & {
  /** Whether inline mode is on at @BotFather: then a report has a button to hand it on. */
  isInline?: boolean
}

/** A delivery in progress, with what it needs; `again`: the chat that has requested the result again. */
type Delivery = DeliveryDeps &
  Task<ResultBody> & {
    sender: JobDeps['sender']
    file: RecordFile
    again: number | undefined
    fetcher: ReturnType<typeof createResultFetcher>
    resultParts: ReturnType<typeof createResultParts>
  }

/** Delivers a result: fetches it once, lays out the parts of each recipient, then sends one part per step. */
export function createResultHandler(deps: DeliveryDeps): Handler {
  const ways = { ...deps, fetcher: createResultFetcher(deps), resultParts: createResultParts(deps) }

  return handler(resultJob, async (task): Promise<End> => {
    const { body, work, sender = deps.sender } = task
    const file = await currentFile(work, body)
    if (!file || !isIn(file, 'scored', 'done')) return undefined
    // A request of an organizer is served by the next delivery, and survives when that job is replaced.
    const { again = file.askedBy?.[0] } = body
    const delivery = { ...ways, ...task, sender, file, again }
    const owed = await work.get(owedResults, body.s)
    if (owed) return again === undefined ? sendNext(delivery, owed) : layOut(delivery, owed, owed)
    // A result that was delivered meanwhile is not fetched again.
    return isIn(file, 'done') && again === undefined ? undefined : fetchFirst(delivery)
  })
}

const goOn = ({ now }: Delivery, retryBody: ResultBody): End => ({ retryAt: now(), retryBody })

function later(delivery: Delivery, changes: Partial<ResultBody> = {}): End {
  const tries = (delivery.body.tries ?? 0) + 1
  const retryBody = { ...delivery.body, ...changes, tries }
  return { retryAt: delivery.now() + backOffMs(BACK_OFF_MS, tries), retryBody }
}

async function fetchFirst(delivery: Delivery): Promise<End> {
  const { body, work, file, fetcher, trace } = delivery
  const { s, onBehalf, isTold, tries = 0, absences = 0 } = body
  const got = await fetcher.result(file, { tries, absences, trace, before: await earlierOf(delivery) })
  if (got === 'later') return later(delivery)
  if (got === 'figures later') return later(delivery, { absences: absences + 1 })
  if (got === 'absent' || got === 'refused') {
    if (!isTold) postEvent(work, onBehalf, s, { kind: 'result-failed' })
    // It stays owed: a refusal may be temporary (the key, an outage).
    return got === 'absent' && tries >= REPORT_TRIES ? undefined : later(delivery, { isTold: true })
  }
  // If it was delivered meanwhile, nothing is kept. No other change of the file may repeat the two calls, or
  // a participant who asks every few seconds would never get an answer.
  const now = await work.rereadGuarded(recordFiles, s)
  if (now?.state.stage !== file.state.stage) return undefined
  if (got.json === undefined) {
    const cause = { key: 'notice-figures', of: s, whose: now } as const
    await postNotice(delivery, work, cause, { title: now.test.title })
  }
  return layOut({ ...delivery, file: now }, got)
}

/** Lays out the parts for all recipients, or for the chat that has requested the result again. */
async function layOut(delivery: Delivery, result: FetchedResult, owed?: OwedResult): Promise<End> {
  const { body, work, file, again, resultParts } = delivery
  const parts = await resultParts.of(work, file, result, await entitled(delivery, owed))
  const others = owed?.parts.filter(({ chatId }) => chatId !== again) ?? []
  // A request before the first delivery delivers to all, as the result then counts as delivered.
  const isForAll = again === undefined || (file.state.stage === 'scored' && !owed)
  const wanted = parts.filter(({ chatId }) => isForAll || chatId === again)
  work.put(owedResults, body.s, { ...result, parts: [...others, ...wanted] })
  // The parts for the organizer are among the owed ones now.
  const left = file.askedBy?.filter((asking) => asking !== again) ?? []
  file.askedBy = left.length > 0 ? left : undefined
  return goOn(delivery, { ...body, again: undefined, ...(!owed && { tries: 0 }) })
}

/** Who may have the result now: the participants, and the organizers who get it or have requested it. */
async function entitled({ config, body, work, file, again }: Delivery, owed?: OwedResult) {
  const asking = owed?.parts.map(({ chatId }) => chatId) ?? []
  if (again !== undefined) asking.push(again)
  return recipientsOf(config, file, await ownerOf(work, file), body.onBehalf, asking)
}

/** Sends the next part to a chat that may still have it. */
async function sendNext(delivery: Delivery, owed: OwedResult): Promise<End> {
  const { blocked = [] } = delivery.body
  const chats = (await entitled(delivery, owed)).map(({ chatId }) => chatId)
  const parts = owed.parts.filter(({ chatId }) => chats.includes(chatId))
  const open = parts.filter(({ chatId }) => !blocked.includes(chatId))
  // A report that is still awaited comes last, for all recipients.
  const part = open.find(({ kind }) => kind !== 'document' || owed.html !== undefined) ?? open[0]
  if (!part) return conclude(delivery, parts)
  const isAwaited = part.kind === 'document' && owed.html === undefined
  return (isAwaited ? fetchReport : send)(delivery, { ...owed, parts }, part)
}

async function send(delivery: Delivery, owed: OwedResult, part: ResultPart, html = owed.html): Promise<End> {
  const { config, body, work, file, sender, resultParts } = delivery
  const { s, onBehalf, blocked = [] } = body
  const waits = { ...delivery, body: { s, onBehalf } }
  const became = await sendPart(delivery, waits, part.chatId, () =>
    resultParts.send(sender, file, { ...owed, ...(html !== undefined && { html }) }, part),
  )
  if (became === 'blocked') {
    // Organizers may want to contact the participant.
    const cause = { key: 'notice-blocked', of: s, whose: file } as const
    if (!config.organizers.includes(part.chatId)) {
      if (file.state.stage === 'scored') {
        file.isHeldBack = true
        // The service has the answers: from now on only the result has to be kept.
        work.putBytes(attemptKey(s), null)
      }
      await postNotice(delivery, work, cause, { title: file.test.title })
    }
    return goOn(delivery, { ...body, blocked: [...blocked, part.chatId] })
  }
  const parts = owed.parts.filter((other) => other !== part)
  await noteReceived(delivery, part.chatId, { ...owed, parts })
  work.put(owedResults, s, { ...owed, parts })
  return goOn(delivery, body)
}

/** Logs that an organizer has received the whole result of another person. */
async function noteReceived(
  { config, body, work, file, now }: Delivery,
  by: number,
  { parts: left, earlier }: OwedResult,
): Promise<void> {
  const isOthers = config.organizers.includes(by) && by !== body.onBehalf.chatId
  if (!isOthers || left.some(({ chatId }) => chatId === by)) return
  const before = earlier && (await work.get(recordFiles, earlier.s))
  for (const { token } of before ? [file, before] : [file])
    postAct(work, { by, what: 'received', token, at: now() })
}

/** Fetches the report, which was missing. */
async function fetchReport(delivery: Delivery, owed: OwedResult, part: ResultPart): Promise<End> {
  const { body, work, file, fetcher, trace } = delivery
  const { s, onBehalf, tries = 0 } = body
  const got = await fetcher.report(file, { tries, trace })
  if (typeof got === 'object') {
    const { html } = got.value
    if (html.length > LONGEST_KEPT_REPORT) return send(delivery, owed, part, html)
    work.put(owedResults, s, { ...owed, html })
    return goOn(delivery, body)
  }
  const isGivenUp = got === 'absent' && tries >= REPORT_TRIES
  if (isGivenUp || (got !== 'absent' && tries === REPORT_TRIES))
    postEvent(work, onBehalf, s, { kind: 'report-missing' })
  if (!isGivenUp) return later(delivery)
  const { isReportAwaited: _, ...rest } = owed
  work.put(owedResults, s, { ...rest, parts: owed.parts.filter(({ kind }) => kind !== 'document') })
  return goOn(delivery, body)
}

/** Ends a delivery of which nothing more can be sent now. */
function conclude({ config, body, work, file }: Delivery, left: readonly ResultPart[]): End {
  const { s, onBehalf } = body
  const { state } = file
  // Only parts for this chat keep the record open; those for other blocked chats do not.
  if (left.some(({ chatId }) => chatId === onBehalf.chatId)) return undefined
  // What is owed is removed in the step that ends the record, so that no second job finds it owed.
  if (state.stage === 'scored' || (isResultOwed({ state }) && left.length === 0))
    postEvent(work, onBehalf, s, { kind: 'delivered', to: resultToOf(config, file) })
  else if (left.length === 0) work.remove(owedResults, s)
  return undefined
}

/** How many tests of an account are searched for an earlier result. */
const MOST_SEARCHED = 30

/** The newest earlier result of the same account, test and person, with the same recipients. */
async function earlierOf({ config, work, body, file }: Delivery): Promise<RecordFile | undefined> {
  const { who } = body.onBehalf
  const { personKey, finishedAt = 0, test } = file
  if (personKey === undefined) return undefined
  const { items = [] } = (await work.get(accounts, who)) ?? {}
  let newest: RecordFile | undefined
  for (const s of items.slice(-MOST_SEARCHED)) {
    const other = s === file.s ? undefined : await work.get(recordFiles, s)
    if (!other || !isIn(other, 'done') || other.personKey !== personKey) continue
    const { finishedAt: at = finishedAt } = other
    const isAlike = other.test.title === test.title && resultToOf(config, other) === resultToOf(config, file)
    const isNewer = at < finishedAt && at > (newest?.finishedAt ?? 0)
    if (isAlike && isNewer && (await ownerOf(work, other)) === who) newest = other
  }
  return newest
}
