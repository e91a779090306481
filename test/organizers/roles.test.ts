import { expect } from 'vitest'
import { DAY_MS } from '../../src/domain/durations.ts'
import { ALL, CHILD, FATHER, MOBILE, MOTHER } from '../roadmaps/kin.ts'
import { createPerson } from '../roadmaps/person.ts'
import { inviteTo, sandbox, somebody, withProfiles } from './family.ts'
import { type Office, onBothStores, story, word } from './office.ts'

story(
  'mother, father and child begin in their own Telegram, and the report goes to all',
  async ({ work }) => {
    const office = await work({ sandbox })
    const token = await withProfiles(office)
    const codes: Record<number, string> = {}
    for (const role of ALL) {
      await office.says(`/roadmaps ${token}`)
      await office.taps(`invite:m:${token}:${role}`)
      codes[role] = office.invitation
    }
    await office.says(`/invite ${token}`)
    expect(office.heard).toContain(word('invite-roles', { title: 'خانوادهٔ کوچک' }))
    const kin = ALL.map((role) => ({
      role,
      driver: somebody(office, token),
    }))
    const stranger = createPerson(office.world, office.world.emulator.person({ firstName: 'رهگذر' }), token)
    await stranger.opens()
    expect(stranger.heard).toBe(word('invitation-used'))
    for (const { role, driver } of kin) await driver.accepts(codes[role] ?? '')
    await stranger.opens(codes[MOTHER])
    expect(stranger.heard).toBe(word('invitation-used'))
    for (const { driver } of kin) {
      expect(driver.offered.length).toBeGreaterThan(0)
      await driver.takesAll()
    }
    const last = kin.at(-1)?.driver
    await last?.taps(/^generate:/)
    for (let minutes = 0; minutes < 20; minutes += 1) {
      office.world.passWith(60_000)
      await office.world.settled()
    }
    for (const { driver } of kin) expect(driver.reports).toHaveLength(1)
    expect(stranger.reports).toHaveLength(0)
  },
)

story('an organizer who reminds a family is told that one of it wants no reminders', async ({ work }) => {
  const office = await work({ sandbox, environment: { QUIET_HOURS: '0-0' } })
  const token = await withProfiles(office)
  const [mother, father] = [somebody(office, token), somebody(office, token)]
  await mother.accepts(await inviteTo(office, token, MOTHER))
  await father.accepts(await inviteTo(office, token, FATHER))
  await father.forges('remind:off')
  const [before, quiet] = [mother, father].map(({ person }) => person.messages.length)
  await office.forges(`nudge:m:${token}`)
  expect(office.heard).toBe(`${word('nudge-sent')}\n${word('nudge-without.off')}`)
  expect(mother.person.messages.length).toBeGreaterThan(before ?? 0)
  expect(father.person.messages).toHaveLength(quiet ?? 0)
})

story('when role invitations are revoked before a beginning, the whole roadmap is free', async ({ work }) => {
  const office = await work({ sandbox })
  const token = await withProfiles(office)
  await office.forges(`invite:m:${token}:${MOTHER}`)
  const code = office.invitation
  await office.forges(`expire:${code.slice(2)}:7`)
  await office.forges(`invite:m:${token}:${MOTHER}`)
  expect(office.invitation).toBe(code)
  // Viewing the invitation does not change it; an expired one is renewed without an end.
  expect(office.heard).not.toContain(word('invitation-no-end'))
  office.world.pass(8 * DAY_MS)
  await office.forges(`invite:m:${token}:${MOTHER}`)
  expect(office.heard).toContain(word('invitation-no-end'))
  await office.forges(`revoke:${code.slice(2)}`)
  const mother = createPerson(office.world, office.world.emulator.person({ firstName: 'مادر' }), token)
  await mother.opens(code)
  expect(mother.heard).toBe(word('invitation-revoked'))
  await mother.opens()
  await mother.taps(/^begin:/)
  expect(mother.offered.length).toBeGreaterThan(0)
  await office.forges(`invite:m:${token}:${FATHER}`)
  expect(office.heard).toContain(word('invite-claimed', { title: 'خانوادهٔ کوچک' }))
})

story('a role invitation without an end opens the role after a long time', async ({ work }) => {
  const office = await work({ sandbox })
  const token = await withProfiles(office)
  const code = await inviteTo(office, token, MOTHER)
  for (let days = 0; days < 200; days += 50) await office.world.passWith(50 * DAY_MS)
  const mother = somebody(office, token)
  await mother.accepts(code)
  expect(mother.offered.length).toBeGreaterThan(0)
  await mother.takesAll()
})

story('a role whose invitation expired long ago can be invited again', async ({ work }) => {
  const office = await work({ sandbox })
  const token = await withProfiles(office)
  const first = await inviteTo(office, token, MOTHER)
  await office.forges(`expire:${first.slice(2)}:7`)
  for (let days = 0; days < 200; days += 50) await office.world.passWith(50 * DAY_MS)
  await office.world.settled()
  const mother = somebody(office, token)
  await mother.accepts(await inviteTo(office, token, MOTHER))
  expect(mother.offered.length).toBeGreaterThan(0)
})

story('a role invitation opens the role also where another role was begun long before', async ({ work }) => {
  const office = await work({ sandbox })
  const token = await withProfiles(office)
  const father = somebody(office, token)
  await father.accepts(await inviteTo(office, token, FATHER))
  await father.takes()
  const code = await inviteTo(office, token, MOTHER)
  for (let days = 0; days < 150; days += 50) await office.world.passWith(50 * DAY_MS)
  const mother = somebody(office, token)
  await mother.accepts(code)
  await mother.takesAll()
  await father.opens()
  expect(father.offered.length).toBeGreaterThan(0)
  await father.takesAll()
})

story(
  'where the role has expired, its card and its invitation say that the invitation has expired',
  async ({ work }) => {
    const office = await work({ sandbox })
    const token = await withProfiles(office)
    await somebody(office, token).accepts(await inviteTo(office, token, FATHER))
    const code = await inviteTo(office, token, MOTHER)
    const mother = somebody(office, token)
    const card = async () => {
      await office.world.settled()
      await office.says(`/roadmaps ${token}`)
      return office.heard
    }
    const role = { role: 'مادر', code: code.slice(2) }
    expect(await card()).toContain(
      word('card-invitation-role', { ...role, state: word('invitation-state-open') }),
    )
    for (let days = 0; days < 250; days += 50) await office.world.passWith(50 * DAY_MS)
    expect(await card()).toContain(
      word('card-invitation-role', { ...role, state: word('invitation-state-expired') }),
    )
    await mother.opens(code)
    expect(mother.heard).toBe(word('invitation-expired'))
    await mother.accepts(await inviteTo(office, token, MOTHER))
    await mother.takesAll()
  },
)

story('a role can only be invited where the profiles exist', async ({ work }) => {
  const office = await work({ sandbox })
  const token = office.world.sandbox.addRoadmap({ productId: 'kin' })
  await office.says(`/records ${token}`)
  expect(office.data.some((data) => data.startsWith(`invite:m:${token}:`))).toBe(false)
  await office.forges(`invite:m:${token}:${MOTHER}`)
  expect(office.heard).toContain(word('invite-role-early', { title: 'خانوادهٔ کوچک' }))
})

story('the card of a roadmap with twelve roles has several screens of buttons', async ({ work }) => {
  const roles = Array.from({ length: 12 }, (_, at) => {
    return { id: 31 + at, title: `نقش ${at}`, minAge: null, maxAge: null, gender: 'both' } as const
  })
  const tested = roles.map(({ id }) => ({ testId: 'home', role: id }))
  const clan = { id: 'clan', title: 'خاندان', version: 1, roles, tests: tested }
  const office = await work({ sandbox: { ...sandbox, products: [clan] } })
  const token = office.world.sandbox.addRoadmap({ productId: 'clan', authRequired: false })
  await office.forges(`card:m:${token}`)
  const card = office.person.last.message_id
  expect(office.data).toContain(`invite:m:${token}:31`)
  expect(office.data.length).toBeLessThanOrEqual(12)
  await office.taps(`card:m:${token}:2`)
  expect(office.person.last.message_id).toBe(card)
  expect(office.data).toContain(`invite:m:${token}:42`)
})

story('a record whose profile exists goes straight to the questions', async ({ work }) => {
  const office = await work({ sandbox })
  const token = office.world.sandbox.addRecord({ testId: 'home', authRequired: false })
  const sara = office.join(token)
  await sara.opens(await office.invites(token))
  await sara.taps(/^begin:/)
  expect(sara.place).toBe('question')
})

story(
  'each role sends the id that the organizer gave it, or another where that id is taken',
  async ({ work }) => {
    const office = await work({ sandbox })
    const { sandbox: service, emulator } = office.world
    const [one, other] = [service.addRoadmap({ productId: 'kin' }), service.addRoadmap({ productId: 'kin' })]
    const idsSent = () => {
      const body = service.calls.findLast(({ path }) => path.endsWith('/auth/'))?.body
      const { roles } = body as { roles: { id: number; profile: { external_id?: number } }[] }
      return roles.map(({ id, profile }) => [id, profile.external_id])
    }
    const begins = async (token: string) => {
      const mother = createPerson(office.world, emulator.person({ firstName: 'مریم' }), token)
      await mother.opens(await office.invites(`roadmap ${token} ۱۰۱ - 103`))
      expect(office.heard).toContain('مادر 101, فرزند 103')
      await mother.taps(/^begin:/)
      await mother.introducesAll(ALL)
      await mother.taps('profile:ok')
      return mother
    }
    expect((await begins(one)).left).toBe(6)
    const first = [
      [MOTHER, 101],
      [FATHER, undefined],
      [CHILD, 103],
    ]
    expect(idsSent()).toEqual(first)

    const second = await begins(other)
    expect(second.place).toBe('refused')
    await second.acts(() => office.person.tap(/^extid:.*:new$/))
    expect(office.screen).toBe(word('external-id-ask-roles', { roles: 'مادر، فرزند' }))
    await office.says('۲۰۱')
    expect(office.screen).toBe(word('external-id-ask-roles', { roles: 'مادر، فرزند' }))
    await second.acts(() => office.person.say('۲۰۱ -'))
    expect(second.left).toBe(6)
    expect(idsSent()).toEqual([
      [MOTHER, 201],
      [FATHER, undefined],
      [CHILD, undefined],
    ])
  },
)

story('a roadmap released before its profiles keeps the id of each role', async ({ work }) => {
  const office = await work({ sandbox })
  const token = office.world.sandbox.addRoadmap({ productId: 'kin' })
  const join = () => somebody(office, token)
  const [mother, later] = [join(), join()]
  const first = await office.invites(`roadmap ${token} 101 - 103`)
  await office.taps(/^to:.*:both$/)
  await mother.opens(first)
  await mother.taps(/^begin:/)
  await office.says(`/roadmaps ${token}`)
  await office.taps(/^release:/)
  await office.taps(/:same$/)
  expect(office.heard).toContain('مادر 101, فرزند 103')
  expect(office.heard).toContain(word('invitation-result-both'))
  await later.opens(office.invitation)
  await later.taps(/^begin:/)
  await later.introducesAll(ALL)
  await later.taps('profile:ok')
  const sent = office.world.sandbox.calls.findLast(({ path }) => path.endsWith('/auth/'))?.body
  expect(JSON.stringify(sent)).toMatch(/"external_id":101.*"external_id":103/)
})

story('the report goes to the receivers whom the participant of a role has read', async ({ work }) => {
  const office = await work({ sandbox })
  const token = await withProfiles(office)
  const codes = {
    mother: await inviteTo(office, token, MOTHER),
    father: await inviteTo(office, token, FATHER),
  }
  const join = () => somebody(office, token)
  const [mother, father] = [join(), join()]
  await mother.opens(codes.mother)
  expect(mother.heard).toContain(word('roadmap-result-participant'))
  expect(office.heard).toContain(word('invitation-result-shared'))
  await office.forges(`to:${codes.father.slice(2)}:both`)
  await inviteTo(office, token, CHILD)
  expect(office.heard).toContain(word('invitation-result-both'))
  await mother.taps(/^begin:/)
  expect(mother.heard).toContain(word('invitation-changed'))
  expect(mother.heard).toContain(word('roadmap-result-both'))
  expect(mother.boards).toEqual([])
  await mother.taps(/^begin:/)
  expect(mother.left).toBe(2)

  await office.world.restarts({ RESULT_TO: 'organizer' })
  await father.opens(codes.father)
  expect(father.heard).toContain(word('roadmap-result-both'))
  await office.says(`/records ${token}`)
  await office.taps(word('button-card-release-role', { role: 'مادر' }))
  await office.taps(/:same$/)
  await office.forges(`to:${office.invitation.slice(2)}:organizer`)
  expect(office.heard).toBe(word('invitation-to-begun'))
  await father.taps(/^begin:/)
  expect(father.left).toBe(2)
})

story('a receiver that RESULT_TO has changed has to be read again by the role', async ({ work }) => {
  const office = await work({ sandbox })
  const token = await withProfiles(office)
  await office.forges(`invite:m:${token}:${MOTHER}`)
  const mother = createPerson(office.world, office.world.emulator.person({ firstName: 'مادر' }), token)
  await mother.opens(office.invitation)
  await office.world.restarts({ RESULT_TO: 'both' })
  await mother.taps(/^begin:/)
  expect(mother.heard).toContain(word('invitation-changed'))
  await mother.taps(/^begin:/)
  await office.world.restarts({ RESULT_TO: 'organizer' })
  await office.forges(`invite:m:${token}:${FATHER}`)
  expect(office.heard).toContain(word('invitation-result-both'))
})

onBothStores('one role is released for the same person, and the other roles go on', async ({ work }) => {
  const office = await work({ sandbox })
  const token = await withProfiles(office)
  const join = () => somebody(office, token)
  const codes = {
    mother: await inviteTo(office, token, MOTHER),
    father: await inviteTo(office, token, FATHER),
  }
  const [mother, father, later] = [join(), join(), join()]
  await mother.accepts(codes.mother)
  await father.accepts(codes.father)
  await mother.taps(mother.offered[0] ?? '', mother.board)
  await mother.taps(/^a:/)
  const old = mother.data[0] ?? ''

  await office.says(`/records ${token}`)
  expect(office.heard).toContain(word('stage-question', { position: 2, total: 2 }))
  await office.taps(word('button-card-release-role', { role: 'مادر' }))
  expect(office.data).toEqual([expect.stringMatching(/^release:[^:]+:same$/)])
  await office.forges(office.data[0]?.replace('same', 'other') ?? '')
  expect(office.heard).toContain(word('release-refused', { title: 'خانوادهٔ کوچک · مادر' }))
  await office.taps(/:same$/)
  const anew = office.invitation
  expect(mother.heard).toContain(word('released-told', { title: 'خانوادهٔ کوچک · مادر' }))
  await mother.forges(old)
  expect(mother.place).not.toBe('question')
  await office.forges(`revoke:${anew.slice(2)}`)
  await later.opens(anew)
  expect(later.heard).toBe(word('invitation-revoked'))
  const newest = await inviteTo(office, token, MOTHER)
  for (const code of [codes.mother, anew, newest]) {
    await mother.opens(code)
    expect(mother.heard).toBe(word(code === anew ? 'invitation-revoked' : 'invitation-used'))
  }
  await father.opens()
  await father.taps(father.offered[0] ?? '', father.board)
  expect(father.place).toBe('question')

  await later.opens(codes.mother)
  expect(later.heard).toBe(word('invitation-used'))
  await later.opens(newest)
  expect(later.heard).toBe(word('takeover-ask', { tries: 3 }))
  await later.says('09350000000')
  expect(later.heard).toBe(word('takeover-wrong', { tries: 2 }))
  await office.taps(`card:m:${token}`, office.person.lastWith(`card:m:${token}`))
  expect(office.chat).toContain(word('card-released', { tries: 2 }))
  await later.says(MOBILE)
  expect(later.heard).toContain(word('takeover-done'))
  expect(later.heard).toContain(word('stage-question', { position: 2, total: 2 }))
  expect(later.offered).toHaveLength(2)
  await later.taps(later.offered[0] ?? '', later.board)
  expect(later.question.position).toBe(2)
  await office.says(`/roadmaps ${token}`)
  expect(office.heard).not.toContain(word('card-released', { tries: 2 }))
})

story(
  'a role that its owner assigned can be released as well, and the owner goes on meanwhile',
  async ({ work }) => {
    const office = await work({ sandbox })
    const token = office.world.sandbox.addRoadmap({ productId: 'pair' })
    const join = () => somebody(office, token)
    const [wife, husband, later] = [join(), join(), join()]
    await wife.comesToBoard([11, 12])
    await husband.accepts(await wife.hands(12))
    await husband.taps(husband.offered[0] ?? '', husband.board)
    await husband.taps(/^a:/)
    await office.says(`/roadmaps ${token}`)
    await office.taps(word('button-card-release-role', { role: 'مرد' }))
    await office.taps(/:same$/)
    const code = office.invitation
    expect(husband.heard).toContain(word('released-told', { title: 'زوج · مرد (علی)' }).slice(0, 30))
    await husband.opens()
    expect(husband.heard).toBe(word('invitation-used'))
    await wife.takes()
    await later.opens(code)
    await later.says(MOBILE)
    await later.taps(later.offered[0] ?? '', later.board)
    expect(later.question.position).toBe(2)
    await later.answers()
    await later.taps(/^submit:/)
    await wife.taps(/^generate:/)
    office.world.passWith(30 * 60_000)
    await office.world.settled()
    expect([wife, later, husband].map(({ reports }) => reports.length)).toEqual([1, 1, 0])
  },
)

/** A couple whose husband has his role assigned, and an organizer who is about to release it. */
async function releasingTheHusband(office: Office) {
  const token = office.world.sandbox.addRoadmap({ productId: 'pair' })
  const join = () => somebody(office, token)
  const [wife, husband, later] = [join(), join(), join()]
  await wife.comesToBoard([11, 12])
  await husband.accepts(await wife.hands(12))
  const [unhand = ''] = wife.buttons.filter((data) => data.startsWith('unhand:'))
  const asks = async () => {
    await office.says(`/roadmaps ${token}`)
    await office.taps(word('button-card-release-role', { role: 'مرد' }))
  }
  return { wife, husband, later, unhand, asks }
}

story('an owner cannot take back a role that was released with a test half done', async ({ work }) => {
  const office = await work({ sandbox })
  const { wife, husband, later, unhand, asks } = await releasingTheHusband(office)
  await husband.taps(husband.offered[0] ?? '', husband.board)
  await husband.taps(/^a:/)
  await asks()
  await office.taps(/:same$/)
  const code = office.invitation
  expect(wife.rolesOf('unhand')).toEqual([])
  await wife.forges(unhand)
  expect(wife.heard).toContain(word('unhand-begun'))
  await later.opens(code)
  await later.says(MOBILE)
  await later.taps(later.offered[0] ?? '', later.board)
  expect(later.question.position).toBe(2)
})

story('a release of a role that was taken back meanwhile does not release the roadmap', async ({ work }) => {
  const office = await work({ sandbox })
  const { wife, husband, unhand, asks } = await releasingTheHusband(office)
  await asks()
  const [same = ''] = office.data.filter((data) => data.endsWith(':same'))
  await wife.taps(unhand, wife.board)
  await office.taps(same)
  expect(office.heard).toContain(word('release-ask', { title: 'زوج' }))
  expect(wife.chat).not.toContain(word('released-told', { title: 'زوج' }))
  await wife.takesAll()
  expect(husband.heard).toContain(word('unhanded-told'))
})
