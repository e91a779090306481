import { z } from 'zod'
import { document } from '../documents.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import { expiry } from './retention.ts'

/** A batch of invitations by their tokens, under the name that organizers gave. By a random id. */
export const groups = document('group', {
  schema: z.object({ name: z.string(), at: z.number(), tokens: z.array(z.string()) }),
  expiresAt: expiry.enrolment,
})

const named = z.object({ id: z.string(), name: z.string(), at: z.number(), count: z.number() })
export type NamedGroup = z.infer<typeof named>
const MOST_GROUPS = 100

/** All groups, the newest first: one list for all organizers. */
const groupList = document('groups', { schema: z.object({ groups: z.array(named) }) })

export const groupsOf = async (work: UnitOfWork): Promise<NamedGroup[]> =>
  (await work.get(groupList, 'all'))?.groups ?? []

/** Adds a group as the newest, or updates it in its place; removes it when it is empty. */
export async function keepGroup(
  work: UnitOfWork,
  id: string,
  { name, at, tokens }: { name: string; at: number; tokens: string[] },
): Promise<void> {
  const known = await groupsOf(work)
  const isThere = known.some((each) => each.id === id)
  const ones = tokens.length > 0 ? [{ id, name, at, count: tokens.length }] : []
  if (tokens.length > 0) work.put(groups, id, { name, at, tokens })
  else work.remove(groups, id)
  const all = isThere ? known.flatMap((each) => (each.id === id ? ones : each)) : [...ones, ...known]
  work.put(groupList, 'all', { groups: all.slice(0, MOST_GROUPS) })
}
