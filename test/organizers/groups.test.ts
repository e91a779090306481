import { expect, test } from 'vitest'
import { remindEach } from '../../src/organizer/nudge.ts'
import { groupNudgedView, groupNudgeView } from '../../src/views/groups.ts'
import { createAccount } from '../account.ts'
import { texts } from '../words.ts'
import { type Office, onBothStores, story, word, wordInEnglish } from './office.ts'

const HOUR = 3_600_000
const NAME = 'کلاس ۷ب'

/** A class of three: one is stuck at the questions, one has finished, one has opened nothing. */
async function aClass(office: Office) {
  const [stuck = '', done = '', free = ''] = [1, 2, 3].map(() => office.addRecord())
  await office.says(`/invite # ${NAME}\n${stuck},11\n${done},12\n${free},13`)
  const sara = office.join(stuck)
  await sara.opens()
  await sara.walksTo('question')
  const reza = office.join(done, 'رضا')
  await reza.opens()
  await reza.walksTo('review')
  await reza.taps(/^submit:/)
  return { stuck, done, free, sara }
}

const environment = { QUIET_HOURS: '0-0', REMINDER_HOURS: '' }

onBothStores(
  'a class has a name, shows the stage of each, and reminds all who are stuck at once',
  async ({ work }) => {
    const office = await work({ environment, sandbox: { testsAuthRequired: false } })
    const { stuck, free, sara } = await aClass(office)
    await sara.waits(25 * HOUR)
    await office.says('/start')
    await office.taps('groups:1')
    expect(office.screen).toContain(word('groups-title').replace(/<[^>]*>/g, ''))
    await office.taps(word('button-group', { name: NAME, count: 3 }))
    expect(office.screen).toContain(NAME)
    expect(office.screen).toContain('زهرا')
    expect(office.screen).toContain(word('stage-question', { position: 1, total: 7 }))
    expect(office.screen).toContain(word('group-unopened'))
    expect(office.data).toEqual(expect.arrayContaining([`card:r:${stuck}`, `card:r:${free}`]))
    expect(office.data.length).toBeLessThanOrEqual(12)
    await office.taps(/^nudgeall:[^:]+$/)
    expect(office.screen).toBe(word('group-nudge-ask', { name: NAME, count: 1 }))
    const before = sara.person.messages.length
    await office.taps(/^nudgeall:.*:yes$/)
    expect(office.heard).toContain(word('group-nudged', { count: 1, left: 0 }))
    expect(sara.person.messages.length).toBe(before + 1)
    expect(sara.data.some((data) => /^(?:open|go):/.test(data))).toBe(true)
    // A participant is reminded once in a while, whichever organizer asks.
    await office.forges(office.buttons.find((data) => /^nudgeall:.*:yes$/.test(data)) ?? '')
    office.world.pass(10_000)
    await office.forges(office.buttons.find((data) => /^nudgeall:[^:]+$/.test(data)) ?? '')
    expect(sara.person.messages.length).toBe(before + 1)
    await office.says('/status')
    await office.taps('audit')
    const acts = office.heard.split('\n').filter((line) => line.includes(word('act.nudge')))
    expect(acts).toEqual([expect.stringMatching(`${office.person.id}.*${stuck}`)])
  },
)

test('one press reminds so many of those who are stuck, not counting the ones already reminded', async () => {
  const reminded = new Set<number>([1, 2, 3])
  const remind = async (one: number) => !reminded.has(one) && Boolean(reminded.add(one))
  const all = [1, 2, 3, 4, 5, 6, 7]
  expect(await remindEach(all, 2, remind)).toEqual({ count: 2, left: 3, rest: 2 })
  expect(await remindEach(all, 2, remind)).toEqual({ count: 2, left: 5, rest: 0 })
  expect([...reminded]).toEqual(all)
  expect(await remindEach(all, 2, remind)).toEqual({ count: 0, left: 7, rest: 0 })
})

test('a single participant who is stuck is written of in the singular', () => {
  const t = texts.for('fa')
  const ask = groupNudgeView(t, 'a-group', NAME, 1)
  expect(ask.text).toContain('یک نفر یک روز یا بیشتر ادامه نداده است. به او یادآوری برود؟')
  expect(JSON.stringify(ask.keyboard)).toContain('بله، به او')
  const { text } = groupNudgedView(t, 'a-group', { count: 0, left: 1, rest: 1, most: 200 })
  expect(text).toMatch(/^به کسی یادآوری نمی‌رود؛ یک نفر تازه یادآوری گرفته است/)
  expect(text).toMatch(/یک نفر مانده است؛ به او هم برود؟$/)
})

test('those left over by one press can be reminded by another', () => {
  const done = { count: 200, left: 3, most: 200 }
  const { text, keyboard } = groupNudgedView(texts.for('en'), 'a-group', { ...done, rest: 97 })
  expect(text).toContain(wordInEnglish('group-nudged', { count: 200, left: 3 }))
  expect(text).toContain('97 are left')
  expect(JSON.stringify(keyboard)).toContain('nudgeall:a-group:yes')
  expect(groupNudgedView(texts.for('en'), 'a-group', { ...done, rest: 0 }).keyboard).toBeUndefined()
})

story('a class has a results table of its own', async ({ work }) => {
  const office = await work({ environment, sandbox: { testsAuthRequired: false } })
  const { done } = await aClass(office)
  office.world.sandbox.addRecord({ testId: 'mood-7', status: 1 })
  await office.taps(word('button-group-see'))
  await office.taps(/^results:.*:all$/)
  const rows = office.file('.csv').trim().split('\r\n').slice(1)
  expect(new Set(rows.map((row) => row.split(',')[0]))).toEqual(new Set([done]))
})

story('a class can be named later, by a caption or by a file name, without harm', async ({ work }) => {
  const office = await work({ environment: { ORGANIZERS: '4001,4002:desk' } })
  const tokens = [office.addRecord(), office.addRecord()]
  await office.says(`/invite ${tokens.join('\n')}`)
  await office.taps(word('button-group-name'))
  await office.says('ن'.repeat(61))
  expect(office.heard).toContain(word('group-name-ask', { letters: 60 }))
  await office.says('<b>هفتم</b>')
  expect(office.heard).toBe(
    word('group-named', { name: '<b>هفتم</b>' }).replaceAll('&lt;', '<').replaceAll('&gt;', '>'),
  )
  const bytes = Buffer.from(tokens.join('\n'))
  await office.acts(() => office.person.sendDocument({ fileName: 'کلاس ۸.csv', bytes, caption: '/invite' }))
  await office.acts(() =>
    office.person.sendDocument({ fileName: 'x.csv', bytes, caption: '/invite گروه شنبه' }),
  )
  const mina = createAccount(office.world, office.world.emulator.person({ id: 4002 }), '')
  await mina.opens('')
  await mina.forges('groups:1')
  for (const name of ['<b>هفتم</b>', 'کلاس ۸', 'گروه شنبه'])
    expect(mina.person.buttons.join()).toContain(name)
  await mina.taps(/^group:/)
  expect(mina.data.some((data) => data.startsWith('results:'))).toBe(false)
  // A group that does not exist, or no longer exists.
  for (const data of ['group:nothing:1', 'nudgeall:nothing', 'nudgeall:nothing:yes']) {
    await mina.forges(data)
    expect(mina.heard).toBe(word('group-gone'))
  }
  await mina.forges('results:nothing:all')
  expect(mina.person.toasts.at(-1)).toBe(word('button-old'))
})

story('a list can be filtered by a class and by who has finished, and stays so', async ({ work }) => {
  const office = await work({ environment, sandbox: { testsAuthRequired: false } })
  const other = office.addRecord()
  const { stuck, done, free } = await aClass(office)
  const shown = () => office.data.filter((data) => data.startsWith('card:')).sort()
  const cards = (...tokens: string[]) => tokens.map((token) => `card:r:${token}`).sort()
  await office.says('/records')
  expect(shown()).toContain(`card:r:${other}`)
  await office.taps(/^filters:[^:]+$/)
  await office.taps(/^filters:[^:]+:1$/)
  await office.taps(word('button-group', { name: NAME, count: 3 }))
  expect(office.screen).toContain(NAME)
  expect(office.screen).toContain('زهرا')
  expect(office.screen).toContain('#13')
  expect(shown()).toEqual(cards(stuck, done, free))
  expect(office.data.length).toBeLessThanOrEqual(12)
  await office.taps(/^relist:/)
  expect(shown()).toEqual(cards(stuck, done, free))
  await office.taps(/^filters:[^:]+$/)
  expect(office.data.some((data) => /:male:|:kind:/.test(data))).toBe(false)
  await office.taps(/^filter:[^:]+:finished:false$/)
  expect(shown()).toEqual(cards(stuck, free))
  expect(office.screen).toContain(NAME)
  await office.taps(/^filters:[^:]+$/)
  await office.taps(/^filter:[^:]+:finished:any$/)
  await office.taps(/^filters:[^:]+$/)
  await office.taps(/^filter:[^:]+:group:any$/)
  expect(office.screen).not.toContain(NAME)
  expect(shown()).toContain(`card:r:${other}`)
  const [, listing] = office.data.find((data) => data.startsWith('relist:'))?.split(':') ?? []
  await office.forges(`filter:${listing}:group:nothing`)
  expect(office.heard).toBe(word('group-gone'))
})

story('a large class is listed screen by screen, and each record is read once', async ({ work }) => {
  const office = await work({ environment })
  const tokens = Array.from({ length: 19 }, () => office.addRecord())
  await office.says(`/invite # ${NAME}\n${tokens.join('\n')}`)
  await office.says('/records')
  await office.taps(/^filters:[^:]+$/)
  await office.taps(/^filters:[^:]+:1$/)
  const before = office.asked.length
  const seen: string[] = []
  await office.taps(/^filter:[^:]+:group:/)
  for (const screen of [2, 3]) {
    seen.push(...office.data.filter((data) => data.startsWith('card:')))
    await office.taps(new RegExp(`^list:[^:]+:${screen}$`))
  }
  seen.push(...office.data.filter((data) => data.startsWith('card:')))
  expect(seen.sort()).toEqual(tokens.map((token) => `card:r:${token}`).sort())
  expect(office.asked.length - before).toBe(19)
  await office.taps(/^list:[^:]+:2$/)
  expect(office.asked.length - before).toBe(19)
})

story('a class is paged in one message, which comes below the list of classes', async ({ work }) => {
  const office = await work({ environment })
  const tokens = Array.from({ length: 9 }, () => office.addRecord())
  await office.says(`/invite # ${NAME}\n${tokens.join('\n')}`)
  await office.forges('groups:1')
  const list = office.person.last.message_id
  await office.taps(word('button-group', { name: NAME, count: 9 }))
  const { message_id: group } = office.person.last
  expect(group).toBeGreaterThan(list)
  const seen = office.data.filter((data) => data.startsWith('card:'))
  await office.taps(/^group:[^:]+:2$/)
  seen.push(...office.data.filter((data) => data.startsWith('card:')))
  expect(office.person.last.message_id).toBe(group)
  expect(new Set(seen).size).toBe(9)
  await office.taps(/^group:[^:]+:1$/)
  expect(office.person.last.message_id).toBe(group)
})

story('a class has only what the service knows, and an empty class is not kept', async ({ work }) => {
  const office = await work({ environment })
  const [one, two] = [office.addRecord(), office.addRecord()]
  await office.says(`/invite # ${NAME}\n${one}\n${two}\n11111111-2222-4333-8444-555555555555`)
  await office.forges('groups:1')
  expect(office.person.buttons).toContain(word('button-group', { name: NAME, count: 2 }))
  office.world.sandbox.fault({ kind: 'status', status: 401, times: 1 })
  await office.says(`/invite # ۸الف\n${one}\n${two}`)
  expect(office.heard).toContain(word('batch-stopped-key'))
  await office.forges('groups:1')
  expect(office.data.filter((data) => data.startsWith('group:'))).toHaveLength(1)
})
