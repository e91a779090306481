import { expect } from 'vitest'
import { changedService } from '../dialogs/changed-service.ts'
import { keptOf } from '../kept-entries.ts'
import { ORGANIZED, organizerOf } from '../organizers/office.ts'
import { eventually } from '../until.ts'
import { type Party, story, word } from './gather.ts'
import { CHILD, FATHER, MOBILE, MOTHER } from './kin.ts'

/** Before the registration one person gives their details on their own phone; all others are typed here. */
async function givenApart({ owner, join }: Party, here: readonly number[], apart: number) {
  const [first = 0, ...others] = here
  await owner.opens()
  await owner.taps(/^begin:/)
  await owner.introduces(first)
  await owner.taps(new RegExp(`^hand:[^:]+:${apart}$`))
  const code = /start=(i_[a-z2-7]{12})/.exec(owner.heard)?.[1] ?? ''
  for (const role of others) await owner.introduces(role)
  await owner.says(MOBILE)
  const person = join('همراه')
  await person.accepts(code)
  await person.introduces(apart)
  await person.taps('profile:ok')
  return person
}

/** The same of a couple whose registration is refused, since the organizer has closed the roadmap. */
async function givenAndWaiting(party: Party) {
  const { owner, world, token } = party
  const husband = await givenApart(party, [11], 12)
  world.sandbox.update(token, { status: 0 })
  world.sandbox.fault({ kind: 'status', status: 404, method: 'POST', path: 'auth/$' })
  await owner.taps('profile:ok')
  return husband
}

story(
  'when an account with given details is forgotten during the code, the owner is asked for them',
  async ({ gather }) => {
    const party = await gather({ productId: 'pair', sms: true })
    const { owner, world } = party
    const husband = await givenApart(party, [11], 12)
    await owner.taps('profile:ok')
    expect(owner.place).toBe('code')
    await husband.forgets()
    expect(owner.chat).toContain(word('details-gone', { name: 'مرد' }))
    await owner.opens('')
    expect(owner.place).toBe('name')
    expect(world.lines.join('\n')).not.toContain('message set aside')
  },
)

story(
  'when an account with given details is forgotten while the roadmap waits, no board is shown',
  async ({ gather }) => {
    const party = await gather({ productId: 'pair' })
    const { owner, world, token } = party
    const husband = await givenAndWaiting(party)
    await husband.forgets()
    expect(owner.boards).toEqual([])
    world.sandbox.update(token, { status: 2 })
    await owner.taps(/^refresh:/)
    expect(owner.place).toBe('name')
  },
)

story('when the owner is forgotten while the roadmap waits, no typed detail stays', async ({ gather }) => {
  const party = await gather({ productId: 'pair' })
  const husband = await givenAndWaiting(party)
  await party.owner.forgets()
  await party.waits(1_000)
  await party.world.stop()
  expect([husband.chat.includes(word('unhanded-told')), keptOf(party.world, 'r')]).toEqual([true, 0])
})

story('a release while the roadmap waits is announced to accounts that gave details', async ({ gather }) => {
  const party = await gather({ productId: 'pair', environment: ORGANIZED })
  const office = await organizerOf(party)
  const husband = await givenAndWaiting(party)
  await office.says(`/roadmaps ${party.token}`)
  await office.taps(/^release:/)
  await office.taps(/:same$/)
  expect(husband.chat).toContain(word('unhanded-released'))
})

story('details that the service refuses can be typed by the owner after all', async ({ gather }) => {
  const party = await gather({ productId: 'pair' })
  const { owner, world } = party
  const husband = await givenApart(party, [11], 12)
  const message = 'نام مرد پذیرفته نیست.'
  world.sandbox.fault({ kind: 'status', status: 400, method: 'POST', path: 'auth/$', message })
  await owner.taps('profile:ok')
  expect(owner.heard).toContain(message)
  await owner.taps(/^unhand:/)
  expect(husband.chat).toContain(word('unhanded-told'))
  await owner.introduces(12)
  await owner.taps('profile:ok')
  expect(owner.left).toBe(2)
})

story('given details are kept when the service names the tests in another order', async ({ gather }) => {
  const party = await gather()
  const { owner, world, restarts } = party
  const father = await givenApart(party, [MOTHER, CHILD], FATHER)
  const change = (_: string, data: { test_records?: unknown[] }) =>
    data?.test_records ? { ...data, test_records: data.test_records.toReversed() } : data
  await restarts({ SERVICE_URL: await changedService(() => world.sandbox, change) })
  // This makes the bot read the roadmap.
  world.sandbox.fault({ kind: 'status', status: 404, method: 'POST', path: 'auth/$' })
  await owner.taps('profile:ok')
  await owner.taps('profile:ok')
  expect([owner.place, father.place]).toEqual(['board', 'board'])
})

story('details that are forgotten during the code are asked for again at once', async ({ gather }) => {
  const party = await gather({ productId: 'pair', sms: true })
  const { owner } = party
  const husband = await givenApart(party, [11], 12)
  await owner.taps('profile:ok')
  expect(owner.place).toBe('code')
  await husband.forgets()
  expect(owner.screen).toContain('نام و نام خانوادگی مرد')
})

story('given details cannot be taken back during their call', async ({ gather }) => {
  const party = await gather({ productId: 'pair' })
  const { owner, world, calls } = party
  const husband = await givenApart(party, [11], 12)
  const unhand = owner.data.find((data) => data.startsWith('unhand:')) ?? ''
  const { last } = owner.person
  const slow = world.sandbox.fault({ kind: 'slow', ms: 1_500, path: 'auth/$' })
  owner.person.tap('profile:ok')
  await eventually(() => expect(calls('POST', /auth\/$/)).toBe(1))
  owner.person.rawTap(last, unhand)
  await eventually(() => expect(owner.chat).toContain(word('one-moment')))
  slow.end()
  await eventually(() => expect(husband.place).toBe('board'))
})

story('an old button takes no details back while the roadmap waits', async ({ gather }) => {
  const party = await gather({ productId: 'pair' })
  const husband = await givenAndWaiting(party)
  const [, s = ''] = party.owner.data.find((data) => data.startsWith('refresh:'))?.split(':') ?? []
  await party.owner.forges(`unhand:${s}:12`)
  expect([party.owner.boards, party.owner.place]).toEqual([[], 'waiting'])
  expect(husband.chat).not.toContain(word('unhanded-told'))
})
