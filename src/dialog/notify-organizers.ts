import { type NoticeKey, postNotice } from '../background/send-notice.ts'
import type { TextVariables } from '../texts/keys.ts'
import type { Translate } from '../texts/texts.ts'
import type { Button } from '../views/view.ts'
import type { Turn } from './turn.ts'

/** Tells the organizers what only they can mend. */
export async function notifyOrganizers<K extends NoticeKey>(
  { deps, work }: Turn,
  key: K,
  variables: TextVariables[K],
  buttons?: (t: Translate) => Button[][],
): Promise<void> {
  deps.log.warn({ kind: key }, 'organizer is needed')
  postNotice(deps, work, key, variables, buttons)
}
