import { expect } from 'vitest'
import { type Participant, ZAHRA } from './walk.ts'

/** Another system answers the record directly at the service. */
export async function finishesElsewhere({
  world,
  token,
}: Pick<Participant, 'world' | 'token'>): Promise<void> {
  const response = await fetch(`${world.env.SERVICE_URL}/record/${token}/`, {
    method: 'POST',
    headers: { 'api-key': world.sandbox.key, 'content-type': 'application/json' },
    body: JSON.stringify({
      record: [1, 2, 3, 4, 5, 6, 7].map((q) => `q${q}o1`),
      doing_duration_in_minutes: 3,
    }),
  })
  expect(response.status).toBe(200)
}

const typed = { name: ZAHRA.name, birth: ZAHRA.iso, is_male: false, mobile: ZAHRA.mobile }

/** The organizer registers the record in the panel with this participant's details, changed by `other`. */
export function registersElsewhere({ world, token }: Participant, other: Partial<typeof typed>): void {
  expect(world.sandbox.register(token, { ...typed, ...other })).toBe(true)
}
