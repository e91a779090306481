import { expect } from 'vitest'
import { type Office, ORGANIZED, organizerOf } from '../organizers/office.ts'
import { dataOf } from '../places.ts'
import { FIRST_HOUR } from '../world.ts'
import { type Party, story, word } from './gather.ts'

const PAIR = [11, 12]
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const STILL = 'هنوز باز نشده است'

/** The wife has done her test, and finds that the organizer has closed the roadmap again. */
async function waitsAgain({ owner, world, token, waits }: Party) {
  world.sandbox.update(token, { status: 0 })
  await waits(HOUR_MS + MINUTE_MS)
  await owner.opens('')
  expect(owner.heard).toContain(STILL)
}

async function hoursPass({ waits }: Party): Promise<void> {
  for (let hour = 0; hour < 6; hour++) await waits(HOUR_MS)
}

story('a roadmap that waits for the organizer says so, and its button opens it later', async ({ gather }) => {
  const { owner, world, token } = await gather({ productId: 'pair', roadmap: { status: 0 } })
  await owner.opens()
  const contact = { title: 'زوج', organizer: 'کلینیک آرامش', contact: '021-12345678' }
  expect(owner.screen).toBe(word('waiting', contact))
  await owner.taps(/^refresh:/)
  expect(owner.screen).toContain(word('waiting', contact))
  world.sandbox.update(token, { status: 2 })
  await owner.taps(/^refresh:/)
  expect(owner.data).toEqual([expect.stringMatching(/^begin:/)])
})

story('the slow check announces the opening, survives restarts and then ends', async ({ gather }) => {
  const { owner, world, token, waits, restarts, calls } = await gather({
    productId: 'pair',
    roadmap: { status: 0 },
  })
  await owner.opens()
  await waits(9 * MINUTE_MS)
  expect(calls('GET', /roadmap/)).toBe(1)
  await waits(2 * MINUTE_MS)
  expect(calls('GET', /roadmap/)).toBe(2)
  await restarts()
  world.sandbox.update(token, { status: 2 })
  await waits(16 * MINUTE_MS)
  expect(owner.heard).toContain(word('opened-now'))
  expect(owner.data).toEqual([expect.stringMatching(/^begin:/)])
  const before = calls('GET', /roadmap/)
  for (let hour = 0; hour < 4; hour += 1) await waits(60 * MINUTE_MS)
  expect(calls('GET', /roadmap/)).toBe(before)
  await owner.taps(/^begin:/)
  await owner.introducesAll(PAIR)
  await owner.taps('profile:ok')
  expect(owner.left).toBe(2)
})

story('the slow check goes on after failures, and becomes slower', async ({ gather }) => {
  const { owner, world, token, waits, calls } = await gather({ productId: 'pair', roadmap: { status: 0 } })
  await owner.opens()
  world.sandbox.fault({ kind: 'status', status: 503, method: 'GET', path: `^/roadmap/${token}$`, times: 3 })
  for (let minute = 0; minute < 240; minute += 10) await waits(10 * MINUTE_MS)
  const looks = calls('GET', /roadmap/)
  expect(looks).toBeGreaterThan(4)
  expect(looks).toBeLessThan(12)
  world.sandbox.update(token, { status: 2 })
  for (let hour = 0; hour < 3; hour += 1) await waits(60 * MINUTE_MS)
  expect(owner.chat).toContain(word('opened-now'))
})

story('a test that waits for the organizer says so, and opens later', async ({ gather }) => {
  const { owner, world, records } = await gather({ productId: 'pair', at: 'board', environment: ORGANIZED })
  const manager = await organizerOf({ world })
  world.sandbox.update(records[0] ?? '', { status: 0 })
  await owner.taps(owner.offered[0] ?? '', owner.board)
  expect(owner.data).toEqual([expect.stringMatching(/^refresh:/)])
  await owner.taps(/^refresh:/)
  expect(manager.chat.split(word('notice-waiting', { title: 'خانهٔ ما' }))).toHaveLength(2)
  world.sandbox.update(records[0] ?? '', { status: 2 })
  await owner.taps(/^refresh:/)
  expect(owner.screen).toContain('گرم است؟')
})

story('an opening is not announced at night', async ({ gather }) => {
  const environment = { QUIET_HOURS: `${FIRST_HOUR}-${FIRST_HOUR + 3}` }
  const { owner, world, token, waits } = await gather({
    productId: 'pair',
    roadmap: { status: 0 },
    environment,
  })
  await owner.opens()
  world.sandbox.update(token, { status: 2 })
  await waits(60 * MINUTE_MS)
  expect(owner.chat).not.toContain(word('opened-now'))
  await waits(121 * MINUTE_MS)
  expect(owner.chat).toContain(word('opened-now'))
})

story('all who saw that the roadmap waits again are told once of its opening', async ({ gather }) => {
  const party = await gather({ productId: 'pair', at: 'shared board' })
  const { owner, other, world, token } = party
  await owner.takesAll()
  await waitsAgain(party)
  expect(owner.boards).toEqual([])
  await other.opens('')
  world.sandbox.update(token, { status: 2 })
  await hoursPass(party)
  for (const each of [owner, other]) expect(each.chat.split(word('opened-now'))).toHaveLength(2)
  expect([owner.boards.length, other.boards.length, other.left]).toEqual([1, 1, 1])
})

story.for(['/tests', 'چه شد؟'])(
  'a person who saw that it waits, and then typed %s, is told when another finds it open',
  async (words, { gather }) => {
    const party = await gather({ productId: 'pair', at: 'shared board' })
    const { owner, other, world, token } = party
    await owner.takesAll()
    await waitsAgain(party)
    await other.opens('')
    await other.says(words)
    world.sandbox.update(token, { status: 2 })
    await owner.taps(/^refresh:/)
    await hoursPass(party)
    expect(other.chat.split(word('opened-now'))).toHaveLength(2)
    expect([other.boards.length, other.left]).toEqual([1, 1])
  },
)

story('a person who did not see that it waits is not told of the opening', async ({ gather }) => {
  const party = await gather({ productId: 'pair', at: 'shared board' })
  const { owner, other, world, token } = party
  await owner.takesAll()
  await waitsAgain(party)
  world.sandbox.update(token, { status: 2 })
  await hoursPass(party)
  expect([owner, other].map(({ chat }) => chat.includes(word('opened-now')))).toEqual([true, false])
  expect(other.left).toBe(1)
})

story.for([false, true])(
  'it opens when the person who saw it wait is forgotten, and another comes (before that: %s)',
  async (isBefore, { gather }) => {
    const party = await gather({ productId: 'pair', at: 'shared board' })
    const { owner, other, world, token } = party
    await owner.takesAll()
    await waitsAgain(party)
    if (isBefore) await other.opens('')
    await owner.forgets()
    world.sandbox.update(token, { status: 2 })
    await hoursPass(party)
    await other.opens('')
    expect(other.heard).not.toContain(STILL)
    expect(other.left).toBe(1)
  },
)

story('the last answers accepted while it waits start the analysis', async ({ gather }) => {
  const party = await gather({ productId: 'pair', at: 'shared board' })
  const { owner, other, world, token, waits, calls } = party
  await owner.takesAll()
  await other.taps(other.offered[0] ?? '', other.board)
  await waitsAgain(party)
  await other.answers()
  world.sandbox.update(token, { status: 2 })
  await other.taps(/^submit:/)
  await hoursPass(party)
  await waits(61_000)
  expect(calls('POST', /generate\/$/)).toBe(1)
})

story('a role can be accepted while the roadmap waits, and its tests open later', async ({ gather }) => {
  const party = await gather({ productId: 'pair', at: 'board' })
  const { owner, other, world, token } = party
  const code = await owner.hands(12)
  await owner.takesAll()
  await waitsAgain(party)
  await other.accepts(code)
  expect(other.heard).toContain(STILL)
  world.sandbox.update(token, { status: 2 })
  await hoursPass(party)
  expect([other.place, other.left]).toEqual(['board', 1])
})

story('an invitation to a role whose tests were finished elsewhere says so', async ({ gather }) => {
  const { owner, other, records, waits, answersElsewhere } = await gather({ productId: 'pair', at: 'board' })
  const code = await owner.hands(12)
  await owner.takesAll()
  await answersElsewhere(records[1] ?? '')
  await waits(HOUR_MS + MINUTE_MS)
  await owner.opens('')
  await other.opens(code)
  expect(other.heard).toBe(word('finished-elsewhere'))
})

story('/forget while the roadmap waits leaves the invitations of others', async ({ gather }) => {
  const environment = ORGANIZED
  const party = await gather({ productId: 'pair', roadmap: { authRequired: false }, environment })
  const { world, token, waits, join } = party
  const office = await organizerOf(party)
  const [first = '', second = ''] = await invitationsOf(office, token)
  const leila = join('لیلا')
  await leila.accepts(first)
  world.sandbox.update(token, { status: 0 })
  await leila.taps(/^open:/, leila.board)
  await waits(HOUR_MS + MINUTE_MS)
  await leila.opens('')
  expect(leila.heard).toContain(STILL)
  await leila.forgets()
  const ali = join('علی')
  await ali.opens(second)
  expect(ali.place).toBe('introduction')
})

story('the owner cannot remind a person who waits for the organizer', async ({ gather }) => {
  const { owner, other, world, records } = await gather({ productId: 'pair', at: 'shared board' })
  world.sandbox.update(records[1] ?? '', { status: 0 })
  await other.taps(other.offered[0] ?? '', other.board)
  expect(other.heard).toContain(STILL)
  await owner.takes()
  expect(owner.board.text).toMatch(/فقط .+ مانده/)
  expect(JSON.stringify(owner.board)).not.toContain('recall:')
})

async function invitationsOf(office: Office, token: string): Promise<string[]> {
  const codes: string[] = []
  for (const role of PAIR) {
    await office.forges(`invite:m:${token}:${role}`)
    codes.push(office.invitation)
  }
  return codes
}

story('a board that replaced a waiting message keeps its buttons', async ({ gather }) => {
  const party = await gather({ productId: 'pair', at: 'shared board' })
  const { owner, world, token } = party
  await owner.takesAll()
  await waitsAgain(party)
  world.sandbox.update(token, { status: 2 })
  await owner.taps(/^refresh:/)
  const { data } = owner
  await owner.says('/forget')
  expect(dataOf(owner.board)).toEqual(data)
})
