import { expect } from 'vitest'
import { type Party, story, word } from './gather.ts'
import { ALL, FATHER, MOBILE, MOTHER } from './kin.ts'

const PAIR = [11, 12]

/** Answers a nested record from somewhere else, as the organizer's own system could. */
async function answersElsewhere({ world }: Party, record: string) {
  const response = await fetch(`${world.env.SERVICE_URL}/record/${record}/`, {
    method: 'POST',
    headers: { 'API-KEY': world.sandbox.key, 'content-type': 'application/json' },
    body: JSON.stringify({ record: { s1: ['q1o1', 'q2o1'] }, doing_duration_in_minutes: 1 }),
  })
  expect(response.status).toBe(200)
}

/** What stands at the summary, ready to be sent. */
async function reachesSummary({ owner }: Party, roles: readonly number[] = PAIR) {
  await owner.opens()
  await owner.taps(/^begin:/)
  await owner.introducesAll(roles)
}

story('a test finished elsewhere is known before it is begun', async ({ gather }) => {
  const party = await gather({ productId: 'pair' })
  const { owner, records, calls } = party
  await owner.comesToBoard(PAIR)
  await answersElsewhere(party, records[0] ?? '')
  await owner.taps(owner.offered[0] ?? '', owner.board)
  expect(owner.heard).toContain(word('finished-elsewhere'))
  expect(owner.offered).toHaveLength(1)
  expect(calls('GET', /questions/)).toBe(0)
  await owner.takes()
  expect(owner.data.some((data) => data.startsWith('generate:'))).toBe(true)
})

story('a test finished elsewhere while it was answered here counts as finished', async ({ gather }) => {
  const party = await gather({ productId: 'pair' })
  const { owner, records, world } = party
  await owner.comesToBoard(PAIR)
  await owner.taps(owner.offered[0] ?? '', owner.board)
  await owner.answers()
  await answersElsewhere(party, records[0] ?? '')
  await owner.taps(/^submit:/)
  expect(owner.heard).toContain(word('finished-elsewhere'))
  expect(owner.chat).not.toContain(word('record-finished', { title: 'خانهٔ ما' }))
  expect(owner.board.text).toContain(word('board-state-finished'))
  expect(world.sandbox.submissions(records[0] ?? '')).toHaveLength(2)
  await owner.takes()
  expect(owner.data.some((data) => data.startsWith('generate:'))).toBe(true)
})

story('questions refused because the test is finished show it as finished', async ({ gather }) => {
  const { owner, world } = await gather({ productId: 'pair' })
  await owner.comesToBoard(PAIR)
  world.sandbox.fault({
    kind: 'status',
    status: 409,
    message: 'This record is already completed.',
    path: 'questions',
  })
  await owner.taps(owner.offered[0] ?? '', owner.board)
  expect(owner.heard).toContain(word('finished-elsewhere'))
  expect(owner.offered).toHaveLength(1)
})

story.for([
  ['403', { kind: 'status', status: 403, path: 'questions' }],
  ['404', { kind: 'status', status: 404, path: 'questions' }],
  ['503', { kind: 'status', status: 503, path: 'questions', times: 3 }],
  ['an unreadable answer', { kind: 'garbage', path: 'questions', times: 3 }],
] as const)('questions answered with %s can be asked for again', async ([, fault], { gather }) => {
  const { owner, world } = await gather({ productId: 'pair' })
  await owner.comesToBoard(PAIR)
  world.sandbox.fault(fault)
  await owner.taps(owner.offered[0] ?? '', owner.board)
  expect(owner.screen).not.toContain('گرم است؟')
  await owner.opens('')
  expect(owner.board.text?.split(word('board-state-new'))).toHaveLength(3)
  await owner.takes()
  expect(owner.offered).toHaveLength(1)
})

story('a service that shows no nested record on its own still gives its questions', async ({ gather }) => {
  const { owner, world, records } = await gather({ productId: 'pair' })
  await owner.comesToBoard(PAIR)
  world.sandbox.fault({ kind: 'status', status: 404, method: 'GET', path: `^/record/${records[0]}$` })
  await owner.takes()
  expect(world.sandbox.submissions(records[0] ?? '')).toHaveLength(1)
})

story('answers that billing refuses wait on the board, and are sent later', async ({ gather }) => {
  const { owner, world, token, records, join } = await gather({ environment: { ORGANIZERS: '5000000002' } })
  await join('دعوت‌کننده').opens('')
  await owner.comesToBoard(ALL)
  world.sandbox.update(token, { billing: 'refused' })
  await owner.takes(0)
  expect(owner.heard).toContain(word('submit-refused', { contact: '021-12345678' }))
  await owner.opens('')
  expect(owner.board.text).toContain(word('stage-refused'))
  expect(owner.buttons.some((data) => data === `hand:x:${MOTHER}`)).toBe(false)
  world.sandbox.update(token, { billing: 'ok' })
  await owner.taps(owner.offered[0] ?? '', owner.board)
  await owner.taps(/^retry:/)
  expect(owner.board.text).toContain(word('board-state-finished'))
  expect(world.sandbox.submissions(records[0] ?? '').filter(({ accepted }) => accepted)).toHaveLength(1)
})

story('while the service is away a submission goes on by itself, and other tests too', async ({ gather }) => {
  const { owner, world, waits, records } = await gather({ productId: 'pair' })
  await owner.comesToBoard(PAIR)
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
  expect(owner.board.text).toContain(word('board-state-submitting'))
  await waits(10_000)
  for (let tries = 0; tries < 3; tries += 1) await waits(20_000)
  expect(world.sandbox.submissions(records[0] ?? '').filter(({ accepted }) => accepted)).toHaveLength(1)
  expect(owner.board.text).toContain(word('board-state-finished'))
})

story('a draft that expires while the second parent types the code is made anew', async ({ gather }) => {
  const party = await gather({ productId: 'pair', sms: true })
  const { owner, world, waits } = party
  await reachesSummary(party)
  await owner.taps('profile:ok')
  const [first] = world.sandbox.sms()
  await waits(5 * 60_000 + 1_000)
  expect(owner.screen).toContain(word('code-expired'))
  await owner.says(first?.code ?? '')
  expect(owner.screen).toContain(word('code-expired'))
  await owner.taps('sms:again')
  await owner.says(world.sandbox.sms()[0]?.code ?? '')
  expect(owner.boards).toHaveLength(1)
  expect(world.sandbox.sms()).toHaveLength(2)
})

story('a draft that expired in between at the service only', async ({ gather }) => {
  const party = await gather({ productId: 'pair', sms: true })
  const { owner, world } = party
  await reachesSummary(party)
  await owner.taps('profile:ok')
  world.sandbox.fault({
    kind: 'status',
    status: 400,
    message: 'Verification draft token is invalid or expired.',
    path: 'verify',
  })
  await owner.says(world.sandbox.sms()[0]?.code ?? '')
  expect(owner.screen).toContain(word('code-expired'))
  world.pass(61_000)
  await owner.taps('sms:again')
  await owner.says(world.sandbox.sms()[0]?.code ?? '')
  expect(owner.boards).toHaveLength(1)
})

story('another mobile keeps what everybody typed', async ({ gather }) => {
  const party = await gather({ sms: true })
  const { owner, world } = party
  await reachesSummary(party, ALL)
  await owner.taps('profile:ok')
  await owner.taps('sms:mobile')
  await owner.says('09351234567')
  world.pass(61_000)
  await owner.taps('profile:ok')
  expect(world.sandbox.sms().map(({ mobile }) => mobile)).toEqual(['09351234567', MOBILE])
  await owner.says(world.sandbox.sms()[0]?.code ?? '')
  expect(owner.offered).toHaveLength(6)
})

story('the policy that changed to "no SMS" is followed', async ({ gather }) => {
  const party = await gather({ productId: 'pair', sms: true })
  const { owner, world, token } = party
  await reachesSummary(party)
  await owner.taps('profile:ok')
  world.sandbox.update(token, { testsAuthRequired: false })
  await owner.says(world.sandbox.sms()[0]?.code ?? '')
  expect(owner.boards).toHaveLength(1)
})

story('the mobile limit asks for another number', async ({ gather }) => {
  const party = await gather({ productId: 'pair', sms: true, sandbox: { authenticationsPerMobile: 0 } })
  const { owner } = party
  await reachesSummary(party)
  await owner.taps('profile:ok')
  expect(owner.heard).toContain(word('failure-mobile-limit'))
  await owner.says('09351234567')
  expect(owner.data).toContain('profile:ok')
})

story.for([
  ['400', 'Age of role 11 does not match.'],
  ['400', 'جنسیت با نقش «زن» همخوان نیست.'],
])('a profile refused with %s: %s can be corrected', async ([, message = ''], { gather }) => {
  const party = await gather({ productId: 'pair' })
  const { owner, world } = party
  await reachesSummary(party)
  world.sandbox.fault({ kind: 'status', status: 400, message, path: 'auth/$' })
  await owner.taps('profile:ok')
  expect(owner.data).toContain('profile:ok')
  expect(owner.screen.includes(message)).toBe(message.includes('نقش'))
  await owner.taps('profile:ok')
  expect(owner.boards).toHaveLength(1)
})

story.for([401, 403, 409, 429, 503] as const)(
  'profiles refused with %i can be sent again',
  async (status, { gather }) => {
    const party = await gather({ productId: 'pair' })
    const { owner, world } = party
    await reachesSummary(party)
    world.sandbox.fault({ kind: 'status', status, method: 'POST', path: 'auth/$', times: 1 })
    await owner.taps('profile:ok')
    if (owner.boards.length === 0) await owner.taps(/^(retry|profile:ok|sms:again)/, owner.driver.last)
    expect(owner.boards).toHaveLength(1)
  },
)

story(
  'a report that is nowhere to be had is told to the organizer, and asked for again',
  async ({ gather }) => {
    const party = await gather({ productId: 'single', environment: { ORGANIZERS: '5000000002' } })
    const { owner, world, waits, join } = party
    const organizer = join('دعوت‌کننده')
    await organizer.opens('')
    await owner.comesToBoard([31])
    await owner.takesAll()
    await owner.taps(/^generate:/)
    world.sandbox.fault({ kind: 'status', status: 404, path: 'roadmap/.*result/', times: 2 })
    await waits(5 * 45_000 + 1_000)
    expect(owner.screen).toBe(word('result-failed', { contact: '021-12345678' }))
    expect(organizer.screen).toContain(word('notice-result', { title: 'تنها' }))
    await owner.taps(/^retry:/)
    expect(owner.reports).toHaveLength(1)
  },
)

story('a test that nobody began for months opens all the same', async ({ gather }) => {
  const { owner, waits } = await gather({ productId: 'pair' })
  await owner.comesToBoard(PAIR)
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

story('a lost answer to the profiles is looked up, and no second SMS goes out', async ({ gather }) => {
  const party = await gather({ productId: 'pair', sms: true })
  const { owner, world } = party
  await reachesSummary(party)
  world.sandbox.fault({ kind: 'cut', path: 'auth/$', executed: true })
  await owner.taps('profile:ok')
  expect(owner.screen).toContain(word('sms-unclear', { mobile: MOBILE }).slice(0, 30))
  expect(world.sandbox.sms()).toHaveLength(1)
})

story('a lost answer to the code is looked up in the roadmap', async ({ gather }) => {
  const party = await gather({ productId: 'pair', sms: true })
  const { owner, world, calls } = party
  await reachesSummary(party)
  await owner.taps('profile:ok')
  world.sandbox.fault({ kind: 'cut', path: 'verify/$', executed: true })
  await owner.says(world.sandbox.sms()[0]?.code ?? '')
  expect(owner.boards).toHaveLength(1)
  expect(calls('PUT', /verify/)).toBe(1)
})

story(
  'a roadmap finished elsewhere before anybody was asked is finished, and gives no report here',
  async ({ gather }) => {
    const party = await gather({ productId: 'pair', sandbox: { generationSeconds: 0 } })
    const { owner, world, records, token } = party
    await reachesSummary(party)
    world.sandbox.update(token, { authRequired: false })
    for (const record of records) await answersElsewhere(party, record)
    await fetch(`${world.env.SERVICE_URL}/roadmap/${token}/generate/`, {
      method: 'POST',
      headers: { 'API-KEY': world.sandbox.key },
    })
    world.pass(1_000)
    await owner.taps('profile:ok')
    expect(owner.heard).toContain(word('finished-elsewhere'))
    expect(owner.reports).toEqual([])
    expect(owner.chat).not.toContain('لیلا')
  },
)

story('a finished roadmap does not open', async ({ gather }) => {
  const party = await gather({
    productId: 'pair',
    sandbox: { generationSeconds: 0 },
    roadmap: { authRequired: false },
  })
  const { owner, world, records, token } = party
  for (const record of records) await answersElsewhere(party, record)
  await fetch(`${world.env.SERVICE_URL}/roadmap/${token}/generate/`, {
    method: 'POST',
    headers: { 'API-KEY': world.sandbox.key },
  })
  world.pass(1_000)
  await owner.opens()
  expect(owner.heard).toBe(word('finished-elsewhere'))
})

story('an unknown roadmap and one of another organizer get the same answer', async ({ gather }) => {
  const { owner } = await gather({ productId: 'pair', roadmap: { owner: 'other' } })
  await owner.opens()
  expect(owner.heard).toBe(word('invitation-unknown'))
  await owner.opens('roadmap_00000000-0000-4000-8000-000000000000')
  expect(owner.heard).toBe(word('invitation-unknown'))
})

story('profiles that exist already lead from consent to the board', async ({ gather }) => {
  const { owner, calls } = await gather({ productId: 'pair', roadmap: { authRequired: false } })
  await owner.opens()
  await owner.taps(/^begin:/)
  expect(owner.offered).toHaveLength(2)
  expect(calls('POST', /auth/)).toBe(0)
})

story('two accounts that finish at the same moment leave one board each', async ({ gather }) => {
  const { owner, join, world, records } = await gather()
  await owner.comesToBoard(ALL)
  const father = join('رضا')
  await father.accepts(await owner.hands(FATHER))
  await owner.taps(owner.offered[0] ?? '', owner.board)
  await father.taps(father.offered[0] ?? '', father.board)
  await owner.answers()
  await father.answers()
  await owner.acts(() => {
    owner.driver.tap(/^submit:/)
    father.driver.tap(/^submit:/)
  })
  for (const person of [owner, father]) {
    expect(person.boards).toHaveLength(1)
    const finished = word('record-finished', { title: 'خانهٔ ما' })
    expect(person.driver.messages.filter(({ text }) => text === finished)).toHaveLength(1)
  }
  expect(owner.board.text).toContain(word('board-handed', { done: 1, total: 2 }))
  for (const index of [0, 2]) expect(world.sandbox.submissions(records[index] ?? '')).toHaveLength(1)
})
