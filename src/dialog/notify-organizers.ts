import { randomBytes } from 'node:crypto'
import { noticeActor } from '../background/actors.ts'
import type { TextKey, TextVariables } from '../texts/keys.ts'
import type { Translate } from '../texts/texts.ts'
import type { Button } from '../views/view.ts'
import type { Turn } from './turn.ts'

/** Tells the organizers what only they can mend; kept until Telegram has taken it. */
export async function notifyOrganizers<K extends TextKey & `notice-${string}`>(
  { deps, work }: Turn,
  key: K,
  variables: TextVariables[K],
  buttons: (t: Translate) => Button[][] = () => [],
): Promise<void> {
  const { config, texts, log } = deps
  log.warn({ kind: key }, 'organizer is needed')
  const t = texts.for(config.locale)
  const say = t as (key: TextKey, variables: unknown) => string
  for (const chatId of config.organizers) {
    work.post(noticeActor(randomBytes(6).toString('base64url')), {
      chatId,
      text: say(key, variables),
      keyboard: buttons(t),
    })
  }
}
