import type { Scale } from './result.ts'
import { type RoadmapPart, type RoadmapRecord, recordsOf } from './roadmap.ts'
import type { ResultSection } from './roadmap-result.ts'

/** The figures in a roadmap's result: for each scale the values of all people, in the people's order. */
export type FamilyFigures = { people: string[]; tests: FamilyTest[] }
type FamilyTest = { title: string; scales: FamilyScale[] }
type FamilyScale = { title?: string; marks: (Scale | undefined)[] }

/** Groups the tests of several people, shared tests first. Tests without figures are left out. */
export function familyFigures(sections: readonly ResultSection[]): FamilyFigures {
  const figured = sections.filter(({ scales }) => scales.some(hasNumber))
  const people = [...new Set(figured.map(personOf))]
  const tests = togetherOrAlone(figured)
  const ordered = tests.toSorted((one, other) => Number(other.length > 1) - Number(one.length > 1))
  return { people, tests: ordered.map((taken) => testOf(taken, people)) }
}

/** Whether several people have figures for one scale of a test. */
export const isCompared = ({ scales }: FamilyTest): boolean =>
  scales.some(({ marks }) => marks.filter(hasNumber).length > 1)

/** Sections that do not say whose they are share one place without a name. */
const personOf = ({ role = '' }: ResultSection): string => role

/** Groups sections by title where it is clear whose each is; otherwise every section is a test. */
const togetherOrAlone = (sections: readonly ResultSection[]): ResultSection[][] =>
  byTitle(sections).flatMap((taken) => {
    const people = new Set(taken.flatMap(({ role }) => role ?? []))
    return people.size === taken.length ? [taken] : taken.map((section) => [section])
  })

/** The records of every test that several roles take, grouped by test. */
export const sharedTests = (roadmap: RoadmapPart): RoadmapRecord[][] =>
  byTitle(roadmap.roles.flatMap(({ id }) => recordsOf(roadmap, id))).filter(
    (records) => records.length > 1 && new Set(records.map(({ role }) => role)).size === records.length,
  )

function byTitle<T extends { title: string }>(all: readonly T[]): T[][] {
  const groups = new Map<string, T[]>()
  for (const one of all) {
    const alike = groups.get(one.title)
    if (alike) alike.push(one)
    else groups.set(one.title, [one])
  }
  return [...groups.values()]
}

/** Scales belong together by their title. If a title repeats within a test, its order decides. */
function testOf(taken: readonly ResultSection[], people: readonly string[]): FamilyTest {
  const keyed = new Map(taken.map((section) => [personOf(section), byKey(section.scales)]))
  const keys = new Set([...keyed.values()].flatMap((scales) => [...scales.keys()]))
  const scales = [...keys].flatMap((key): FamilyScale[] => {
    const marks = people.map((person) => keyed.get(person)?.get(key))
    const title = marks.find((mark) => mark?.title)?.title
    return marks.some(hasNumber) ? [{ ...(title && { title }), marks }] : []
  })
  return { title: taken[0]?.title ?? '', scales }
}

/** The scales of a test, each with the scale of the same title in an earlier result of the test. */
export function withEarlier(
  scales: readonly Scale[],
  earlier: readonly Scale[],
): (Scale & { earlier?: Scale })[] {
  const then = byKey(earlier)
  return [...byKey(scales)].map(([key, scale]) => {
    const before = scale.title && then.get(key)
    return { ...scale, ...(before && { earlier: before }) }
  })
}

function byKey(scales: readonly Scale[]): Map<string, Scale> {
  const seen = new Map<string, number>()
  return new Map(
    scales.map((scale) => {
      const { title = '' } = scale
      const before = seen.get(title) ?? 0
      seen.set(title, before + 1)
      return [`${title}\n${before}`, scale]
    }),
  )
}

const hasNumber = (mark: Scale | undefined): boolean =>
  mark?.score !== undefined || mark?.percentile !== undefined
