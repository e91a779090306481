import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { job } from '../mail/job.ts'
import type { Log } from '../observe/logger.ts'
import type { UnitOfWork } from '../store/unit-of-work.ts'
import { isRefused } from '../telegram/errors.ts'
import type { Button } from '../telegram/message.ts'
import type { Sender } from '../telegram/sender.ts'
import type { TextKey, TextVariables } from '../texts/keys.ts'
import type { Texts, Translate } from '../texts/texts.ts'
import { type Handler, handler } from './task.ts'

export type NoticeKey = TextKey & `notice-${string}`

/** Telegram's own shape, as the views make it. */
const button = z.custom<Button>((value) => typeof value === 'object' && value !== null && 'text' in value)

/** Something an organizer is told. By a random id. */
export const noticeJob = job(
  'notice',
  z.object({ chatId: z.number(), text: z.string(), keyboard: z.array(z.array(button)).optional() }),
)

/** Tells every organizer something; kept until Telegram has taken it. */
export function postNotice<K extends NoticeKey>(
  { config, texts }: { config: Pick<Config, 'organizers' | 'locale'>; texts: Texts },
  work: Pick<UnitOfWork, 'post'>,
  key: K,
  variables: TextVariables[K],
  buttons: (t: Translate) => Button[][] = () => [],
): void {
  const t = texts.for(config.locale)
  const text = t(key, variables)
  for (const chatId of config.organizers) {
    const id = randomBytes(6).toString('base64url')
    noticeJob.post(work, id, { chatId, text, keyboard: buttons(t) })
  }
}

/** Tells an organizer something once Telegram takes it; one who has blocked the bot is not told. */
export function createNoticeHandler({ sender, log }: { sender: Sender; log: Log }): Handler {
  return handler(noticeJob, async ({ body: { chatId, text, keyboard = [] } }) => {
    try {
      await sender.send(chatId, { text, ...(keyboard.length > 0 && { keyboard }) })
    } catch (err) {
      if (!isRefused(err)) throw err
      log.warn({ err }, 'notice to an organizer refused')
    }
    return undefined
  })
}
