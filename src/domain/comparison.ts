import type { ResultSection } from './roadmap-result.ts'
import type { Scale } from './scale.ts'

/** One test as several people have taken it: of each scale what everybody has, in the order of the people. */
export type Comparison = { title: string; people: string[]; scales: ComparedScale[] }
type ComparedScale = { title?: string; marks: (Scale | undefined)[] }

/** The tests that several people have figures of; whose they are has to be known. */
export function compareTests(sections: readonly ResultSection[]): Comparison[] {
  const byTitle = new Map<string, ResultSection[]>()
  for (const section of sections) {
    if (section.scales.length === 0) continue
    const alike = byTitle.get(section.title)
    if (alike) alike.push(section)
    else byTitle.set(section.title, [section])
  }
  return [...byTitle].flatMap(([title, taken]) => {
    const people = taken.flatMap(({ role }) => role ?? [])
    const isClear = people.length === taken.length && new Set(people).size === people.length
    if (!isClear || people.length < 2) return []
    const scales = compareScales(taken.map((section) => section.scales))
    return scales.length > 0 ? [{ title, people, scales }] : []
  })
}

/** Scales belong together by their title, one that comes twice in a test by its order among its like. */
function compareScales(all: readonly (readonly Scale[])[]): ComparedScale[] {
  const keyed = all.map(byKey)
  const keys = new Set(keyed.flatMap((scales) => [...scales.keys()]))
  return [...keys].flatMap((key) => {
    const marks = keyed.map((scales) => scales.get(key))
    const title = marks.find((mark) => mark?.title)?.title
    return marks.filter(hasNumber).length > 1 ? [{ ...(title && { title }), marks }] : []
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
