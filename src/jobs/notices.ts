import { z } from 'zod'
import type { Config } from '../config.ts'
import { HOUR_MS } from '../domain/durations.ts'
import { toldCauses } from '../kept/documents.ts'
import { job } from '../mail/job.ts'
import type { Log } from '../observe/logger.ts'
import type { UnitOfWork } from '../store/unit-of-work.ts'
import type { Vault } from '../store/vault.ts'
import { isRefused } from '../telegram/errors.ts'
import type { Button } from '../telegram/message.ts'
import type { Sender } from '../telegram/sender.ts'
import type { TextKey, TextVariables } from '../texts/keys.ts'
import type { Texts, Translate } from '../texts/texts.ts'
import { type Handler, handler } from './task.ts'

export type NoticeKey = TextKey & `notice-${string}`

/** Telegram's own shape, as the views make it. */
const button = z.custom<Button>((value) => typeof value === 'object' && value !== null && 'text' in value)

/** Something an organizer is told. By the organizer's account, so that one who cannot be reached holds up nobody else. */
export const noticeJob = job(
  'notice',
  z.object({ chatId: z.number(), text: z.string(), keyboard: z.array(z.array(button)).optional() }),
)

export type NoticeDeps = {
  config: Pick<Config, 'organizers' | 'locale'>
  texts: Texts
  vault: Pick<Vault, 'hash'>
  now: () => number
}

/** Why organizers are told something: the notice, and the `S` of the record or roadmap, or another name of it. */
type Cause<K extends NoticeKey = NoticeKey> = { key: K; of: string }

/**
 * Tells every organizer something, unless they were told of the same cause within the hour; kept until Telegram has
 * taken it. `false` when they know.
 */
export async function postNotice<K extends NoticeKey>(
  { config, texts, vault, now }: NoticeDeps,
  work: Pick<UnitOfWork, 'get' | 'put' | 'post'>,
  { key, of }: Cause<K>,
  variables: TextVariables[K],
  buttons: (t: Translate) => Button[][] = () => [],
): Promise<boolean> {
  const cause = hashCause(vault, { key, of })
  const told = await work.get(toldCauses, cause)
  if (told && now() - told.at < HOUR_MS) return false
  work.put(toldCauses, cause, { at: now() })
  const t = texts.for(config.locale)
  const text = t(key, variables)
  for (const chatId of config.organizers) {
    noticeJob.post(work, vault.hash('account', String(chatId)), { chatId, text, keyboard: buttons(t) })
  }
  return true
}

/** The cause is settled: should it come again organizers hear of it at once. */
export function settleNotice(
  vault: NoticeDeps['vault'],
  work: Pick<UnitOfWork, 'remove'>,
  cause: Cause,
): void {
  work.remove(toldCauses, hashCause(vault, cause))
}

const hashCause = (vault: NoticeDeps['vault'], { key, of }: Cause): string =>
  vault.hash('notice', `${key}:${of}`)

/** Tells an organizer something once Telegram takes it; one who has blocked the bot is not told. */
export function createNoticeHandler({ log, ...deps }: { sender: Sender; log: Log }): Handler {
  return handler(noticeJob, async ({ body: { chatId, text, keyboard = [] }, sender = deps.sender }) => {
    try {
      await sender.send(chatId, { text, ...(keyboard.length > 0 && { keyboard }) })
    } catch (err) {
      if (!isRefused(err)) throw err
      log.warn({ err }, 'notice to an organizer refused')
    }
    return undefined
  })
}
