import { randomBytes } from 'node:crypto'
import type { Api } from 'grammy'
import type { InlineKeyboardButton } from 'grammy/types'
import type { Config } from '../config.ts'
import type { Log } from '../observe/logger.ts'
import type { UnitOfWork } from '../store/unit-of-work.ts'
import { isRefused } from '../telegram/errors.ts'
import type { TextKey, TextVariables } from '../texts/keys.ts'
import type { Texts, Translate } from '../texts/texts.ts'
import { noticeActor } from './actors.ts'
import type { JobHandler } from './worker.ts'

export type NoticeKey = TextKey & `notice-${string}`
type NoticeJob = { chatId: number; text: string; keyboard?: InlineKeyboardButton[][] }

/** Tells every organizer something; kept until Telegram has taken it. */
export function postNotice<K extends NoticeKey>(
  { config, texts }: { config: Pick<Config, 'organizers' | 'locale'>; texts: Texts },
  work: Pick<UnitOfWork, 'post'>,
  key: K,
  variables: TextVariables[K],
  buttons: (t: Translate) => InlineKeyboardButton[][] = () => [],
): void {
  const t = texts.for(config.locale)
  const text = (t as (key: TextKey, variables: unknown) => string)(key, variables)
  for (const chatId of config.organizers) {
    const job: NoticeJob = { chatId, text, keyboard: buttons(t) }
    work.post(noticeActor(randomBytes(6).toString('base64url')), job)
  }
}

/** Tells an organizer something once Telegram takes it; one who has blocked the bot is not told. */
export function createNoticeHandler({ api, log }: { api: Api; log: Log }): JobHandler {
  return async ({ body }) => {
    const { chatId, text, keyboard = [] } = body as NoticeJob
    try {
      await api.sendMessage(chatId, text, {
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
        ...(keyboard.length > 0 ? { reply_markup: { inline_keyboard: keyboard } } : {}),
      })
    } catch (err) {
      if (!isRefused(err)) throw err
      log.warn({ err }, 'notice to an organizer refused')
    }
    return undefined
  }
}
