import { type Fields, isFields } from './fields.ts'
import { roleLabel } from './record/names.ts'
import {
  headOf,
  type Passage,
  readResult,
  readScales,
  readText,
  readWords,
  type TestResult,
} from './result.ts'
import type { RoadmapPart, RoadmapRole } from './roadmap.ts'

/** A roadmap's combined result (the specification does not show its shape): its own words, and its tests. */
export type RoadmapResult = { passages: Passage[]; sections: ResultSection[] }
/** The result of one test. `role`: whose it is, as far as the result says. */
export type ResultSection = TestResult & { title: string; role?: string }

/** Facts from the surrounding objects: whose the result is, and the headings above it. */
type Around = { role?: string | undefined; heads: readonly string[] }

/**
 * Reads a roadmap's JSON without relying on its shape. An object with scales is the section of a test. All
 * other words belong to the whole, in their order. `whoIs` knows the people of the roadmap.
 */
export function readRoadmapResult(data: unknown, whoIs: WhoIs = () => undefined): RoadmapResult {
  const passages: Passage[] = []
  const sections: ResultSection[] = []
  const say = (text: string, { heads }: Around) =>
    passages.push({ ...(heads.length > 0 && { title: titleOf(heads) }), text })

  function collect(value: unknown, around: Around, isOutermost = false): void {
    const text = readWords(value)
    if (text !== undefined) say(text, around)
    else if (Array.isArray(value)) for (const item of value) collect(item, around)
    else if (isFields(value)) collectFields(value, around, isOutermost)
  }

  function collectFields(fields: Fields, around: Around, isOutermost: boolean): void {
    const { head, rest } = headOf(fields)
    // The outermost title is the roadmap's own.
    const here = isOutermost ? around : readAround(fields, { around, head, whoIs })
    if (isSection(fields)) {
      const { heads, role } = here
      sections.push({ title: titleOf(heads), ...(role && { role }), ...readResult(fields) })
      return
    }
    const before = passages.length + sections.length
    for (const [, inner] of rest) collect(inner, here)
    // A title without a passage below it is itself a passage.
    if (head && !isOutermost && passages.length + sections.length === before) say(head, around)
  }

  collect(data, { heads: [] }, true)
  return { passages, sections }
}

const titleOf = (heads: readonly string[]): string => heads.join(' · ')

const isSection = ({ scales, summary, test_title }: Fields): boolean =>
  readScales(scales).length > 0 || (readText(summary) !== undefined && readText(test_title) !== undefined)

function readAround(
  fields: Fields,
  { around, head, whoIs }: { around: Around; head: string | undefined; whoIs: WhoIs },
): Around {
  const { token, role_id, role, profile } = fields
  const test = readText(fields.test_title) ?? readField(fields.test, 'title')
  const called = readText(fields.role_title) ?? readText(role) ?? readField(role, 'title')
  const known = whoIs({ token, id: role_id ?? role, title: called ?? head })
  // A heading that is the title of a role names the person, not the test.
  const isRole = called === undefined && whoIs({ title: head }) !== undefined
  const own = test ?? (isRole ? undefined : head)
  const named = [called, readField(profile, 'name')].filter(Boolean).join('، ')
  return {
    role: known ?? (named || around.role),
    heads: own === undefined ? around.heads : [...around.heads, own],
  }
}

const readField = (value: unknown, name: string): string | undefined =>
  isFields(value) ? readText(value[name]) : undefined

/** The values in a result that tell whose a part of it is, unchanged. */
type Whose = { token?: unknown; id?: unknown; title?: string | undefined }

/** Finds whose a part of a combined result is, as the family calls them; `undefined` where it is unclear. */
type WhoIs = (whose: Whose) => string | undefined

/** Finds the people of a roadmap by the token of a test, by the id of their role or by its title. */
export function whoIsIn({ roles, records }: Pick<RoadmapPart, 'roles' | 'records'>): WhoIs {
  const labelOf = (isWanted: (role: RoadmapRole) => boolean) => {
    const [role, other] = roles.filter(isWanted)
    return role && !other ? roleLabel(role) : undefined
  }
  return ({ token, id, title }) => {
    const record = records.find((each) => each.token === token)
    if (record) return labelOf((role) => role.id === record.role)
    return labelOf((role) => `${role.id}` === `${id}`) ?? labelOf((role) => role.title === title)
  }
}
