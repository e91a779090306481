import { expect } from 'vitest'
import { DAY_MS } from '../../src/domain/durations.ts'
import { callsInLine, holdUp } from '../held-up.ts'
import { keptOf } from '../kept-entries.ts'
import { ORGANIZED, organizerOf } from '../organizers/office.ts'
import { until } from '../until.ts'
import { type Party, type Person, story, word } from './gather.ts'
import { ALL, CHILD, FATHER, MOBILE, MOTHER, people } from './kin.ts'

/** Assigns a role where its name is asked. Returns the payload of the invitation. */
async function handsDetails(owner: Person, role: number): Promise<string> {
  await owner.taps(new RegExp(`^hand:[^:]+:${role}$`))
  const link = /start=(i_[a-z2-7]{12})/.exec(owner.heard)?.[1]
  if (!link) throw new Error(`no invitation\n${owner.person.transcript()}`)
  return link
}

/** The mother has begun, and given her own details. */
async function begun(party: Party) {
  await party.owner.opens()
  await party.owner.taps(/^begin:/)
  await party.owner.introduces(MOTHER)
  return party
}

/** The father has an invitation to give his own. */
async function inviting(party: Party) {
  const { owner, join } = await begun(party)
  return { father: join('رضا'), code: await handsDetails(owner, FATHER) }
}

/** Father and child have an invitation, and the mobile is given. */
async function invitingAll(party: Party) {
  const { owner, join } = await begun(party)
  const toFather = await handsDetails(owner, FATHER)
  const toChild = await handsDetails(owner, CHILD)
  await owner.says(MOBILE)
  return { ...party, toFather, toChild, father: join('رضا'), child: join('سارا') }
}

/** Opens the invitation and gives the person's own details. */
async function givesOwn(person: Person, code: string, role: number) {
  await person.accepts(code)
  await person.introduces(role)
  await person.taps('profile:ok')
}

/** The bodies of the registration calls. */
const sent = ({ world }: Party) =>
  world.sandbox.calls
    .filter(({ method, path }) => method === 'POST' && path.endsWith('/auth/'))
    .map(({ body }) => body as { mobile: string; roles: { id: number; profile: { name: string } }[] })

story(
  'two people who give details at the same time while Telegram is slow get each question once',
  async ({ gather }) => {
    const party = await gather()
    const { father, child, toFather, toChild, world } = await invitingAll(party)
    await father.opens(toFather)
    await child.opens(toChild)
    const { emulator } = world
    emulator.fault({ kind: 'delay', method: 'sendMessage', ms: 200, times: Infinity })
    const from = emulator.calls.length
    const both = async (...acts: (() => void)[]) => {
      for (const act of acts) act()
      await world.settled()
    }
    await both(
      () => father.person.tap(/^begin:/),
      () => child.person.tap(/^begin:/),
    )
    await both(
      () => father.person.say(people[FATHER]?.name ?? ''),
      () => child.person.say('سارا احمدی'),
    )
    await both(
      () => father.person.say('1350/1/1'),
      () => child.person.say('1390/3/5'),
    )
    expect([father.place, child.place]).toEqual(['summary', 'guardian'])
    const sent = emulator.calls.slice(from).filter(({ method }) => method === 'sendMessage')
    expect(sent).toHaveLength(6)
    expect(father.chat.split(word('name-ask'))).toHaveLength(2)
    expect(child.chat.split(word('name-ask'))).toHaveLength(2)
  },
)

story('three people give their details on three phones, and the mother registers all', async ({ gather }) => {
  const party = await gather({ sms: true })
  const { owner, father, child, toFather, toChild } = await invitingAll(party)
  expect(owner.screen).toContain(word('summary-left', { name: 'پدر، فرزند' }))
  expect(owner.data).not.toContain('profile:ok')

  await father.opens(toFather)
  expect(father.screen).toContain(word('hand-invited-by', { name: 'مریم' }))
  await father.taps(/^begin:/)
  expect(father.screen).toContain(word('name-ask'))
  await father.introduces(FATHER)
  expect(father.screen).toContain(word('summary-hint-role'))
  expect(father.data.filter((data) => data.includes('mobile'))).toEqual([])
  await father.taps('profile:ok')
  expect(father.screen).toBe(word('details-wait', { by: 'مریم' }))
  expect(father.chat).not.toContain('رضا احمدی')
  expect(owner.screen).toContain(word('summary-only-left', { name: 'فرزند' }))

  await child.accepts(toChild)
  await child.says('سارا احمدی')
  await child.forges('birth:j:1390:3:5')
  expect(child.place).toBe('guardian')
  await child.taps('guardian:yes')
  await child.taps('gender:female')
  await child.taps('profile:ok')
  expect(owner.screen).toContain(word('details-came', { name: 'سارا' }))
  expect(owner.place).toBe('summary')
  expect(sent(party)).toEqual([])

  await owner.taps('profile:ok')
  await owner.says(party.world.sandbox.sms()[0]?.code ?? '')
  const [{ mobile, roles } = { mobile: '', roles: [] }] = sent(party)
  expect(mobile).toBe(MOBILE)
  expect(roles.map(({ id, profile }) => [id, profile.name])).toEqual(
    ALL.map((role) => [role, people[role]?.name]),
  )
  for (const each of [owner, father, child]) {
    expect(each.place).toBe('board')
    expect(each.left).toBe(2)
  }
  // One person never learns more than the first name of another.
  expect(owner.chat).not.toMatch(/رضا احمدی|سارا احمدی|۱۳۵۵|۱۳۹۰/)
  expect(father.chat + child.chat).not.toMatch(/مریم احمدی|09123456789|۱۳۶۰/)
  await child.takesAll()
  await father.takesAll()
  await owner.takesAll()
  await party.waits(61_000)
  await party.waits(20 * 60_000)
  for (const each of [owner, father, child]) expect(each.reports).toHaveLength(1)
})

story('a person who gives no details is reminded, and the owner can type them', async ({ gather }) => {
  const party = await gather()
  const { owner, father, child, toFather, toChild, waits } = await invitingAll(party)
  await givesOwn(child, toChild, CHILD)
  await father.accepts(toFather)
  await father.says('رضا احمدی')
  expect(owner.screen).toContain(word('summary-only-left', { name: 'پدر' }))
  await owner.opens('')
  await owner.taps(/^recall:/)
  await waits(1_000)
  expect(father.chat).toContain('هر وقت فرصت داشتید')
  await owner.taps(new RegExp(`^unhand:[^:]+:${FATHER}$`))
  expect(father.chat).toContain(word('unhanded-told'))
  expect(father.chat).not.toContain('رضا احمدی')
  await father.opens(toFather)
  expect(father.screen).toBe(word('invitation-revoked'))
  await owner.introduces(FATHER)
  expect(owner.place).toBe('summary')
  await owner.taps('profile:ok')
  expect(sent(party)[0]?.roles.map(({ id }) => id)).toEqual(ALL)
  expect([owner.left, child.left]).toEqual([4, 2])
})

story('the last role of the owner cannot be assigned to another account', async ({ gather }) => {
  const { owner } = await gather({ productId: 'pair' })
  await owner.opens()
  await owner.taps(/^begin:/)
  const [, s = ''] = owner.data.find((data) => data.startsWith('hand:'))?.split(':') ?? []
  await handsDetails(owner, 11)
  expect(owner.data.some((data) => data.startsWith('hand:'))).toBe(false)
  await owner.forges(`hand:${s}:12`)
  expect(owner.heard).toBe(word('button-old'))
  await owner.opens('')
  expect(owner.place).toBe('name')
})

story('a restart between any two steps loses no given detail', async ({ gather }) => {
  const party = await gather()
  const { owner, father, child, toFather, toChild, restarts } = await invitingAll(party)
  await father.accepts(toFather)
  await restarts()
  await father.says('رضا احمدی')
  await restarts()
  await father.forges('birth:j:1355:6:1')
  await restarts()
  await father.taps('profile:ok')
  await restarts()
  await givesOwn(child, toChild, CHILD)
  await restarts()
  await father.opens('')
  expect(father.screen).toBe(word('details-wait', { by: 'مریم' }))
  await owner.opens('')
  await owner.taps('profile:ok')
  expect(sent(party)[0]?.roles.map(({ profile }) => profile.name)).toEqual(
    ALL.map((role) => people[role]?.name),
  )
})

story('details of a forgotten account are deleted, and the owner is asked for them', async ({ gather }) => {
  const party = await gather()
  const { owner, father, child, toFather, toChild } = await invitingAll(party)
  await givesOwn(father, toFather, FATHER)
  await givesOwn(child, toChild, CHILD)
  await father.forgets()
  expect(owner.chat).toContain(word('details-gone', { name: 'پدر' }))
  await owner.opens('')
  expect(owner.place).toBe('name')
  expect(owner.screen).toContain('پدر')
  expect(sent(party)).toEqual([])
  await owner.introduces(FATHER)
  await owner.taps('profile:ok')
  expect(sent(party)[0]?.roles.map(({ id }) => id)).toEqual(ALL)
  expect(owner.left).toBe(4)
})

story('an account forgotten amid its own details leaves no open question', async ({ gather }) => {
  const party = await gather()
  const { father, code } = await inviting(party)
  await father.accepts(code)
  await father.says(people[FATHER]?.name ?? '')
  expect(father.place).toBe('birth')
  await father.forgets()
  await party.world.stop()
  // The owner's open question stays.
  expect(keptOf(party.world, 't')).toBe(1)
})

story(
  'an owner at the summary, or at another name, is asked at once for the deleted details',
  async ({ gather }) => {
    const { owner, father, child, toFather, toChild } = await invitingAll(await gather())
    await givesOwn(father, toFather, FATHER)
    await givesOwn(child, toChild, CHILD)
    expect(owner.place).toBe('summary')
    await child.forgets()
    expect(owner.screen).toContain(word('details-gone', { name: 'فرزند' }))
    expect(owner.place).toBe('name')
    await father.forgets()
    expect(owner.screen).toContain(word('details-gone', { name: 'پدر' }))
    await owner.says('رضا احمدی')
    expect(owner.screen).toContain('پدر')
    expect(owner.place).toBe('birth')
  },
)

story('a name typed while other details are deleted is not taken for another person', async ({ gather }) => {
  const party = await gather()
  const { father, code } = await inviting(party)
  const { owner, world } = party
  await givesOwn(father, code, FATHER)
  await father.says('/forget')
  const isOwners = (payload: Record<string, unknown>) => payload.chat_id === owner.person.id
  const slow = world.emulator.fault({ kind: 'delay', method: 'sendMessage', ms: 2_000, when: isOwners })
  owner.person.say('سارا احمدی')
  await until(() => slow.hits === 1)
  father.person.tap('forget:yes')
  await world.settled()
  expect(owner.place).toBe('name')
  expect(owner.chat).not.toContain('سارا احمدی، ')
  await owner.says('رضا احمدی')
  expect(owner.place).toBe('birth')
  expect(owner.screen).toContain('پدر')
})

story('details that are forgotten while their call waits in the queue are not sent', async ({ gather }) => {
  const party = await gather()
  const { owner, father, child, toFather, toChild, world } = await invitingAll(party)
  await givesOwn(father, toFather, FATHER)
  await givesOwn(child, toChild, CHILD)
  await holdUp(world, 300)
  owner.person.tap('profile:ok')
  await until(async () => (await callsInLine(world)) === 2)
  father.person.say('/forget')
  await until(() => father.data.includes('forget:yes'))
  father.person.tap('forget:yes')
  await until(() => owner.person.transcript().includes(word('details-gone', { name: 'پدر' })))
  await party.waits(310_000)
  expect(await callsInLine(world)).toBe(0)
  expect(sent(party)).toEqual([])
  expect(owner.place).toBe('name')
  await owner.introduces(FATHER)
  await owner.taps('profile:ok')
  expect(sent(party)[0]?.roles.map(({ id }) => id)).toEqual(ALL)
})

story('when the owner is forgotten the others are told, and nothing is kept', async ({ gather }) => {
  const party = await gather()
  const { owner, father, child, toFather, toChild } = await invitingAll(party)
  await givesOwn(father, toFather, FATHER)
  await child.accepts(toChild)
  await child.says('سارا احمدی')
  await owner.forgets()
  for (const each of [father, child]) expect(each.chat).toContain(word('unhanded-told'))
  expect(child.chat).not.toContain('سارا احمدی')
  await child.opens('')
  expect(child.screen).toContain(word('welcome').slice(0, 10))
  await father.opens(toFather)
  expect(father.screen).toBe(word('invitation-unknown'))
})

story('a release before the registration is announced as one of the organizer', async ({ gather }) => {
  const party = await gather({ environment: ORGANIZED })
  const { father, child, toFather, toChild, world, token } = await invitingAll(party)
  await father.accepts(toFather)
  await father.says('رضا احمدی')
  await child.opens(toChild)
  const office = await organizerOf({ world })
  await office.says(`/roadmaps ${token}`)
  await office.taps(/^release:/)
  await office.taps(/^release:[^:]+:other$/)
  expect(father.chat).toContain(word('unhanded-released'))
  expect(father.chat).not.toContain(word('unhanded-told'))
  expect(father.chat).not.toContain('رضا احمدی')
  for (const [each, code] of [
    [father, toFather],
    [child, toChild],
  ] as const) {
    await each.opens(code)
    expect(each.heard).toBe(word('invitation-revoked'))
  }
})

story('a roadmap registered elsewhere belongs to no account here, and all are told', async ({ gather }) => {
  const party = await gather()
  const { owner, father, child, toFather, toChild } = await invitingAll(party)
  await givesOwn(father, toFather, FATHER)
  await child.accepts(toChild)
  await child.says('سارا احمدی')
  const other = { name: 'مریم کریمی', birth: '1984-01-01', is_male: false }
  const registered = ALL.map((id) => ({
    id,
    profile: { ...other, birth: id === CHILD ? '2011-05-26' : other.birth, is_male: id === FATHER },
  }))
  expect(party.world.sandbox.register(party.token, { mobile: MOBILE, roles: registered })).toBe(true)
  await owner.taps(new RegExp(`^unhand:[^:]+:${CHILD}$`))
  await owner.introduces(CHILD)
  await owner.taps('profile:ok')
  const told = word('registered-elsewhere').slice(0, 30)
  expect(owner.chat).toContain(told)
  expect(father.chat).toContain(told)
  for (const each of [owner, father]) expect(each.boards).toEqual([])
})

story('details that were kept for RETENTION_DAYS are asked for again', async ({ gather }) => {
  const party = await gather()
  const { owner, father, child, toFather, toChild, waits } = await invitingAll(party)
  await givesOwn(child, toChild, CHILD)
  await waits(20 * DAY_MS)
  await owner.opens('')
  await owner.taps('profile:edit:mobile')
  await owner.says(MOBILE)
  await waits(20 * DAY_MS)
  await givesOwn(father, toFather, FATHER)
  await owner.opens('')
  await owner.taps('profile:ok')
  expect(sent(party)).toEqual([])
  expect(owner.screen).toContain(word('summary-only-left', { name: 'سارا' }))
  await child.opens(toChild)
  expect(child.screen).toContain(word('name-ask'))
  await child.introduces(CHILD)
  await child.taps('profile:ok')
  await owner.taps('profile:ok')
  expect(sent(party)[0]?.roles.map(({ id }) => id)).toEqual(ALL)
})

story('an account with two roles is told whose details are asked for', async ({ gather }) => {
  const { owner, father, toFather, toChild } = await invitingAll(await gather())
  for (const code of [toFather, toChild]) await father.accepts(code)
  expect(father.screen).toBe(word('name-ask-role', { role: 'پدر' }))
  await father.says('رضا احمدی')
  await owner.opens('')
  await owner.taps(new RegExp(`^unhand:[^:]+:${FATHER}$`))
  expect(father.chat).toContain(word('unhanded-role', { role: 'پدر' }))
  expect(father.chat).not.toContain('رضا احمدی')
  expect(father.screen).toBe(word('name-ask'))
  await father.introduces(CHILD)
  await father.taps('profile:ok')
  expect(owner.chat).toContain(word('details-came', { name: 'سارا' }))
})

story('an account that is assigned two roles gives the details of both', async ({ gather }) => {
  const party = await gather()
  const { owner, father, toFather, toChild } = await invitingAll(party)
  for (const code of [toFather, toChild]) await father.accepts(code)
  await father.introduces(FATHER)
  await father.taps('profile:ok')
  expect(father.screen).toBe(word('name-ask-role', { role: 'فرزند' }))
  await father.introduces(CHILD)
  await father.taps('profile:ok')
  await owner.taps('profile:ok')
  expect(father.chat.split(word('board-begin'))).toHaveLength(2)
  expect(sent(party)[0]?.roles.map(({ id, profile }) => [id, profile.name])).toEqual(
    ALL.map((role) => [role, people[role]?.name]),
  )
})

story('a text typed at the introduction of a role is deleted with the details', async ({ gather }) => {
  const { father, toFather } = await invitingAll(await gather())
  await father.opens(toFather)
  await father.says('رضا احمدی')
  await father.taps(/^begin:/)
  await father.introduces(FATHER)
  await father.taps('profile:ok')
  expect(father.chat).not.toContain('رضا احمدی')
})

story('an account whose other role is taken back is asked on for the one it has', async ({ gather }) => {
  const { owner, father, toFather, toChild } = await invitingAll(await gather())
  for (const code of [toFather, toChild]) await father.accepts(code)
  await father.introduces(FATHER)
  await father.taps('profile:ok')
  await father.says('سارا احمدی')
  await owner.opens('')
  await owner.taps(new RegExp(`^unhand:[^:]+:${FATHER}$`))
  expect(father.heard).toContain(word('unhanded-role', { role: 'پدر' }))
  expect(father.person.last.text).toContain('فرزند')
  await father.forges('birth:j:1390:3:5')
  expect(father.place).toBe('guardian')
})

story(
  'an account with two roles is told once that both are over, and no detail is kept',
  async ({ gather }) => {
    const { owner, father, toFather, toChild } = await invitingAll(await gather())
    for (const code of [toFather, toChild]) await father.accepts(code)
    await father.introduces(FATHER)
    await father.taps('profile:ok')
    await father.says('سارا احمدی')
    await owner.forgets()
    expect(father.chat.split(word('unhanded-told'))).toHaveLength(2)
    for (const name of ['رضا احمدی', 'سارا احمدی']) expect(father.chat).not.toContain(name)
  },
)

story('/cancel is answered before the own introduction and after the details', async ({ gather }) => {
  const { father, code } = await inviting(await gather())
  await father.opens(code)
  await father.says('/cancel')
  expect(father.heard).toBe(word('left-aside'))
  await givesOwn(father, code, FATHER)
  await father.says('/cancel')
  expect(father.heard).toBe(word('left-aside'))
})

story('an account that has given its details is not told that it is giving them', async ({ gather }) => {
  const { father, code } = await inviting(await gather({ environment: ORGANIZED }))
  await givesOwn(father, code, FATHER)
  await father.says('سلام')
  expect(father.heard).not.toContain(word('stage-profile'))
  await father.says('/tests')
  expect(father.heard).toContain(word('stage-given'))
})

story('/forget on an invited account counts no details of the owner', async ({ gather }) => {
  const { father, code } = await inviting(await gather())
  await father.opens(code)
  await father.says('/forget')
  expect(father.heard).not.toContain(word('forget-profiles', { count: 1 }))
})

story('/start or the same link in the middle of one’s details puts nothing aside', async ({ gather }) => {
  const { father, code } = await inviting(await gather())
  await father.accepts(code)
  await father.says('/start')
  expect(father.place).toBe('name')
  expect(father.chat).not.toContain(word('typed-withdrawn'))
  await father.says('رضا احمدی')
  await father.opens(code)
  expect(father.place).toBe('birth')
  expect(father.heard).not.toContain('کنار گذاشتیم')
})

story('a name typed before another person was asked for is not taken for that one', async ({ gather }) => {
  const { owner, world } = await begun(await gather())
  owner.person.tap(new RegExp(`^hand:[^:]+:${FATHER}$`))
  owner.person.say('رضا احمدی')
  await world.settled()
  expect(owner.place).toBe('name')
  expect(owner.screen).toContain(word('answer-too-early'))
  await owner.says('سارا احمدی')
  expect(owner.place).toBe('birth')
})

story(
  'a role link that is in the chat works although the message after it was refused',
  async ({ gather }) => {
    const { owner, join, world, waits } = await begun(await gather())
    let isThere = false
    const when = ({ text }: Record<string, unknown>) => {
      const wasThere = isThere
      isThere ||= String(text).includes('start=i_')
      return wasThere
    }
    const refused = world.emulator.fault({ kind: 'flood', retryAfter: 30, method: 'sendMessage', when })
    await owner.taps(new RegExp(`^hand:[^:]+:${FATHER}$`))
    await waits(40_000)
    expect(refused.hits).toBe(1)
    const [code = '', ...others] = new Set(owner.chat.match(/(?<=start=)i_[a-z2-7]{12}/g))
    expect(others).toEqual([])
    await givesOwn(join('رضا'), code, FATHER)
  },
)

for (const [how, leaves] of [
  ['is forgotten', (_: Person, father: Person) => father.forgets()],
  ['is asked here again', (owner: Person, _: Person, unhand: string) => owner.forges(unhand)],
] as const)
  story(`a doubt about one person is not taken for another who ${how} meanwhile`, async ({ gather }) => {
    const { owner, join } = await begun(await gather())
    const toFather = await handsDetails(owner, FATHER)
    await owner.introduces(CHILD)
    await owner.says(MOBILE)
    const father = join('رضا')
    await givesOwn(father, toFather, FATHER)
    const unhand = owner.data.find((data) => data.startsWith('unhand:')) ?? ''
    await owner.taps(`profile:edit:${CHILD}`)
    await owner.taps(`profile:edit:birth:${CHILD}`)
    await owner.says('۵/۳/۹۰')
    await leaves(owner, father, unhand)
    expect(owner.place).toBe('name')
    expect(owner.screen).toContain(word('name-ask-role', { role: 'پدر' }))
    await owner.introduces(FATHER)
    expect(owner.place).toBe('summary')
  })

/** The father gives his details when the mother has waited for days. */
async function comingLate(party: Party) {
  await party.owner.opens()
  await party.owner.taps(/^begin:/)
  await party.owner.introduces(11)
  const code = await handsDetails(party.owner, 12)
  await party.owner.says(MOBILE)
  const late = party.join('علی')
  await late.accepts(code)
  for (let day = 0; day < 3; day++) await party.waits(DAY_MS)
  await late.introduces(12)
  await late.taps('profile:ok')
  return late
}

/** The messages that a person gets while nothing is done for some days. */
async function heardLater(party: Party, { person }: Person): Promise<string> {
  const before = person.messages.at(-1)?.message_id ?? 0
  for (let day = 0; day < 4; day++) await party.waits(DAY_MS)
  const said = person.messages.filter(({ message_id }) => message_id > before)
  return said.map(({ text }) => text).join('\n')
}

story('an owner is reminded when the details of the others have come after days', async ({ gather }) => {
  const party = await gather({ productId: 'pair' })
  await comingLate(party)
  expect(party.owner.place).toBe('summary')
  expect(await heardLater(party, party.owner)).toContain('هنوز تمام نشده است')
})

story('an account that gave details is reminded when they are registered after days', async ({ gather }) => {
  const party = await gather({ productId: 'pair' })
  const late = await comingLate(party)
  for (let day = 0; day < 3; day++) await party.waits(DAY_MS)
  await party.owner.opens('')
  await party.owner.taps('profile:ok')
  expect(await heardLater(party, late)).toContain('هر وقت فرصت داشتید')
})

story(
  'a button left under an older question does not take over the correction of another person',
  async ({ gather }) => {
    const { owner, world } = await gather()
    await owner.opens()
    await owner.taps(/^begin:/)
    const asked = owner.person.last
    const [hand = ''] = owner.data.filter((data) => data.startsWith('hand:'))
    world.emulator.fault({ kind: 'error', status: 400, method: 'editMessageReplyMarkup' })
    await owner.introducesAll(ALL)
    await owner.taps(`profile:edit:${CHILD}`)
    await owner.taps(`profile:edit:name:${CHILD}`)
    await owner.taps(hand, asked)
    expect(owner.heard).toContain(word('hand-forward', { role: 'مادر' }))
    expect(owner.screen).toContain('سارا احمدی')
    expect(owner.screen).not.toContain('مریم')
    expect(world.lines.join('')).not.toContain('message set aside')
  },
)
