import { z } from 'zod'
import type { Config } from '../config.ts'
import { backOffMs } from '../domain/back-off.ts'
import { ownerOf } from '../kept/assigned.ts'
import { blockedDeliveries, owedResults, recordFiles } from '../kept/documents.ts'
import { onBehalf, type ResultDelivery } from '../kept/owed-result.ts'
import { postEvent } from '../mail/chat-message.ts'
import { guardCurrent } from '../mail/current.ts'
import { job } from '../mail/job.ts'
import type { Log } from '../observe/logger.ts'
import type { CardRenderer } from '../report/card-renderer.ts'
import type { ServiceClient } from '../service/client.ts'
import type { UnitOfWork } from '../store/unit-of-work.ts'
import type { Vault } from '../store/vault.ts'
import type { Sender } from '../telegram/sender.ts'
import type { Texts } from '../texts/texts.ts'
import { createDeliveryAnswers } from './delivery-answers.ts'
import { first, type Next, next, type Step } from './delivery-steps.ts'
import { postNotice } from './notices.ts'
import { recipientsOf, resultToOf } from './recipients.ts'
import { type Handler, handler, type JobEnd } from './task.ts'

const resultBody = z.object({
  s: z.string(),
  onBehalf,
  tries: z.number().optional(),
  /** Only this chat, which has asked for it once more. */
  again: z.number().optional(),
  /** It was told that the result cannot be had for now. */
  isTold: z.literal(true).optional(),
  /** Also of a result that its participant has: it was asked for again, or somebody who had blocked the bot is owed it. */
  isRepeat: z.literal(true).optional(),
  /** Chats that have blocked the bot: what they are owed waits for their next /start. */
  blocked: z.array(z.number()).optional(),
})
type ResultBody = z.infer<typeof resultBody>
type End = JobEnd<ResultBody>

/** A result on its way. By `S`. */
export const resultJob = job('result', resultBody)

const BACK_OFF_MS = [
  1_000, 3_000, 5_000, 10_000, 30_000, 60_000, 60_000, 60_000, 120_000, 300_000, 600_000, 1_800_000,
]

type DeliveryDeps = {
  service: ServiceClient
  vault: Vault
  sender: Sender
  texts: Texts
  config: Config
  cards: CardRenderer
  now: () => number
  log: Log
}

/** Delivers a result: fetches it once, then sends one part per step, so that a confirmed part is never sent again. */
export function createResultHandler(deps: DeliveryDeps): Handler {
  const { config } = deps
  const answer = createDeliveryAnswers(deps)

  return handler(resultJob, async ({ body, work, begin, sender = deps.sender }): Promise<End> => {
    const { s, onBehalf, tries = 0, blocked = [], isTold = false } = body
    const file = (await guardCurrent(work, onBehalf)) ? await work.get(recordFiles, s) : undefined
    if (!file) return undefined
    const { state, askedBy = [] } = file
    const owed = await work.get(owedResults, s)
    const { chatId } = onBehalf
    // What organizers ask for is done with whatever delivery comes first, and outlives one that is replaced.
    const { again = askedBy[0], isRepeat = again !== undefined } = body
    const asking = [
      ...(again === undefined ? [] : [again]),
      ...(owed?.parts ?? []).map((part) => part.chatId),
    ]
    const resultTo = resultToOf(config, file)
    const owner = await ownerOf({ work, vault: deps.vault }, file)
    const entitled = recipientsOf(config, file, owner, onBehalf, asking).map((recipient) => recipient.chatId)
    const known = { state, owed, chatId, entitled, resultTo, tries, again, isRepeat, blocked, isTold }
    let step: Next = first(known)
    while ('ask' in step)
      step = next(known, await answer(step, { file, onBehalf, asking, tries, owed, work, sender, begin }))
    if ('goOn' in step && again !== undefined) await noteLaidOut(work, s, again)
    return finish(deps, step, body, work)
  })
}

/** Keeps what came of a step, and says when the next one follows. */
async function finish(deps: DeliveryDeps, step: Step, body: ResultBody, work: UnitOfWork): Promise<End> {
  const { s, onBehalf, tries = 0, blocked = [] } = body
  const then = (changes: Partial<ResultBody>, afterMs = 0): End => ({
    retryAt: deps.now() + afterMs,
    retryBody: { ...body, ...changes },
    countsAsRetry: false,
  })
  if ('tell' in step) postEvent(work, onBehalf, s, step.tell)
  if ('again' in step) {
    const told = step.tell?.kind === 'result-failed' && { isTold: true as const }
    return then({ tries: tries + 1, ...told }, backOffMs(BACK_OFF_MS, tries + 1))
  }
  if ('end' in step) {
    if (step.forget) work.remove(owedResults, s)
    return undefined
  }
  if (step.goOn === 'without') {
    await noteBlocked(deps.vault, work, step.chatId, { s, onBehalf, isRepeat: true })
    await tellBlocked(deps, work, s, step.chatId)
    return then({ blocked: [...blocked, step.chatId] })
  }
  work.put(owedResults, s, step.keep)
  return then({ again: undefined, ...(step.goOn === 'anew' && { tries: 0 }) })
}

/** What an organizer has asked for is owed by now. */
async function noteLaidOut(work: UnitOfWork, s: string, chatId: number): Promise<void> {
  const file = await work.get(recordFiles, s)
  if (!file?.askedBy) return
  const left = file.askedBy.filter((asking) => asking !== chatId)
  file.askedBy = left.length > 0 ? left : undefined
}

/** A result that is owed to a blocked chat is worth a word with the participant. */
async function tellBlocked(deps: DeliveryDeps, work: UnitOfWork, s: string, chatId: number): Promise<void> {
  const file = await work.get(recordFiles, s)
  if (!file || deps.config.organizers.includes(chatId)) return
  await postNotice(deps, work, { key: 'notice-blocked', of: s, whose: file }, { title: file.test.title })
}

/** The next /start of this account asks for what it is owed. */
async function noteBlocked(
  vault: Vault,
  work: UnitOfWork,
  chatId: number,
  waiting: ResultDelivery,
): Promise<void> {
  const who = vault.hash('account', String(chatId))
  const { results = [] } = (await work.get(blockedDeliveries, who)) ?? {}
  const others = results.filter(({ s }) => s !== waiting.s)
  work.put(blockedDeliveries, who, { results: [...others, waiting] })
}
