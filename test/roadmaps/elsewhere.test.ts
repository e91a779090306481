import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/domain/durations.ts'
import { type ChatMessage, chatActor } from '../../src/queue/chat-message.ts'
import { accounts } from '../../src/storage/documents/kinds.ts'
import { readDocuments, sealBody } from '../../src/storage/documents.ts'
import { changedService } from '../dialogs/changed-service.ts'
import { loseQueues, withStorage } from '../kept-entries.ts'
import { ORGANIZED, organizerOf } from '../organizers/office.ts'
import { eventually } from '../until.ts'
import { type Party, story, word } from './gather.ts'
import { MOBILE } from './kin.ts'
import { createPerson } from './person.ts'

const environment = { ORGANIZERS: '900' }
const registered = word('registered-elsewhere')

const LEILA = { name: 'لیلا رضایی', birth: '1991-04-22', is_male: false }
const ALI = { name: 'علی رضایی', birth: '1989-04-22', is_male: true }
const roles = (...people: [number, object][]) => ({
  mobile: MOBILE,
  roles: people.map(([id, profile]) => ({ id, profile })),
})

story(
  'in a roadmap that is partly registered only the missing role is asked for and sent',
  async ({ gather }) => {
    const { owner, world, token } = await gather({ productId: 'pair' })
    expect(world.sandbox.register(token, roles([11, LEILA]))).toBe(true)
    await owner.comesToBoard([12])
    expect(owner.left).toBe(2)
    const [sent] = world.sandbox.calls.filter(
      ({ method, path }) => method === 'POST' && path.endsWith('auth/'),
    )
    expect(sent?.body).toMatchObject({ roles: [{ id: 12 }] })
    await owner.takesAll()
    expect(owner.data.some((data) => data.startsWith('generate:'))).toBe(true)
  },
)

story('a roadmap registered by others while its summary was open is not claimed', async ({ gather }) => {
  const { owner, world, token, calls } = await gather({ productId: 'pair', environment })
  const manager = world.emulator.person({ id: 900, firstName: 'مدیر' })
  manager.start()
  await owner.reachesSummary([11, 12])
  world.sandbox.register(token, roles([11, { ...LEILA, name: 'مریم کریمی' }], [12, ALI]))
  await owner.taps('profile:ok')
  expect(owner.heard).toContain(registered)
  expect(owner.boards).toEqual([])
  expect(JSON.stringify(manager.last.reply_markup)).toContain(`card:m:${token}`)
  await owner.opens()
  expect(owner.heard).toContain(registered)
  expect(calls('GET', /questions/)).toBe(0)
})

story(
  'a role registered by others while its details were under way is not sent again',
  async ({ gather }) => {
    const { owner, world, token, calls } = await gather({ productId: 'pair', sms: true, environment })
    await owner.reachesSummary([11, 12])
    world.sandbox.register(token, roles([11, { ...LEILA, name: 'مریم کریمی' }]))
    world.sandbox.fault({ kind: 'cut', path: 'auth/$' })
    await owner.taps('profile:ok')
    expect(owner.heard).toContain(registered)
    expect(calls('POST', /auth\/$/)).toBe(1)
  },
)

story('a roadmap registered while it was closed by the organizer is not claimed', async ({ gather }) => {
  const { owner, world, token, calls } = await gather({ productId: 'pair', environment })
  await owner.reachesSummary([11, 12])
  world.sandbox.update(token, { status: 0 })
  world.sandbox.fault({ kind: 'status', status: 404, path: 'auth/$' })
  await owner.taps('profile:ok')
  expect(owner.place).toBe('waiting')
  world.sandbox.update(token, { status: 2 })
  world.sandbox.register(token, roles([11, { ...LEILA, name: 'مریم کریمی' }], [12, ALI]))
  await owner.taps(/^refresh:/)
  expect(owner.boards).toEqual([])
  await owner.taps('profile:ok')
  expect(owner.heard).toContain(registered)
  expect(calls('GET', /questions/)).toBe(0)
})

story('a roadmap registered by the organizer with the same details can be opened', async ({ gather }) => {
  const { owner, world, token } = await gather({ productId: 'pair', environment })
  await owner.reachesSummary([11, 12])
  world.sandbox.register(token, roles([11, LEILA], [12, ALI]))
  await owner.opens()
  expect(owner.boards).toEqual([])
  await owner.taps('profile:ok')
  expect(owner.left).toBe(2)
})

story('after a lost reply a family’s roadmap is compared with the typed details', async ({ gather }) => {
  const { owner, world } = await gather({ productId: 'pair' })
  await owner.reachesSummary([11, 12])
  world.sandbox.fault({ kind: 'cut', executed: true, path: 'auth/$' })
  await owner.taps('profile:ok')
  expect(owner.left).toBe(2)
})

story('after a lost reply to the code a family’s roadmap is compared, too', async ({ gather }) => {
  const { owner, world, token } = await gather({ productId: 'pair', sms: true })
  await owner.reachesSummary([11, 12])
  await owner.taps('profile:ok')
  world.sandbox.fault({ kind: 'cut', path: 'verify/$' })
  world.sandbox.register(token, roles([11, LEILA], [12, { ...ALI, name: 'حسن کریمی' }]))
  await owner.says(world.sandbox.sms()[0]?.code ?? '')
  expect(owner.heard).toContain(registered)
  expect(owner.boards).toEqual([])
})

story('a role registered by others while a call got lost is not sent again', async ({ gather }) => {
  const { owner, world, token, calls } = await gather({ productId: 'pair', environment })
  await owner.reachesSummary([11, 12])
  world.sandbox.fault({ kind: 'slow', ms: 600_000, path: 'auth/$' })
  owner.person.tap('profile:ok')
  await eventually(() => expect(calls('POST', /auth\/$/)).toBe(1))
  await world.stop()
  expect(loseQueues(world, 'call')).toBe(1)
  world.sandbox.register(token, roles([11, { ...LEILA, name: 'مریم کریمی' }]))
  world.pass(3 * 3_600_000)
  await world.start()
  await owner.opens()
  await owner.taps('profile:ok')
  expect(owner.heard).toContain(registered)
  expect(calls('POST', /auth\/$/)).toBe(1)
})

story('a role registered by others after a call was set aside is not sent again', async ({ gather }) => {
  const { owner, world, token, calls } = await gather({ productId: 'pair', environment })
  await owner.reachesSummary([11, 12])
  world.sandbox.fault({ kind: 'slow', ms: 600_000, path: 'auth/$' })
  owner.person.tap('profile:ok')
  await eventually(() => expect(calls('POST', /auth\/$/)).toBe(1))
  await withStorage({ world }, async ({ store, vault }) => {
    expect(loseQueues(world, 'call')).toBe(1)
    const { names } = await store.census(undefined, accounts.prefix)
    for (const who of names) {
      const [{ chatId, pending } = { chatId: 0, pending: {} }] = await readDocuments(
        { store, vault },
        accounts,
        [who],
      )
      for (const [s, { id: call }] of Object.entries(pending)) {
        const message: ChatMessage = { type: 'event', chatId, s, event: { kind: 'trouble', call } }
        const actor = chatActor(who)
        await store.post({ actor, id: call, body: sealBody(vault, actor, message) })
      }
    }
  })
  await world.settled()
  expect(owner.heard).toContain(word('trouble'))
  world.sandbox.register(token, roles([11, { ...LEILA, name: 'مریم کریمی' }]))
  await owner.opens()
  await owner.taps('profile:ok')
  expect(owner.heard).toContain(registered)
  expect(calls('POST', /auth\/$/)).toBe(1)
})

story('a role registered by others after an unclear reply is not sent again', async ({ gather }) => {
  const { owner, world, token, calls } = await gather({ productId: 'pair', environment })
  await owner.reachesSummary([11, 12])
  world.sandbox.fault({ kind: 'cut', path: 'auth/$' })
  const unseen = world.sandbox.fault({ kind: 'status', status: 503, method: 'GET', path: token, times: 99 })
  await owner.taps('profile:ok')
  unseen.end()
  world.sandbox.register(token, roles([11, { ...LEILA, name: 'مریم کریمی' }]))
  await owner.taps(/^retry:/)
  expect(owner.heard).toContain(registered)
  expect(calls('POST', /auth\/$/)).toBe(1)
})

story(
  'details that did not reach the service are sent again once the roadmap shows it',
  async ({ gather }) => {
    const { owner, world, token, calls } = await gather({ productId: 'pair' })
    await owner.reachesSummary([11, 12])
    world.sandbox.fault({ kind: 'cut', path: 'auth/$' })
    const unseen = world.sandbox.fault({ kind: 'status', status: 503, method: 'GET', path: token, times: 99 })
    await owner.taps('profile:ok')
    unseen.end()
    await owner.taps(/^retry:/)
    expect(calls('POST', /auth\/$/)).toBe(2)
    expect(owner.left).toBe(2)
  },
)

const LOOK = /^\/roadmap\/[^/]+$/

story('a board that waits for others reads the roadmap once on opening', async ({ gather }) => {
  const { owner, waits, calls, world, token } = await gather({ productId: 'pair', at: 'shared board' })
  await owner.takesAll()
  await waits(DAY_MS)
  world.sandbox.fault({ kind: 'status', status: 404, method: 'GET', path: `^/roadmap/${token}$`, times: 30 })
  const before = calls('GET', LOOK)
  await owner.opens('')
  await waits(60_000)
  expect(calls('GET', LOOK) - before).toBe(1)
})

story('a late check of the roadmap does not take the chat out of another test', async ({ gather }) => {
  const { owner, waits, world, token, calls } = await gather({ productId: 'pair', at: 'shared board' })
  await owner.takesAll()
  const second = createPerson(world, owner.person, world.sandbox.addRoadmap({ productId: 'single' }))
  await second.opens()
  await second.taps(/^begin:/)
  await waits(DAY_MS)
  const slow = world.sandbox.fault({ kind: 'slow', ms: 1_500, method: 'GET', path: `^/roadmap/${token}$` })
  const before = calls('GET', LOOK)
  owner.person.start(`roadmap_${token}`)
  await eventually(() => expect(calls('GET', LOOK)).toBe(before + 1))
  owner.person.start(second.payload)
  owner.person.say('نیما کریمی')
  await eventually(() => expect(owner.data).toContain('birth:open'))
  slow.end()
  await world.settled()
  expect(owner.data).toContain('birth:open')
  expect(owner.chat).not.toContain('«تنها · نیما» را کنار گذاشتیم')
})

/** The husband's test and the analysis were done in another system; the wife comes back an hour later. */
async function seesReport(party: Party) {
  const { owner, records, world, token, waits } = party
  await owner.takesAll()
  await party.answersElsewhere(records[1] ?? '')
  const headers = { 'API-KEY': world.sandbox.key, 'content-type': 'application/json' }
  await fetch(`${world.env.SERVICE_URL}/roadmap/${token}/generate/`, { method: 'POST', headers })
  await waits(HOUR_MS + 60_000)
  await owner.opens('')
  for (let looks = 0; looks < 2; looks++) await waits(4 * 60_000)
}

story('an analysis found by a check of the roadmap is reported to the organizers', async ({ gather }) => {
  const party = await gather({ productId: 'pair', environment: ORGANIZED, at: 'shared board' })
  const office = await organizerOf(party)
  await seesReport(party)
  for (const each of [party.owner, party.other]) expect(each.reports).toHaveLength(1)
  expect(office.chat.split(word('notice-analysis-ready', { title: 'زوج' }))).toHaveLength(2)
})

story(
  'a report found by a check comes to the account that answered by a role invitation',
  async ({ gather }) => {
    const roadmap = { authRequired: false }
    const party = await gather({ productId: 'pair', environment: ORGANIZED, roadmap })
    const office = await organizerOf(party)
    await office.forges(`invite:m:${party.token}:11`)
    await party.owner.accepts(office.invitation)
    await seesReport(party)
    expect(party.owner.reports).toHaveLength(1)
  },
)

story('an account is told that its half-done test was finished elsewhere', async ({ gather }) => {
  const party = await gather({ productId: 'pair', environment: ORGANIZED, at: 'shared board' })
  const { owner, other, waits, records } = party
  const office = await organizerOf(party)
  await owner.takesAll()
  await other.taps(other.offered[0] ?? '', other.board)
  await other.taps(/^a:/)
  await party.answersElsewhere(records[1] ?? '')
  await waits(HOUR_MS + 60_000)
  await owner.opens('')
  const told = word('overtaken-elsewhere', { title: 'خانهٔ ما' })
  expect(other.chat.split(told)).toHaveLength(2)
  expect(other.chat).not.toContain('گرم است؟')
  expect(other.place).toBe('board')
  expect(office.chat.split(word('notice-finished-elsewhere', { title: 'خانهٔ ما' }))).toHaveLength(2)
  for (const each of [owner, other]) expect(each.board.text).toContain(word('board-all-finished-soon'))
})

story('a test that is open again is offered to its person', async ({ gather }) => {
  const { owner, other, world, waits, restarts } = await gather({
    productId: 'pair',
    at: 'shared and finished',
  })
  const change = (_: string, data: { test_records?: object[] } | null) => {
    const records = data?.test_records?.map((each, at) =>
      at === 1 ? { ...each, is_finished: false, status: 2 } : each,
    )
    return records ? { ...data, is_finished: false, status: 3, test_records: records } : data
  }
  await restarts({ SERVICE_URL: await changedService(() => world.sandbox, change) })
  world.sandbox.fault({ kind: 'status', status: 409, method: 'POST', path: 'generate/$', times: 100 })
  await owner.taps(/^generate:/)
  for (let tries = 0; tries < 12; tries++) await waits(4 * 60_000)
  expect(owner.chat).toContain(word('generate-unfinished'))
  expect(other.offered).toHaveLength(1)
})

story('a test that the service adds is shown at once, and no analysis is promised', async ({ gather }) => {
  const { owner, world, waits, restarts } = await gather({ productId: 'pair', at: 'finished' })
  const added = { token: randomUUID(), test_title: 'خوابِ ما', is_finished: false, status: 2 }
  const change = (_: string, data: { test_records?: object[] } | null) =>
    data?.test_records
      ? { ...data, test_records: [...data.test_records, { ...data.test_records[0], ...added }] }
      : data
  await restarts({ SERVICE_URL: await changedService(() => world.sandbox, change) })
  world.sandbox.fault({ kind: 'status', status: 409, method: 'POST', path: 'generate/$', times: 100 })
  await owner.taps(/^generate:/)
  await waits(5_000)
  expect(owner.heard + owner.chat).toContain(word('generate-unfinished'))
  expect(owner.board.text).toContain('خوابِ ما')
  expect(owner.board.text).not.toContain(word('generating').split('.')[0])
  expect(owner.offered).toHaveLength(1)
  expect(owner.buttons.some((data) => data.startsWith('generate:'))).toBe(false)
})

story(
  'a roadmap whose details are corrected after a lost reply still belongs to its family',
  async ({ gather }) => {
    const { owner, world, token } = await gather({ productId: 'pair', environment })
    await owner.reachesSummary([11, 12])
    world.sandbox.fault({ kind: 'cut', executed: true, path: 'auth/$' })
    const away = world.sandbox.fault({
      kind: 'status',
      status: 503,
      method: 'GET',
      path: `${token}$`,
      times: 99,
    })
    await owner.taps('profile:ok')
    away.end()
    await owner.opens()
    await owner.taps(/^profile:edit:mobile/)
    await owner.says('09351234567')
    await owner.taps('profile:ok')
    expect(owner.person.transcript()).toContain(word('registered-as-sent'))
    expect(owner.boards).not.toEqual([])
  },
)
