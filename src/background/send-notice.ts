import type { Api } from 'grammy'
import type { InlineKeyboardButton } from 'grammy/types'
import type { Log } from '../observe/logger.ts'
import { isRefused } from '../telegram/errors.ts'
import type { JobHandler } from './worker.ts'

export type NoticeJob = { chatId: number; text: string; keyboard?: InlineKeyboardButton[][] }

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
