import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Participant, story, word } from './walk.ts'

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
