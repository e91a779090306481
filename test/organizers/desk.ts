import { createAccount } from '../account.ts'
import { another, type Participant } from '../dialogs/walk.ts'

/** An organizer of this participant's world, and the bot started anew with them in `ORGANIZERS`. */
export async function organizerOf({ world }: Participant, environment: Record<string, string> = {}) {
  const manager = createAccount(world, world.emulator.person({ firstName: 'مدیر' }), '')
  await world.restarts({ ORGANIZERS: String(manager.person.id), ...environment })
  await manager.says('/start')
  return manager
}

export type Organizer = Awaited<ReturnType<typeof organizerOf>>

/** `S` of what this participant has open, as a button of the chat says it. */
export function shortIdOf({ buttons }: Pick<Participant, 'buttons'>): string {
  const s = buttons
    .map((data) => /^(?:a|submit|retry|result|open|begin):([\w-]+)/.exec(data)?.[1])
    .find(Boolean)
  if (!s) throw new Error('no S')
  return s
}

/** The same person with a new phone: another account with the same link. */
export const withNewPhone = another
