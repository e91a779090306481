import { firstName } from '../persian/first-name.ts'
import { rolesHeldBy } from '../roadmap.ts'
import { isIn, type RecordFile } from './record.ts'

const MOST_NAMED = 3

/** The person of a role, as the family calls them: the role's title, and the name once it is known. */
export const roleLabel = ({ title, name }: { title: string; name?: string | undefined }): string =>
  name ? `${title} (${name})` : title

type Named = { id: number; title: string; name?: string | undefined }

/** The short name for the person of a role: the name alone, unless another person has the same. */
export function nameAmong(role: Named, all: readonly Named[]): string {
  const isShared = all.some(({ id, name }) => id !== role.id && name === role.name)
  return role.name === undefined ? role.title : isShared ? roleLabel(role) : role.name
}

/** The typed first names of a record or roadmap, else its case number; `undefined` while none is known. */
export function personOf(file: RecordFile): string | undefined {
  const people = isIn(file, 'profile', 'code') ? file.state.draft.people : []
  const known = file.roadmap ? file.roadmap.roles.map(({ name }) => name) : [file.person]
  const typed = people.map(({ name }) => (name === undefined ? undefined : firstName(name)))
  const names = [...known, ...typed].filter((name) => name !== undefined)
  return names.length > 0 ? names.slice(0, MOST_NAMED).join('، ') : file.caseNumber
}

/** The title of a file where several people or tests can be meant. */
export function titleOf(file: RecordFile): string {
  return titled(file, personOf(file))
}

/** The title in this account's chat. It shows no names of other people that were typed elsewhere. */
export function titleFor(file: RecordFile, who: string, owner: string | undefined): string {
  const { roadmap } = file
  if (!roadmap || owner === who) return titleOf(file)
  const own = rolesHeldBy(roadmap, who, owner).flatMap(({ name }) => name ?? [])
  return titled(file, own.length > 0 ? own.join('، ') : undefined)
}

const titled = ({ test }: RecordFile, person: string | undefined): string =>
  person === undefined ? test.title : `${test.title} · ${person}`
