import { expect } from 'vitest'
import { HOUR_MS } from '../../src/domain/durations.ts'
import { recordFiles } from '../../src/storage/documents/kinds.ts'
import { readDocument } from '../../src/storage/documents.ts'
import { changedService } from '../dialogs/changed-service.ts'
import { withStorage } from '../kept-entries.ts'
import { ORGANIZED, organizerOf } from '../organizers/office.ts'
import { type Party, type Person, story, word } from './gather.ts'
import { MOBILE, profilesOf } from './kin.ts'

const PAIR = { productId: 'pair', environment: ORGANIZED }

const registers = ({ world, token, roles }: Party) => world.sandbox.register(token, profilesOf(roles))

async function beginsApart(person: Person, record: string | undefined) {
  await person.opens(`record_${record}`)
  await person.taps(/^begin:/)
  await person.taps(/^a:[^:]+:0:1:/, person.person.last)
}

async function beginsWhole(person: Person) {
  await person.opens()
  await person.taps(/^begin:/)
}

story(
  'a test begun by its own link is offered on the board after its account is forgotten',
  async ({ gather }) => {
    const party = await gather(PAIR)
    registers(party)
    const { owner, join, records, calls } = party
    const stranger = join('غریبه')
    await beginsApart(stranger, records[0])
    await beginsWhole(owner)
    expect(owner.board.text).toContain(word('stage-apart'))
    await stranger.forgets()
    expect(owner.board.text).not.toContain(word('stage-apart'))
    expect(owner.left).toBe(2)
    await owner.takesAll()
    expect(calls('POST', /^\/record\/[^/]+\/$/)).toBe(2)
    expect(owner.data.some((data) => data.startsWith('generate:'))).toBe(true)
  },
)

story('/forget counts answers once that were begun by the link of one test', async ({ gather }) => {
  const party = await gather(PAIR)
  registers(party)
  const { owner, records } = party
  await beginsApart(owner, records[0])
  await beginsWhole(owner)
  await owner.says('/forget')
  expect(owner.heard).toContain(word('forget-attempts', { count: 1 }))
})

story(
  '/forget leaves nothing of an account that began a test by its own link with the others',
  async ({ gather }) => {
    const party = await gather(PAIR)
    registers(party)
    const { owner, other, records, world } = party
    await beginsApart(owner, records[0])
    const [, s = ''] = owner.data.find((data) => data.startsWith('a:'))?.split(':') ?? []
    await beginsWhole(owner)
    await other.accepts(await owner.hands(12))
    await owner.forgets()
    await withStorage({ world }, async ({ store, vault }) => {
      const file = await readDocument({ store, vault }, recordFiles, s)
      expect([file?.parent?.role, file?.chatId, file?.shownAs, file?.personKey]).toEqual([
        11,
        undefined,
        undefined,
        undefined,
      ])
    })
  },
)

story(
  'an account that was forgotten and has the role again can open its test by a link, too',
  async ({ gather }) => {
    const party = await gather({ ...PAIR, at: 'board' })
    const { owner, other, records } = party
    await other.accepts(await owner.hands(12))
    await other.forgets()
    await party.waits(6_000)
    await other.accepts(await owner.hands(12))
    expect(other.offered).toHaveLength(1)
    await other.opens(`record_${records[1]}`)
    expect(other.heard).not.toBe(word('invitation-forgotten'))
    expect(other.place).toBe('question')
  },
)

const service = (party: Party, change: (records: { token: string; role: number }[]) => object[]) =>
  changedService(
    () => party.world.sandbox,
    (_: string, data: { test_records?: { token: string; role: number }[] } | null) =>
      data?.test_records ? { ...data, test_records: change(data.test_records) } : data,
  )

story('a half-done test that the service moves to another role begins again there', async ({ gather }) => {
  const party = await gather({ ...PAIR, at: 'shared board' })
  const { owner, other, records } = party
  await other.takesAll()
  await owner.taps(owner.offered[0] ?? '', owner.board)
  await owner.taps(/^a:/)
  const [first] = records
  const SERVICE_URL = await service(party, (all) =>
    all.map((each) => (each.token === first ? { ...each, role: 12 } : each)),
  )
  await party.restarts({ ...ORGANIZED, SERVICE_URL })
  await party.waits(HOUR_MS + 60_000)
  await other.opens('')
  expect(owner.heard).toBe(word('released-told', { title: 'خانهٔ ما' }))
  await other.takesAll()
  expect(party.calls('POST', /^\/record\/[^/]+\/$/)).toBe(2)
})

async function releases(party: Party): Promise<string> {
  const office = await organizerOf(party)
  await office.says(`/roadmaps ${party.token}`)
  await office.taps(word('button-card-release'))
  await office.taps(/:same$/)
  return office.invitation
}

story(
  'answers under way are submitted although the service moves their test to another role',
  async ({ gather }) => {
    const party = await gather({ ...PAIR, at: 'shared board' })
    const { owner, other, records, world } = party
    const [first = ''] = records
    const down = world.sandbox.fault({
      kind: 'status',
      status: 503,
      path: `record/${first}/$`,
      times: 999,
    })
    await other.takesAll()
    await owner.takes()
    const SERVICE_URL = await service(party, (all) =>
      all.map((each) => (each.token === first ? { ...each, role: 12 } : each)),
    )
    await party.restarts({ ...ORGANIZED, SERVICE_URL })
    await party.waits(HOUR_MS + 60_000)
    await other.opens('')
    down.end()
    await party.waits(HOUR_MS)
    expect(world.sandbox.submissions(first).map(({ accepted }) => accepted)).toEqual([true])
    expect(other.board.text).not.toContain(word('stage-new'))
  },
)

story('a release includes a test that the service does not name at the moment', async ({ gather }) => {
  const party = await gather({ ...PAIR, at: 'shared board' })
  const { owner, other, join, records } = party
  await other.takesAll()
  await owner.taps(owner.offered[0] ?? '', owner.board)
  await owner.taps(/^a:/)
  const [first] = records
  let isDropped = true
  const SERVICE_URL = await service(party, (all) => all.filter(({ token }) => !isDropped || token !== first))
  await party.restarts({ ...ORGANIZED, SERVICE_URL })
  await party.waits(HOUR_MS + 60_000)
  await other.opens('')
  const code = await releases(party)
  const anew = join('مریم')
  await anew.opens(code)
  await anew.says(MOBILE)
  isDropped = false
  await party.waits(HOUR_MS + 60_000)
  await other.opens('')
  await anew.taps(anew.offered[0] ?? '', anew.board)
  expect(anew.question.position).toBe(2)
})

story(
  'answers under way are submitted by the account that takes them over, even if the role is taken',
  async ({ gather }) => {
    const party = await gather(PAIR)
    registers(party)
    const { join, records, roles, token, world } = party
    const stranger = join('غریبه')
    await beginsApart(stranger, records[0])
    await stranger.answers(1)
    world.sandbox.fault({ kind: 'status', status: 503, path: `record/${records[0]}/`, times: 3 })
    await stranger.taps(/^submit:/)
    const office = await organizerOf(party)
    await office.says(`/records ${records[0]}`)
    await office.taps(/^release:/)
    await office.taps(/:same$/)
    const code = office.invitation
    await office.forges(`invite:m:${token}:${roles[0]}`)
    await join('زهرا').accepts(office.invitation)
    const anew = join('مریم')
    await anew.opens(code)
    await anew.says(MOBILE)
    for (let minute = 0; minute < 5; minute++) await party.waits(60_000)
    expect(world.sandbox.submissions(records[0] ?? '')).toHaveLength(1)
  },
)
