import { expect } from 'vitest'
import { createPerson } from '../roadmaps/gather.ts'
import { ALL, CHILD, FATHER, MOBILE, MOTHER, people, products, tests } from '../roadmaps/kin.ts'
import { type Office, story, word } from './office.ts'

const sandbox = { tests, products, testsAuthRequired: false, generationSeconds: 1 }

/** A roadmap whose profiles the organizer's own software has made. */
async function withProfiles(office: Office): Promise<string> {
  const token = office.world.sandbox.addRoadmap({ productId: 'kin' })
  const births: Record<number, string> = {
    [MOTHER]: '1985-01-01',
    [FATHER]: '1984-01-01',
    [CHILD]: '2012-01-01',
  }
  const roles = ALL.map((id) => ({
    id,
    profile: { name: people[id]?.name ?? '', birth: births[id], is_male: id === FATHER },
  }))
  const { status } = await fetch(`${office.world.env.SERVICE_URL}/roadmap/${token}/auth/`, {
    method: 'POST',
    headers: { 'API-KEY': office.world.sandbox.key, 'content-type': 'application/json' },
    body: JSON.stringify({ mobile: MOBILE, roles }),
  })
  if (status !== 200) throw new Error(`profiles refused with ${status}`)
  return token
}

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
      driver: createPerson(office.world, office.world.emulator.person({ firstName: 'کسی' }), token),
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

story('revoked before anybody began, the roles leave the roadmap free as a whole', async ({ work }) => {
  const office = await work({ sandbox })
  const token = await withProfiles(office)
  await office.forges(`invite:m:${token}:${MOTHER}`)
  const code = office.invitation
  await office.forges(`invite:m:${token}:${MOTHER}`)
  expect(office.invitation).toBe(code)
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

story('a role is invited only where the profiles exist', async ({ work }) => {
  const office = await work({ sandbox })
  const token = office.world.sandbox.addRoadmap({ productId: 'kin' })
  await office.says(`/records ${token}`)
  expect(office.data.some((data) => data.startsWith(`invite:m:${token}:`))).toBe(false)
  await office.forges(`invite:m:${token}:${MOTHER}`)
  expect(office.heard).toContain(word('invite-role-early', { title: 'خانوادهٔ کوچک' }))
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
  'each role takes the id that the organizer gave it, and another where that one is taken',
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
