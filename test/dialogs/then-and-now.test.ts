import { expect } from 'vitest'
import { shortTest } from './short-tests.ts'
import { type Meeting, type Participant, story, withAnother, word } from './walk.ts'

const DAY = 86_400_000
const MEETING: Meeting = { sandbox: { tests: [shortTest()] }, record: { testId: 'short' } }

async function finishes(participant: Participant): Promise<Participant> {
  await participant.walksTo('review')
  await participant.taps(/^submit:/)
  return participant
}

/** A person with a result of ten days ago, and the same test once more. */
async function beginsAgain(meet: (meeting: Meeting) => Promise<Participant>, changes: Meeting = {}) {
  const sara = await finishes(await meet({ ...MEETING, ...changes }))
  await sara.waits(10 * DAY)
  return { sara, again: withAnother(sara, { testId: 'short' }) }
}

const THEN = word('result-then', { date: '' }).trim()
const captions = ({ person }: Participant) =>
  person.messages.flatMap(({ photo, caption }) => (photo ? [caption ?? ''] : []))
const asked = ({ world }: Participant, token: string) =>
  world.sandbox.calls.filter(({ path }) => path.includes(`${token}/result/json`)).length

story('an earlier result of the same test is shown in the same picture, with its date', async ({ meet }) => {
  const { sara, again } = await beginsAgain(meet)
  await finishes(again)
  const [first, second] = captions(again)
  expect(first).not.toContain(THEN)
  expect(second).toMatch(new RegExp(`${THEN} [۰-۹]+ .+ [۰-۹]{4}$`))
  expect([asked(sara, sara.token), asked(sara, again.token)]).toEqual([2, 1])
})

story('a brother’s result on the same phone is not compared', async ({ meet }) => {
  const { sara, again } = await beginsAgain(meet)
  await again.walksTo('name')
  await again.says('مینا محمدی')
  await finishes(again)
  expect(captions(again)).toHaveLength(2)
  expect(captions(again).join()).not.toContain(THEN)
  expect(asked(sara, sara.token)).toBe(1)
})

story('an earlier result that the service has lost is left out and holds up nothing', async ({ meet }) => {
  const { sara, again } = await beginsAgain(meet)
  await again.walksTo('review')
  sara.world.sandbox.fault({ kind: 'status', status: 404, path: `${sara.token}/result/json` })
  await again.taps(/^submit:/)
  expect(captions(again)).toHaveLength(2)
  expect(captions(again).join()).not.toContain(THEN)
})

story('after /forget no result is compared with an earlier one', async ({ meet }) => {
  const { sara, again } = await beginsAgain(meet)
  await sara.forgets()
  await finishes(again)
  expect(captions(again).join()).not.toContain(THEN)
  expect(asked(sara, sara.token)).toBe(1)
})

story('the PDF says how to forward it, and can be forwarded', async ({ meet }) => {
  const sara = await finishes(await meet(MEETING))
  const pdf = sara.person.messages.find(({ document }) => document?.file_name?.endsWith('.pdf'))
  expect(pdf?.caption).toMatch(/درمانگر.+هدایت/)
  expect(pdf?.has_protected_content).not.toBe(true)
})
