import { type Api, GrammyError } from 'grammy'
import type { Config } from '../config.ts'
import { DAY_MS, OWED_DAYS } from '../domain/durations.ts'
import type { Log } from '../observe/logger.ts'
import type { CardRenderer } from '../report/card-renderer.ts'
import type { ServiceClient } from '../service/client.ts'
import type { UnitOfWork } from '../store/unit-of-work.ts'
import type { Vault } from '../store/vault.ts'
import { isBlocked } from '../telegram/errors.ts'
import type { Texts } from '../texts/texts.ts'
import type { ChatEvent, OnBehalf } from './actors.ts'
import { backOffMs } from './back-off.ts'
import { createResultFetcher, WHOLE_TRIES } from './fetch-result.ts'
import { recordFiles } from './kinds.ts'
import { guardCurrent } from './on-behalf.ts'
import {
  type BlockedDelivery,
  blockedDeliveries,
  type OwedResult,
  owedResults,
  recipientsOf,
} from './owed-result.ts'
import { postEvent } from './post-event.ts'
import { createResultParts } from './result-parts.ts'
import type { JobHandler } from './worker.ts'

export type ResultJob = {
  s: string
  onBehalf: OnBehalf
  tries?: number
  /** Only this chat, which has asked for it once more. */
  again?: number | undefined
  /** Also of a result that its participant has: it was asked for again, or somebody who had blocked the bot is owed it. */
  isRepeat?: true
  /** Chats that have blocked the bot: what they are owed waits for their next /start. */
  blocked?: number[]
}

const BACK_OFF_MS = [
  1_000, 3_000, 5_000, 10_000, 30_000, 60_000, 60_000, 60_000, 120_000, 300_000, 600_000, 1_800_000,
]
/** So often a report that is refused is asked for, beside a result that could be had. */
const REPORT_TRIES = 2 * WHOLE_TRIES

/** Delivers a result: fetches it once, then sends one part per step, so that a confirmed part is never sent again. */
export function createResultHandler(deps: {
  service: ServiceClient
  vault: Vault
  api: Api
  texts: Texts
  config: Config
  cards: CardRenderer
  now: () => number
  log: Log
}): JobHandler {
  const { vault, config, now, log } = deps
  const fetcher = createResultFetcher(deps)
  const resultParts = createResultParts(deps)

  return async ({ body, work }) => {
    const job = body as ResultJob
    const { s, onBehalf, again, blocked = [] } = job
    const file = (await guardCurrent(work, onBehalf)) ? await work.get(recordFiles, s) : undefined
    // What was delivered meanwhile is not fetched and sent once more.
    const isOwed = file?.stage === 'scored' || (job.isRepeat && file?.stage === 'done')
    if (!file || !isOwed) return undefined
    const tell = (event: ChatEvent) => postEvent(work, onBehalf, s, event)
    const keep = (owed: OwedResult) => work.put(owedResults, s, owed, now() + OWED_DAYS * DAY_MS)
    const then = (changes: Partial<ResultJob> = {}, retryAt = now()) => ({
      retryAt,
      retryBody: { ...job, ...changes },
      countsAsRetry: false,
    })

    const { tries = 0 } = job
    const later = () => then({ tries: tries + 1 }, now() + backOffMs(BACK_OFF_MS, tries + 1))

    const owed = await work.get(owedResults, s)
    // Another job has brought the rest meanwhile.
    if (!owed && file.stage === 'done' && again === undefined) return undefined
    if (!owed) {
      const fetched = await fetcher.result(file, tries)
      if (fetched === 'later') return later()
      if (fetched === 'refused') {
        tell({ kind: 'result-failed' })
        return undefined
      }
      // Delivered meanwhile: then nothing is kept.
      await work.guard(recordFiles, s)
      const parts = await resultParts.of(work, file, fetched, onBehalf)
      keep({ ...fetched, parts: parts.filter(({ chatId }) => again === undefined || chatId === again) })
      return then({ again: undefined, tries: 0 })
    }
    if (again !== undefined) {
      const parts = await resultParts.of(work, file, owed, onBehalf)
      const others = owed.parts.filter(({ chatId }) => chatId !== again)
      keep({ ...owed, parts: [...others, ...parts.filter(({ chatId }) => chatId === again)] })
      return then({ again: undefined })
    }

    const entitled = recipientsOf(config, file, onBehalf).map(({ chatId }) => chatId)
    const parts = owed.parts.filter(({ chatId }) => entitled.includes(chatId))
    const open = parts.filter(({ chatId }) => !blocked.includes(chatId))
    // A report that has to be waited for comes last, for everybody.
    const part = open.find(({ kind }) => kind !== 'document' || owed.html !== undefined) ?? open[0]
    if (!part) {
      // Whoever else has blocked the bot does not keep this chat waiting.
      if (parts.some(({ chatId }) => chatId === onBehalf.chatId)) return undefined
      // What is owed goes in the same step in which the record is done: no second job finds it owed again.
      if (file.stage === 'scored' || (file.isOwed && parts.length === 0)) {
        tell({ kind: 'delivered', to: config.resultTo })
      } else if (parts.length === 0) work.remove(owedResults, s)
      return undefined
    }
    if (part.kind === 'document' && owed.html === undefined) {
      const report = await fetcher.report(file, tries)
      if (typeof report === 'object') keep({ ...owed, html: report.value.html })
      else if (report === 'later' || tries < REPORT_TRIES) return later()
      else {
        tell({ kind: 'report-missing' })
        const { isReportAwaited: _, ...rest } = owed
        keep({ ...rest, parts: parts.filter(({ kind }) => kind !== 'document') })
      }
      return then()
    }
    try {
      await resultParts.send(file, owed, part)
    } catch (err) {
      if (isBlocked(err)) {
        await noteBlocked(work, part.chatId, { s, onBehalf, isRepeat: true })
        return then({ blocked: [...blocked, part.chatId] })
      }
      if (!(err instanceof GrammyError) || err.error_code !== 400) throw err
      // One part that Telegram will never take must not hold up the others.
      log.error({ err, kind: part.kind }, 'Telegram refused a part of a result')
    }
    keep({ ...owed, parts: parts.filter((other) => other !== part) })
    return then()
  }

  /** The next /start of this account asks for what it is owed. */
  async function noteBlocked(work: UnitOfWork, chatId: number, waiting: BlockedDelivery): Promise<void> {
    const who = vault.hash('account', String(chatId))
    const { results = [] } = (await work.get(blockedDeliveries, who)) ?? {}
    const others = results.filter(({ s }) => s !== waiting.s)
    work.put(blockedDeliveries, who, { results: [...others, waiting] }, now() + OWED_DAYS * DAY_MS)
  }
}
