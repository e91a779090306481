import { expect } from 'vitest'
import { story, word } from './gather.ts'
import { ALL, MOBILE } from './kin.ts'

const PAIR = [11, 12]

story('a draft that expires while the code is being typed is created again', async ({ gather }) => {
  const party = await gather({ productId: 'pair', sms: true })
  const { owner, world, waits } = party
  await party.owner.reachesSummary(PAIR)
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

story('a draft that expired at the service only is created again', async ({ gather }) => {
  const party = await gather({ productId: 'pair', sms: true })
  const { owner, world } = party
  await party.owner.reachesSummary(PAIR)
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

story('a new mobile keeps all the other details', async ({ gather }) => {
  const party = await gather({ sms: true })
  const { owner, world } = party
  await party.owner.reachesSummary(ALL)
  await owner.taps('profile:ok')
  await owner.taps('sms:mobile')
  await owner.says('09351234567')
  world.pass(61_000)
  await owner.taps('profile:ok')
  expect(world.sandbox.sms().map(({ mobile }) => mobile)).toEqual(['09351234567', MOBILE])
  await owner.says(world.sandbox.sms()[0]?.code ?? '')
  expect(owner.left).toBe(6)
})

story('SMS that is switched off meanwhile is not asked for', async ({ gather }) => {
  const party = await gather({ productId: 'pair', sms: true })
  const { owner, world, token } = party
  await party.owner.reachesSummary(PAIR)
  await owner.taps('profile:ok')
  world.sandbox.update(token, { testsAuthRequired: false })
  await owner.says(world.sandbox.sms()[0]?.code ?? '')
  expect(owner.boards).toHaveLength(1)
})

story('a mobile at its limit can be replaced by another number', async ({ gather }) => {
  const party = await gather({ productId: 'pair', sms: true, sandbox: { authenticationsPerMobile: 0 } })
  const { owner } = party
  await party.owner.reachesSummary(PAIR)
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
  await party.owner.reachesSummary(PAIR)
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
    await party.owner.reachesSummary(PAIR)
    world.sandbox.fault({ kind: 'status', status, method: 'POST', path: 'auth/$', times: 1 })
    await owner.taps('profile:ok')
    if (owner.boards.length === 0) await owner.taps(/^(retry|profile:ok|sms:again)/, owner.person.last)
    expect(owner.boards).toHaveLength(1)
  },
)

story('after a lost reply the profiles are looked up, and no second SMS goes out', async ({ gather }) => {
  const party = await gather({ productId: 'pair', sms: true })
  const { owner, world } = party
  await party.owner.reachesSummary(PAIR)
  world.sandbox.fault({ kind: 'cut', path: 'auth/$', executed: true })
  await owner.taps('profile:ok')
  expect(owner.screen).toContain(word('sms-unclear', { mobile: MOBILE }).slice(0, 30))
  expect(world.sandbox.sms()).toHaveLength(1)
})

story('after a lost reply to the code the roadmap is looked up', async ({ gather }) => {
  const party = await gather({ productId: 'pair', sms: true })
  const { owner, world, calls } = party
  await party.owner.reachesSummary(PAIR)
  await owner.taps('profile:ok')
  world.sandbox.fault({ kind: 'cut', path: 'verify/$', executed: true })
  await owner.says(world.sandbox.sms()[0]?.code ?? '')
  expect(owner.boards).toHaveLength(1)
  expect(calls('PUT', /verify/)).toBe(1)
})

story(
  'a roadmap that others finished before the details were sent gives no report here',
  async ({ gather }) => {
    const party = await gather({ productId: 'pair', sandbox: { generationSeconds: 0 } })
    const { owner, world, records, token } = party
    await party.owner.reachesSummary(PAIR)
    world.sandbox.update(token, { authRequired: false })
    for (const record of records) await party.answersElsewhere(record)
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

story('a finished roadmap cannot be opened', async ({ gather }) => {
  const party = await gather({
    productId: 'pair',
    sandbox: { generationSeconds: 0 },
    roadmap: { authRequired: false },
  })
  const { owner, world, records, token } = party
  for (const record of records) await party.answersElsewhere(record)
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

story('a roadmap whose profiles exist leads from consent to the board', async ({ gather }) => {
  const { owner, calls } = await gather({ productId: 'pair', roadmap: { authRequired: false } })
  await owner.opens()
  await owner.taps(/^begin:/)
  expect(owner.left).toBe(2)
  expect(calls('POST', /auth/)).toBe(0)
})
