import { Composer } from 'grammy'
import { type TurnContext, tappedMessage } from '../dialog/context.ts'
import { settle, waitingFile } from '../dialog/external-id.ts'
import { isOrganizer } from '../dialog/organizer.ts'
import { buttons } from '../views/buttons.ts'
import { onButton } from './on-button.ts'

/**
 * An external id that is taken already cannot be mended by the participant: an organizer says whether to go on
 * without one or with another.
 */
export function externalId(): Composer<TurnContext> {
  const composer = new Composer<TurnContext>()
  onButton(composer, buttons.extid, async (ctx, next, s, wish) => {
    const { turn } = ctx
    if (!isOrganizer(turn)) return next()
    const notice = tappedMessage(ctx)
    const file = await waitingFile(turn, s)
    const isSettled = !file || wish === 'drop'
    // Who is asked for another one may still go on without.
    if (notice !== undefined && isSettled) await turn.disarm(notice)
    if (isSettled) return settle(turn, file, [])
    turn.due = { show: 'aside', aside: { ask: 'external-id', s } }
  })
  return composer
}
