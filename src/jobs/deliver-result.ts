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
  onBehalf,
  owedResults,
  type Part,
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
  onBehalf,
  tries: z.number().optional(),
  /** So often the service did not have its figures. */
  absences: z.number().optional(),
  /** Only this chat, which has asked for it once more. */
  again: z.number().optional(),
  /** It was told that the result cannot be had for now. */
  isTold: z.literal(true).optional(),
  /** Chats that have blocked the bot: what they are owed waits for their next /start. */
  blocked: z.array(z.number()).optional(),
})
type ResultBody = z.infer<typeof resultBody>
type End = JobEnd<ResultBody>

/** A result on its way. By record id. */
export const resultJob = job('result', resultBody)

const BACK_OFF_MS = [
  1_000, 3_000, 5_000, 10_000, 30_000, 60_000, 60_000, 60_000, 120_000, 300_000, 600_000, 1_800_000,
]

type DeliveryDeps = Omit<JobDeps, 'store' | 'fetchPicture'> & {
  /** Whether @BotFather has switched inline mode on: a report can be handed on by a button. */
  isInline?: boolean
}

/** A delivery under way, and what it is done with; `again`: who has asked for the result once more. */
type Delivery = DeliveryDeps &
  Task<ResultBody> & {
    sender: JobDeps['sender']
    file: RecordFile
    again: number | undefined
    fetcher: ReturnType<typeof createResultFetcher>
    resultParts: ReturnType<typeof createResultParts>
  }

/** Delivers a result: fetches it once, lays out what each recipient is owed of it, then sends one part per step. */
export function createResultHandler(deps: DeliveryDeps): Handler {
  const ways = { ...deps, fetcher: createResultFetcher(deps), resultParts: createResultParts(deps) }

  return handler(resultJob, async (task): Promise<End> => {
    const { body, work, sender = deps.sender } = task
    const file = await currentFile(work, body)
    if (!file || !isIn(file, 'scored', 'done')) return undefined
    // What organizers ask for is done with whatever delivery comes first, and outlives one that is replaced.
    const { again = file.askedBy?.[0] } = body
    const delivery = { ...ways, ...task, sender, file, again }
    const owed = await work.get(owedResults, body.s)
    if (owed) return again === undefined ? sendNext(delivery, owed) : layOut(delivery, owed, owed)
    // What was delivered meanwhile is not fetched once more.
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
    // It stays owed: what is refused for now (the key, an outage) may be given later.
    return got === 'absent' && tries >= REPORT_TRIES ? undefined : later(delivery, { isTold: true })
  }
  // Delivered meanwhile: then nothing is kept. Whatever else has touched the file while the two calls waited in
  // line is no reason to make them again: whoever asks every few seconds would never have an answer.
  const now = await work.guardAnew(recordFiles, s)
  if (now?.state.stage !== file.state.stage) return undefined
  if (got.json === undefined) {
    const cause = { key: 'notice-figures', of: s, whose: now } as const
    await postNotice(delivery, work, cause, { title: now.test.title })
  }
  return layOut({ ...delivery, file: now }, got)
}

/** Lays out what is owed to everybody, or once more to whoever asks for it. */
async function layOut(delivery: Delivery, result: FetchedResult, owed?: OwedResult): Promise<End> {
  const { body, work, file, again, resultParts } = delivery
  const parts = await resultParts.of(work, file, result, await entitled(delivery, owed))
  const others = owed?.parts.filter(({ chatId }) => chatId !== again) ?? []
  // Whoever asks before anybody has it brings it to all: it counts as delivered when this is done.
  const isForAll = again === undefined || (file.state.stage === 'scored' && !owed)
  const wanted = parts.filter(({ chatId }) => isForAll || chatId === again)
  work.put(owedResults, body.s, { ...result, parts: [...others, ...wanted] })
  // What an organizer has asked for is owed by now.
  const left = file.askedBy?.filter((asking) => asking !== again) ?? []
  file.askedBy = left.length > 0 ? left : undefined
  return goOn(delivery, { ...body, again: undefined, ...(!owed && { tries: 0 }) })
}

/** Who may have the result now: those who began or take part, and whoever has asked for it. */
async function entitled({ config, body, work, file, again }: Delivery, owed?: OwedResult) {
  const asking = owed?.parts.map(({ chatId }) => chatId) ?? []
  if (again !== undefined) asking.push(again)
  return recipientsOf(config, file, await ownerOf(work, file), body.onBehalf, asking)
}

/** Sends the next of the parts to those who may still have them. */
async function sendNext(delivery: Delivery, owed: OwedResult): Promise<End> {
  const { blocked = [] } = delivery.body
  const chats = (await entitled(delivery, owed)).map(({ chatId }) => chatId)
  const parts = owed.parts.filter(({ chatId }) => chats.includes(chatId))
  const open = parts.filter(({ chatId }) => !blocked.includes(chatId))
  // A report that has to be waited for comes last, for everybody.
  const part = open.find(({ kind }) => kind !== 'document' || owed.html !== undefined) ?? open[0]
  if (!part) return conclude(delivery, parts)
  const isAwaited = part.kind === 'document' && owed.html === undefined
  return (isAwaited ? fetchReport : send)(delivery, { ...owed, parts }, part)
}

async function send(delivery: Delivery, owed: OwedResult, part: Part, html = owed.html): Promise<End> {
  const { config, body, work, file, sender, resultParts } = delivery
  const { s, onBehalf, blocked = [] } = body
  const waits = { ...delivery, body: { s, onBehalf } }
  const became = await sendPart(delivery, waits, part.chatId, () =>
    resultParts.send(sender, file, { ...owed, ...(html !== undefined && { html }) }, part),
  )
  if (became === 'blocked') {
    // It is worth a word with the participant.
    const cause = { key: 'notice-blocked', of: s, whose: file } as const
    if (!config.organizers.includes(part.chatId)) {
      if (file.state.stage === 'scored') {
        file.isHeldBack = true
        // The service has the answers: what waits from now on is the result alone.
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

/** An organizer has all of somebody's result. */
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

/** Asks for the part of the result that was missing. */
async function fetchReport(delivery: Delivery, owed: OwedResult, part: Part): Promise<End> {
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

/** Nothing more can be sent now. */
function conclude({ config, body, work, file }: Delivery, left: readonly Part[]): End {
  const { s, onBehalf } = body
  const { state } = file
  // Whoever else has blocked the bot does not keep this chat waiting.
  if (left.some(({ chatId }) => chatId === onBehalf.chatId)) return undefined
  // What is owed goes in the same step in which the record is done: no second job finds it owed again.
  if (state.stage === 'scored' || (isResultOwed({ state }) && left.length === 0))
    postEvent(work, onBehalf, s, { kind: 'delivered', to: resultToOf(config, file) })
  else if (left.length === 0) work.remove(owedResults, s)
  return undefined
}

/** Of so many tests of an account the earlier result is looked for. */
const MOST_LOOKED_AT = 30

/** The newest result before this one that the same account has of the same test and person, meant for the same people. */
async function earlierOf({ config, work, body, file }: Delivery): Promise<RecordFile | undefined> {
  const { who } = body.onBehalf
  const { personKey, finishedAt = 0, test } = file
  if (personKey === undefined) return undefined
  const { items = [] } = (await work.get(accounts, who)) ?? {}
  let newest: RecordFile | undefined
  for (const s of items.slice(-MOST_LOOKED_AT)) {
    const other = s === file.s ? undefined : await work.get(recordFiles, s)
    if (!other || !isIn(other, 'done') || other.personKey !== personKey) continue
    const { finishedAt: at = finishedAt } = other
    const isAlike = other.test.title === test.title && resultToOf(config, other) === resultToOf(config, file)
    const isNewer = at < finishedAt && at > (newest?.finishedAt ?? 0)
    if (isAlike && isNewer && (await ownerOf(work, other)) === who) newest = other
  }
  return newest
}
