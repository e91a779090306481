import { expect } from 'vitest'
import { type Participant, type Place, story, word } from './walk.ts'

const places: readonly Place[] = [
  'introduction',
  'name',
  'birth',
  'gender',
  'mobile',
  'summary',
  'code',
  'question',
  'review',
]

const nonsense: readonly [string, (sara: Participant) => unknown][] = [
  ['a text of 4096 characters', ({ person }) => person.say('چرا '.repeat(1024).trim())],
  ['signs that mean something in HTML', ({ person }) => person.say('<b>&lt;</a> &amp; {$x} *_`')],
  ['an emoji', ({ person }) => person.say('🌸')],
  ['a sticker', ({ person }) => person.sendSticker()],
  ['a location', ({ person }) => person.sendLocation()],
  ['a document', ({ person }) => person.sendFile('document')],
  ['a photo', ({ person }) => person.sendFile('photo')],
  ['a voice message', ({ person }) => person.sendFile('voice')],
  ['somebody else’s contact', ({ person }) => person.shareContact({ own: false })],
  [
    'a changed message',
    ({ person }) => person.edit(person.messages.find(({ from }) => !from.is_bot) ?? 0, 'دیگر'),
  ],
]

for (const place of places) {
  story(
    `at ${place} whatever nobody understands gets a word and the same question again`,
    async ({ meet }) => {
      const sara = await meet({ at: place })
      const { calls } = sara
      const errors = () => sara.world.lines.filter((line) => line.includes('"error"'))
      for (const [what, does] of nonsense) {
        await sara.acts(() => does(sara))
        expect(sara.heard, what).not.toBe('')
        expect(sara.place, what).toBe(place)
      }
      expect(sara.calls).toEqual(calls)
      expect(errors()).toEqual([])
      await sara.walksTo('review')
    },
  )
}

story('a file that cannot be read is answered with where one is', async ({ meet }) => {
  const sara = await meet({ at: 'gender' })
  await sara.acts(() => sara.person.sendSticker())
  expect(sara.heard).toContain(word('only-text'))
  await sara.acts(() => sara.person.sendFile('voice'))
  expect(sara.heard).toContain(word('only-text'))
})

story('a changed message does not change what was taken', async ({ meet }) => {
  const sara = await meet({ at: 'birth' })
  const name = sara.person.messages.findLast(({ from }) => !from.is_bot)
  await sara.acts(() => sara.person.edit(name ?? 0, 'مریم کاظمی'))
  expect(sara.heard).toContain(word('edited-message'))
  await sara.walksTo('summary')
  expect(sara.screen).toContain(word('summary-name', { name: 'زهرا محمدی' }))
})

story('without any test nonsense is answered with how to begin', async ({ meet }) => {
  const sara = await meet()
  for (const [what, does] of nonsense.slice(0, 8)) {
    await sara.acts(() => does(sara))
    expect(sara.heard, what).toBe(word('nothing-open'))
  }
  expect(sara.calls).toEqual([])
})

story('in a group the bot says where to find it, and keeps nothing', async ({ meet }) => {
  const sara = await meet({ at: 'gender' })
  const before = sara.world.emulator.calls.length
  await sara.acts(() => sara.person.inGroup(`/start ${sara.payload}`))
  const [said, ...others] = sara.world.emulator.calls.slice(before)
  expect(others).toEqual([])
  expect(said?.payload.text).toContain(`https://t.me/${sara.world.emulator.username}`)
  expect(said?.payload.chat_id).toBeLessThan(0)
  expect(sara.place).toBe('gender')
})

story('a newer message of nonsense does not cost the answers', async ({ meet }) => {
  const sara = await meet({ at: 'question', record: { testsAuthRequired: false } })
  await sara.answers(3, 2)
  await sara.acts(() => sara.person.sendSticker())
  await sara.answers(1)
  await sara.acts(() => sara.person.sendLocation())
  await sara.answers(0, 0, 0, 0)
  await sara.taps(/^submit:/)
  expect(sara.submissions).toMatchObject([
    { record: ['q1o4', 'q2o3', 'q3o2', 'q4o1', 'q5o1', 'q6o1', 'q7o1'], accepted: true },
  ])
})
