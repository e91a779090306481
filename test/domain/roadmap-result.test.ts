import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRoadmapResult } from '../../src/domain/roadmap-result.ts'
import { whoIsIn } from '../../src/domain/whose-section.ts'
import { loadTexts } from '../../src/texts/texts.ts'
import { roadmapMessages } from '../../src/views/roadmap-result.ts'

const scales = [{ id: 'warm', title: 'گرما', score: 3, percentile: 61, interpretation: 'میانه است.' }]
const warm = [{ title: 'گرما', score: 3, percentile: 61, interpretation: 'میانه است.' }]

test.each([null, undefined, 7, 'متن', true, [], {}, [[]], { a: { b: [null, 3] } }, { scales: 'none' }])(
  'of %j nothing is understood, and nothing breaks',
  (data) => {
    expect(readRoadmapResult(data)).toEqual({ texts: [], sections: [] })
  },
)

test('words of the analysis are found under telling names, with the heads they stand under', () => {
  const { texts } = readRoadmapResult({
    title: 'نقشهٔ راه',
    summary: 'آرام است.',
    generated_on: '2026-01-01',
    sections: [
      { title: 'قوت‌ها', text: 'گفتگو.' },
      { title: 'پیشنهادها', recommendations: ['یک.', 'دو.'] },
    ],
    ai: { analysis: 'همه چیز.', html: '<p>همه</p>', text: '<b>نه</b>' },
  })
  expect(texts).toEqual([
    { text: 'آرام است.' },
    { title: 'قوت‌ها', text: 'گفتگو.' },
    { title: 'پیشنهادها', text: 'یک.' },
    { title: 'پیشنهادها', text: 'دو.' },
    { text: 'همه چیز.' },
  ])
})

const shapes: [string, unknown][] = [
  [
    'roles with titles and profiles',
    {
      roles: [
        { role_title: 'مادر', profile: { name: 'مریم' }, tests: [{ test_title: 'خانه', scales }] },
        { role_title: 'پدر', profile: { name: 'رضا' }, tests: [{ test_title: 'خانه', scales }] },
      ],
    },
  ],
  [
    'records that name their role',
    {
      records: [
        { test_title: 'خانه', role: 'مادر', scales },
        { test_title: 'خانه', role: { id: 2, title: 'پدر' }, scales },
      ],
    },
  ],
  [
    'groups with a title and a list of records',
    {
      data: [
        { title: 'مادر', records: [{ title: 'خانه', scales }] },
        { title: 'پدر', records: [{ title: 'خانه', scales }] },
      ],
    },
  ],
  [
    'results below their test',
    {
      tests: [
        { test: { title: 'خانه' }, role_title: 'مادر', result: { scales } },
        { test: { title: 'خانه' }, role_title: 'پدر', result: { scales } },
      ],
    },
  ],
]

test.each(shapes)('the same test of two persons is told apart: %s', (_, data) => {
  expect(readRoadmapResult(data).sections).toEqual([
    { title: 'خانه', role: 'مادر', scales: warm },
    { title: 'خانه', role: 'پدر', scales: warm },
  ])
})

test('where the roles do not tell them apart, the names do', () => {
  const child = (name: string) => ({
    role_title: 'فرزند',
    profile: { name },
    tests: [{ title: 'خانه', scales }],
  })
  expect(readRoadmapResult([child('سارا'), child('آرش')]).sections.map(({ role }) => role)).toEqual([
    'فرزند، سارا',
    'فرزند، آرش',
  ])
  const person = (name: string) => ({ person: { name }, tests: [{ title: 'خانه', scales }] })
  expect(readRoadmapResult([person('سارا'), person('آرش')]).sections.map(({ role }) => role)).toEqual([
    'سارا',
    'آرش',
  ])
})

test('a test without scales but with a summary is a section too', () => {
  expect(readRoadmapResult({ tests: [{ test_title: 'خانه', role_title: 'مادر', summary: 'خوب.' }] })).toEqual(
    {
      texts: [],
      sections: [{ title: 'خانه', role: 'مادر', summary: 'خوب.', scales: [] }],
    },
  )
})

test('any JSON is read, and any result can be said', () => {
  const t = loadTexts().for('fa')
  const names = fc.constantFrom(
    'scales',
    'title',
    'summary',
    'roles',
    'tests',
    'role',
    'text',
    'profile',
    'name',
    'test',
  )
  const { tree } = fc.letrec((tie) => ({
    leaf: fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.boolean()),
    tree: fc.oneof(
      { maxDepth: 6 },
      tie('leaf'),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(names, tie('tree'), { maxKeys: 6 }),
    ),
  }))
  fc.assert(
    fc.property(tree, (data) => {
      const result = readRoadmapResult(data)
      const messages = roadmapMessages(t, { title: 'نقشه', result, hasReport: true, organizerContact: '021' })
      expect(messages.length).toBeGreaterThan(0)
      for (const message of messages) expect([...message.replace(/<[^>]*>/g, '')].length).toBeLessThan(5_000)
    }),
  )
})

const sixTests = (interpretation: string) =>
  readRoadmapResult({
    summary: 'آرام است.',
    roles: ['مادر', 'پدر', 'فرزند'].map((role_title) => ({
      role_title,
      tests: ['خانه', 'گفتگو'].map((test_title) => ({
        test_title,
        scales: Array.from({ length: 4 }, (_, index) => ({
          title: `مقیاس ${index}`,
          score: index,
          interpretation,
        })),
      })),
    })),
  })

const say = (interpretation: string, hasReport: boolean) =>
  roadmapMessages(loadTexts().for('fa'), {
    title: 'نقشه',
    result: sixTests(interpretation),
    hasReport,
    organizerContact: '021',
  })

test('beside a report the result is said in at most ten lines', () => {
  const [message = '', ...others] = say('بسیار بلند است. '.repeat(40), true)
  expect(others).toEqual([])
  expect(message).not.toContain('بسیار بلند است')
  expect(message).toContain('آرام است.')
  expect(message).toContain('گزارش کامل')
  const [, gist = ''] = (message.split('بقیه در گزارش')[0] ?? '').split('</b>\n')
  const lines = gist
    .trim()
    .split('\n')
    .map((line) => Math.max(1, Math.ceil(line.replace(/<[^>]*>/g, '').length / 48)))
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(11) // one of them is empty
})

test('of each part of an analysis the first sentence is said', () => {
  const sections = ['قوت‌ها', 'پیشنهادها'].map((title) => ({ title, text: `${title} نخست. و سپس دوم.` }))
  const [message = ''] = roadmapMessages(loadTexts().for('fa'), {
    title: 'نقشه',
    result: readRoadmapResult({ summary: `همه خوب است. ${'باز هم. '.repeat(90)}`, sections }),
    hasReport: true,
    organizerContact: '021',
  })
  expect(message).toContain('همه خوب است.')
  expect(message).toContain('<b>قوت‌ها</b>: قوت‌ها نخست.')
  expect(message).toContain('<b>پیشنهادها</b>: پیشنهادها نخست.')
  expect(message.split('باز هم.').length).toBeLessThan(30)
})

test.each(['مادر', 'پدر'])('whose a part is, is known by token, by role id and by title: %s', (title) => {
  const [own = 0, other = 0] = title === 'مادر' ? [21, 22] : [22, 21]
  const roles = [
    { id: own, title, name: 'نگار', limits: { minAge: null, maxAge: null, gender: 'both' as const } },
    { id: other, title: 'دیگری', limits: { minAge: null, maxAge: null, gender: 'both' as const } },
  ]
  const records = [{ s: 's', token: 'tok', title: 'خانه', role: own, isFinished: true }]
  const whoIs = whoIsIn({ roles, records })
  for (const said of [{ token: 'tok' }, { role: own }, { role_id: own }, { role_title: title }]) {
    const { sections } = readRoadmapResult({ tests: [{ test_title: 'خانه', ...said, scales }] }, whoIs)
    expect(sections).toEqual([{ title: 'خانه', role: `${title} (نگار)`, scales: warm }])
  }
})

test('without a report nothing is left out', () => {
  expect(say('بسیار بلند است. '.repeat(40), false).join('\n')).toContain('بسیار بلند است')
})
