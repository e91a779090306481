import { expect } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/domain/durations.ts'
import { everyRecord } from '../../src/domain/roadmap.ts'
import { recordFiles } from '../../src/storage/documents/kinds.ts'
import { readDocument } from '../../src/storage/documents.ts'
import { changedService } from '../dialogs/changed-service.ts'
import { keptOf, queuesOf, withStorage } from '../kept-entries.ts'
import { ORGANIZED, organizerOf } from '../organizers/office.ts'
import { story, word } from './gather.ts'
import { ALL, FATHER, people } from './kin.ts'

const WAIT_MS = 5 * 45_000 + 1_000

story('/forget in the middle of the details leaves no detail of any role', async ({ gather }) => {
  const { owner, join } = await gather()
  await owner.opens()
  await owner.taps(/^begin:/)
  await owner.introducesAll(ALL)
  await owner.forgets()
  for (const role of ALL) expect(owner.chat).not.toContain(people[role]?.name)
  await owner.opens()
  expect(owner.heard).toBe(word('invitation-forgotten'))
  const stranger = join('غریبه')
  await stranger.opens()
  expect(stranger.heard).toBe(word('invitation-used'))
})

story('the board and tests of a forgotten owner open for no account', async ({ gather }) => {
  const { owner, join, records, calls } = await gather({ at: 'board' })
  const [open = ''] = owner.offered
  await owner.forgets()
  await owner.forges(open)
  expect(owner.boards.flatMap(({ reply_markup }) => reply_markup ?? [])).toEqual([])
  for (const person of [owner, join('غریبه')]) {
    await person.opens(`record_${records[0]}`)
    expect(person.heard).toBe(word(person === owner ? 'invitation-forgotten' : 'invitation-used'))
  }
  expect(calls('GET', /questions/)).toBe(0)
})

story('a role comes back to the owner when its account is forgotten', async ({ gather }) => {
  const { owner, join, world, records } = await gather({ at: 'board' })
  const father = join('رضا')
  const invitation = await owner.hands(FATHER)
  await father.accepts(invitation)
  await father.takes()
  await father.taps(father.offered[0] ?? '', father.board)
  await father.taps(/^a:/)
  await father.forgets()
  expect(owner.left).toBe(5)
  await father.opens(invitation)
  expect(father.heard).toBe(word('invitation-unknown'))
  await father.says('/tests')
  expect(father.heard).toContain(word('tests-none'))
  await owner.takesAll()
  for (const record of records) expect(world.sandbox.submissions(record)).toHaveLength(1)
})

story('a roadmap that all its accounts have left is on no board of organizers', async ({ gather }) => {
  const { owner, join, world } = await gather({ at: 'board', environment: ORGANIZED })
  const father = join('رضا')
  await father.accepts(await owner.hands(FATHER))
  await owner.forgets()
  const office = await organizerOf({ world })
  await office.says('/start')
  expect(office.data.filter((data) => data.startsWith('stage:'))).toHaveLength(1)
  await father.forgets()
  await office.says('/start')
  expect(office.heard).not.toContain(word('home-recount'))
  expect(office.data.filter((data) => data.startsWith('stage:'))).toEqual([])
})

story('an account that is forgotten during the analysis is promised no report', async ({ gather }) => {
  const { owner, other } = await gather({ productId: 'pair', at: 'shared and finished' })
  await owner.taps(/^generate:/)
  for (const person of [other, owner]) {
    expect(person.chat).toContain(word('report-goes-here'))
    await person.forgets()
    expect(person.chat).not.toContain(word('report-goes-here'))
  }
})

story('the others go on when the owner is forgotten, even during the analysis', async ({ gather }) => {
  const { owner, other, waits } = await gather({ productId: 'pair', at: 'shared and finished' })
  await owner.taps(/^generate:/)
  await owner.forgets()
  await waits(WAIT_MS)
  await waits(WAIT_MS)
  expect([owner.reports.length, other.reports.length]).toEqual([0, 1])
})

story(
  'the owner gets the report although the account that started the analysis is forgotten',
  async ({ gather }) => {
    const { owner, other, waits } = await gather({ productId: 'pair', at: 'shared and finished' })
    await other.taps(/^generate:/)
    await other.forgets()
    await waits(WAIT_MS)
    await waits(WAIT_MS)
    expect([owner.reports.length, other.reports.length]).toEqual([1, 0])
  },
)

story(
  'the organizer is told that the others cannot finish without the forgotten owner',
  async ({ gather }) => {
    const { owner, join, restarts } = await gather({ productId: 'pair', at: 'shared board' })
    const organizer = join('مدیر')
    await restarts({ ORGANIZERS: String(organizer.person.id) })
    await organizer.opens('')
    await owner.forgets()
    expect(organizer.person.last.text).toContain(word('notice-roadmap-left', { title: 'زوج' }))
  },
)

story.for([
  ['the account that finished last', 'other'],
  ['the owner, who finished last,', 'owner'],
] as const)(
  'the analysis starts by itself although %s is forgotten in the minute before',
  async ([, leaving], { gather }) => {
    const { owner, other, waits, calls } = await gather({ productId: 'pair', at: 'shared board' })
    const people = { owner, other }
    const staying = leaving === 'owner' ? 'other' : 'owner'
    await people[staying].takesAll()
    await people[leaving].takesAll()
    await people[leaving].forgets()
    expect(people[staying].board.text).toContain(word('board-all-finished-soon'))
    await waits(61_000)
    expect(calls('POST', /generate\/$/)).toBe(1)
  },
)

story('a role invitation of a forgotten owner cannot be accepted', async ({ gather }) => {
  const { owner, join } = await gather({ at: 'board' })
  const invitation = await owner.hands(FATHER)
  await owner.forgets()
  const father = join('رضا')
  await father.opens(invitation)
  expect(father.heard).toBe(word('invitation-unknown'))
})

story('/forget names the one invitation of a roadmap without answers', async ({ gather }) => {
  const { owner } = await gather({ at: 'board' })
  await owner.says('/forget')
  expect(owner.heard).toContain(word('forget-links', { count: 1 }))
})

story('the last account to be forgotten leaves nothing of the roadmap behind', async ({ gather }) => {
  const { owner, other, waits, world } = await gather({ productId: 'pair', at: 'shared and finished' })
  await owner.taps(/^generate:/)
  await owner.acts(() => owner.person.block())
  await waits(WAIT_MS)
  await owner.acts(() => owner.person.unblock())
  await owner.forgets()
  await other.forgets()
  await world.stop()
  for (const prefix of ['r', 's', 'o', 'b', 'v']) expect([prefix, keptOf(world, prefix)]).toEqual([prefix, 0])
})

story('an analysis under way is not watched for a forgotten account', async ({ gather }) => {
  const { owner, waits, world } = await gather({ productId: 'pair', at: 'finished' })
  await owner.taps(/^generate:/)
  await owner.forgets()
  await waits(1_000)
  await world.stop()
  // The checks of all analyses name no account.
  expect(queuesOf(world).filter((name) => !name.startsWith('survey:'))).toEqual([])
})

story(
  'an owed report is warned of although the account that started the analysis is forgotten',
  async ({ gather }) => {
    const party = await gather({ productId: 'pair', at: 'shared and finished' })
    const { owner, other, join, restarts, waits } = party
    const organizer = join('مدیر')
    await restarts({ ORGANIZERS: String(organizer.person.id) })
    await organizer.opens('')
    await other.taps(/^generate:/)
    await owner.acts(() => owner.person.block())
    await waits(WAIT_MS)
    await other.forgets()
    await waits(2 * DAY_MS)
    await waits(75 * DAY_MS)
    await waits(1_000)
    const expires = word('notice-result-expires', { title: 'زوج', days: 14 }).slice(0, 30)
    expect(organizer.chat).toContain(expires)
  },
)

story('a forgotten account is not told of the answers of the next one', async ({ gather }) => {
  const { owner, other } = await gather({ productId: 'pair', at: 'shared board' })
  await other.taps(other.offered[0] ?? '', other.board)
  await other.taps(/^a:/)
  const { last } = other.person
  const old = other.data.find((data) => data.startsWith('a:')) ?? ''
  await other.forgets()
  await owner.taps(owner.offered[1] ?? '', owner.board)
  if (owner.place === 'hand-over') await owner.taps(/^ready:/)
  await other.forges(old, last)
  expect(other.person.toasts).not.toContain(word('toast-answers-lost'))
})

story('the first name of a forgotten owner is deleted although the others go on', async ({ gather }) => {
  const { owner, other, world, restarts, waits } = await gather({ productId: 'pair', at: 'shared board' })
  const [, s = ''] = /^open:(.+)/.exec(other.offered[0] ?? '') ?? []
  await owner.takes()
  // The record stays in reach although the service no longer names it.
  const change = (_: string, data: { test_records?: { is_finished: boolean }[] } | null) =>
    data?.test_records
      ? { ...data, test_records: data.test_records.filter((each) => !each.is_finished) }
      : data
  await restarts({ SERVICE_URL: await changedService(() => world.sandbox, change) })
  await waits(HOUR_MS + 60_000)
  await owner.opens('')
  await owner.forgets()
  await withStorage({ world }, async ({ store, vault }) => {
    const read = (id: string) => readDocument({ store, vault }, recordFiles, id)
    const whole = await read((await read(s))?.parent?.s ?? '')
    const tests = await Promise.all(
      whole?.roadmap ? everyRecord(whole.roadmap).map((each) => read(each.s)) : [],
    )
    expect(whole?.roadmap?.dropped).toHaveLength(1)
    expect(JSON.stringify([whole, tests])).not.toContain('لیلا')
  })
})

story(
  'the first name of a forgotten role account is deleted, and the role has its title again',
  async ({ gather }) => {
    const { owner, other, world } = await gather({ productId: 'pair', at: 'shared and finished' })
    const [, s = ''] =
      /^generate:(.+)/.exec(owner.data.find((data) => data.startsWith('generate:')) ?? '') ?? []
    await other.forgets()
    await withStorage({ world }, async ({ store, vault }) => {
      const read = (id: string) => readDocument({ store, vault }, recordFiles, id)
      const whole = await read(s)
      const tests = await Promise.all(whole?.roadmap?.records.map((record) => read(record.s)) ?? [])
      expect(tests.map((test) => test?.person)).toEqual(['زن (لیلا)', 'مرد'])
      expect(JSON.stringify([whole, tests])).not.toContain('علی')
    })
  },
)
