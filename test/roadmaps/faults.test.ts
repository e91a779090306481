import { expect } from 'vitest'
import { DAY_MS } from '../../src/domain/durations.ts'
import { changedService } from '../dialogs/changed-service.ts'
import { story, word } from './gather.ts'
import { ALL, MOTHER } from './kin.ts'

type Shown = { auth_required: boolean; test_records: { token: string }[] }

story('a test finished elsewhere is recognized before it is begun', async ({ gather }) => {
  const party = await gather({ productId: 'pair', at: 'board' })
  const { owner, records, calls } = party
  await party.answersElsewhere(records[0] ?? '')
  await owner.taps(owner.offered[0] ?? '', owner.board)
  expect(owner.heard).toContain(word('finished-elsewhere'))
  expect(owner.left).toBe(1)
  expect(calls('GET', /questions/)).toBe(0)
  await owner.takes()
  expect(owner.data.some((data) => data.startsWith('generate:'))).toBe(true)
})

story(
  'an owner who comes back to the board sees that an assigned role was finished elsewhere',
  async ({ gather }) => {
    const party = await gather({ productId: 'pair', at: 'shared board' })
    const { owner, waits, records, calls } = party
    await party.answersElsewhere(records[1] ?? '')
    await owner.takesAll()
    await owner.opens('')
    const looks = calls('GET', /^\/roadmap\/[^/]+$/)
    await waits(DAY_MS)
    await owner.opens('')
    await owner.opens('')
    expect(owner.data.some((data) => data.startsWith('generate:'))).toBe(true)
    expect(calls('GET', /^\/roadmap\/[^/]+$/)).toBe(looks + 1)
  },
)

story('a test that the service has dropped is submitted, and called finished', async ({ gather }) => {
  const { owner, world, records, token, restarts } = await gather({ productId: 'pair', at: 'board' })
  const [first = '', second = ''] = owner.offered
  await owner.taps(first, owner.board)
  await owner.taps(/^a:/)
  let isLookedUp = false
  const change = (path: string, data: Shown) => {
    const named = data.test_records?.filter((record) => record.token !== records[0])
    if (path.endsWith(`/roadmap/${token}`)) return { ...data, test_records: named }
    // This makes the bot read the roadmap.
    if (!path.endsWith(`/record/${records[1]}`) || isLookedUp) return data
    isLookedUp = true
    return { ...data, auth_required: true }
  }
  await restarts({ SERVICE_URL: await changedService(() => world.sandbox, change) })
  await owner.opens()
  await owner.forges(second)
  await owner.taps(/^ready:/)
  await owner.forges(first)
  await owner.taps(/^ready:/)
  await owner.answers()
  await owner.taps(/^submit:/)
  expect(world.sandbox.submissions(records[0] ?? '')).toHaveLength(1)
  expect(owner.heard).toContain(word('record-finished', { title: 'خانهٔ ما · زن (لیلا)' }))
})

story('an analysis refused as unfinished reopens no test before the roadmap says so', async ({ gather }) => {
  const party = await gather({ productId: 'pair', at: 'shared and finished' })
  const { owner, world, token, restarts, waits } = party
  const { sandbox } = world
  const change = (path: string, data: Shown) => {
    if (!path.endsWith(`/roadmap/${token}`)) return data
    sandbox.fault({ kind: 'status', status: 500, method: 'GET', path: '^/roadmap/[^/]+$', times: 9 })
    return { ...data, auth_required: true }
  }
  await restarts({ SERVICE_URL: await changedService(() => sandbox, change) })
  sandbox.fault({ kind: 'status', status: 409, method: 'POST', path: 'generate/$', times: 9 })
  await owner.taps(/^generate:/)
  await waits(10_000)
  expect(owner.chat).toContain(word('generate-unfinished'))
  await owner.opens('')
  expect([owner.screen.includes(word('stage-new')), owner.rolesOf('unhand')]).toEqual([false, []])
})

story('a test finished elsewhere while it was answered here is not called ours', async ({ gather }) => {
  const environment = { ORGANIZERS: '900' }
  const party = await gather({ productId: 'pair', at: 'board', environment })
  const { owner, records, world } = party
  const manager = world.emulator.person({ id: 900, firstName: 'مدیر' })
  manager.start()
  await world.settled()
  await owner.taps(owner.offered[0] ?? '', owner.board)
  await owner.answers()
  await party.answersElsewhere(records[0] ?? '')
  await owner.taps(/^submit:/)
  const title = 'خانهٔ ما · زن (لیلا)'
  expect(owner.heard).toContain(word('done-elsewhere', { title }))
  expect(owner.heard).not.toContain(word('record-finished', { title }))
  // The combined report still goes to the participant.
  expect(manager.transcript()).toContain(word('notice-test-elsewhere', { title: 'خانهٔ ما' }))
  expect(manager.transcript()).not.toContain(word('notice-done-elsewhere', { title: 'خانهٔ ما' }))
  expect(manager.transcript()).not.toContain(word('notice-finished', { title: 'خانهٔ ما', validity: '' }))
  expect(owner.board.text).toContain(word('stage-done'))
  expect(world.sandbox.submissions(records[0] ?? '')).toHaveLength(2)
})

story('a test whose questions are refused as finished is shown as finished', async ({ gather }) => {
  const { owner, world } = await gather({ productId: 'pair', at: 'board' })
  world.sandbox.fault({
    kind: 'status',
    status: 409,
    message: 'This record is already completed.',
    path: 'questions',
  })
  await owner.taps(owner.offered[0] ?? '', owner.board)
  expect(owner.heard).toContain(word('finished-elsewhere'))
  expect(owner.left).toBe(1)
})

story.for([
  ['403', { kind: 'status', status: 403, path: 'questions' }],
  ['404', { kind: 'status', status: 404, path: 'questions' }],
  ['503', { kind: 'status', status: 503, path: 'questions', times: 3 }],
  ['an unreadable answer', { kind: 'garbage', path: 'questions', times: 3 }],
] as const)('questions answered with %s can be asked for again', async ([, fault], { gather }) => {
  const { owner, world } = await gather({ productId: 'pair', at: 'board' })
  world.sandbox.fault(fault)
  await owner.taps(owner.offered[0] ?? '', owner.board)
  expect(owner.screen).not.toContain('گرم است؟')
  await owner.opens('')
  expect(owner.board.text?.split(word('stage-new'))).toHaveLength(3)
  await owner.takes()
  expect(owner.left).toBe(1)
})

story('a nested record that cannot be read alone can still be answered', async ({ gather }) => {
  const { owner, world, records } = await gather({ productId: 'pair', at: 'board' })
  world.sandbox.fault({ kind: 'status', status: 404, method: 'GET', path: `^/record/${records[0]}$` })
  await owner.takes()
  expect(world.sandbox.submissions(records[0] ?? '')).toHaveLength(1)
})

story('answers to such a record are not submitted twice after a lost reply', async ({ gather }) => {
  const { owner, world, records, waits } = await gather({ productId: 'pair', at: 'board' })
  const at = `^/record/${records[0]}`
  world.sandbox.fault({ kind: 'status', status: 404, method: 'GET', path: `${at}$`, times: 1_000 })
  world.sandbox.fault({ kind: 'cut', method: 'POST', path: `${at}/$`, executed: true })
  await owner.takes()
  await waits(20_000)
  expect(world.sandbox.submissions(records[0] ?? '')).toHaveLength(1)
  expect(owner.board.text).toContain(word('stage-done'))
  expect(owner.left).toBe(1)
})

story('answers that billing refuses wait on the board, and are sent later', async ({ gather }) => {
  const { owner, world, token, records, join } = await gather({ environment: { ORGANIZERS: '5000000002' } })
  await join('دعوت‌کننده').opens('')
  await owner.comesToBoard(ALL)
  world.sandbox.update(token, { billing: 'refused' })
  await owner.takes(0)
  expect(owner.heard).toContain(word('submit-refused'))
  await owner.opens('')
  expect(owner.board.text).toContain(word('stage-refused'))
  expect(owner.rolesOf('hand')).not.toContain(MOTHER)
  world.sandbox.update(token, { billing: 'ok' })
  await owner.taps(owner.offered[0] ?? '', owner.board)
  await owner.taps(/^retry:/)
  expect(owner.board.text).toContain(word('stage-done'))
  expect(world.sandbox.submissions(records[0] ?? '').filter(({ accepted }) => accepted)).toHaveLength(1)
})

story('a submission waits for a service that is away, and other tests can go on', async ({ gather }) => {
  const { owner, world, waits, records } = await gather({ productId: 'pair', at: 'board' })
  await owner.taps(owner.offered[0] ?? '', owner.board)
  await owner.answers()
  world.sandbox.fault({ kind: 'cut', method: 'POST', path: `^/record/${records[0]}/$`, executed: true })
  world.sandbox.fault({
    kind: 'status',
    status: 503,
    method: 'GET',
    path: `^/record/${records[0]}$`,
    times: 3,
  })
  await owner.taps(/^submit:/)
  expect(owner.heard).toContain(word('record-delayed'))
  await owner.opens('')
  expect(owner.board.text).toContain(word('stage-submitting'))
  await waits(10_000)
  for (let tries = 0; tries < 3; tries += 1) await waits(20_000)
  expect(world.sandbox.submissions(records[0] ?? '').filter(({ accepted }) => accepted)).toHaveLength(1)
  expect(owner.board.text).toContain(word('stage-done'))
})

story(
  'a report that cannot be fetched is reported to the organizer, and can be requested again',
  async ({ gather }) => {
    const party = await gather({
      productId: 'single',
      environment: { ORGANIZERS: '5000000002' },
      at: 'finished',
    })
    const { owner, world, waits, join } = party
    const organizer = join('دعوت‌کننده')
    await organizer.opens('')
    await owner.taps(/^generate:/)
    world.sandbox.fault({ kind: 'status', status: 404, path: 'roadmap/.*result/', times: 2 })
    await waits(5 * 45_000 + 1_000)
    expect(owner.screen).toBe(word('result-failed'))
    expect(organizer.screen).toContain(word('notice-result', { title: 'تنها' }))
    await owner.taps(/^retry:/)
    expect(owner.reports).toHaveLength(1)
  },
)

story('a test that is not begun for months can still be opened', async ({ gather }) => {
  const { owner, waits } = await gather({ productId: 'pair', at: 'board' })
  for (let month = 0; month < 3; month += 1) {
    await waits(29 * 86_400_000)
    await owner.opens('')
    await owner.taps(owner.offered[0] ?? '', owner.board)
    await owner.taps(/^pause:/)
  }
  await waits(29 * 86_400_000)
  await owner.opens('')
  await owner.takesAll()
  expect(owner.data.some((data) => data.startsWith('generate:'))).toBe(true)
})

story('two accounts that finish at the same moment have one board each', async ({ gather }) => {
  const { owner, join, world, records } = await gather({ at: 'shared board' })
  const father = join('رضا')
  await owner.taps(owner.offered[0] ?? '', owner.board)
  await father.taps(father.offered[0] ?? '', father.board)
  await owner.answers()
  await father.answers()
  await owner.acts(() => {
    owner.person.tap(/^submit:/)
    father.person.tap(/^submit:/)
  })
  // On a shared phone the message names the role.
  for (const [person, title] of [
    [owner, 'خانهٔ ما · مادر (مریم)'],
    [father, 'خانهٔ ما'],
  ] as const) {
    expect(person.boards).toHaveLength(1)
    const finished = word('record-finished', { title })
    expect(person.person.messages.filter(({ text }) => text === finished)).toHaveLength(1)
  }
  expect(owner.board.text).toContain(word('board-handed', { done: 1, total: 2 }))
  for (const index of [0, 2]) expect(world.sandbox.submissions(records[index] ?? '')).toHaveLength(1)
})
