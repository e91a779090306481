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
