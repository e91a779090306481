import { ALL, CHILD, FATHER, MOBILE, MOTHER, people, products, tests } from '../roadmaps/kin.ts'
import { createPerson } from '../roadmaps/person.ts'
import type { Office } from './office.ts'

/** A service that has the family's tests. */
export const sandbox = { tests, products, testsAuthRequired: false, generationSeconds: 1 }

/** A roadmap whose profiles the organizer's own software has made. */
export async function withProfiles(office: Office): Promise<string> {
  const token = office.world.sandbox.addRoadmap({ productId: 'kin' })
  const births: Record<number, string> = {
    [MOTHER]: '1985-01-01',
    [FATHER]: '1984-01-01',
    [CHILD]: '2012-01-01',
  }
  const roles = ALL.map((id) => ({
    id,
    profile: { name: people[id]?.name ?? '', birth: births[id], is_male: id === FATHER },
  }))
  const { status } = await fetch(`${office.world.env.SERVICE_URL}/roadmap/${token}/auth/`, {
    method: 'POST',
    headers: { 'API-KEY': office.world.sandbox.key, 'content-type': 'application/json' },
    body: JSON.stringify({ mobile: MOBILE, roles }),
  })
  if (status !== 200) throw new Error(`profiles refused with ${status}`)
  return token
}

/** Invites to one role, as the button of the card does, and returns the invitation. */
export async function inviteTo(office: Office, token: string, role: number): Promise<string> {
  await office.forges(`invite:m:${token}:${role}`)
  return office.invitation
}

/** A person with a chat of their own, who has opened nothing yet. */
export const somebody = ({ world }: Office, token: string) =>
  createPerson(world, world.emulator.person({ firstName: 'کسی' }), token)
