import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { another, type Participant, story, word } from './walk.ts'

const profileSent = ({ world }: Participant) =>
  world.sandbox.calls.findLast(({ path }) => path.endsWith('/auth/'))?.body

for (const [suffix, sent] of [
  ['_5', 5],
  ['_0', 0],
  ['_-7', -7],
  ['_9007199254740991', Number.MAX_SAFE_INTEGER],
] as const) {
  story(`an external id ${sent} of the link is sent with the profile`, async ({ meet }) => {
    const sara = await meet({ record: { testsAuthRequired: false } })
    await sara.opens(sara.payload + suffix)
    await sara.walksTo('question')
    expect(profileSent(sara)).toMatchObject({ external_id: sent })
  })
}

for (const suffix of ['_9007199254740993', '_12345678901234567', '_', '_abc', '_1.5', '_5_6']) {
  story(`a link ending in ${suffix} opens nothing`, async ({ meet }) => {
    const sara = await meet()
    await sara.opens(sara.payload + suffix)
    expect(sara.heard).toBe(word('invitation-unknown'))
    expect(sara.calls).toEqual([])
  })
}

story('the bare link keeps the id of the first link', async ({ meet }) => {
  const sara = await meet({ record: { testsAuthRequired: false } })
  await sara.opens(`${sara.payload}_5`)
  await sara.walksTo('gender')
  await sara.opens()
  expect(sara.place).toBe('gender')
  await sara.walksTo('question')
  expect(profileSent(sara)).toMatchObject({ external_id: 5 })
})

story('after the profile a link with another id is refused and disturbs nothing', async ({ meet }) => {
  const sara = await meet({ record: { testsAuthRequired: false } })
  await sara.opens(`${sara.payload}_5`)
  await sara.walksTo('question')
  await sara.opens(`${sara.payload}_6`)
  expect(sara.heard).toBe(word('external-id-differs'))
  await sara.says('۲')
  expect(sara.question.position).toBe(2)
})

story('an id that differs from the profile’s is refused', async ({ meet }) => {
  const sara = await meet({ record: { testsAuthRequired: false } })
  await sara.opens(`${sara.payload}_5`)
  await sara.walksTo('question')
  // The same record in a bot without the file of it, for example after its store was lost.
  const dir = await mkdtemp(join(tmpdir(), 'porsa-other-'))
  await sara.meetsRestart({ DATA_DIR: join(dir, 'data') })
  await sara.opens(`${sara.payload}_6`)
  expect(sara.heard).toBe(word('external-id-differs'))
  await sara.opens(`${sara.payload}_5`)
  expect(sara.place).toBe('introduction')
  await sara.taps(/^begin:/)
  expect(sara.place).toBe('question')
  await sara.world.stop()
  await rm(dir, { recursive: true })
})

story('an id belongs to the account that opened its link, whatever others open', async ({ meet }) => {
  const sara = await meet({ record: { testsAuthRequired: false } })
  const reza = another(sara)
  await sara.opens(`${sara.payload}_5`)
  await reza.opens(`${sara.payload}_6`)
  await sara.meetsRestart()
  await sara.walksTo('question')
  expect(profileSent(sara)).toMatchObject({ external_id: 5 })
  await reza.taps(/^begin:/)
  expect(reza.heard).toBe(word('invitation-used'))
})

story('an account whose link has no id sends none', async ({ meet }) => {
  const sara = await meet({ record: { testsAuthRequired: false } })
  await another(sara).opens(`${sara.payload}_6`)
  await sara.walksTo('question')
  expect(profileSent(sara)).not.toHaveProperty('external_id')
})

for (const first of ['record', 'roadmap'] as const) {
  story(`a link of the wrong kind, ${first}, does not close the right one`, async ({ meet }) => {
    const sara = await meet()
    const { sandbox } = sara.world
    const token = first === 'record' ? sandbox.addRoadmap({ productId: 'couple' }) : sara.token
    const right = first === 'record' ? `roadmap_${token}` : `record_${token}`
    await sara.opens(`${first}_${token}`)
    expect(sara.heard).toBe(word('invitation-unknown'))
    await sara.says('/tests')
    expect(sara.heard).toBe(word('tests-none'))
    const reza = another(sara)
    await reza.opens(right)
    expect(reza.place).toBe('introduction')
    await sara.opens(right)
    expect(sara.place).toBe('introduction')
    // A wrong link and the right one come at the same moment, before the service has said what it is.
    const other =
      first === 'record'
        ? sandbox.addRoadmap({ productId: 'couple' })
        : sandbox.addRecord({ testId: 'mood-7' })
    const leila = another(sara)
    await leila.acts(() => {
      reza.person.start(`${first}_${other}`)
      leila.person.start(right.replace(token, other))
    })
    expect(leila.place).toBe('introduction')
    expect(reza.heard).toContain(word('invitation-unknown'))
  })
}

story('the same link leads on although the existing profile has no such id', async ({ meet }) => {
  const sara = await meet({ record: { authRequired: false } })
  const link = `${sara.payload}_7`
  await sara.opens(link)
  await sara.walksTo('question')
  await sara.opens(link)
  expect(sara.place).toBe('question')
  await sara.opens(`${sara.payload}_8`)
  expect(sara.heard).toBe(word('external-id-differs'))
})
