import { expect } from 'vitest'
import { type Participant, story, word } from './walk.ts'

const forms: readonly [string, (sara: Participant) => string][] = [
  ['the link', ({ link }) => link],
  ['the link without https', ({ link }) => link.replace('https://', '')],
  ['the link at telegram.me', ({ link }) => link.replace('t.me', 'telegram.me')],
  ['the link of the app', ({ link, payload }) => link && `tg://resolve?domain=somebot&start=${payload}`],
  ['the link in a sentence', ({ link }) => `سلام! این آزمون شماست:\n${link}\nممنون`],
  ['the link with marks of a right-to-left message', ({ link }) => `\u200f${link}\u200f`],
  ['the payload', ({ payload }) => payload],
  ['the payload in capitals', ({ token }) => `record_${token.toUpperCase()}`],
  ['the payload with space around it', ({ payload }) => `  ${payload} `],
]

for (const [what, text] of forms) {
  story(`an invitation can be sent as ${what}`, async ({ meet }) => {
    const sara = await meet()
    await sara.says(text(sara))
    expect(sara.place).toBe('introduction')
  })
}

for (const text of [
  'record_',
  'record_12345',
  'record_zzzzzzzz-0000-4000-8000-000000000000',
  'https://t.me/somebot?start=hello',
  'abcdefghijkl',
]) {
  story(`«${text}» opens nothing`, async ({ meet }) => {
    const sara = await meet({ at: 'question', record: { authRequired: false } })
    const { calls } = sara
    await sara.says(text)
    expect(sara.heard).not.toBe('')
    await sara.answers(0)
    expect(sara.question.position).toBe(2)
    expect(sara.calls).toEqual(calls)
  })
}

story('/start with an unknown payload says that the invitation is unknown', async ({ meet }) => {
  const sara = await meet()
  await sara.opens('hello')
  expect(sara.heard).toBe(word('invitation-unknown'))
  expect(sara.calls).toEqual([])
})

story('with INVITATION_ONLY bare links are refused', async ({ meet }) => {
  const sara = await meet({ environment: { INVITATION_ONLY: 'true' } })
  await sara.opens()
  expect(sara.heard).toBe(word('invitation-unknown'))
  await sara.says(sara.link)
  expect(sara.heard).toBe(word('invitation-unknown'))
  expect(sara.calls).toEqual([])
})

story('a test that was begun goes on when INVITATION_ONLY is switched on later', async ({ meet }) => {
  const sara = await meet({ at: 'gender' })
  await sara.meetsRestart({ INVITATION_ONLY: 'true' })
  await sara.opens('')
  expect(sara.place).toBe('gender')
})
