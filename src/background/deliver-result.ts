import { type Api, GrammyError } from 'grammy'
import type { Config } from '../config.ts'
import { DAY_MS, OWED_DAYS } from '../domain/durations.ts'
import type { RecordFile } from '../domain/record-file.ts'
import type { Log } from '../observe/logger.ts'
import type { CardRenderer } from '../report/card-renderer.ts'
import type { ServiceClient } from '../service/client.ts'
import { ServiceError } from '../service/errors.ts'
import type { UnitOfWork } from '../store/unit-of-work.ts'
import type { Vault } from '../store/vault.ts'
import { isBlocked } from '../telegram/errors.ts'
import { plain } from '../texts/html.ts'
import type { Texts } from '../texts/texts.ts'
import { type ChatEvent, chatActor, type OnBehalf } from './actors.ts'
import { accounts, recordFiles } from './kinds.ts'
import { guardCurrent } from './on-behalf.ts'
import { blockedDeliveries, type OwedResult, owedResults, type Part, recipientsOf } from './owed-result.ts'
import { createResultContent } from './result-content.ts'
import type { JobHandler } from './worker.ts'

export type ResultJob = {
  s: string
  onBehalf: OnBehalf
  tries?: number
  /** Only this chat, which has asked for it once more. */
  again?: number | undefined
  /** Asked for after it was delivered: nobody else is owed anything. */
  isRepeat?: true
  /** Chats that have blocked the bot: what they are owed waits for their next /start. */
  blocked?: number[]
}

const BACK_OFF_MS = [
  1_000, 3_000, 5_000, 10_000, 30_000, 60_000, 60_000, 60_000, 120_000, 300_000, 600_000, 1_800_000,
]
/** So often the whole result is asked for; then the half that can be had is delivered. */
const WHOLE_TRIES = 8
/** Accepted but not scored yet, or the service is away: these pass by themselves. */
const PASSING: readonly string[] = ['not_finished', 'unavailable', 'rate_limited', 'unreadable', 'no_slot']

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
  const { service, vault, api, config, now, log } = deps
  const content = createResultContent(deps)

  return async ({ body, work }) => {
    const job = body as ResultJob
    const { s, onBehalf, again, blocked = [] } = job
    const file = (await guardCurrent(work, onBehalf)) ? await work.get(recordFiles, s) : undefined
    // What was delivered meanwhile is not fetched and sent once more.
    const isOwed = file?.stage === 'scored' || (job.isRepeat && file?.stage === 'done')
    if (!file || !isOwed) return undefined
    const tell = (event: ChatEvent) =>
      work.post(chatActor(onBehalf.who), { type: 'event', chatId: onBehalf.chatId, s, event })
    const keep = (owed: OwedResult) => work.put(owedResults, s, owed, now() + OWED_DAYS * DAY_MS)
    const then = (changes: Partial<ResultJob> = {}, retryAt = now()) => ({
      retryAt,
      retryBody: { ...job, ...changes },
      countsAsRetry: false,
    })

    const owed = await work.get(owedResults, s)
    if (!owed) {
      const fetched = await fetchResult(file, job.tries ?? 0)
      if (fetched === 'later') {
        const tries = (job.tries ?? 0) + 1
        return then({ tries }, now() + (BACK_OFF_MS[Math.min(tries, BACK_OFF_MS.length) - 1] ?? 0))
      }
      if (fetched === 'refused') {
        tell({ kind: 'result-failed' })
        return undefined
      }
      // Delivered meanwhile: then nothing is kept.
      await work.guard(recordFiles, s)
      const parts = await partsOf(work, file, fetched, onBehalf)
      keep({ ...fetched, parts: parts.filter(({ chatId }) => again === undefined || chatId === again) })
      return then({ again: undefined })
    }
    if (again !== undefined) {
      const parts = await partsOf(work, file, owed, onBehalf)
      const others = owed.parts.filter(({ chatId }) => chatId !== again)
      keep({ ...owed, parts: [...others, ...parts.filter(({ chatId }) => chatId === again)] })
      return then({ again: undefined })
    }

    const entitled = recipientsOf(config, file, onBehalf).map(({ chatId }) => chatId)
    const parts = owed.parts.filter(({ chatId }) => entitled.includes(chatId))
    const part = parts.find(({ chatId }) => !blocked.includes(chatId))
    if (!part) {
      if (parts.length > 0) return undefined
      // What is owed goes in the same step in which the record is done: no second job finds it owed again.
      if (file.stage === 'done') work.remove(owedResults, s)
      else tell({ kind: 'delivered', to: config.resultTo })
      return undefined
    }
    try {
      await send(file, owed, part)
    } catch (err) {
      if (isBlocked(err)) {
        await noteBlocked(work, part.chatId, { s, onBehalf })
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
  async function noteBlocked(
    work: UnitOfWork,
    chatId: number,
    waiting: Pick<ResultJob, 's' | 'onBehalf'>,
  ): Promise<void> {
    const who = vault.hash('account', String(chatId))
    const { results = [] } = (await work.get(blockedDeliveries, who)) ?? {}
    const others = results.filter(({ s }) => s !== waiting.s)
    work.put(blockedDeliveries, who, { results: [...others, waiting] }, now() + OWED_DAYS * DAY_MS)
  }

  async function fetchResult(
    { token, roadmap }: RecordFile,
    tries: number,
  ): Promise<Omit<OwedResult, 'parts'> | 'later' | 'refused'> {
    // Nobody waits in the chat any more: those who do go first.
    const how = tries < WHOLE_TRIES ? {} : ({ lane: 'background' } as const)
    const json = await half(() =>
      roadmap ? service.roadmapResultJson(token, how) : service.recordResultJson(token, how),
    )
    if (json === 'later' && tries < WHOLE_TRIES) return 'later'
    const report = await half(() =>
      roadmap ? service.roadmapResultHtml(token, how) : service.recordResultHtml(token, how),
    )
    const had = [json, report].filter((each) => typeof each === 'object')
    const isWaitedFor = json === 'later' || report === 'later'
    if (isWaitedFor && (tries < WHOLE_TRIES || had.length === 0)) return 'later'
    if (had.length === 0) return 'refused'
    return {
      json: typeof json === 'object' ? json.value : undefined,
      html: typeof report === 'object' ? report.value.html : undefined,
      date: now(),
    }
  }

  /** One of the two forms of a result: had, to be had later, or refused. */
  async function half<T>(call: () => Promise<T>): Promise<{ value: T } | 'later' | 'refused'> {
    try {
      const value = await call()
      return value === undefined ? 'refused' : { value }
    } catch (err) {
      if (!(err instanceof ServiceError)) throw err
      if (PASSING.includes(err.code)) return 'later'
      log.warn({ err }, 'result not to be had')
      return 'refused'
    }
  }

  async function partsOf(
    work: UnitOfWork,
    file: RecordFile,
    result: Omit<OwedResult, 'parts'>,
    onBehalf: OnBehalf,
  ): Promise<Part[]> {
    const parts: Part[] = []
    for (const { who, ...member } of recipientsOf(config, file, onBehalf)) {
      const chosen = who === undefined ? undefined : (await work.get(accounts, who))?.language
      const recipient = { ...member, language: chosen ?? member.language }
      const pictures = await content.pictures(file, result, recipient.language)
      const messages = content.messages(file, result, recipient.language)
      parts.push(
        ...pictures.map((_, index): Part => ({ ...recipient, kind: 'picture', index })),
        ...messages.map((_, index): Part => ({ ...recipient, kind: 'text', index })),
        ...(result.html ? [{ ...recipient, kind: 'document', index: 0 } as const] : []),
      )
    }
    return parts
  }

  async function send(
    file: RecordFile,
    owed: OwedResult,
    { chatId, language, kind, index }: Part,
  ): Promise<void> {
    const html = { parse_mode: 'HTML' as const }
    if (kind === 'picture') {
      const picture = (await content.pictures(file, owed, language))[index]
      if (picture) await api.sendPhoto(chatId, picture.file, { caption: picture.caption, ...html })
    } else if (kind === 'document') {
      const document = content.document(file, owed.html ?? '', language)
      await api.sendDocument(chatId, document.file, { caption: document.caption, ...html })
    } else {
      const text = content.messages(file, owed, language)[index] ?? ''
      const quiet = { link_preview_options: { is_disabled: true } }
      await api.sendMessage(chatId, text, { ...html, ...quiet }).catch((err: unknown) => {
        if (isBlocked(err) || !(err instanceof GrammyError) || err.error_code !== 400) throw err
        log.error({ err }, 'Telegram refused the form of a result')
        return api.sendMessage(chatId, plain(text), quiet)
      })
    }
  }
}
