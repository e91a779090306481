import { GrammyError } from 'grammy'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { backOffMs } from '../domain/back-off.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { blockedDeliveries, owedResults, recordFiles } from '../kept/documents.ts'
import { type OwedResult, onBehalf, type Part, type ResultDelivery } from '../kept/owed-result.ts'
import { postEvent } from '../mail/chat-message.ts'
import { guardCurrent } from '../mail/current.ts'
import { job } from '../mail/job.ts'
import type { Log } from '../observe/logger.ts'
import type { CardRenderer } from '../report/card-renderer.ts'
import type { ServiceClient } from '../service/client.ts'
import type { UnitOfWork } from '../store/unit-of-work.ts'
import type { Vault } from '../store/vault.ts'
import { isBlocked } from '../telegram/errors.ts'
import type { Sender } from '../telegram/sender.ts'
import type { Texts } from '../texts/texts.ts'
import { type Answer, type Ask, first, type Next, next, type Step } from './delivery.ts'
import { createResultFetcher } from './fetch-result.ts'
import { recipientsOf } from './recipients.ts'
import { createResultParts } from './result-parts.ts'
import { type Handler, handler, type JobEnd } from './task.ts'

const resultBody = z.object({
  s: z.string(),
  onBehalf,
  tries: z.number().optional(),
  /** Only this chat, which has asked for it once more. */
  again: z.number().optional(),
  /** Also of a result that its participant has: it was asked for again, or somebody who had blocked the bot is owed it. */
  isRepeat: z.literal(true).optional(),
  /** Chats that have blocked the bot: what they are owed waits for their next /start. */
  blocked: z.array(z.number()).optional(),
})
type ResultBody = z.infer<typeof resultBody>
type End = JobEnd<ResultBody>
/** What a step of the delivery is about. */
type About = { file: RecordFile; body: ResultBody; owed: OwedResult | undefined; work: UnitOfWork }

/** A result on its way. By `S`. */
export const resultJob = job('result', resultBody)

const BACK_OFF_MS = [
  1_000, 3_000, 5_000, 10_000, 30_000, 60_000, 60_000, 60_000, 120_000, 300_000, 600_000, 1_800_000,
]

/** Delivers a result: fetches it once, then sends one part per step, so that a confirmed part is never sent again. */
export function createResultHandler(deps: {
  service: ServiceClient
  vault: Vault
  sender: Sender
  texts: Texts
  config: Config
  cards: CardRenderer
  now: () => number
  log: Log
}): Handler {
  const { vault, config, now, log } = deps
  const fetcher = createResultFetcher(deps)
  const resultParts = createResultParts(deps)

  async function answer(asked: Ask, { file, body, owed, work }: About): Promise<Answer> {
    const { onBehalf, tries = 0 } = body
    switch (asked.ask) {
      case 'fetch': {
        const got = await fetcher.result(file, tries)
        // Delivered meanwhile: then nothing is kept.
        if (typeof got === 'object') await work.guard(recordFiles, file.s)
        return { to: 'fetch', got }
      }
      case 'layOut': {
        const { result } = asked
        return { to: 'layOut', result, parts: await resultParts.of(work, file, result, onBehalf) }
      }
      case 'fetchReport':
        return { to: 'fetchReport', got: await fetcher.report(file, tries) }
      case 'send':
        return { to: 'send', part: asked.part, became: await send(file, owed, asked.part) }
    }
  }

  async function send(file: RecordFile, owed: OwedResult | undefined, part: Part) {
    try {
      if (owed) await resultParts.send(file, owed, part)
      return 'sent'
    } catch (err) {
      if (isBlocked(err)) return 'blocked'
      if (!(err instanceof GrammyError) || err.error_code !== 400) throw err
      log.error({ err, kind: part.kind }, 'Telegram refused a part of a result')
      return 'refused'
    }
  }

  /** Keeps what came of a step, and says when the next one follows. */
  async function finish(step: Step, body: ResultBody, work: UnitOfWork): Promise<End> {
    const { s, onBehalf, tries = 0, blocked = [] } = body
    const then = (changes: Partial<ResultBody>, afterMs = 0): End => ({
      retryAt: now() + afterMs,
      retryBody: { ...body, ...changes },
      countsAsRetry: false,
    })
    if ('again' in step) return then({ tries: tries + 1 }, backOffMs(BACK_OFF_MS, tries + 1))
    if ('tell' in step) postEvent(work, onBehalf, s, step.tell)
    if ('end' in step) {
      if (step.forget) work.remove(owedResults, s)
      return undefined
    }
    if (step.goOn === 'without') {
      await noteBlocked(work, step.chatId, { s, onBehalf, isRepeat: true })
      return then({ blocked: [...blocked, step.chatId] })
    }
    work.put(owedResults, s, step.keep)
    return then({ again: undefined, ...(step.goOn === 'anew' && { tries: 0 }) })
  }

  /** The next /start of this account asks for what it is owed. */
  async function noteBlocked(work: UnitOfWork, chatId: number, waiting: ResultDelivery): Promise<void> {
    const who = vault.hash('account', String(chatId))
    const { results = [] } = (await work.get(blockedDeliveries, who)) ?? {}
    const others = results.filter(({ s }) => s !== waiting.s)
    work.put(blockedDeliveries, who, { results: [...others, waiting] })
  }

  return handler(resultJob, async ({ body, work }): Promise<End> => {
    const { s, onBehalf, again, tries = 0, blocked = [] } = body
    const file = (await guardCurrent(work, onBehalf)) ? await work.get(recordFiles, s) : undefined
    if (!file) return undefined
    const owed = await work.get(owedResults, s)
    const delivery = {
      ...{ state: file.state, owed, again, tries, blocked, isRepeat: body.isRepeat === true },
      ...{ chatId: onBehalf.chatId, resultTo: config.resultTo },
      entitled: recipientsOf(config, file, onBehalf).map(({ chatId }) => chatId),
    }
    let step: Next = first(delivery)
    while ('ask' in step) step = next(delivery, await answer(step, { file, body, owed, work }))
    return finish(step, body, work)
  })
}
