import { buttons } from '../views/buttons.ts'
import { guardianView } from '../views/profile.ts'
import { stopForGuardian } from './notify.ts'
import type { Talk } from './talk.ts'

/** Under 18: a parent or guardian has to be present and agree. A no stops here, and the organizers hear of it. */
export async function guardian(talk: Talk): Promise<void> {
  const { text, data = '' } = await talk.ask(({ t, person }) => guardianView(t, person))
  if (text !== undefined) return talk.again(({ t }) => t('use-buttons'))
  const [agrees] = buttons.guardian.read(data) ?? []
  if (agrees === undefined) return talk.refuse()
  if (agrees === 'no') {
    return talk.stay(({ ctx, file }) => stopForGuardian(ctx, file))
  }
  await talk.keep(
    ({ person }) => {
      person.guardian = true
    },
    ({ t }) => t('guardian-agreed'),
  )
}
