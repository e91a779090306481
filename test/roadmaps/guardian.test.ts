import { expect } from 'vitest'
import { assignees, tokenKey } from '../../src/storage/documents/kinds.ts'
import { readDocument } from '../../src/storage/documents.ts'
import { defineTest } from '../../tools/sandbox/sandbox.ts'
import { withStorage } from '../kept-entries.ts'
import { type Party, type Person, story, word } from './gather.ts'
import { CHILD, FATHER, KIN_TITLE, MOBILE, MOTHER, people } from './kin.ts'

const freeTest = defineTest({
  id: 'kin-free',
  title: 'برای همه',
  about: 'نمونه.',
  minutes: 1,
  minAge: 10,
  answers: ['نه', 'بله'],
  sections: [{ title: 'همه', items: [['calm', 'آرام است؟']] }],
  scales: { calm: { title: 'آرامش', tone: 'style', low: 'کم', middle: 'میانه', high: 'زیاد' } },
})

/** The profiles of all roles exist already; another system made them. */
async function profilesExist({ world, token }: Party): Promise<void> {
  const person = (id: number, birth: string, isMale: boolean) => ({
    id,
    profile: { name: 'سارا احمدی', birth, is_male: isMale },
  })
  const roles = [
    person(MOTHER, '1980-01-01', false),
    person(FATHER, '1980-01-01', true),
    person(CHILD, '2012-01-01', false),
  ]
  const response = await fetch(`${world.env.SERVICE_URL}/roadmap/${token}/auth/`, {
    method: 'POST',
    headers: { 'API-KEY': world.sandbox.key, 'content-type': 'application/json' },
    body: JSON.stringify({ mobile: '09123456789', roles }),
  })
  if (!response.ok) throw new Error(`profiles refused with ${response.status}`)
}

/** Where all profiles exist, the parents' tests are taken and the child's is opened. */
async function comesToHandOver(party: Party): Promise<void> {
  const { owner } = party
  await profilesExist(party)
  await owner.opens()
  await owner.taps(/^begin:/)
  for (let test = 0; test < 4; test += 1) await owner.takes()
  await owner.taps(owner.offered[0] ?? '', owner.board)
}

story(
  'where the profiles exist, a child’s guardian is asked for once, after the hand-over',
  async ({ gather }) => {
    const party = await gather()
    const { owner } = party
    await comesToHandOver(party)
    expect(owner.place).toBe('hand-over')
    await owner.taps(/^ready:/)
    expect(owner.place).toBe('guardian')
    expect(owner.screen).toContain('فرزند')
    await owner.taps('guardian:no')
    expect(owner.heard).toContain(word('guardian-stop'))
    await owner.opens()
    await owner.taps(owner.offered[0] ?? '', owner.board)
    expect(owner.place).toBe('guardian')
    await owner.taps('guardian:yes')
    expect(owner.place).toBe('question')
    await owner.answers()
    await owner.taps(/^submit:/)
    await owner.takes()
    expect(owner.screen).toContain(word('board-all-finished-soon'))
  },
)

story('a guardian who has agreed with the details is not asked again', async ({ gather }) => {
  const { owner } = await gather({ at: 'board' })
  await owner.takesAll()
  expect(owner.screen).toContain(word('board-all-finished-soon'))
})

story('a record whose profile is a minor’s stops before its first question', async ({ gather }) => {
  const grown = { id: 'open', title: 'باز', version: 1 }
  const role = { id: 41, title: 'شرکت‌کننده', minAge: null, maxAge: null, gender: 'both' } as const
  const product = { ...grown, roles: [role], tests: [{ testId: 'kin-free', role: 41 }] }
  const party = await gather({ productId: 'open', sandbox: { tests: [freeTest], products: [product] } })
  const { owner } = party
  const response = await fetch(`${party.world.env.SERVICE_URL}/roadmap/${party.token}/auth/`, {
    method: 'POST',
    headers: { 'API-KEY': party.world.sandbox.key, 'content-type': 'application/json' },
    body: JSON.stringify({
      mobile: '09123456789',
      roles: [{ id: 41, profile: { name: 'سارا احمدی', birth: '2010-05-01', is_male: false } }],
    }),
  })
  expect(response.status).toBe(200)
  await owner.opens()
  await owner.taps(/^begin:/)
  await owner.taps(owner.offered[0] ?? '', owner.board)
  expect(owner.place).toBe('guardian')
  // A button above the current question does not move it.
  const older = owner.person.last
  await owner.says('سلام')
  const { message_id: newest } = owner.person.last
  await owner.forges('guardian:yes', older)
  expect(owner.person.last.message_id).toBe(newest)
  await owner.taps(/^open:/)
  await owner.taps('guardian:yes')
  expect(owner.place).toBe('question')
})

/** A parent on their own phone answers by the newest link. */
async function agreesApart({ join }: Party, asking: Person): Promise<void> {
  await asking.taps('guardian:link')
  expect(asking.screen).toContain(word('guardian-ask-parent-role', { role: 'فرزند' }))
  const parent = join('مادربزرگ')
  await parent.opens(/start=(i_[a-z2-7]{12})/.exec(asking.screen)?.[1])
  expect(parent.screen).toContain(word('guardian-ask-parent-role', { role: 'فرزند' }))
  expect(parent.screen).toContain(word('guardian-ask-parent-shared'))
  expect(parent.chat).not.toContain(people[CHILD]?.name)
  await parent.taps(/^agree:[^:]+:yes$/)
  expect(asking.chat).toContain(word('guardian-agreed-apart'))
}

const agreements = {
  by: 'guardian',
  role: CHILD,
  isApart: true,
  consent: expect.objectContaining({ language: 'fa' }),
}

story('of several people on one phone the link asks for the child only', async ({ gather }) => {
  const party = await gather()
  const { owner, token } = party
  await owner.opens()
  await owner.taps(/^begin:/)
  await owner.introduces(MOTHER)
  await owner.introduces(FATHER)
  await owner.says(people[CHILD]?.name ?? '')
  await owner.forges(people[CHILD]?.birth ?? '')
  expect(owner.place).toBe('guardian')
  await agreesApart(party, owner)
  expect(owner.place).toBe('gender')
  await withStorage(party, async ({ store, vault }) => {
    const claim = await readDocument({ store, vault }, assignees, tokenKey(vault, token))
    expect(claim).toMatchObject({ is: 'taken', agreements: [agreements] })
  })
})

story(
  'a parent who is asked by a link keeps the buttons of their own question of the same roadmap',
  async ({ gather }) => {
    const { owner, join } = await gather()
    await owner.opens()
    await owner.taps(/^begin:/)
    await owner.introduces(MOTHER)
    await owner.introduces(FATHER)
    await owner.taps(new RegExp(`^hand:[^:]+:${CHILD}$`))
    const toChild = /start=(i_[a-z2-7]{12})/.exec(owner.heard)?.[1]
    await owner.says(MOBILE)
    const child = join('سارا')
    await child.accepts(toChild ?? '')
    await child.says(people[CHILD]?.name ?? '')
    await child.forges(people[CHILD]?.birth ?? '')
    await child.taps('guardian:link')
    const before = owner.data
    expect(before).toContain(`profile:edit:${MOTHER}`)
    await owner.opens(/start=(i_[a-z2-7]{12})/.exec(child.screen)?.[1])
    await owner.taps(/^agree:.*:yes$/)
    expect(owner.buttons).toEqual(expect.arrayContaining(before))
  },
)

story(
  'a child’s own account comes to its board when a parent has agreed on another phone',
  async ({ gather }) => {
    const party = await gather({ at: 'board' })
    const child = party.join('سارا')
    await child.opens(await party.owner.hands(CHILD))
    await child.taps(/^begin:/)
    await agreesApart(party, child)
    expect(child.left).toBe(2)
  },
)

story('after the hand-over, too, a parent can agree on another phone', async ({ gather }) => {
  const party = await gather()
  const { owner } = party
  await comesToHandOver(party)
  await owner.taps(/^ready:/)
  expect(owner.place).toBe('guardian')
  await agreesApart(party, owner)
  expect(owner.place).toBe('question')
  await withStorage(party, async ({ store, vault }) => {
    const claim = await readDocument({ store, vault }, assignees, tokenKey(vault, party.token))
    const minor = expect.objectContaining({ by: 'minor', role: CHILD })
    expect(claim).toMatchObject({ agreements: [minor, agreements] })
  })
})

story(
  'a child whose guardian has not agreed yet is reminded, and led to that question',
  async ({ gather }) => {
    const { owner, join, waits } = await gather({ at: 'board', environment: { QUIET_HOURS: '4-4' } })
    const child = join('سارا')
    await child.opens(await owner.hands(CHILD))
    await child.taps(/^begin:/)
    expect(child.place).toBe('guardian')
    for (let test = 0; test < 4; test += 1) await owner.takes()
    await owner.taps(/^recall:/, owner.board)
    await waits(1_000)
    expect(child.chat).toContain('هر وقت فرصت داشتید')
    await child.taps(/^open:/)
    expect(child.place).toBe('guardian')
    await child.taps('guardian:yes')
    expect(child.left).toBe(2)
  },
)

story(
  'a no from a parent’s phone can only be taken back there, and organizers are told whose it is',
  async ({ gather }) => {
    const party = await gather({ at: 'board', environment: { ORGANIZERS: '5000000002' } })
    const organizer = party.join('دعوت‌کننده')
    await organizer.opens('')
    const child = party.join('سارا')
    await child.opens(await party.owner.hands(CHILD))
    await child.taps(/^begin:/)
    await child.taps('guardian:link')
    const parent = party.join('مادربزرگ')
    await parent.opens(/start=(i_[a-z2-7]{12})/.exec(child.screen)?.[1])
    await parent.taps(/^agree:[^:]+:no$/)
    expect(child.screen).toBe(word('guardian-declined-apart'))
    expect(organizer.screen).toContain(word('whose-role', { role: 'فرزند (سارا)', title: KIN_TITLE }))
    expect(organizer.screen).not.toContain('مریم')
    await child.opens('')
    await child.taps('guardian:yes')
    expect(child.place).toBe('guardian')
    expect(child.boards).toEqual([])
    await agreesApart(party, child)
    expect(child.left).toBe(2)
  },
)
