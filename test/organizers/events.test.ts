import { createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/domain/durations.ts'
import { createAnnounceHandler } from '../../src/jobs/announce.ts'
import type { Log } from '../../src/observe/logger.ts'
import type { Task } from '../../src/queue/job.ts'
import { epochs } from '../../src/storage/documents/kinds.ts'
import { putDocument } from '../../src/storage/documents.ts'
import { story as walk, ZAHRA } from '../dialogs/walk.ts'
import { newStore, termAt } from '../jobs/world.ts'
import { queuesOf } from '../kept-entries.ts'
import { story as family } from '../roadmaps/gather.ts'
import { products, tests } from '../roadmaps/kin.ts'
import { createPerson } from '../roadmaps/person.ts'
import { eventually, until } from '../until.ts'
import { story, word } from './office.ts'

type Received = {
  body: string
  signature: string
  headers: IncomingHttpHeaders
  event: { id: string; type: string; token: string }
}

/** An organizer's own software, with these answers. */
async function software(answers: () => number) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { headers } = request
    received.push({ body, headers, signature: String(headers['x-porsa-signature']), event: JSON.parse(body) })
    response.writeHead(answers()).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { received, url: `http://127.0.0.1:${port}/events`, close: () => server.close() }
}

const SECRET = 'only-between-the-two'

const eventOf = (token: string) => ({
  ...{ id: '1', type: 'opened', at: '2026-01-05T00:00:00.000Z', kind: 'record' },
  ...{ token, external_id: null },
})

/** Posts to an organizer's software, with a store in which the account `w` was forgotten once. */
async function poster({
  url,
  config,
  now = () => 0,
  log = { warn: () => undefined } as unknown as Log,
}: {
  url: string
  config?: { eventsSecret: string[]; httpProxyUrl: string }
  now?: () => number
  log?: Log
}) {
  const kept = await newStore(now)
  await putDocument({ ...kept, term: termAt(now)() }, epochs, 'w', { epoch: 1 })
  const settings = { eventsUrl: url, eventsSecret: [SECRET], httpProxyUrl: undefined, ...config }
  return createAnnounceHandler({ ...kept, config: settings, now, log })
}

walk(
  'software receives each stage in order, signed, at least once, and without personal data',
  async ({ meet }) => {
    let isBroken = true
    const { received, url, close } = await software(() => (isBroken ? 500 : 204))
    const sara = await meet({ environment: { EVENTS_URL: url, EVENTS_SECRET: SECRET } })
    await sara.opens(`${sara.payload}_4711`)
    await sara.walksTo('question')
    expect(new Set(received.map(({ event }) => event.type))).toEqual(new Set(['opened']))
    isBroken = false
    await sara.world.restarts()
    await sara.waits(120_000)
    await sara.walksTo('review')
    await sara.taps(/^submit:/)
    await sara.waits(10_000)
    const types = received.map(({ event }) => event.type)
    expect([...new Set(types)]).toEqual(['opened', 'begun', 'submitted', 'delivered'])
    expect(types.slice(types.lastIndexOf('opened'))).toEqual(['opened', 'begun', 'submitted', 'delivered'])
    expect(new Set(received.map(({ event }) => event.id)).size).toBe(4)
    for (const { body, signature } of received) {
      expect(signature).toBe(`sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`)
      expect(body).not.toContain(ZAHRA.mobile)
      expect(body).not.toContain(ZAHRA.name)
      expect(JSON.parse(body)).toMatchObject({ kind: 'record', token: sara.token, external_id: 4711 })
    }
    close()
  },
)

walk('after /forget no event waits, and software receives none', async ({ meet }) => {
  let isBroken = true
  const { received, url, close } = await software(() => (isBroken ? 500 : 204))
  const sara = await meet({ environment: { EVENTS_URL: url, EVENTS_SECRET: SECRET } })
  await sara.opens(`${sara.payload}_4711`)
  await sara.walksTo('question')
  const waiting = async () => {
    await sara.world.stop()
    const names = queuesOf(sara.world)
    await sara.world.start()
    return names.filter((name) => name.startsWith('event:'))
  }
  expect(await waiting()).toHaveLength(1)
  await sara.forgets()
  await sara.waits(1_000)
  expect(await waiting()).toEqual([])
  received.length = 0
  isBroken = false
  for (let hours = 0; hours < 3; hours += 1) await sara.waits(3_600_000)
  expect(received).toEqual([])
  close()
})

story('the event about the test of a role has the id that the organizer gave the role', async ({ work }) => {
  const { received, url, close } = await software(() => 204)
  const sandbox = { tests, products, testsAuthRequired: false }
  const office = await work({ sandbox, environment: { EVENTS_URL: url, EVENTS_SECRET: SECRET } })
  const token = office.world.sandbox.addRoadmap({ productId: 'pair' })
  const wife = createPerson(office.world, office.world.emulator.person({ firstName: 'زن' }), token)
  await wife.opens(await office.invites(`roadmap ${token} 101 102`))
  await wife.taps(/^begin:/)
  await wife.introducesAll([11, 12])
  await wife.taps('profile:ok')
  await wife.takes()
  const submitted = () => received.find(({ event }) => event.type === 'submitted')
  await until(() => submitted() !== undefined)
  expect(submitted()?.event).toMatchObject({ kind: 'record', external_id: 101 })
  close()
})

test('events to this machine bypass the proxy, signed with their time under each secret', async () => {
  const { received, url, close } = await software(() => 204)
  const proxied: string[] = []
  const proxy = createServer((request, response) => {
    proxied.push(String(request.url))
    response.writeHead(502).end()
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  const other = 'the-one-that-follows'
  const config = { eventsSecret: [SECRET, other], httpProxyUrl: `http://127.0.0.1:${port}` }
  const post = await poster({ url, config, now: () => Date.UTC(2026, 0, 5) })
  const event = eventOf(randomUUID())
  const task = { body: { event, since: 0, tries: 0 } } as unknown as Task<unknown>
  expect(await post(task)).toBeUndefined()
  expect(proxied).toEqual([])
  const [{ body = '', headers = {} } = {}] = received
  const sent = '2026-01-05T00:00:00.000Z'
  const signed = (text: string) =>
    [SECRET, other]
      .map((secret) => `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`)
      .join(', ')
  expect(headers).toMatchObject({
    'x-porsa-signature': signed(body),
    'x-porsa-sent': sent,
    'x-porsa-sent-signature': signed(`${sent}.${body}`),
  })
  proxy.close()
  close()
})

family('software hears the end of a roadmap whose beginner was forgotten, also later', async ({ gather }) => {
  let isBroken = true
  const { received, url, close } = await software(() => (isBroken ? 500 : 204))
  const environment = { EVENTS_URL: url, EVENTS_SECRET: SECRET }
  const { owner, other, waits } = await gather({ at: 'shared and finished', environment })
  await owner.forgets()
  await other.taps(/^generate:/, other.board)
  for (let polls = 0; polls < 10; polls += 1) await waits(45_000)
  isBroken = false
  received.length = 0
  await waits(DAY_MS)
  expect(received.map(({ event }) => event.type)).toEqual(['analysed', 'delivered'])
  close()
})

test.each([
  ['is dropped, if its account was forgotten since', { onBehalf: { who: 'w', epoch: 0 } }, 0],
  ['is dropped at a retry, too', { onBehalf: { who: 'w', epoch: 0 }, tries: 1 }, 0],
  ['of an account that came back is posted', { onBehalf: { who: 'w', epoch: 1 } }, 1],
  ['of another account is posted', { onBehalf: { who: 'other', epoch: 0 }, tries: 1 }, 1],
  ['of an earlier version is posted', { tries: 1 }, 1],
] as const)('an event %s', async (_, known, posts) => {
  const { received, url, close } = await software(() => 204)
  const post = await poster({ url })
  const body = { event: eventOf(randomUUID()), since: 0, tries: 0, ...known }
  expect(await post({ body } as unknown as Task<unknown>)).toBeUndefined()
  expect(received).toHaveLength(posts)
  close()
})

test('an event that software does not take within three days is given up', async () => {
  const { url, close } = await software(() => 500)
  const lines: unknown[] = []
  let now = 3 * DAY_MS - 2 * HOUR_MS
  const post = await poster({
    url,
    now: () => now,
    log: { warn: (line: unknown) => void lines.push(line) } as unknown as Log,
  })
  const body = { event: eventOf(randomUUID()), since: 0, tries: 50 }
  const tries = () => post({ body } as unknown as Task<unknown>)
  expect(await tries()).toMatchObject({ retryBody: { tries: 51 } })
  expect(lines).toEqual([])
  now = 3 * DAY_MS
  expect(await tries()).toBeUndefined()
  expect(lines).toEqual([{ kind: 'opened' }])
  // An event that waited for days behind another one gets its own three days.
  const waited = { event: eventOf(randomUUID()), since: 0, tries: 0 }
  const retry = { retryBody: { event: waited.event, since: now, tries: 1 } }
  expect(await post({ body: waited } as unknown as Task<unknown>)).toMatchObject(retry)
  close()
})

story('software and organizers are told once how an analysis ended, and who is stuck', async ({ work }) => {
  const { received, url, close } = await software(() => 204)
  const office = await work({
    sandbox: { tests, products, testsAuthRequired: false, generationSeconds: 1 },
    environment: { EVENTS_URL: url, EVENTS_SECRET: SECRET, POLL_SECONDS: '1' },
  })
  const { sandbox, emulator, passWith, settled } = office.world
  const waits = async (ms: number) => {
    passWith(ms)
    await settled()
  }
  const token = sandbox.addRoadmap({ productId: 'single' })
  const typesOf = (wanted: string) =>
    received.flatMap(({ event }) => (event.token === wanted ? [event.type] : []))
  sandbox.fault({ kind: 'generation-failure' })
  const nima = createPerson(office.world, emulator.person({ firstName: 'نیما' }), token)
  await nima.comesToBoard([31])
  await waits(25 * 3_600_000)
  expect(typesOf(token)).toEqual(['opened', 'begun', 'stuck'])
  await nima.opens()
  await nima.takesAll()
  await nima.taps(/^generate:/)
  await waits(60_000)
  await nima.taps(/^generate:/)
  for (let minutes = 0; minutes < 3; minutes += 1) await waits(60_000)
  expect(typesOf(token)).toEqual(['opened', 'begun', 'stuck', 'failed', 'analysed', 'delivered'])
  const title = { title: 'تنها', reasons: '' }
  for (const key of ['notice-stuck', 'notice-analysis-failed', 'notice-analysis-ready'] as const)
    expect([key, office.chat.split(word(key, title).trimEnd()).length]).toEqual([key, 2])
  close()
})

story('a delivery of which a part waited for a blocked chat makes one event', async ({ work }) => {
  const { received, url, close } = await software(() => 204)
  const environment = { EVENTS_URL: url, EVENTS_SECRET: SECRET, RESULT_TO: 'both' }
  const office = await work({ sandbox: { testsAuthRequired: false }, environment })
  const sara = office.join(office.addRecord())
  await sara.walksTo('review')
  await office.acts(() => office.person.block())
  await sara.taps(/^submit:/)
  expect(office.file('.html')).toBe('')
  office.person.unblock()
  await office.opens('')
  expect(office.file('.html')).not.toBe('')
  await office.world.settled()
  expect(received.map(({ event }) => event.type)).toEqual(['opened', 'begun', 'submitted', 'delivered'])
  close()
})

story('of roles that were invited one by one the first to begin makes the event', async ({ work }) => {
  const { received, url, close } = await software(() => 204)
  const environment = { EVENTS_URL: url, EVENTS_SECRET: SECRET }
  const office = await work({ sandbox: { tests, products, testsAuthRequired: false }, environment })
  const token = office.world.sandbox.addRoadmap({ productId: 'pair', authRequired: false })
  for (const role of [11, 12]) {
    await office.forges(`invite:m:${token}:${role}`)
    await createPerson(office.world, office.world.emulator.person(), token).accepts(office.invitation)
    await eventually(() => expect(received.map(({ event }) => event.type)).toEqual(['begun']))
  }
  close()
})
