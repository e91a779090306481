import { expect } from 'vitest'
import { changedService } from '../dialogs/changed-service.ts'
import { shortTest } from '../dialogs/short-tests.ts'
import { ALL, people, products, tests } from '../roadmaps/kin.ts'
import { createPerson } from '../roadmaps/person.ts'
import { type Office, onBothStores, shortIdOf, story, word } from './office.ts'

const COLUMNS =
  'token,kind,title,external_id,finished,person,scale,score,percentile,answers_under_a_second,longest_run,active_minutes'

/** The rows of the newest table, by their columns. */
function table(office: Office): Record<string, string>[] {
  const [head = '', ...lines] = office.file('.csv').replace('\uFEFF', '').trim().split('\r\n')
  expect(head).toBe(COLUMNS)
  const names = head.split(',')
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [names[at] ?? '', cell])))
}

/** A participant who has finished a test here. */
async function finished(office: Office, token = office.addRecord(), id = '4711') {
  const sara = office.join(token)
  await sara.opens(`record_${token}_${id}`)
  await sara.walksTo('review')
  const s = shortIdOf(sara)
  await sara.taps(/^submit:/)
  return { sara, s, token }
}

onBothStores(
  'the table of results has a row a scale, for tests finished here and elsewhere',
  async ({ work }) => {
    const office = await work({ sandbox: { testsAuthRequired: false } })
    const { token } = await finished(office)
    const elsewhere = office.world.sandbox.addRecord({ testId: 'mood-7', status: 1 })
    office.addRecord()
    await office.says('/status')
    await office.taps('results')
    const rows = table(office)
    expect(new Set(rows.map((row) => row.token))).toEqual(new Set([token, elsewhere]))
    const [own] = rows.filter((row) => row.token === token)
    expect(own).toMatchObject({ kind: 'record', external_id: '4711', person: '' })
    expect(own?.score).toMatch(/^\d/)
    expect(own?.finished).toMatch(/^20.*Z$/)
    for (const column of ['answers_under_a_second', 'longest_run', 'active_minutes'])
      expect(own?.[column]).toMatch(/^\d+$/)
    const [other] = rows.filter((row) => row.token === elsewhere)
    expect(other).toMatchObject({ kind: 'record', longest_run: '', finished: '' })
    expect(other?.score).toMatch(/^\d/)
    const whole = office.file('.csv')
    expect(whole).not.toContain('زهرا')
    expect(whole).not.toContain('0912')
  },
)

story('a service that fails meanwhile leaves no result out, and the table comes once', async ({ work }) => {
  const office = await work({ sandbox: { testsAuthRequired: false } })
  const tokens = [1, 2, 3, 4].map(() => office.world.sandbox.addRecord({ testId: 'mood-7', status: 1 }))
  await office.says('/status')
  office.world.sandbox.fault({ kind: 'status', status: 503, path: `${tokens[1]}/result`, times: 2 })
  office.world.sandbox.fault({ kind: 'status', status: 404, path: `${tokens[2]}/result`, times: 1 })
  await office.acts(() => office.person.tap('results'))
  await office.world.restarts()
  await office.acts(() => office.world.passWith(30_000))
  await office.acts(() => office.world.passWith(30_000))
  const rows = table(office)
  expect(new Set(rows.map((row) => row.token))).toEqual(new Set(tokens))
  // A result that the service does not have makes a row without figures.
  expect(rows.filter((row) => row.token === tokens[2])).toMatchObject([{ scale: '', score: '' }])
  const tables = office.fromBot().filter(({ document }) => document?.file_name?.startsWith('results-'))
  expect(tables.map(({ caption }) => caption)).toEqual([
    `${word('results-caption', { tests: 3 })}\n${word('results-missing', { tests: 1 })}`,
  ])
})

story('one result that the service never gives does not hold up the others', async ({ work }) => {
  const office = await work({ sandbox: { testsAuthRequired: false } })
  const { sandbox } = office.world
  const tokens = Array.from({ length: 32 }, () => sandbox.addRecord({ testId: 'mood-7', status: 1 }))
  const bad = [tokens[0], tokens[9], tokens[31]]
  for (const token of bad) sandbox.fault({ kind: 'status', status: 500, path: `${token}/result`, times: 999 })
  await office.says('/status')
  await office.taps('results')
  for (const seconds of [2, 10]) await office.acts(() => office.world.passWith(seconds * 1_000))
  expect(office.file('.csv')).toBe('')
  for (const seconds of [60, 2, 10, 60]) await office.acts(() => office.world.passWith(seconds * 1_000))
  const rows = table(office)
  expect(new Set(rows.map((row) => row.token))).toEqual(new Set(tokens))
  const without = rows.filter(({ scale }) => scale === '').map((row) => row.token)
  expect(new Set(without)).toEqual(new Set(bad))
})

story('a result answered with garbage is fetched again, and given up after a minute', async ({ work }) => {
  const office = await work({ sandbox: { testsAuthRequired: false } })
  const { sandbox } = office.world
  const [once, always] = [1, 2].map(() => sandbox.addRecord({ testId: 'mood-7', status: 1 }))
  sandbox.fault({ kind: 'garbage', path: `${once}/result`, times: 3 })
  sandbox.fault({ kind: 'garbage', path: `${always}/result`, times: 999 })
  await office.says('/status')
  await office.taps('results')
  for (const seconds of [2, 10, 60]) await office.acts(() => office.world.passWith(seconds * 1_000))
  const rows = table(office)
  expect(rows.find(({ token }) => token === once)?.scale).not.toBe('')
  expect(rows.filter(({ token }) => token === always)).toMatchObject([{ scale: '', score: '' }])
  expect(office.heard).toContain(word('results-missing', { tests: 1 }))
})

story('the table waits for a service that gives no result at all', async ({ work }) => {
  const office = await work({ sandbox: { testsAuthRequired: false } })
  const { sandbox } = office.world
  const tokens = Array.from({ length: 8 }, () => sandbox.addRecord({ testId: 'mood-7', status: 1 }))
  const down = sandbox.fault({ kind: 'status', status: 500, path: '/result', times: 999 })
  await office.says('/status')
  await office.taps('results')
  for (const seconds of [2, 10, 60, 300]) await office.acts(() => office.world.passWith(seconds * 1_000))
  expect(office.file('.csv')).toBe('')
  down.end()
  await office.acts(() => office.world.passWith(600_000))
  const rows = table(office)
  expect(new Set(rows.map((row) => row.token))).toEqual(new Set(tokens))
  expect(rows.every(({ scale }) => scale !== '')).toBe(true)
})

story('a refused key is reported, and no half table comes', async ({ work }) => {
  const office = await work()
  office.world.sandbox.addRecord({ testId: 'mood-7', status: 1 })
  await office.says('/status')
  const key = office.world.sandbox.fault({ kind: 'status', status: 401, message: 'revoked', times: 99 })
  await office.taps('results')
  expect(office.heard).toContain(word('results-stopped-key'))
  expect(office.file('.csv')).toBe('')
  key.end()
})

story('the table of one test is a press away, and a forged choice is refused', async ({ work }) => {
  const office = await work({ sandbox: { testsAuthRequired: false } })
  const mood = await finished(office)
  const sleep = await finished(office, office.addRecord('sleep-20'), '4712')
  await office.says('/status')
  await office.taps('results')
  await office.taps('results:0')
  const only = new Set(table(office).map((row) => row.token))
  expect([new Set([mood.token]), new Set([sleep.token])]).toContainEqual(only)
  await office.forges('results:1')
  const other = new Set(table(office).map((row) => row.token))
  expect(new Set([...only, ...other])).toEqual(new Set([mood.token, sleep.token]))
  await office.forges('results:77')
  expect(office.heard).toBe(word('drop-gone', { command: '/status' }))
})

story('the table of one test has no row of a roadmap without that test', async ({ work }) => {
  const office = await work({ sandbox: { tests, products, testsAuthRequired: false, generationSeconds: 1 } })
  const { sandbox, emulator } = office.world
  const pair = sandbox.addRoadmap({ productId: 'pair' })
  const owner = createPerson(office.world, emulator.person({ firstName: 'زن' }), pair)
  await owner.comesToBoard([11, 12])
  await owner.takesAll()
  await owner.taps(/^generate:/)
  await office.acts(() => office.world.passWith(600_000))
  const alone = await finished(office, office.addRecord('talk'))
  const inPair = await finished(office, office.addRecord('home'), '4712')
  await office.says('/status')
  await office.taps('results')
  const titleOf = ({ token }: { token: string }) => table(office).find((row) => row.token === token)?.title
  const titles = [titleOf(alone), titleOf(inPair)]
  const tokens: Record<string, Set<string | undefined>> = {}
  const choices = office.buttons.filter((data) => /^results:\d$/.test(data))
  sandbox.fault({ kind: 'status', status: 404, path: `roadmap/${pair}/result`, times: 9 })
  for (const choice of choices) {
    await office.taps(choice)
    const rows = table(office)
    const own = rows.find((row) => row.token !== pair)?.title ?? ''
    tokens[own] = new Set(rows.map((row) => row.token))
  }
  expect(tokens[titles[0] ?? '']).toEqual(new Set([alone.token]))
  // A missing result of a roadmap with this test is still listed.
  expect(tokens[titles[1] ?? '']).toEqual(new Set([inPair.token, pair]))
})

story('the table of a family has its roles, and no name', async ({ work }) => {
  const office = await work({ sandbox: { tests, products, testsAuthRequired: false, generationSeconds: 1 } })
  const token = office.world.sandbox.addRoadmap({ productId: 'kin' })
  const owner = createPerson(office.world, office.world.emulator.person({ firstName: 'مادر' }), token)
  await owner.comesToBoard(ALL)
  await owner.takesAll()
  await owner.taps(/^generate:/)
  await office.acts(() => office.world.passWith(600_000))
  await office.says('/status')
  await office.taps('results')
  const rows = table(office)
  expect(new Set(rows.map((row) => row.token))).toEqual(new Set([token]))
  expect(rows.every(({ kind, person }) => kind === 'roadmap' && person !== '')).toBe(true)
  expect(rows.some((row) => /^\d+$/.test(row.longest_run ?? ''))).toBe(true)
  for (const role of ALL) {
    const [first = ''] = people[role]?.name.split(' ') ?? []
    expect([role, office.file('.csv').includes(first)]).toEqual([role, false])
  }
  // The card says of each test how it was answered.
  await office.says(`/roadmaps ${token}`)
  const [label] = word('card-validity', { fast: 0, run: 0, activeMinutes: 0 }).split('۰')
  expect(office.screen.split(label ?? '')).toHaveLength(7)
})

story('a result by person brings no name into the table either', async ({ work }) => {
  const office = await work({ sandbox: { tests, products, testsAuthRequired: false, generationSeconds: 1 } })
  const token = office.world.sandbox.addRoadmap({ productId: 'pair' })
  const owner = createPerson(office.world, office.world.emulator.person({ firstName: 'مادر' }), token)
  const pair = [11, 12]
  await owner.comesToBoard(pair)
  await owner.takesAll()
  await owner.taps(/^generate:/)
  await office.acts(() => office.world.passWith(600_000))
  const titles = new Set<string>()
  const byPerson = (path: string, data: { test_records: { test_title: string; role: number }[] }) => {
    for (const { test_title } of data.test_records ?? []) titles.add(test_title)
    if (!/\/roadmap\/.*\/result\/json\/$/.test(path)) return data
    const scales = [{ title: 'گرمی', score: 3 }]
    return {
      people: pair.map((role) => ({
        name: people[role]?.name,
        tests: [...titles].map((title) => ({ title, scales })),
      })),
      // The names may be in other fields as well.
      couple: pair.map((role) => ({ name: people[role]?.name, scales })),
    }
  }
  await office.world.restarts({ SERVICE_URL: await changedService(() => office.world.sandbox, byPerson) })
  await office.says('/status')
  await office.taps('results')
  const rows = table(office)
  expect(titles.size).toBeGreaterThan(0)
  expect(new Set(rows.map(({ title = '' }) => title))).toEqual(titles.add('زوج'))
})

story('a result that was finished elsewhere can be sent from its card', async ({ work }) => {
  const office = await work({ sandbox: { testsAuthRequired: false } })
  const token = office.world.sandbox.addRecord({ testId: 'mood-7', status: 1 })
  await office.says(`/records ${token}`)
  await office.taps(`send:r:${token}`)
  expect(office.heard).toContain(word('send-coming'))
  expect(office.file('.html')).not.toBe('')
  // A test that is not finished, or not known, is answered so.
  const open = office.addRecord()
  await office.forges(`send:r:${open}`)
  expect(office.heard).toBe(word('send-not-yet'))
  await office.forges('send:r:0f8fad5b-d9cb-469f-a165-70867728950e')
  expect(office.heard).toBe(word('organizer-unknown'))
  // A test that was begun and finished here gets the usual delivery.
  const { sara, token: own } = await finished(office)
  const before = sara.person.messages.length
  await office.forges(`send:r:${own}`)
  expect(office.heard).toContain(word('send-coming'))
  expect(sara.person.messages.length).toBeGreaterThan(before)
})

story('the buttons of two tests with long, similar titles bring their own tables', async ({ work }) => {
  const titleOf = (n: string) =>
    `پرسش‌نامهٔ بسیار بلند سنجش حال و روز و کیفیت زندگی و خواب نوجوانان شهر، بخش ${n}`
  const alike = ['یکم', 'دوم'].map((n) => shortTest({ id: n, title: titleOf(n) }))
  const office = await work({ sandbox: { tests: alike, testsAuthRequired: false } })
  const all = [
    await finished(office, office.addRecord('یکم')),
    await finished(office, office.addRecord('دوم'), '4712'),
  ]
  await office.says('/status')
  await office.taps('results')
  const choices = office.person.lastWith('results:0')
  const brought = []
  for (const data of ['results:0', 'results:1']) {
    await office.taps(data, choices)
    brought.push(...table(office).map(({ token }) => token))
  }
  expect(new Set(brought)).toEqual(new Set(all.map(({ token }) => token)))
})

story('a board from before a change of language still works', async ({ work }) => {
  const office = await work({ sandbox: { testsAuthRequired: false } })
  await finished(office)
  await office.says('/status')
  const board = office.person.last
  await office.says('/language')
  await office.taps('lang:en')
  await office.taps('drop:0', board)
  expect(office.screen).not.toContain('/status')
})

story('a scale that has a score but no title is not counted as missing', async ({ work }) => {
  const scales = { calm: { title: '', tone: 'style', low: 'کم', middle: 'میانه', high: 'زیاد' } } as const
  const office = await work({ sandbox: { tests: [shortTest({ scales })], testsAuthRequired: false } })
  await finished(office, office.addRecord('short'))
  await office.says('/status')
  await office.taps('results')
  expect(table(office)[0]?.score).toMatch(/\d/)
  expect(office.heard).toContain(word('results-caption', { tests: 1 }))
})
