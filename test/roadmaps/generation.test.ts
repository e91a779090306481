import { expect } from 'vitest'
import { ORGANIZED, organizerOf } from '../organizers/office.ts'
import { type Party, story, word } from './gather.ts'

const POLL_MS = 45_000

const generations = ({ calls }: Party) => calls('POST', /generate\/$/)
const looks = ({ calls }: Party) => calls('GET', /generate\/status\/$/)

story('the analysis is offered only when all tests are finished', async ({ gather }) => {
  const party = await gather({ productId: 'pair', at: 'board' })
  const { owner } = party
  const s = owner.buttons.find((data) => data.startsWith('hand:'))?.split(':')[1] ?? ''
  await owner.takes()
  expect(owner.buttons.some((data) => data.startsWith('generate:'))).toBe(false)
  await owner.forges(`generate:${s}`)
  expect(generations(party)).toBe(0)
  await owner.takes()
  expect(owner.data).toEqual([`generate:${s}`, `auto:${s}:off`, `ask:${s}`])
  expect(owner.screen).toContain(word('board-all-finished-soon'))
})

story('one message says how long the analysis takes and that no one has to wait', async ({ gather }) => {
  const party = await gather({ productId: 'pair', sandbox: { generationSeconds: 300 }, at: 'finished' })
  const { owner } = party
  await owner.taps(/^generate:/)
  const time = word('minutes-between', { from: 5, to: 10 })
  const said = `${word('generating')} ${word('generating-time', { time })}\n\n${word('report-goes-here')}`
  expect(owner.screen).toBe(said)
  expect(owner.boards).toHaveLength(1)
  // It stays the message of this roadmap.
  await owner.opens('')
  expect(owner.screen).toBe(said)
  expect(owner.boards).toHaveLength(1)
})

story(
  'an owner whose report goes to the organizer is not told that it comes to this chat',
  async ({ gather }) => {
    const environment = { RESULT_TO: 'organizer', ORGANIZERS: '900' }
    const { owner } = await gather({ productId: 'pair', environment })
    await owner.comesToBoard([11, 12])
    await owner.takesAll()
    await owner.taps(/^generate:/)
    expect(owner.screen).toContain(word('report-goes-organizer'))
    await owner.says('نتیجه من کو؟')
    expect(owner.heard).toContain(word('roadmap-result-organizer'))
    expect(owner.chat + owner.screen).not.toContain(word('report-goes-here'))
  },
)

story('an event that was set aside does not keep the owner waiting for ever', async ({ gather }) => {
  const party = await gather({ productId: 'pair', sandbox: { generationSeconds: 300 }, at: 'finished' })
  const { owner, world } = party
  const time = word('generating-time', { time: word('minutes-between', { from: 5, to: 10 }) })
  const news = world.emulator.fault({
    kind: 'error',
    status: 400,
    description: 'Bad Request: it is so',
    method: /^(?:editMessageText|sendMessage)$/,
    when: ({ text }) => String(text).includes(time),
    times: Number.POSITIVE_INFINITY,
  })
  await owner.taps(/^generate:/)
  const isSetAside = () => world.lines.join('\n').includes('message set aside')
  for (let tries = 0; tries < 12 && !isSetAside(); tries++) await party.waits(9_000)
  expect(isSetAside()).toBe(true)
  news.end()
  await owner.opens('')
  expect(owner.buttons).toContainEqual(expect.stringMatching(/^generate:/))
  for (let looks = 0; looks < 12 && owner.reports.length === 0; looks++) await party.waits(POLL_MS)
  expect(owner.reports).toHaveLength(1)
  expect(generations(party)).toBe(1)
})

story(
  'an analysis that takes very long is reported once, to its participants and the organizer',
  async ({ gather }) => {
    const party = await gather({
      productId: 'pair',
      sandbox: { generationSeconds: 3 * 3_600 },
      at: 'finished',
    })
    const { owner, join, restarts } = party
    const organizer = join('مدیر')
    await restarts({ ORGANIZERS: String(organizer.person.id), POLL_SECONDS: '600' })
    await organizer.opens('')
    await owner.taps(/^generate:/)
    for (let looks = 0; looks < 5; looks++) await party.waits(600_000)
    expect(owner.chat).not.toContain(word('generation-slow'))
    for (let looks = 0; looks < 6; looks++) await party.waits(900_000)
    expect(owner.chat.split(word('generation-slow'))).toHaveLength(2)
    expect(organizer.chat.split(word('notice-generation-slow', { title: 'زوج' }))).toHaveLength(2)
    for (let looks = 0; looks < 6; looks++) await party.waits(900_000)
    expect(owner.reports).toHaveLength(1)
  },
)

story(
  'an analysis that cannot be started for an hour is reported once, and started later',
  async ({ gather }) => {
    const party = await gather({ productId: 'pair', at: 'shared and finished' })
    const { owner, other, join, restarts, world } = party
    const organizer = join('مدیر')
    await restarts({ ORGANIZERS: String(organizer.person.id) })
    await organizer.opens('')
    const failing = world.sandbox.fault({ kind: 'status', status: 500, path: 'generate/$', times: 1_000 })
    await owner.taps(/^generate:/)
    // The others are told of the press at once.
    expect(other.board.text).toContain(word('generating').split('.')[0])
    for (let tries = 0; tries < 30; tries += 1) await party.waits(61_000)
    expect(owner.chat).not.toContain(word('generation-slow'))
    for (let tries = 0; tries < 70; tries += 1) await party.waits(61_000)
    expect(owner.chat.split(word('generation-slow'))).toHaveLength(2)
    expect(organizer.chat.split(word('notice-generation-slow', { title: 'زوج' }))).toHaveLength(2)
    failing.end()
    for (let looks = 0; looks < 5; looks += 1) await party.waits(5 * POLL_MS)
    expect(owner.reports).toHaveLength(1)
  },
)

story('the first check comes after five intervals, the next ones after one each', async ({ gather }) => {
  const party = await gather({
    productId: 'pair',
    sandbox: { generationSeconds: 5 * 45 + 100 },
    at: 'finished',
  })
  await party.owner.taps(/^generate:/)
  await party.waits(5 * POLL_MS - 5_000)
  expect(looks(party)).toBe(0)
  await party.waits(6_000)
  expect(looks(party)).toBe(1)
  await party.waits(POLL_MS * 0.7)
  expect(looks(party)).toBe(1)
  await party.waits(POLL_MS * 0.6)
  expect(looks(party)).toBe(2)
  expect(party.owner.reports).toHaveLength(0)
  await party.waits(POLL_MS * 1.3)
  await party.waits(POLL_MS * 1.3)
  expect(party.owner.reports).toHaveLength(1)
  const done = looks(party)
  await party.waits(10 * POLL_MS)
  expect(looks(party)).toBe(done)
})

story('one press by two people at once starts one analysis', async ({ gather }) => {
  const party = await gather({ productId: 'pair', at: 'shared and finished' })
  const { owner, other, world } = party
  await owner.acts(() => {
    owner.person.tap(/^generate:/)
    other.person.tap(/^generate:/)
    owner.person.tap(/^generate:/)
  })
  expect(generations(party)).toBe(1)
  for (const person of [owner, other]) {
    expect(person.boards).toHaveLength(1)
    expect(person.board.text).toContain(word('report-goes-here'))
  }
  await party.waits(5 * POLL_MS)
  expect([owner.reports.length, other.reports.length]).toEqual([1, 1])
  expect(world.lines.join('\n')).not.toContain('message set aside')
})

story('the bot may stop and start at any moment of the analysis', async ({ gather }) => {
  const party = await gather({ productId: 'pair', sandbox: { generationSeconds: 600 }, at: 'finished' })
  party.owner.person.tap(/^generate:/)
  await party.restarts()
  for (let minute = 0; minute < 12; minute += 1) {
    await party.waits(60_000)
    if (minute % 3 === 0) await party.restarts()
  }
  await party.waits(POLL_MS * 1.3)
  expect(generations(party)).toBe(1)
  expect(party.owner.reports).toHaveLength(1)
  expect(party.owner.boards).toHaveLength(1)
})

story('a bot that was down for hours checks soon after its start', async ({ gather }) => {
  const party = await gather({ productId: 'pair', at: 'finished' })
  await party.owner.taps(/^generate:/)
  await party.world.stop()
  party.world.pass(6 * 3_600_000)
  await party.world.start()
  await party.world.settled()
  await party.waits(1_000)
  expect(party.owner.reports).toHaveLength(1)
})

story('a failed analysis gives its reasons, and a second attempt succeeds', async ({ gather }) => {
  const party = await gather({ productId: 'pair', at: 'shared and finished', environment: ORGANIZED })
  const { owner, other, world } = party
  const manager = await organizerOf({ world })
  world.sandbox.fault({ kind: 'generation-failure', errors: ['پاسخ‌ها با هم نمی‌خوانند.', 'Try later.'] })
  await owner.taps(/^generate:/)
  await party.waits(5 * POLL_MS)
  for (const person of [owner, other]) {
    expect(person.board.text).toContain(word('board-failed'))
    expect(person.board.text).toContain('پاسخ‌ها با هم نمی‌خوانند.')
    expect(person.chat).not.toContain('Try later.')
    expect(person.buttons.filter((data) => data.startsWith('generate:'))).toHaveLength(1)
    expect(person.boards).toHaveLength(1)
  }
  // The organizer, who can solve it, gets the words of the service.
  for (const said of ['پاسخ‌ها با هم نمی‌خوانند.', 'Try later.']) expect(manager.chat).toContain(said)
  expect(owner.person.last).toBe(owner.board)
  // Each account can try again.
  await other.taps(word('button-retry'), other.board)
  await party.waits(5 * POLL_MS)
  expect([owner.reports.length, other.reports.length]).toEqual([1, 1])
  expect(generations(party)).toBe(2)
})

story('when billing refuses, the organizer is told and the button stays', async ({ gather }) => {
  const party = await gather({ productId: 'pair', environment: { ORGANIZERS: '5000000002' }, at: 'finished' })
  const { owner, join, world, token } = party
  const organizer = join('دعوت‌کننده')
  await organizer.opens('')
  world.sandbox.update(token, { billing: 'refused' })
  await owner.taps(/^generate:/)
  expect(owner.chat).toContain(word('generate-refused'))
  expect(organizer.screen).toContain(word('notice-refused', { title: 'زوج' }))
  world.sandbox.update(token, { billing: 'ok' })
  await owner.taps(/^generate:/, owner.board)
  await party.waits(5 * POLL_MS)
  expect(owner.reports).toHaveLength(1)
})

story('the analysis waits for a submission that the service is still scoring', async ({ gather }) => {
  const party = await gather({ productId: 'pair', sandbox: { scoringSeconds: 20 }, at: 'board' })
  const { owner } = party
  await owner.takesAll()
  await owner.taps(/^generate:/)
  expect(owner.screen).toContain(word('generating').split('.')[0])
  for (let tries = 0; tries < 6; tries += 1) await party.waits(10_000)
  expect(generations(party)).toBeGreaterThan(1)
  await party.waits(5 * POLL_MS)
  expect(owner.reports).toHaveLength(1)
})

story('a check that finds no analysis reads the roadmap, and the watch goes on', async ({ gather }) => {
  const party = await gather({
    productId: 'pair',
    sandbox: { generationSeconds: 5 * 45 + 20 },
    at: 'finished',
  })
  const { owner, world } = party
  await owner.taps(/^generate:/)
  world.sandbox.fault({ kind: 'status', status: 404, path: 'generate/status' })
  await party.waits(5 * POLL_MS + 1_000)
  expect(owner.reports).toHaveLength(0)
  await party.waits(POLL_MS * 1.3)
  expect(owner.reports).toHaveLength(1)
})

story('a check that finds a failed analysis gone offers to try again', async ({ gather }) => {
  const party = await gather({ productId: 'pair', at: 'finished' })
  const { owner, world } = party
  world.sandbox.fault({ kind: 'generation-failure' })
  await owner.taps(/^generate:/)
  world.sandbox.fault({ kind: 'status', status: 404, path: 'generate/status' })
  await party.waits(5 * POLL_MS + 1_000)
  expect(owner.board.text).toContain(word('board-failed'))
  await owner.taps(/^generate:/)
  await party.waits(5 * POLL_MS + 1_000)
  expect(owner.reports).toHaveLength(1)
})

story(
  'a roadmap that is gone is reported to the organizer, and its board no longer shows an analysis',
  async ({ gather }) => {
    const party = await gather({ productId: 'pair', sandbox: { generationSeconds: 3_600 }, at: 'finished' })
    const { owner, world, token } = party
    await owner.taps(/^generate:/)
    world.sandbox.fault({ kind: 'status', status: 404, path: 'generate/status' })
    world.sandbox.fault({ kind: 'status', status: 404, method: 'GET', path: `^/roadmap/${token}$` })
    await party.waits(5 * POLL_MS + 1_000)
    expect(owner.chat).toContain(word('generate-refused'))
    expect(owner.chat).not.toContain(word('generating').split('.')[0])
    expect(owner.board.text).toContain(word('board-all-finished'))
    const before = looks(party)
    await party.waits(5 * POLL_MS)
    expect(looks(party)).toBe(before)
  },
)

story('checks that fail, are cut or unreadable only cost time', async ({ gather }) => {
  const party = await gather({ productId: 'pair', at: 'finished' })
  const { owner, world, token } = party
  await owner.taps(/^generate:/)
  for (const path of ['generate/status', `^/roadmap/${token}$`]) {
    world.sandbox.fault({ kind: 'status', status: 503, method: 'GET', path })
    world.sandbox.fault({ kind: 'cut', method: 'GET', path })
    world.sandbox.fault({ kind: 'garbage', method: 'GET', path })
  }
  await party.waits(5 * POLL_MS + 1_000)
  for (let round = 0; round < 5; round += 1) await party.waits(POLL_MS * 1.3)
  expect(owner.reports).toHaveLength(1)
  expect(looks(party)).toBe(4)
})

story.for([{ kind: 'garbage' }, { kind: 'status', status: 400 }, { kind: 'status', status: 500 }] as const)(
  'where the status of an analysis is never available (%j) the roadmap shows that it is ready',
  async (fault, { gather }) => {
    const party = await gather({ productId: 'pair', at: 'finished' })
    const { owner, world } = party
    await owner.taps(/^generate:/)
    world.sandbox.fault({ ...fault, path: 'generate/status', times: 1_000 })
    await party.waits(5 * POLL_MS + 1_000)
    expect(owner.reports).toHaveLength(1)
  },
)

story('an analysis whose start was slow or unclear is started once', async ({ gather }) => {
  const party = await gather({ productId: 'pair', at: 'finished' })
  const { owner, world, token } = party
  world.sandbox.fault({ kind: 'cut', path: 'generate/$', executed: true })
  await owner.taps(/^generate:/)
  await party.waits(3_000)
  await party.waits(5 * POLL_MS)
  expect(owner.reports).toHaveLength(1)
  const { roadmaps } = world.sandbox.snapshot() as {
    roadmaps: Record<string, { generation: { errors: unknown } }>
  }
  expect(roadmaps[token]?.generation.errors).toBeNull()
})

story('a report that was ready before the press is delivered', async ({ gather }) => {
  const party = await gather({ productId: 'pair', sandbox: { generationSeconds: 0 }, at: 'finished' })
  const { owner, world, token } = party
  await fetch(`${world.env.SERVICE_URL}/roadmap/${token}/generate/`, {
    method: 'POST',
    headers: { 'API-KEY': world.sandbox.key },
  })
  world.pass(1_000)
  await owner.taps(/^generate:/)
  for (let looks = 0; looks < 12 && owner.reports.length === 0; looks++) await party.waits(POLL_MS)
  expect(owner.reports).toHaveLength(1)
})

story('an owner is reminded of the report when the others have finished after days', async ({ gather }) => {
  const { owner, other, world, waits } = await gather({ productId: 'pair', at: 'shared board' })
  await owner.takesAll()
  for (let day = 0; day < 4; day++) await waits(86_400_000)
  world.sandbox.fault({ kind: 'status', status: 402, method: 'POST', path: 'generate/$', times: 9 })
  await other.takesAll()
  await waits(120_000)
  const before = owner.fromBot().length
  for (let day = 0; day < 2; day++) await waits(86_400_000)
  const said = owner.fromBot().slice(before)
  expect(said.map(({ text }) => text).join()).toContain('فقط ساختن گزارش ترکیبی مانده است')
})
