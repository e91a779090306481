import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRoadmapResult, whoIsIn } from '../../src/domain/roadmap-result.ts'
import { roadmapMessages } from '../../src/views/result.ts'
import { texts } from '../words.ts'

const scales = [{ id: 'warm', title: 'گرما', score: 3, percentile: 61, interpretation: 'میانه است.' }]
const warm = [{ title: 'گرما', score: 3, percentile: 61, interpretation: 'میانه است.' }]

test.each([
  null,
  undefined,
  7,
  true,
  [],
  {},
  [[]],
  { a: { b: [null, 3] } },
  { scales: [], html: '<p>همه</p>' },
])('%j is read as an empty result', (data) => {
  expect(readRoadmapResult(data)).toEqual({ passages: [], sections: [] })
})

test('all texts of the analysis are read in their order, with their headings', () => {
  const { passages } = readRoadmapResult({
    title: 'نقشهٔ راه',
    roadmap: { id: 'pair', title: 'زوج', current_version: 2 },
    summary: 'آرام است.',
    generated_on: '2026-01-01T10:00:00.000Z',
    sections: [
      { title: 'قوت‌ها', text: 'گفتگو.', inner: { title: 'شب‌ها', hint: '<b>آهسته</b>.' } },
      { title: 'پیشنهادها', whatever: ['یک.', 'دو.'] },
    ],
    next_steps: [{ title: 'هر روز راه بروید' }, 'بخوابید'],
    ai: { analysis: 'همه چیز.', html: '<p>همه</p>', token: 'abc', status: 'completed' },
  })
  expect(passages).toEqual([
    { text: 'زوج' },
    { text: 'آرام است.' },
    { title: 'قوت‌ها', text: 'گفتگو.' },
    { title: 'قوت‌ها · شب‌ها', text: 'آهسته.' },
    { title: 'پیشنهادها', text: 'یک.' },
    { title: 'پیشنهادها', text: 'دو.' },
    { text: 'هر روز راه بروید' },
    { text: 'بخوابید' },
    { text: 'همه چیز.' },
  ])
})

const shapes: [string, unknown][] = [
  [
    'roles with titles',
    {
      roles: [
        { role_title: 'مادر', tests: [{ test_title: 'خانه', scales }] },
        { role_title: 'پدر', tests: [{ test_title: 'خانه', scales }] },
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

test('the names of the persons are said where the result has them', () => {
  const child = (name: string) => ({
    role_title: 'فرزند',
    profile: { name },
    tests: [{ title: 'خانه', scales }],
  })
  expect(readRoadmapResult([child('سارا'), child('آرش')]).sections.map(({ role }) => role)).toEqual([
    'فرزند، سارا',
    'فرزند، آرش',
  ])
  const person = (name: string) => ({
    profile: { name, mobile: '09120000000' },
    tests: [{ title: 'خانه', scales }],
  })
  expect(readRoadmapResult([person('سارا'), person('آرش')]).sections.map(({ role }) => role)).toEqual([
    'سارا',
    'آرش',
  ])
})

test('a test with a summary and no scales is a section too', () => {
  expect(readRoadmapResult({ tests: [{ test_title: 'خانه', role_title: 'مادر', summary: 'خوب.' }] })).toEqual(
    {
      passages: [],
      sections: [{ title: 'خانه', role: 'مادر', summary: 'خوب.', scales: [] }],
    },
  )
})

test('any JSON is read, and any result can be shown', async () => {
  const t = texts.for('fa')
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
  await fc.assert(
    fc.asyncProperty(tree, async (data) => {
      const result = readRoadmapResult(data)
      const ending = { hasReport: true, people: [] }
      const messages = await roadmapMessages(t, { title: 'نقشه', result, ...ending })
      expect(messages.length).toBeGreaterThan(0)
      for (const message of messages) expect([...message.replace(/<[^>]*>/g, '')].length).toBeLessThan(5_000)
    }),
  )
})

test('the message beside the report has all texts and every test, with the names', async () => {
  const result = readRoadmapResult({
    summary: `همه خوب است. ${'باز هم. '.repeat(90)}پایان.`,
    sections: [{ title: 'پیشنهادها', text: 'نخست. و سپس دوم.' }],
    roles: ['مادر', 'پدر'].map((role_title) => ({
      role_title,
      tests: [{ test_title: 'خانه', summary: 'گرم است.', scales }],
    })),
  })
  const [message = '', ...others] = await roadmapMessages(texts.for('fa'), {
    title: 'نقشه',
    result,
    people: ['مادر (نگار)', 'پدر (علی)'],
    hasReport: true,
  })
  expect(others).toEqual([])
  const words = [
    'مادر (نگار)، پدر (علی)',
    '<b>پیشنهادها</b>\nنخست. و سپس دوم.',
    'پایان.',
    'خانه · مادر</b>\nگرم است.',
    'میانه است.',
    'خانه · پدر</b>\nگرم است.',
  ]
  const places = words.map((each) => message.indexOf(each))
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(message).not.toContain('بقیه در گزارش')
})

test.each(['مادر', 'پدر'])('the person of a part is found by token, by role id and by title: %s', (title) => {
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

test('a heading that is the title of a role names its person', () => {
  const data = {
    data: [
      { title: 'مادر', records: [{ title: 'خانه', scales }] },
      { title: 'پدر', records: [{ title: 'خانه', scales }] },
    ],
  }
  const limits = { minAge: null, maxAge: null, gender: 'both' as const }
  const roles = [
    { id: 1, title: 'مادر', name: 'نگار', limits },
    { id: 2, title: 'پدر', name: 'علی', limits },
  ]
  expect(readRoadmapResult(data, whoIsIn({ roles, records: [] })).sections).toEqual([
    { title: 'خانه', role: 'مادر (نگار)', scales: warm },
    { title: 'خانه', role: 'پدر (علی)', scales: warm },
  ])
  // Without the roles the heading tells the persons apart.
  expect(readRoadmapResult(data).sections.map(({ title }) => title)).toEqual(['مادر · خانه', 'پدر · خانه'])
})

test.each([{ role: 21 }, { role: '21' }, { role_id: '21' }])('a role is found by its number: %j', (whose) => {
  const limits = { minAge: null, maxAge: null, gender: 'both' } as const
  const people = { roles: [{ id: 21, title: 'مادر', name: 'مریم', limits }], records: [] }
  const { sections } = readRoadmapResult(
    { tests: [{ ...whose, test_title: 'خانه', scales }] },
    whoIsIn(people),
  )
  expect(sections).toEqual([{ title: 'خانه', role: 'مادر (مریم)', scales: warm }])
})
