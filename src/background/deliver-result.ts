import { type Api, InputFile } from 'grammy'
import type { Config } from '../config.ts'
import { readResult } from '../domain/result.ts'
import type { Log } from '../observe/logger.ts'
import type { CardRenderer } from '../report/card-renderer.ts'
import type { ServiceClient } from '../service/client.ts'
import { ServiceError } from '../service/errors.ts'
import { documentKind } from '../store/documents.ts'
import { isBlocked } from '../telegram/errors.ts'
import type { Texts } from '../texts/texts.ts'
import { cardLabels } from '../views/card-labels.ts'
import { closing, resultMessages } from '../views/result.ts'
import { type ChatEvent, chatActor, type OnBehalf } from './actors.ts'
import { recordFiles } from './kinds.ts'
import { guardCurrent } from './on-behalf.ts'
import type { JobHandler } from './worker.ts'

/** A result that is owed until Telegram has confirmed each of its parts. By `S`. */
export const owedResults = documentKind<OwedResult>('o')

export type OwedResult = {
  json: unknown
  html: string | undefined
  date: number
  /** What has not been confirmed yet, in order. */
  parts: Part[]
}

type Part = { chatId: number; kind: 'picture' | 'text' | 'document'; index: number }

export type ResultJob = { s: string; onBehalf: OnBehalf; tries?: number }

const DAY_MS = 86_400_000
const OWED_DAYS = 90
const BACK_OFF_MS = [1_000, 3_000, 5_000, 10_000, 30_000, 60_000]

/**
 * Delivers a result: fetches it once, then sends one part per step, so that a confirmed part is never sent again.
 */
export function createResultHandler(deps: {
  service: ServiceClient
  api: Api
  texts: Texts
  config: Config
  cards: CardRenderer
  now: () => number
  log: Log
}): JobHandler {
  const { service, api, texts, config, cards, now, log } = deps

  return async ({ body, work }) => {
    const job = body as ResultJob
    const { s, onBehalf } = job
    if (!(await guardCurrent(work, onBehalf))) return
    const tell = (event: ChatEvent) =>
      work.post(chatActor(onBehalf.who), { type: 'event', chatId: onBehalf.chatId, s, event })
    const file = await work.get(recordFiles, s)
    if (!file) return
    const t = texts.for(onBehalf.language)
    const { title } = file.test

    const drawn = (owed: OwedResult) =>
      cards.recordCards({
        language: onBehalf.language,
        title,
        ...(file.caseNumber ? { caseNumber: file.caseNumber } : {}),
        date: new Date(owed.date),
        scales: readResult(owed.json).scales,
        note: t.plain('card-note'),
        labels: cardLabels(t),
      })
    const written = (owed: OwedResult) =>
      resultMessages(t, {
        title,
        result: readResult(owed.json),
        organizerContact: config.organizerContact,
        supportText: config.supportText,
      })

    let owed = await work.get(owedResults, s)
    if (!owed) {
      try {
        const json = await service.recordResultJson(file.token)
        const { html } = await service.recordResultHtml(file.token)
        owed = { json, html, date: now(), parts: [] }
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        if (['not_finished', 'unavailable', 'rate_limited', 'unreadable', 'no_slot'].includes(error.code)) {
          // Accepted but not scored yet, or the service is away: the result is owed, so look again.
          const tries = job.tries ?? 0
          return {
            retryAt: now() + (BACK_OFF_MS[Math.min(tries, BACK_OFF_MS.length - 1)] ?? 0),
            retryBody: { ...job, tries: tries + 1 },
            countsAsRetry: false,
          }
        }
        log.error({ err: error }, 'result not to be had')
        tell({ kind: 'result-failed' })
        return
      }
      const pictures = await drawn(owed)
      const texts = written(owed)
      for (const chatId of recipients(config, onBehalf.chatId)) {
        owed.parts.push(...pictures.map((_, index): Part => ({ chatId, kind: 'picture', index })))
        owed.parts.push(...texts.map((_, index): Part => ({ chatId, kind: 'text', index })))
        if (owed.html) owed.parts.push({ chatId, kind: 'document', index: 0 })
      }
      work.put(owedResults, s, owed, now() + OWED_DAYS * DAY_MS)
      return { retryAt: now(), countsAsRetry: false }
    }

    const part = owed.parts[0]
    if (!part) {
      tell({ kind: 'delivered', to: config.resultTo })
      return
    }
    try {
      await send(part, owed)
    } catch (error) {
      if (!isBlocked(error)) throw error
      if (part.chatId === onBehalf.chatId) return // owed until the next /start
      log.warn({}, 'an organizer has blocked the bot: result not delivered to that account')
      owed.parts = owed.parts.filter(({ chatId }) => chatId !== part.chatId)
      work.put(owedResults, s, owed, now() + OWED_DAYS * DAY_MS)
      return { retryAt: now(), countsAsRetry: false }
    }
    work.put(owedResults, s, { ...owed, parts: owed.parts.slice(1) }, now() + OWED_DAYS * DAY_MS)
    return { retryAt: now(), countsAsRetry: false }

    async function send(part: Part, owed: OwedResult): Promise<void> {
      const html = { parse_mode: 'HTML' as const }
      if (part.kind === 'picture') {
        const pictures = await drawn(owed)
        const picture = pictures[part.index]
        if (!picture) return
        const caption = t('result-picture-caption', { title, page: part.index + 1, pages: pictures.length })
        await api.sendPhoto(part.chatId, new InputFile(picture, `result-${part.index + 1}.png`), {
          caption,
          ...html,
        })
      } else if (part.kind === 'text') {
        const text = written(owed)[part.index]
        if (text)
          await api.sendMessage(part.chatId, text, { ...html, link_preview_options: { is_disabled: true } })
      } else if (owed.html) {
        const name = `report-${(file?.caseNumber ?? s).replace(/[^\w.-]+/g, '-')}.html`
        const caption = `${t('result-document-caption', { title })}\n\n${closing(t, { organizerContact: config.organizerContact })}`
        await api.sendDocument(part.chatId, new InputFile(Buffer.from(owed.html), name), { caption, ...html })
      }
    }
  }
}

function recipients(config: Config, participant: number): number[] {
  const { resultTo, organizers } = config
  const both = [
    ...(resultTo === 'organizer' ? [] : [participant]),
    ...(resultTo === 'participant' ? [] : organizers),
  ]
  return [...new Set(both)]
}
