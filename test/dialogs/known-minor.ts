import type { Participant } from './walk.ts'

/** The service has the profile of a child already; another system made it. `inDays`: until the birthday. */
export async function knownMinor({ world, token }: Participant, years = 17, inDays = 0): Promise<void> {
  world.sandbox.update(token, { testsAuthRequired: false })
  const born = new Date(world.now())
  born.setUTCFullYear(born.getUTCFullYear() - years)
  born.setUTCDate(born.getUTCDate() + inDays)
  const response = await fetch(`${world.env.SERVICE_URL}/record/${token}/auth/`, {
    method: 'POST',
    headers: { 'API-KEY': world.sandbox.key, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'سارا احمدی',
      mobile: '09123456789',
      birth: born.toISOString().slice(0, 10),
      is_male: false,
    }),
  })
  if (!response.ok) throw new Error(`profile refused with ${response.status}`)
}
