import { z } from 'zod'

/** The organizer's own id of whoever takes a role of a roadmap. */
export const roleId = z.object({ role: z.number(), title: z.string(), externalId: z.number() })
export type RoleId = z.infer<typeof roleId>

/**
 * Gives the ids of a line to the roles of a roadmap, in their order; `null` is a role without one. `undefined` where
 * there are not as many as roles, since nobody could say whose they are.
 */
export function idsOfRoles(
  roles: readonly { id: number; title: string }[],
  ids: readonly (number | null)[],
): RoleId[] | undefined {
  if (ids.length !== roles.length) return undefined
  return roles.flatMap(({ id: role, title }, index) => {
    const externalId = ids[index] ?? undefined
    return externalId === undefined ? [] : [{ role, title, externalId }]
  })
}

/** Reads ids as they are typed one behind the other, `-` for none; `undefined` where one is no whole number. */
export function readIds(text: string): (number | null)[] | undefined {
  const ids = text.split(/[\s,;،؛]+/).filter((part) => part !== '')
  const read = ids.map((id) => (id === '-' ? null : /^-?\d{1,16}$/.test(id) ? Number(id) : Number.NaN))
  return read.every((id) => id === null || Number.isSafeInteger(id)) ? read : undefined
}
