import { GrammyError } from 'grammy'
import type { Task } from '../queue/job.ts'
import { accountKey, blockedDeliveries } from '../storage/documents/kinds.ts'
import { isBlocked } from '../telegram/errors.ts'
import type { JobDeps } from './deps.ts'

/**
 * Sends the next part of what a chat is owed. The caller sends one part per step and commits what is left
 * with it, so that a confirmed part is never sent again. After a failure with an unclear outcome this throws,
 * and `failing.ts` decides about the retry. A part that Telegram refuses for good delays no other. If the
 * chat has blocked the bot, or never started it, the part stays owed until its next /start.
 */
export async function sendPart<B extends Record<string, unknown>, T>(
  { log }: Pick<JobDeps, 'log'>,
  { actor, work, begin, body }: Pick<Task<B>, 'actor' | 'work' | 'begin' | 'body'>,
  chatId: number,
  send: () => Promise<T>,
): Promise<T | 'refused' | 'blocked'> {
  // A process that stood still until its lease expired must notice before it sends.
  await begin()
  try {
    return await send()
  } catch (err) {
    if (isBlocked(err)) {
      // The next /start of this account continues the job.
      const who = accountKey(work.vault, chatId)
      const { waiting = [] } = (await work.get(blockedDeliveries, who)) ?? {}
      const others = waiting.filter((each) => each.actor !== actor)
      work.put(blockedDeliveries, who, { waiting: [...others, { actor, body }] })
      return 'blocked'
    }
    if (!(err instanceof GrammyError) || err.error_code !== 400) throw err
    log.error({ err }, 'Telegram refused a part of what is owed')
    return 'refused'
  }
}
