import { expect } from 'vitest'
import { MINUTE_MS } from '../../src/domain/durations.ts'
import { changedService } from '../dialogs/changed-service.ts'
import { ORGANIZED, organizerOf } from '../organizers/office.ts'
import { until } from '../until.ts'
import { story, word } from './gather.ts'
import { FATHER, KIN_TITLE } from './kin.ts'

const DAY_MS = 86_400_000

story('the board shows every test with its role and state, and what is next', async ({ gather }) => {
  const { owner } = await gather({ at: 'board' })
  const { text = '' } = owner.board
  expect(text).toContain(KIN_TITLE)
  for (const said of ['مادر', 'پدر', 'فرزند']) expect(text).toContain(said)
  expect(text.split(word('stage-new'))).toHaveLength(7)
  expect(text).toContain(word('board-next-role', { role: 'مادر (مریم)', title: 'خانهٔ ما' }))
  expect(owner.left).toBe(6)
})

story('a test without a title is called by its id', async ({ gather }) => {
  const { owner, world, restarts } = await gather({ productId: 'pair' })
  const untitled = (_: string, data: { test_records?: object[] } | null) =>
    data?.test_records
      ? { ...data, test_records: data.test_records.map((each) => ({ ...each, test_title: '' })) }
      : data
  await restarts({ SERVICE_URL: await changedService(() => world.sandbox, untitled) })
  await owner.comesToBoard([11, 12])
  expect(owner.board.text).toContain(word('board-test', { title: 'home', state: word('stage-new') }))
  await owner.takes()
  expect(owner.chat).toContain(word('record-finished', { title: 'home · زن (لیلا)' }))
  expect(owner.chat).not.toContain('«»')
})

story('the board shows the stage of each test: begun, finished, not begun', async ({ gather }) => {
  const { owner } = await gather({ at: 'board' })
  await owner.taps(owner.offered[0] ?? '', owner.board)
  expect(owner.board.text).toContain(word('stage-question', { position: 1, total: 2 }))
  await owner.taps(/^a:/)
  await owner.taps(/^pause:/)
  expect(owner.board.text).toContain(word('stage-question', { position: 2, total: 2 }))
  await owner.taps(/^open:/, owner.board)
  await owner.answers()
  await owner.taps(/^submit:/)
  expect(owner.board.text).toContain(word('stage-done'))
  expect(owner.board.text).toContain(word('board-next-role', { role: 'مادر (مریم)', title: 'گفتگو' }))
  expect(owner.left).toBe(5)
})

story('tests can be taken in any order, and can be left and continued', async ({ gather }) => {
  const { owner, world, records } = await gather({ at: 'board' })
  await owner.takes(1)
  const [hers = ''] = owner.offered
  await owner.taps(hers, owner.board)
  await owner.taps(/^a:[^:]+:0:2:/)
  await owner.opens('')
  await owner.takes(4)
  // The child has the phone now, and comes first; the mother's test is still among the next.
  await owner.takes(owner.offered.indexOf(hers))
  expect(records.map((record) => world.sandbox.submissions(record).length)).toEqual([1, 1, 0, 0, 0, 1])
  expect(world.sandbox.submissions(records[0] ?? '')[0]?.record).toEqual({ s1: ['q1o3', 'q2o1'] })
})

story('the duration of a test is shown when it is opened, without a call before that', async ({ gather }) => {
  const { owner, calls } = await gather({ at: 'board' })
  expect(calls('GET', /record/)).toBe(0)
  await owner.taps(owner.offered[0] ?? '', owner.board)
  expect(owner.screen).toContain(word('question-progress', { position: 1, total: 2, minutes: 3 }))
})

story('the board is edited in place as long as it is the last message', async ({ gather }) => {
  const { owner } = await gather({ at: 'board' })
  const { message_id: id } = owner.board
  await owner.taps(/^open:/, owner.board)
  await owner.taps(/^pause:/)
  expect(owner.board.message_id).toBe(id)
  await owner.says('/tests')
  await owner.taps(/^open:/)
  expect(owner.boards).toHaveLength(1)
  expect(owner.board.message_id).toBeGreaterThan(id)
})

story('a board that has scrolled away is sent again, and there is only one', async ({ gather }) => {
  const { owner } = await gather({ at: 'board' })
  for (let round = 0; round < 3; round += 1) {
    await owner.says('سلام')
    expect(owner.boards).toHaveLength(1)
    expect(owner.person.last).toBe(owner.board)
  }
})

story('a deleted board is sent again, and there is only one', async ({ gather }) => {
  const { owner, join } = await gather({ at: 'shared board' })
  const father = join('رضا')
  await owner.deletes(owner.board)
  expect(owner.boards).toHaveLength(0)
  await owner.opens('')
  expect(owner.boards).toHaveLength(1)
  // The same when another account changes the board meanwhile.
  await owner.deletes(owner.board)
  await father.takesAll()
  expect(owner.boards).toHaveLength(1)
  expect(owner.board.text).toContain(word('board-handed', { done: 2, total: 2 }))
})

story('a board too old to be deleted loses its buttons', async ({ gather }) => {
  const { owner, waits } = await gather({ at: 'board' })
  const { message_id: id } = owner.board
  await waits(3 * DAY_MS)
  await owner.says('سلام')
  expect(owner.boards).toHaveLength(1)
  const older = owner.person.messages.find((message) => message.message_id === id)
  expect(older?.text).toContain(word('moved-below'))
  expect(older?.reply_markup).toBeUndefined()
})

story('a roadmap of one person asks for no role, and shows no hand-over', async ({ gather }) => {
  const { owner } = await gather({ productId: 'single', at: 'board' })
  expect(owner.board.text).not.toContain('شرکت‌کننده')
  expect(owner.buttons.filter((data) => data.startsWith('hand:'))).toEqual([])
  await owner.takesAll()
  expect(owner.data).toEqual([/^generate:/, /^ask:/].map((sign) => expect.stringMatching(sign)))
})

story('when all tests are finished /tests says that only the report is left', async ({ gather }) => {
  const { owner } = await gather({ at: 'finished' })
  await owner.says('/tests')
  expect(owner.screen).toContain(word('stage-report'))
  expect(owner.screen).not.toContain(word('stage-board'))
})

story('a record of a roadmap has no result of its own', async ({ gather }) => {
  const { owner, calls } = await gather({ productId: 'pair', at: 'board' })
  const [open = ''] = owner.offered
  await owner.takes()
  expect(calls('GET', /result/)).toBe(0)
  await owner.forges(open.replace('open', 'result'))
  await owner.forges(open)
  expect(calls('GET', /result/)).toBe(0)
  expect(owner.reports).toEqual([])
  expect(owner.boards).toHaveLength(1)
})

story('the board and the open test survive /tests, /start and /cancel', async ({ gather }) => {
  const { owner } = await gather({ at: 'board' })
  await owner.taps(/^open:/, owner.board)
  await owner.taps(/^a:/)
  await owner.says('/tests')
  expect(owner.screen).toContain(word('stage-board'))
  await owner.taps(/^open:/)
  expect(owner.person.last).toBe(owner.board)
  await owner.taps(/^open:/, owner.board)
  await owner.says('/cancel')
  expect(owner.heard).toMatch(/ادامه.*\/tests/)
  await owner.opens('')
  expect(owner.board.text).toContain(word('stage-question', { position: 2, total: 2 }))
})

story('the language can change in the middle of a test, which keeps its question', async ({ gather }) => {
  const { owner } = await gather({ at: 'board' })
  await owner.taps(/^open:/, owner.board)
  await owner.taps(/^a:/)
  await owner.says('/language')
  await owner.taps('lang:en')
  expect(owner.screen).toContain('2 of 2')
  await owner.answers()
  await owner.taps(/^submit:/)
  expect(owner.screen).toMatch(/مریم\)\u2069?: \u2068?گفتگو/)
})

story('the card of a roadmap counts the answers of each account as activity', async ({ gather }) => {
  const party = await gather({ productId: 'pair', environment: ORGANIZED, at: 'shared board' })
  const { owner, other, token, waits } = party
  const office = await organizerOf(party)
  const isIdle = async () => {
    await office.says(`/roadmaps ${token}`)
    return office.heard.includes('ساعت بدون فعالیت')
  }
  for (const person of [owner, other]) {
    await person.taps(person.offered[0] ?? '', person.board)
    for (let hour = 0; hour < 25; hour++) await waits(60 * 60_000)
    expect(await isIdle()).toBe(true)
    await person.taps(/^a:/)
    expect(await isIdle()).toBe(false)
  }
})

story('an organizer with a role sees the stages of the others in lists', async ({ gather }) => {
  const { owner, world } = await gather({ at: 'board', environment: ORGANIZED })
  const office = await organizerOf({ world })
  await office.opens(await owner.hands(FATHER))
  await office.says('/roadmaps')
  expect(office.heard).toContain(word('stage-board'))
})

story('an account that has only opened an invitation has begun nothing', async ({ gather }) => {
  const { owner, other } = await gather({ at: 'board' })
  await other.opens(await owner.hands(FATHER))
  await other.says('/tests')
  expect(other.heard).toContain(word('stage-new'))
  expect(other.heard).not.toContain(word('stage-board'))
})

story('/forget counts a roadmap once', async ({ gather }) => {
  const { owner, waits } = await gather({ at: 'finished' })
  await owner.taps(/^generate:/)
  await waits(MINUTE_MS)
  for (let minutes = 0; owner.reports.length === 0 && minutes < 12; minutes += 1) await waits(MINUTE_MS)
  await owner.says('/forget')
  expect(owner.heard).toContain(word('forget-finished', { count: 6 }))
})

story('of two tests pressed one after the other only the second one is asked', async ({ gather }) => {
  const { owner, world, calls } = await gather({ at: 'board' })
  const [first = '', second = ''] = owner.offered
  const slow = () => world.sandbox.fault({ kind: 'slow', ms: 600_000, path: 'questions', times: 1 })
  const [one, other] = [slow(), slow()]
  const asked = () => owner.data.find((data) => data.startsWith('a:'))?.split(':')[1]
  owner.person.tap(first, owner.board)
  await until(() => calls('GET', /questions/) === 1)
  owner.person.tap(second, owner.board)
  await until(() => calls('GET', /questions/) === 2)
  one.end()
  await until(() => owner.chat.includes(word('questions-begin')))
  other.end()
  await until(() => asked() !== undefined)
  const before = asked()
  await world.settled()
  expect([before, asked()]).toEqual([second, second].map((data) => data.split(':')[1]))
})

story('/cancel puts aside a single test that came below the test of a roadmap', async ({ gather }) => {
  const { owner, world } = await gather({ at: 'board' })
  const token = world.sandbox.addRecord({ testId: 'home', authRequired: false })
  const slow = world.sandbox.fault({ kind: 'slow', ms: 600_000, path: 'questions', times: 1 })
  const isAsked = () => owner.data.some((data) => data.startsWith('a:'))
  await owner.opens(`record_${token}`)
  owner.person.tap(/^begin:/, owner.person.last)
  await until(() => world.sandbox.calls.some(({ path }) => path.endsWith('/questions/')))
  owner.person.tap(owner.offered[0] ?? '', owner.board)
  await until(isAsked)
  slow.end()
  await world.settled()
  const { message_id: id } = owner.person.last
  expect(isAsked()).toBe(true)
  await owner.says('/cancel')
  expect(owner.fromBot().find(({ message_id }) => message_id === id)?.reply_markup).toBeUndefined()
})

story('of two tests the first one is asked when the second one is refused', async ({ gather }) => {
  const { owner, world } = await gather({ at: 'board' })
  const [first = '', second = ''] = owner.offered
  const one = world.sandbox.fault({ kind: 'slow', ms: 600_000, path: 'questions', times: 1 })
  owner.person.tap(first, owner.board)
  await until(() => world.sandbox.calls.some(({ path }) => path.endsWith('/questions/')))
  world.sandbox.fault({ kind: 'status', status: 403, path: 'questions', times: 1 })
  owner.person.tap(second, owner.board)
  await until(() => owner.data.some((data) => data.startsWith('retry:')))
  one.end()
  await world.settled()
  expect(owner.place).toBe('question')
  expect(owner.data.find((data) => data.startsWith('a:'))?.split(':')[1]).toBe(first.split(':')[1])
})
