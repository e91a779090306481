import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { DAY_MS } from '../../src/domain/durations.ts'
import { type Office, onBothStores, story, word } from './office.ts'

story(
  'what is loaded of a list is shown although the service has no next page any more',
  async ({ work }) => {
    const office = await work()
    for (let n = 0; n < 35; n += 1) office.addRecord()
    await office.says('/records')
    await office.taps(word('button-list-next'))
    await office.taps(word('button-list-next'))
    office.world.sandbox.fault({ kind: 'status', status: 404, path: '/record/', times: 1 })
    await office.taps(word('button-list-next'))
    expect(office.chat).toContain(word('list-count', { count: 35, from: 25, to: 30 }))
    expect(office.heard).toBe(word('list-rest-gone'))
    await office.taps(word('button-list-again'))
    expect(office.chat).toContain(word('list-count', { count: 35, from: 1, to: 8 }))
  },
)

onBothStores(
  'a list shows eight records a screen, and each page of the service is read once',
  async ({ work }) => {
    const office = await work()
    for (let n = 0; n < 35; n += 1) office.addRecord()
    await office.says('/records')
    expect(office.person.last.text).toContain(word('list-count', { count: 35, from: 1, to: 8 }))
    expect(office.data.filter((data) => data.startsWith('card:r:'))).toHaveLength(8)
    const at = new RegExp(`^${word('list-at', { time: '[۰-۹]{2}:[۰-۹]{2}' })}$`, 'm')
    const lookedAt = () => office.screen.match(at)?.[0]
    const first = lookedAt()
    expect(first).toBeDefined()
    const calls = office.asked.length
    office.world.pass(10 * 60_000)
    await office.taps(word('button-list-next'))
    expect(lookedAt()).toBe(first)
    await office.taps(word('button-list-next'))
    expect(office.person.last.text).toContain(word('list-count', { count: 35, from: 17, to: 24 }))
    expect(office.data.length).toBeLessThanOrEqual(12)
    expect(office.asked).toHaveLength(calls)
    await office.taps(word('button-list-next'))
    expect(office.person.last.text).toContain(word('list-count', { count: 35, from: 25, to: 32 }))
    expect(office.asked).toHaveLength(calls + 1)
    await office.taps(word('button-list-back'))
    expect(office.asked).toHaveLength(calls + 1)
    expect(office.data.some((data) => data.startsWith('list:'))).toBe(true)
    await office.taps(word('button-list-again'))
    expect(office.asked).toHaveLength(calls + 2)
    expect(lookedAt()).not.toBe(first)
    const shown = word('list-count', { count: 35, from: 1, to: 8 })
    expect(office.person.last.text).toContain(shown)
    // A card is sent below the list.
    await office.taps(/^card:/)
    expect(office.chat).toContain(shown)
  },
)

story('the list has the filters of the service, and keeps a chosen one', async ({ work }) => {
  const office = await work()
  office.addRecord()
  office.world.sandbox.addRecord({ testId: 'mood-7', status: 1 })
  await office.says('/records')
  await office.taps(/^filters:/)
  expect(office.data.some((data) => data.startsWith('card:'))).toBe(false)
  await office.taps(/finished:true/)
  expect(office.person.last.text).toContain(word('list-count', { count: 1, from: 1, to: 1 }))
  expect(office.asked.at(-1)).toContain('filter__is_finished=true')
  await office.taps(/^filters:/)
  await office.taps(/:male:false/)
  expect(office.asked.at(-1)).toContain('filter__is_finished=true')
  expect(office.asked.at(-1)).toContain('filter__profile__is_male=false')
  expect(office.person.last.text).toContain(word('list-none'))
  await office.taps(/^filters:/)
  await office.taps(/:male:any/)
  await office.taps(/^filters:/)
  await office.taps(/finished:any/)
  expect(office.person.last.text).toContain(word('list-count', { count: 2, from: 1, to: 2 }))
  office.addRecord('sleep-20')
  await office.taps(word('button-list-again'))
  await office.taps(/^filters:/)
  const kinds = office.data.filter((data) => /^filter:[^:]+:kind:\d$/.test(data))
  expect(kinds).toHaveLength(2)
  await office.taps(kinds[1] ?? '')
  expect(office.asked.at(-1)).toMatch(/filter__test__id=(?:sleep-20|mood-7)/)
  await office.taps(/^filters:/)
  expect(office.data).toContain(kinds[0])
  expect(office.data.length).toBeLessThanOrEqual(12)
  // The way back shows the records of before.
  await office.taps(/^list:/)
  await office.taps(/^filters:/)
  await office.taps(/:kind:any$/)
  expect(office.person.last.text).toContain(word('list-count', { count: 3, from: 1, to: 3 }))
  // An open list is kept for a day.
  office.world.pass(25 * 3_600_000)
  await office.taps(word('button-list-again'))
  expect(office.heard).toContain(word('list-gone', { command: '/records, /roadmaps' }))
})

story('a text is searched for by the service, and is shown on the list without harm', async ({ work }) => {
  const office = await work()
  office.addRecord()
  await office.says('/records <b>نیست')
  expect(office.asked.at(-1)).toContain('q=')
  expect(office.person.last.text).toContain('<b>نیست')
  expect(office.person.last.text).toContain(word('list-none'))
  await office.says(`/records ${'آ'.repeat(4_000)}`)
  expect(office.heard).toBe(word('search-too-long', { letters: 200 }))
})

story('# is an external id, a UUID the record, the roadmap or the profile itself', async ({ work }) => {
  const office = await work({ sandbox: { testsAuthRequired: false } })
  const token = office.addRecord()
  const roadmap = office.world.sandbox.addRoadmap({ productId: 'couple' })
  const sara = office.join(token)
  await sara.opens(`record_${token}_4711`)
  await sara.walksTo('question')
  for (const sign of ['#4711', '#۴۷۱۱', '#٤٧١١', '# 4711']) {
    await office.says(`/records ${sign}`)
    expect(office.data).toContain(`card:r:${token}`)
    expect(office.heard).toContain(word('card-external-id', { id: '4711' }))
  }
  expect(office.heard).toContain('زهرا محمدی')
  await office.says(`/roadmaps ${token.toUpperCase()}`)
  expect(office.data).toContain(`card:r:${token}`)
  await office.says(`/records ${roadmap}`)
  expect(office.data).toContain(`card:m:${roadmap}`)
  const profile = (office.world.sandbox.snapshot() as { profiles: Record<string, unknown> }).profiles
  await office.says(`/records ${Object.keys(profile)[0]}`)
  expect(office.data).toContain(`card:r:${token}`)
  await office.says('/records 00000000-0000-4000-8000-000000000000')
  expect(office.heard).toContain(word('list-none'))
})

story('the card shows the stage of its participant', async ({ work }) => {
  const office = await work()
  const token = office.addRecordOfSomebody()
  await office.says(`/records ${token}`)
  expect(office.heard).toContain(word('card-free'))
  const sara = office.join(token)
  await sara.walksTo('question')
  await sara.answers(1, 2)
  const { length } = office.person.messages
  await office.taps(`card:r:${token}`)
  expect(office.person.messages).toHaveLength(length)
  expect(office.person.last.text).toContain(word('stage-question', { position: 3, total: 7 }))
  expect(office.data).not.toContain(`invite:r:${token}`)
  office.world.pass(30 * 3_600_000)
  await office.taps(`card:r:${token}`)
  expect(office.chat).toContain(word('card-stuck', { hours: 30 }))
})

story('the card says that a test that was begun here was never finished', async ({ work }) => {
  const office = await work({ environment: { RETENTION_DAYS: '5' } })
  const token = office.addRecordOfSomebody()
  const sara = office.join(token)
  await sara.opens()
  await sara.walksTo('question')
  await sara.answers(1)
  await sara.waits(200 * DAY_MS)
  await office.says(`/records ${token}`)
  expect(office.screen).toContain(word('card-expired'))
  expect(office.screen).not.toContain(word('stage-done'))
})

story('a row has a name and a stage; a single hit is shown as its card', async ({ work }) => {
  const office = await work({ sandbox: { testsAuthRequired: false } })
  const mine = office.addRecord()
  office.addRecord()
  const roadmap = office.world.sandbox.addRoadmap({ productId: 'couple' })
  office.world.sandbox.addRecord({ testId: 'mood-7', status: 1 })
  const sara = office.join(mine)
  await sara.walksTo('question')
  await sara.answers(1)
  await office.says('/records')
  expect(office.screen).toContain(`زهرا محمدی · ${word('stage-question', { position: 2, total: 7 })}`)
  expect(office.screen).toContain(word('list-nobody'))
  expect(office.screen.match(new RegExp(word('list-nobody'), 'g'))).toHaveLength(1)
  await office.says('/records زهرا محمدی')
  expect(office.data).toContain(`card:r:${mine}`)
  expect(office.heard).toContain(word('card-token', { token: mine }))
  await office.says('/roadmaps')
  expect(office.data).toContain(`card:m:${roadmap}`)
})

story('a list says that the service is down', async ({ work }) => {
  const office = await work()
  office.world.sandbox.fault({ kind: 'status', status: 503, times: 10 } as never)
  await office.says('/records')
  expect(office.heard).toBe(word('organizer-down'))
})

story('names from lists are never kept in plain text', async ({ work }) => {
  const office = await work({ sandbox: { testsAuthRequired: false } })
  const token = office.addRecord()
  await office.join(token).walksTo('question')
  await office.says('/records')
  expect(office.heard).toContain('زهرا محمدی')
  expect(office.world.lines.join()).not.toContain('زهرا')
  const { readdirSync, readFileSync } = await import('node:fs')
  const dir = office.world.env.DATA_DIR ?? ''
  for (const file of readdirSync(dir)) {
    const bytes = readFileSync(`${dir}/${file}`)
    expect(bytes.includes('زهرا محمدی')).toBe(false)
    expect(bytes.includes(token)).toBe(false)
  }
})

story('ten thousand records cost only the pages that were viewed', async ({ work }) => {
  const office = await work()
  for (let count = 0; count < 10_000; count++) office.addRecord()
  const before = office.asked.length
  await office.says('/records')
  expect(office.person.last.text).toContain(word('list-count', { count: 10_000, from: 1, to: 8 }))
  for (let screen = 2; screen <= 6; screen++) await office.taps(word('button-list-next'))
  expect(office.person.last.text).toContain(word('list-count', { count: 10_000, from: 41, to: 48 }))
  // The service gives thirty records a page.
  expect(office.asked.length - before).toBe(2)
})

story(
  'an item that cannot be read whole is shown as far as possible, and the page stays',
  async ({ work }) => {
    const [known, bare] = ['0b9d1d54-6a2c-4b57-9c1e-3f5a7d8e9c10', '1c8e2e65-7b3d-4c68-8d2f-4a6b8e9f0d21']
    const state = { status: 2, auth_required: true, tests_auth_required: true, is_finished: false }
    const items = {
      record: [
        { token: known, ...state, test: { id: 1, title: 'آزمون' }, profile: null },
        null,
        { token: bare, status: null, test: null },
      ],
      roadmap: [
        { token: known, ...state, roadmap_title: 'بسته' },
        { token: null, ...state },
        { token: bare },
      ],
    }
    const url = await answering((path) => {
      const kind = /\/(record|roadmap)\//.exec(path)?.[1]
      if (kind !== 'record' && kind !== 'roadmap') return { connect: 'ok' }
      return { count: 3, next: null, previous: null, results: items[kind], roadmaps_filter: [null] }
    })
    const office = await work({ environment: { SERVICE_URL: url } })
    for (const [command, title, letter] of [
      ['/records', 'آزمون', 'r'],
      ['/roadmaps', 'بسته', 'm'],
    ] as const) {
      await office.says(command)
      expect(office.screen).toContain(title)
      expect(office.screen).toContain(bare)
      expect(office.screen).toContain(word('service-unread'))
      expect(office.data).toEqual(
        expect.arrayContaining([`card:${letter}:${known}`, `card:${letter}:${bare}`]),
      )
    }
  },
)

/** A service that answers each path with this data. Returns its address. */
async function answering(dataOf: (path: string) => unknown): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    const body = { data: dataOf(url), successful: true, messages: [] }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`
}

/** The targets of the cards on a screen of a list, in its order. */
function cardsOf({ person }: Office) {
  const rows = person.last.reply_markup?.inline_keyboard ?? []
  return rows
    .flat()
    .filter(({ callback_data: data }) => data?.startsWith('card:'))
    .sort((one, other) => one.text.localeCompare(other.text, 'fa'))
    .map(({ callback_data: data }) => data ?? '')
}

story(
  'records whose validity needs attention come first in lists and groups, with a mark',
  async ({ work }) => {
    const office = await work({ sandbox: { testsAuthRequired: false } })
    const tokens = [1, 2, 3].map(() => office.addRecordOfSomebody())
    await office.says(`/invite ${tokens.join('\n')}`)
    await office.says('/records')
    const cards = () => cardsOf(office)
    // The one in the middle, so that it comes first by no other order.
    const between = cards()[1] ?? ''
    const hasty = office.join(between.slice('card:r:'.length))
    await hasty.opens()
    await hasty.walksTo('question')
    for (let at = 0; at < 7; at += 1) await hasty.taps(/^a:.*:0:/)
    await hasty.taps(/^submit:/)
    await office.says('/records')
    expect(cards()[0]).toBe(between)
    expect(office.screen.split(word('stage-item-flagged'))).toHaveLength(2)
    expect(office.screen.indexOf(word('stage-item-flagged'))).toBeLessThan(office.screen.indexOf('\n۲. '))
    await office.taps(between)
    expect(office.screen).toContain(word('card-validity', { fast: 7, run: 7, activeMinutes: 1 }))
    await office.forges('groups:1')
    await office.taps(/^group:/)
    expect(cards()[0]).toBe(between)
    expect(office.screen).toContain(word('stage-item-flagged'))
  },
)

story('such a record comes first whatever page of the service it is on, and once', async ({ work }) => {
  const office = await work({ sandbox: { testsAuthRequired: false } })
  const oldest = office.addRecordOfSomebody()
  const hasty = office.join(oldest)
  await hasty.opens()
  await hasty.walksTo('question')
  for (let at = 0; at < 7; at += 1) await hasty.taps(/^a:.*:0:/)
  await hasty.taps(/^submit:/)
  for (let more = 0; more < 31; more += 1) office.addRecordOfSomebody()
  await office.says('/records')
  const seen: string[] = []
  for (let screen = 1; screen <= 4; screen += 1) {
    if (screen > 1) await office.taps(new RegExp(`^list:[^:]+:${screen}$`))
    seen.push(...cardsOf(office))
  }
  expect(seen[0]).toBe(`card:r:${oldest}`)
  expect(seen).toHaveLength(32)
  expect(new Set(seen).size).toBe(32)
})
