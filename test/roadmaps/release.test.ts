import { expect } from 'vitest'
import { keptOf } from '../kept-entries.ts'
import { ORGANIZED, organizerOf } from '../organizers/office.ts'
import { type Party, type Person, story, word } from './gather.ts'
import { MOBILE } from './kin.ts'

const POLL_MS = 45_000
const PAIR = { productId: 'pair', environment: ORGANIZED }

const generations = ({ calls }: Party) => calls('POST', /generate\/$/)

/**
 * The organizer releases the whole roadmap or the husband's role for the same person. Returns the invitation.
 */
async function releases(party: Party, what: 'whole' | 'role'): Promise<string> {
  const office = await organizerOf(party)
  await office.says(`/roadmaps ${party.token}`)
  await office.taps(
    word(what === 'whole' ? 'button-card-release' : 'button-card-release-role', { role: 'مرد' }),
  )
  await office.taps(/:same$/)
  return office.invitation
}

async function takesOver(person: Person, code: string): Promise<Person> {
  await person.opens(code)
  await person.says(MOBILE)
  return person
}

async function beginsTest(person: Person): Promise<void> {
  await person.taps(person.offered[0] ?? '', person.board)
  await person.taps(/^a:/)
}

async function passes({ waits }: Party, times: number, ms = 5 * POLL_MS): Promise<void> {
  for (let passed = 0; passed < times; passed++) await waits(ms)
}

story('a release during the analysis leaves the report to the other account', async ({ gather }) => {
  const party = await gather({ ...PAIR, at: 'shared and finished' })
  await party.owner.taps(/^generate:/)
  await releases(party, 'whole')
  await passes(party, 4)
  expect(party.other.reports).toHaveLength(1)
})

story(
  'a release while the report is owed leaves it to the other account, and the roadmap ends',
  async ({ gather }) => {
    const party = await gather({ ...PAIR, at: 'shared and finished' })
    party.world.sandbox.fault({ kind: 'status', status: 500, path: 'result/', times: 5 })
    await party.owner.taps(/^generate:/)
    await passes(party, 1)
    expect(party.owner.reports).toEqual([])
    await releases(party, 'whole')
    await passes(party, 8)
    expect(party.other.reports).toHaveLength(1)
    const office = await organizerOf(party)
    await office.says('/status')
    expect(office.heard).toContain(word('status-stage', { stage: word('board-stage.delivered'), count: 1 }))
  },
)

story.for(['role', 'whole'] as const)(
  'the analysis starts although the last to finish loses the %s in the minute before',
  async (what, { gather }) => {
    const party = await gather({ ...PAIR, at: 'shared board' })
    const [last, first] = what === 'whole' ? [party.owner, party.other] : [party.other, party.owner]
    await first.takesAll()
    await last.takesAll()
    await releases(party, what)
    await party.waits(61_000)
    expect(generations(party)).toBe(1)
  },
)

story('an analysis of a released roadmap of one account starts after the take-over', async ({ gather }) => {
  const party = await gather({ ...PAIR, at: 'board' })
  await party.owner.takesAll()
  const code = await releases(party, 'whole')
  await party.waits(5 * 60_000)
  await takesOver(party.join('بعد'), code)
  await party.waits(61_000)
  expect(generations(party)).toBe(1)
})

story('a released role keeps a half-done test when the owner is forgotten', async ({ gather }) => {
  const party = await gather({ ...PAIR, at: 'shared board' })
  await beginsTest(party.other)
  const code = await releases(party, 'role')
  await party.owner.forgets()
  const later = await takesOver(party.join('بعد'), code)
  await later.taps(later.offered[0] ?? '', later.board)
  expect(later.question.position).toBe(2)
})

story('a released roadmap keeps a half-done test when a role account is forgotten', async ({ gather }) => {
  const party = await gather({ ...PAIR, at: 'shared board' })
  await beginsTest(party.owner)
  const code = await releases(party, 'whole')
  await party.other.forgets()
  const later = await takesOver(party.join('بعد'), code)
  await later.taps(later.offered[0] ?? '', later.board)
  expect(later.question.position).toBe(2)
})

story('no role can be invited to past the mobile of a released roadmap', async ({ gather }) => {
  const party = await gather({ ...PAIR, at: 'board' })
  await beginsTest(party.owner)
  const code = await releases(party, 'whole')
  const office = await organizerOf(party)
  await office.says(`/roadmaps ${party.token}`)
  expect(office.data.filter((data) => data.startsWith('invite:m:'))).toEqual([`invite:m:${party.token}`])
  await office.forges(`invite:m:${party.token}:11`)
  expect(office.heard).toBe(word('invite-claimed', { title: 'زوج' }))
  const later = await takesOver(party.join('بعد'), code)
  await later.taps(later.offered[0] ?? '', later.board)
  expect(later.question.position).toBe(2)
})

story(
  'a role account that took over the roadmap and is forgotten leaves nothing of it',
  async ({ gather }) => {
    const party = await gather({ ...PAIR, at: 'shared board' })
    const { other, world } = party
    await takesOver(other, await releases(party, 'whole'))
    expect(other.heard).toContain(word('takeover-done'))
    await other.forgets()
    await party.waits(1_000)
    await world.stop()
    for (const prefix of ['r', 's', 'o', 'b']) expect([prefix, keptOf(world, prefix)]).toEqual([prefix, 0])
  },
)

story('a roadmap released after /forget needs consent before the mobile', async ({ gather }) => {
  const party = await gather({ ...PAIR, at: 'shared board' })
  await party.owner.forgets()
  const later = party.join('بعد')
  await later.opens(await releases(party, 'whole'))
  expect(later.heard).toContain(word('intro-consent'))
  await later.taps(/^begin:/)
  expect(later.heard).toBe(word('takeover-ask', { tries: 3 }))
  await later.says(MOBILE)
  expect(later.left).toBe(1)
  await later.says('/mydata')
  const json = later.fromBot().findLast(({ document }) => document?.file_name?.endsWith('.json'))?.document
  const kept = json && party.world.emulator.file(json.file_id)?.bytes.toString('utf8')
  expect(JSON.parse(kept ?? '').records[0].consent).toBeDefined()
})

story('a role that is taken over after the report came to the others gets it, too', async ({ gather }) => {
  const party = await gather({ ...PAIR, at: 'shared and finished' })
  await party.owner.taps(/^generate:/)
  const code = await releases(party, 'role')
  await passes(party, 2)
  expect(party.owner.reports).toHaveLength(1)
  const later = await takesOver(party.join('بعد'), code)
  await passes(party, 2, 60_000)
  expect([later.reports.length, party.owner.reports.length]).toEqual([1, 1])
})

story('a role account can still use the link of a released roadmap', async ({ gather }) => {
  const party = await gather({ ...PAIR, at: 'shared board' })
  await releases(party, 'whole')
  await party.other.opens()
  expect(party.other.place).toBe('board')
})

story('after a take-over the bot still knows which role has the phone', async ({ gather }) => {
  const party = await gather({ ...PAIR, at: 'board' })
  const { owner } = party
  const his = owner.offered[1] ?? ''
  await owner.taps(his, owner.board)
  await owner.taps(/^ready:/)
  await owner.taps(/^a:/)
  const later = await takesOver(party.join('بعد'), await releases(party, 'whole'))
  await later.taps(his, later.board)
  expect(later.place).toBe('question')
})

story('the consent of a take-over after /forget names the receiver of the report', async ({ gather }) => {
  const party = await gather({ ...PAIR, at: 'shared board' })
  await party.owner.forgets()
  const code = await releases(party, 'whole')
  const office = await organizerOf(party)
  await office.forges(`to:${code.slice(2)}:organizer`)
  const later = party.join('بعد')
  await later.opens(code)
  await later.taps(/^begin:/)
  await later.says(MOBILE)
  await later.says('/mydata')
  const json = later.fromBot().findLast(({ document }) => document?.file_name?.endsWith('.json'))?.document
  const { consent } = JSON.parse(
    party.world.emulator.file(json?.file_id ?? '')?.bytes.toString('utf8') ?? '{}',
  ).records[0]
  expect(consent.result_goes_to).toBe('participant')
})

story('a role account that loses the roadmap again goes on with its half-done test', async ({ gather }) => {
  const party = await gather({ ...PAIR, at: 'shared board' })
  const { other } = party
  await beginsTest(other)
  const [, own] = other.data.find((data) => data.startsWith('a:'))?.split(':') ?? []
  await takesOver(other, await releases(party, 'whole'))
  await releases(party, 'whole')
  await other.opens('')
  await other.taps(`open:${own}`, other.board)
  expect(other.question.position).toBe(2)
})

story('a role account can take over a roadmap that was released after /forget', async ({ gather }) => {
  const party = await gather({ ...PAIR, at: 'shared board' })
  const { owner, other } = party
  await owner.forgets()
  await other.opens(await releases(party, 'whole'))
  await other.taps(/^begin:/)
  expect(other.heard).toBe(word('takeover-ask', { tries: 3 }))
  await other.says(MOBILE)
  // An account cannot take its own role back.
  expect([other.place, other.rolesOf('unhand')]).toEqual(['board', []])
})

story('the invitation to a released role is revoked when the role is taken back', async ({ gather }) => {
  const party = await gather({ ...PAIR, at: 'shared board' })
  const code = await releases(party, 'role')
  await party.owner.opens('')
  await party.owner.taps(/^unhand:/, party.owner.board)
  const later = party.join('بعد')
  await later.opens(code)
  expect(later.heard).toBe(word('invitation-revoked'))
})

story('where others had registered a role, a take-over needs the mobile of the owner', async ({ gather }) => {
  const party = await gather(PAIR)
  const leila = { name: 'لیلا رضایی', birth: '1991-04-22', is_male: false }
  const registered = { mobile: '09351112233', roles: [{ id: 11, profile: leila }] }
  expect(party.world.sandbox.register(party.token, registered)).toBe(true)
  await party.owner.comesToBoard([12])
  const later = await takesOver(party.join('بعد'), await releases(party, 'whole'))
  expect(later.chat).toContain(word('takeover-done'))
})

story('a released roadmap with an open role invitation is still counted by its stage', async ({ gather }) => {
  const party = await gather({ ...PAIR, at: 'board' })
  await party.owner.hands(12)
  await party.owner.takes()
  await releases(party, 'whole')
  const office = await organizerOf(party)
  await office.says('/status')
  expect(office.heard).toContain(word('status-stage', { stage: word('board-stage.answering'), count: 1 }))
})

story('who has a role again is not told at an old button that it was released', async ({ gather }) => {
  const party = await gather({ ...PAIR, at: 'board' })
  const { owner } = party
  const code = await releases(party, 'whole')
  const later = await takesOver(party.join('بعد'), code)
  await owner.accepts(await later.hands(party.roles[1] ?? 0))
  await owner.taps(owner.offered[0] ?? '', owner.board)
  const { message, data } = owner.question
  await owner.answers()
  await owner.taps(/^submit:/)
  await owner.forges(data[0] ?? '', message)
  expect(owner.person.toasts.at(-1)).toBe(word('toast-already-sent'))
})
