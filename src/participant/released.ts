import { takesPart } from '../dialog/access.ts'
import { visibleFile } from '../dialog/files.ts'
import type { Turn } from '../dialog/turn.ts'
import type { EventOf } from '../queue/events.ts'

/** An organizer has released a record or roadmap from this account: it is told so, and nothing of it is left here. */
export async function releasedFrom(
  turn: Turn,
  s: string,
  { title, typed, records }: EventOf<'released'>,
): Promise<void> {
  const { account } = turn
  await turn.deleteMessages(typed)
  const file = await visibleFile(turn, s)
  // Of a roadmap one role was released, and this account has another one.
  const stays = file !== undefined && (await takesPart(turn, file))
  for (const each of stays ? records : [s, ...records]) {
    const screen = account.screens[each]
    if (screen !== undefined) await turn.takeAway(screen)
    delete account.screens[each]
    delete account.pending[each]
    if (account.focus === each) {
      if (account.asked !== undefined) await turn.disarm(account.asked)
      delete account.asked
      delete account.focus
    }
  }
  if (!stays) account.items = account.items.filter((item) => item !== s)
  await turn.send({ text: turn.t('released-told', { title, contact: turn.deps.config.organizerContact }) })
}
