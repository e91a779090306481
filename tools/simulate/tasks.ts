import { defineTest, type Product, type Sandbox, type TestDefinition } from '../sandbox/sandbox.ts'
import type { Chance } from './chance.ts'
import { type Family, shareable } from './family.ts'
import { LABELS } from './labels.ts'
import { LONG, type World } from './sizes.ts'

const SIZES = [2, 3, 4, 5, 6, 7, 8, 9, 10] as const
const ROLE = 31

const NUMBERS: Record<number, string> = {
  2: 'دو',
  3: 'سه',
  4: 'چهار',
  5: 'پنج',
  6: 'شش',
  7: 'هفت',
  8: 'هشت',
  9: 'نه',
  10: 'ده',
}

function testOf(questions: number): TestDefinition {
  const forms = ['sections', 'questions', 'list'] as const
  return defineTest({
    id: `of-${questions}`,
    title: `آزمون ${NUMBERS[questions] ?? `بلند ${questions}`} پرسشی`,
    about: 'برای آزمودن ربات.',
    minutes: 3,
    form: forms[questions % forms.length] ?? 'sections',
    answers: LABELS.slice(0, 2 + (questions % 4)),
    sections: [
      {
        title: 'پرسش‌ها',
        items: Array.from(
          { length: questions },
          (_, index) => ['warm', `جملهٔ ${index + 1} از ${questions}`] as const,
        ),
      },
    ],
    scales: { warm: { title: 'گرما', tone: 'strength', low: 'کم', middle: 'میانه', high: 'زیاد' } },
  })
}

export const tests = [...SIZES, ...LONG].map(testOf)

/** Roadmaps of one person; the bot checks their analysis in the background. */
const single: readonly Product[] = [3, 4].map((size) => ({
  id: `with-${size}`,
  title: `نقشهٔ ${NUMBERS[size]}`,
  version: 1,
  roles: [{ id: ROLE, title: 'شرکت‌کننده', minAge: 16, maxAge: null, gender: 'both' as const }],
  tests: [{ testId: `of-${size}`, role: ROLE }],
}))

export const products: readonly Product[] = [...single, ...shareable]

/** The smallest sizes belong to roadmaps, so that no participant has two tests of one size. */
const SHORT = SIZES.slice(3)

/** A test or roadmap that a person was invited to. */
export type Task = {
  kind: 'record' | 'roadmap'
  token: string
  title: string
  /** The invitation from another person, if the plain link does not open it. */
  sent?: { payload: string | undefined }
  /** The shared roadmap, and the role of a person who is not its owner. */
  family?: Family
  role?: number
  /** A test of the roadmap that is begun by its own link before the roadmap is opened. */
  nested?: string
}

/** The link that opens a task; `undefined` until it was sent. */
export const linkOf = ({ kind, token, sent }: Task): string | undefined =>
  sent ? sent.payload : `${kind}_${token}`

/** Issues a few invitations for one person, all with different titles. */
export function issueTasks(
  sandbox: Sandbox,
  { below, is }: Pick<Chance, 'below' | 'is'>,
  { lengths = SHORT, isHasty = false }: Pick<World, 'lengths' | 'isHasty'>,
): Task[] {
  const record = (sizes: readonly number[]): Task => {
    const questions = sizes[below(sizes.length)]
    const test = tests.find(({ id }) => id === `of-${questions}`)
    if (!test) throw new Error('there is no such test')
    const token = sandbox.addRecord({ testId: test.id, testsAuthRequired: is(0.6) })
    return { kind: 'record', title: test.title, token }
  }
  const first = record(lengths)
  if (lengths !== SHORT) return [first]
  const others = SHORT.filter((size) => !first.title.includes(`${NUMBERS[size]} `))
  const second = is(isHasty ? 0.8 : 0.25) ? [record(others)] : []
  if (isHasty || !is(0.25)) return [first, ...second]
  const product = single[below(single.length)]
  if (!product) throw new Error('there is no such product')
  const isKnown = is(0.4)
  const token = sandbox.addRoadmap({
    productId: product.id,
    testsAuthRequired: is(0.3),
    authRequired: !isKnown,
  })
  const nested = isKnown ? sandbox.snapshot().roadmaps[token]?.records[0] : undefined
  return [first, ...second, { kind: 'roadmap', title: product.title, token, ...(nested && { nested }) }]
}

/** A record that an account may answer; all records of an account differ in length. */
export type Answerable = { token: string; questions: number; title: string; isNested: boolean }

/** The records that these tasks lead to. */
export function answerableIn(tasks: readonly Task[], sandbox: Pick<Sandbox, 'snapshot'>): Answerable[] {
  const { records, roadmaps } = sandbox.snapshot()
  return tasks
    .flatMap(({ token }) => roadmaps[token]?.records ?? [token])
    .map((token) => {
      const { testId = '', roadmap = null } = records[token] ?? {}
      const title = tests.find(({ id }) => id === testId)?.title ?? ''
      return { token, questions: Number(testId.split('-')[1]), title, isNested: roadmap !== null }
    })
}
