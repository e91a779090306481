import { GrammyError } from 'grammy'
import type { Task } from '../queue/job.ts'
import { accountKey, blockedDeliveries } from '../storage/documents/kinds.ts'
import { isBlocked } from '../telegram/errors.ts'
import type { JobDeps } from './deps.ts'

/**
 * Sends the next part of what is owed to a chat. Whoever calls it sends one part a step and keeps what is left with the
 * same commit, so that a confirmed part is never sent again. What fails without anybody knowing what became of it is
 * thrown, and the part comes again as `failing.ts` says; one that Telegram will never take holds up no other; and where
 * the chat has blocked the bot, or never begun it, the part stays owed: the work goes on at its next /start.
 */
export async function sendPart<B extends Record<string, unknown>, T>(
  { log }: Pick<JobDeps, 'log'>,
  { actor, work, begin, body }: Pick<Task<B>, 'actor' | 'work' | 'begin' | 'body'>,
  chatId: number,
  send: () => Promise<T>,
): Promise<T | 'refused' | 'blocked'> {
  // A process that stood still until its lease was over has to see that before, not after.
  await begin()
  try {
    return await send()
  } catch (err) {
    if (isBlocked(err)) {
      // The next /start of this account has it go on.
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
