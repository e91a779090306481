import { rolesHeldBy } from '../roadmap.ts'
import { isIn, type RecordFile } from './record.ts'

/** First names that are written as two words. */
const DOUBLE = 'محمد امیر علی سید سیده میر ابو عبد غلام نور گل فاطمه بی'.split(' ')
/** What is put before a name out of politeness, and is none. */
const TITLES = 'خانم آقای آقا دکتر مهندس حاج حاجی استاد سرکار جناب dr mr mrs ms'.split(' ')
const MOST_NAMED = 3

/** The first name of what was typed as name and family name, without the titles before it. */
export function firstName(name: string): string {
  const [one = '', two, ...rest] = withoutTitles(name)
  return two !== undefined && rest.length > 0 && DOUBLE.includes(one) ? `${one} ${two}` : one
}

/** Whether a name is a single word, whatever titles stand before it. */
export const isSingleName = (name: string): boolean => withoutTitles(name).length === 1

function withoutTitles(name: string): string[] {
  const words = name.split(/\s+/)
  const from = words.findIndex((word) => !TITLES.includes(word.toLowerCase().replace(/\.$/, '')))
  // Where all are titles (-1) the last one is the name.
  return words.slice(from)
}

/** The person of a role, as the family calls them: the title of the role, the name once it is known. */
export const roleLabel = ({ title, name }: { title: string; name?: string | undefined }): string =>
  name ? `${title} (${name})` : title

type Named = { id: number; title: string; name?: string | undefined }

/** What a person of a role is called where it has to be short: the name, unless another one of them has the same. */
export function nameAmong(role: Named, all: readonly Named[]): string {
  const isShared = all.some(({ id, name }) => id !== role.id && name === role.name)
  return role.name === undefined ? role.title : isShared ? roleLabel(role) : role.name
}

/** Whose record or roadmap it is: the names as they were typed, else the case number; `undefined` as long as nobody is known. */
export function personOf(file: RecordFile): string | undefined {
  const people = isIn(file, 'profile', 'code') ? file.state.draft.people : []
  const known = file.roadmap ? file.roadmap.roles.map(({ name }) => name) : [file.person]
  const typed = people.map(({ name }) => (name === undefined ? undefined : firstName(name)))
  const names = [...known, ...typed].filter((name) => name !== undefined)
  return names.length > 0 ? names.slice(0, MOST_NAMED).join('، ') : file.caseNumber
}

/** What it is called where several people or tests can be meant. */
export function titleOf(file: RecordFile): string {
  return titled(file, personOf(file))
}

/** The same in the chat of this account: where others of a family were named elsewhere, it learns no names but its own. */
export function titleFor(file: RecordFile, who: string, owner: string | undefined): string {
  const { roadmap } = file
  if (!roadmap || owner === who) return titleOf(file)
  const own = rolesHeldBy(roadmap, who, owner).flatMap(({ name }) => name ?? [])
  return titled(file, own.length > 0 ? own.join('، ') : undefined)
}

const titled = ({ test }: RecordFile, person: string | undefined): string =>
  person === undefined ? test.title : `${test.title} · ${person}`
