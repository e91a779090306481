import { roleLabel } from './record/whose.ts'
import { type RoadmapPart, type RoadmapRecord, recordsOf } from './roadmap.ts'

/** What a result says of whose a part of it is, as it stands there. */
export type Said = { token?: unknown; id?: unknown; title?: string | undefined }

/** Whose a part of a combined result is, as the family calls them; `undefined` where it does not say so clearly. */
export type WhoIs = (said: Said) => string | undefined

/** Knows the people of a roadmap by the token of a test, by the id of their role or by its title. */
export function whoIsIn({ roles, records }: Pick<RoadmapPart, 'roles' | 'records'>): WhoIs {
  const labelOf = (wanted: (role: RoadmapPart['roles'][number]) => boolean) => {
    const [role, other] = roles.filter(wanted)
    return role && !other ? roleLabel(role) : undefined
  }
  return ({ token, id, title }) => {
    const record = typeof token === 'string' ? records.find((each) => each.token === token) : undefined
    if (record) return labelOf((role) => role.id === record.role)
    return (
      (typeof id === 'number' ? labelOf((role) => role.id === id) : undefined) ??
      (title === undefined ? undefined : labelOf((role) => role.title === title))
    )
  }
}

/** The records of every test that several roles take, test by test. */
export function sharedTests(roadmap: RoadmapPart): RoadmapRecord[][] {
  const all = roadmap.roles.flatMap(({ id }) => recordsOf(roadmap, id))
  const titles = new Set(all.map(({ title }) => title))
  return [...titles]
    .map((title) => all.filter((record) => record.title === title))
    .filter(
      (records) => records.length > 1 && new Set(records.map(({ role }) => role)).size === records.length,
    )
}
