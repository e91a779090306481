import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { another, type Participant, story, word } from './walk.ts'

story('whoever begins first owns the invitation, any other learns only that it is used', async ({ meet }) => {
  const sara = await meet({ at: 'name' })
  const reza = another(sara)
  await reza.opens()
  expect(reza.heard).toBe(word('invitation-used'))
  await reza.opens('')
  await reza.says('/tests')
  expect(reza.heard).toBe(word('tests-none'))
  expect(reza.person.transcript()).not.toContain('حال این دو هفته')
  expect(sara.calls).toEqual(['look'])
})

story('of two who read the introduction the second to begin is told', async ({ meet }) => {
  const sara = await meet({ at: 'introduction' })
  const reza = another(sara)
  await reza.opens()
  await sara.taps(/^begin:/)
  await reza.taps(/^begin:/)
  expect(reza.heard).toBe(word('invitation-used'))
  expect(sara.place).toBe('name')
})

story('of two who begin at the same moment exactly one goes on', async ({ meet }) => {
  const sara = await meet({ at: 'introduction' })
  const reza = another(sara)
  await reza.opens()
  await sara.acts(() => {
    reza.person.tap(/^begin:/)
    sara.person.tap(/^begin:/)
  })
  const begun = [sara, reza].filter(({ place }) => place === 'name')
  expect(begun).toHaveLength(1)
  const [other] = [sara, reza].filter(({ place }) => place !== 'name')
  expect(other?.person.last.text).toBe(word('invitation-used'))
})

story('a test that needs no profile belongs to who began it too', async ({ meet }) => {
  const sara = await meet({ at: 'question', record: { authRequired: false } })
  const reza = another(sara)
  await reza.opens()
  expect(reza.heard).toBe(word('invitation-used'))
})

story('a finished test stays its owner’s', async ({ meet }) => {
  const sara = await meet({ at: 'review', record: { authRequired: false } })
  await sara.taps(/^submit:/)
  const reza = another(sara)
  await reza.opens()
  expect(reza.heard).toBe(word('invitation-used'))
  expect(reza.files).toEqual([])
})

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

story('the bare link keeps the id that came first', async ({ meet }) => {
  const sara = await meet({ record: { testsAuthRequired: false } })
  await sara.opens(`${sara.payload}_5`)
  await sara.walksTo('gender')
  await sara.opens()
  expect(sara.place).toBe('gender')
  await sara.walksTo('question')
  expect(profileSent(sara)).toMatchObject({ external_id: 5 })
})

story('after the profile a link with another id is refused, and nothing is disturbed', async ({ meet }) => {
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
  // A bot that knows nothing of it, such as one whose store was lost.
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
