import { Composer } from 'grammy'
import { settle, waitingFile } from '../dialog/external-id.ts'
import { type IncomingContext, tappedMessage } from '../dialog/incoming.ts'
import { isOrganizer } from '../dialog/organizer.ts'
import { buttons } from '../views/buttons.ts'
import { onButton } from './on-button.ts'

/**
 * An external id that is taken already cannot be mended by the participant: an organizer says whether to go on
 * without one or with another.
 */
export function externalId(): Composer<IncomingContext> {
  const composer = new Composer<IncomingContext>()
  onButton(composer, buttons.extid, async (incoming, next, s, wish) => {
    const { ctx } = incoming
    if (!isOrganizer(ctx)) return next()
    const notice = tappedMessage(incoming)
    const file = await waitingFile(ctx, s)
    const isSettled = !file || wish === 'drop'
    // Who is asked for another one may still go on without.
    if (notice !== undefined && isSettled) await ctx.disarm(notice)
    if (isSettled) return settle(ctx, file, [])
    ctx.due = { show: 'aside', aside: { ask: 'external-id', s } }
  })
  return composer
}
