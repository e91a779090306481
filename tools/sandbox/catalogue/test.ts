/** A test of the sandbox's catalogue: its questions, their delivery and their scoring. */
export interface TestDefinition {
  readonly id: string
  readonly title: string
  /** One sentence at the beginning of the report. */
  readonly about: string
  readonly minAge: number
  readonly maxAge: number
  readonly gender: 'both' | 'male' | 'female'
  readonly minutes: number
  readonly categories: readonly { id: string; title: string }[]
  readonly form: Form
  readonly sections: readonly Section[]
  readonly scales: readonly Scale[]
}

/**
 * Delivery of the questions: `sections` as in the specification; `questions` flat in `data.questions`;
 * `list` flat as `data` itself; `html` as a form in `data.html`. All but the first are answered by an array.
 */
export type Form = 'sections' | 'questions' | 'list' | 'html'

interface Section {
  readonly id: string
  readonly title: string
  readonly questions: readonly Question[]
}

export interface Question {
  readonly id: string
  readonly text: string
  readonly options: readonly { readonly id: string; readonly label: string }[]
}

export interface Scale {
  readonly id: string
  readonly title: string
  /** A high score of a strength is good, that of a strain is a burden, that of a style is neither. */
  readonly tone: 'strength' | 'strain' | 'style'
  /** Points by question id, then by position of the option. */
  readonly key: ReadonlyMap<string, readonly number[]>
  readonly highest: number
  readonly norm: { readonly mean: number; readonly sd: number }
  readonly texts: Readonly<Record<Band, string>>
}

export type Band = 'low' | 'middle' | 'high'

/** A statement rated on the test's common answers, and its scale; `-scale` reverses the score. */
export type Statement = readonly [scale: string, text: string]

/** A question with its own options; each option gives one point to its scale. */
interface Choice {
  readonly text: string
  readonly options: readonly (readonly [scale: string, label: string])[]
}

export interface ScaleSpec {
  readonly title: string
  readonly tone: Scale['tone']
  /** Mean and standard deviation in the norm group, as parts of the highest score. */
  readonly norm?: readonly [mean: number, sd: number]
  readonly low: string
  readonly middle: string
  readonly high: string
}

export interface TestSpec {
  readonly id: string
  readonly title: string
  readonly about: string
  readonly minAge?: number
  readonly maxAge?: number
  readonly gender?: TestDefinition['gender']
  readonly minutes: number
  readonly categories?: TestDefinition['categories']
  readonly form?: Form
  /** Labels of the common answers, from the least to the most agreement. */
  readonly answers?: readonly string[]
  /** Option ids repeat in every question (`o1`, `o2` …) instead of being unique in the test. */
  readonly sharedOptionIds?: boolean
  readonly sections: readonly { readonly title: string; readonly items: readonly (Statement | Choice)[] }[]
  readonly scales: Readonly<Record<string, ScaleSpec>>
}

/** Turns a test as its author writes it into one that can be delivered and scored. */
export function defineTest(spec: TestSpec): TestDefinition {
  const { answers = [], form = 'sections' } = spec
  const keys = new Map(Object.keys(spec.scales).map((scale) => [scale, new Map<string, number[]>()]))
  let number = 0

  const sections = spec.sections.map(({ title, items }, index) => ({
    id: `s${index + 1}`,
    title,
    questions: items.map((item) => {
      number += 1
      const id = `q${number}`
      const labels = isChoice(item) ? item.options.map(([, label]) => label) : answers
      for (const [scale, points] of pointsOf(item, labels.length)) {
        const key = keys.get(scale)
        if (!key) throw new Error(`${spec.id}: question ${number} belongs to an unknown scale, ${scale}.`)
        key.set(id, points)
      }
      const prefix = spec.sharedOptionIds ? 'o' : `${id}o`
      const options = labels.map((label, position) => ({ id: `${prefix}${position + 1}`, label }))
      return { id, text: isChoice(item) ? item.text : item[1], options }
    }),
  }))

  return {
    id: spec.id,
    title: spec.title,
    about: spec.about,
    minAge: spec.minAge ?? 16,
    maxAge: spec.maxAge ?? 90,
    gender: spec.gender ?? 'both',
    minutes: spec.minutes,
    categories: spec.categories ?? [],
    form,
    sections,
    scales: Object.entries(spec.scales).map(([id, scale]) => scaleOf(id, scale, keys.get(id) ?? new Map())),
  }
}

/** All questions of a test, in order. */
export function questionsOf(test: TestDefinition): Question[] {
  return test.sections.flatMap(({ questions }) => questions)
}

function scaleOf(id: string, spec: ScaleSpec, key: Map<string, number[]>): Scale {
  const highest = [...key.values()].reduce((sum, points) => sum + Math.max(...points), 0)
  const [mean, sd] = spec.norm ?? [0.45, 0.17]
  const { title, tone, low, middle, high } = spec
  return {
    id,
    title,
    tone,
    key,
    highest,
    norm: { mean: highest * mean, sd: highest * sd },
    texts: { low, middle, high },
  }
}

function pointsOf(item: Statement | Choice, optionCount: number): [scale: string, points: number[]][] {
  if (isChoice(item)) {
    const scales = new Set(item.options.map(([scale]) => scale))
    return [...scales].map((scale) => [scale, item.options.map(([own]) => (own === scale ? 1 : 0))])
  }
  const points = Array.from({ length: optionCount }, (_, position) => position)
  return item[0].startsWith('-') ? [[item[0].slice(1), points.reverse()]] : [[item[0], points]]
}

function isChoice(item: Statement | Choice): item is Choice {
  return 'options' in item
}
