import { expect } from 'vitest'
import { knownPerson } from './short-tests.ts'
import { another, type Participant, PLACES, story, word, ZAHRA } from './walk.ts'

/** The state that must not change, whatever nonsense comes. */
const standing = (participant: Participant) => ({
  place: participant.place,
  position: participant.place === 'question' ? participant.question.position : 0,
  calls: participant.calls,
  codes: participant.codes,
  submissions: participant.submissions,
})

const nonsense: Record<string, (participant: Participant) => unknown> = {
  'a text of 4096 letters': ({ person }) => person.say('ب\u200cپ'.repeat(1_365).padEnd(4_096, 'ت')),
  'a text of 4096 emoji': ({ person }) => person.say('🙂'.repeat(4_096)),
  'signs of HTML': ({ person }) => person.say('</b><a href="x">&amp;&#0;<script>'),
  'a document': ({ person }) => person.sendFile('document'),
  'a picture': ({ person }) => person.sendFile('photo'),
  'a sticker': ({ person }) => person.sendSticker(),
  'a location': ({ person }) => person.sendLocation(),
  'an edited message': ({ person }) =>
    person.edit(person.messages.find(({ from }) => !from.is_bot) ?? 0, 'چیز دیگر'),
}

for (const at of PLACES) {
  story(`at "${at}" nonsense is answered with a clear message and the same question`, async ({ meet }) => {
    const sara = await meet({ at })
    const stands = standing(sara)
    for (const [what, send] of Object.entries(nonsense)) {
      await sara.acts(() => send(sara))
      expect(sara.heard, what).not.toBe('')
      expect(standing(sara), what).toEqual(stands)
    }
    expect(sara.world.lines.join('\n')).not.toMatch(/not handled|refused a message/)
    if (at === 'review') await sara.taps(/^submit:/)
    else await sara.walksTo(at === 'question' ? 'review' : 'question')
  })
}

story('files, stickers and edits get an answer other than that to a text', async ({ meet }) => {
  const sara = await meet({ at: 'question' })
  await sara.acts(() => sara.person.sendSticker())
  expect(sara.heard).toContain(word('only-text'))
  await sara.acts(() => sara.person.edit(sara.person.messages[0] ?? 0, 'دو'))
  expect(sara.heard).toContain(word('edited-message'))
  await sara.says('نمی‌دانم')
  expect(sara.heard).toContain(word('here-question', { options: 4 }))
  await sara.says('۹')
  expect(sara.heard).toContain(word('option-out-of-range', { options: 4 }))
})

story('an edited message does not change a field that was taken', async ({ meet }) => {
  const sara = await meet({ at: 'birth' })
  const name = sara.person.messages.find(({ text }) => text === ZAHRA.name)
  await sara.acts(() => sara.person.edit(name ?? 0, 'مریم کاظمی'))
  await sara.walksTo('summary')
  expect(sara.screen).toContain(word('summary-name', { name: ZAHRA.name }))
})

story('nonsense between the answers loses none of them', async ({ meet }) => {
  const sara = await meet({ at: 'question', ...knownPerson() })
  await sara.answers(2)
  await sara.acts(() => sara.person.sendSticker())
  await sara.answers(0)
  await sara.acts(() => sara.person.sendLocation())
  await sara.answers(1)
  await sara.taps(/^submit:/)
  expect(sara.submissions).toMatchObject([{ record: ['q1o3', 'q2o1', 'q3o2'], accepted: true }])
})

story('nonsense before any test is answered with how to begin', async ({ meet }) => {
  const sara = await meet()
  for (const [what, send] of Object.entries(nonsense)) {
    if (what === 'an edited message') continue
    await sara.acts(() => send(sara))
    expect(sara.heard, what).toContain(word('nothing-open'))
  }
  expect(sara.calls).toEqual([])
})

story('nonsense does no harm while a test waits, is paused, or is being sent', async ({ meet }) => {
  const sara = await meet({ at: 'waiting', record: { status: 0 } })
  await sara.acts(() => sara.person.sendSticker())
  expect(sara.place).toBe('waiting')
  const reza = await meet({ at: 'question', ...knownPerson() })
  await reza.taps(/^pause:/)
  await reza.acts(() => reza.person.sendLocation())
  expect(reza.question.position).toBe(1)
  await reza.walksTo('review')
  reza.world.holdClock()
  reza.world.sandbox.fault({ kind: 'status', status: 503, method: 'POST', path: '^/record/[^/]+/$' })
  await reza.taps(/^submit:/)
  await reza.says('چه شد؟')
  expect(reza.heard).toContain(word('submit-waiting'))
  await reza.waits(2_000)
  expect(reza.submissions).toHaveLength(1)
})

story('in a group the bot only says where it works, to a command that names it', async ({ meet }) => {
  const sara = await meet({ at: 'question' })
  const stands = standing(sara)
  const before = sara.person.messages.length
  const { username } = sara.world.emulator
  const others = ['سلام', '/start', '/start@another_bot', `@${username} سلام`, `/start@${username}x`]
  for (const text of others) await sara.acts(() => sara.person.inGroup(text))
  const named = `/start@${username} ${sara.payload}`
  // It answers once a day.
  for (const text of [named, '۲', named]) await sara.acts(() => sara.person.inGroup(text))
  const said = sara.world.emulator.calls.filter(({ payload }) => Number(payload.chat_id) < 0)
  expect(said.map(({ method }) => method)).toEqual(['sendMessage'])
  expect(said[0]?.payload.text).toContain(`https://t.me/${username}`)
  expect(sara.person.messages).toHaveLength(before)
  expect(standing(sara)).toEqual(stands)
})

/** Callback data of every verb, with wrong or misplaced arguments in mid-questionnaire. */
const forged = (s: string, revision: string) => [
  'begin:',
  `begin:${s}`,
  'birth:j:1375:5:12',
  'birth:ok',
  'birth:pick:0',
  'birth:pick:99',
  'birth:x:y',
  'gender:male',
  'gender:x',
  'guardian:yes',
  'guardian:maybe',
  'mobile:ok',
  'profile:ok',
  'profile:edit:name',
  'profile:edit:shoe:9',
  'sms:again',
  'sms:mobile',
  'sms:now',
  `a:${s}:999:0:${revision}`,
  `a:${s}:-1:0:${revision}`,
  `a:${s}:2:99:${revision}`,
  `a:${s}:2:0:zzzzzzz`,
  `a:${s}:2:0`,
  `a:nowhere:2:0:${revision}`,
  'a::0:0:0',
  `go:${s}:99999`,
  `go:${s}:5`,
  `go:${s}:-1`,
  'go:nowhere:0',
  `review:${s}:999`,
  'review:nowhere:0',
  'pause:nowhere',
  `submit:${s}`,
  'submit:nowhere',
  `retry:${s}`,
  'retry:nowhere',
  `open:${s}`,
  'open:nowhere',
  `ready:${s}`,
  `hand:${s}:1`,
  `unhand:${s}:1`,
  `generate:${s}`,
  `refresh:${s}`,
  `result:${s}`,
  'remind:x',
  'lang:de',
  'forget:yes',
  'forget:maybe',
  `extid:${s}:drop`,
  `extid:${s}:new`,
  '__proto__:x',
  ':',
  'x'.repeat(64),
]

story('forged buttons of every verb change nothing in mid-questionnaire', async ({ meet }) => {
  const sara = await meet({ at: 'question', onFoot: true })
  await sara.answers(1, 1)
  const stands = standing(sara)
  for (const data of forged(sara.question.s, sara.question.revision)) {
    await sara.forges(data)
    expect(standing(sara), data).toEqual(stands)
    expect(sara.person.answers, data).toHaveLength(
      sara.world.emulator.calls.filter(({ method }) => method === 'answerCallbackQuery').length,
    )
  }
  expect(sara.world.lines.join('\n')).not.toContain('not handled')
  await sara.walksTo('review')
  await sara.taps(/^submit:/)
  // The walk answers question n with option n mod 4.
  const expected = [1, 1, 3, 0, 1, 2, 3].map((option, index) => `q${index + 1}o${option + 1}`)
  expect(sara.submissions.map(({ record }) => record)).toEqual([expected])
})

for (const at of ['gender', 'code'] as const) {
  story(`at "${at}" forged buttons of other steps change nothing`, async ({ meet }) => {
    const sara = await meet({ at })
    const stands = standing(sara)
    const own: Record<string, RegExp> = { gender: /^gender:male/, code: /^sms/ }
    for (const data of forged('nowhere', '0')) {
      if (own[at]?.test(data) || data === 'begin:nowhere') continue
      await sara.forges(data)
      expect(standing(sara), data).toEqual(stands)
    }
    await sara.walksTo('question')
    expect(sara.codes).toHaveLength(1)
  })
}

story('the button of an introduction that has expired says so', async ({ meet }) => {
  const sara = await meet({ at: 'name' })
  await sara.forges('begin:nowhere')
  expect(sara.heard).toBe(word('invitation-closed'))
  await sara.says(ZAHRA.name)
  expect(sara.place).toBe('birth')
})

story('another person’s contact is not taken for the participant’s own', async ({ meet }) => {
  const sara = await meet({ at: 'mobile' })
  await sara.acts(() => sara.person.shareContact({ own: false }))
  expect(sara.heard).toContain(word('contact-of-another'))
  expect(sara.place).toBe('mobile')
  await sara.acts(() => sara.person.shareContact())
  expect(sara.place).toBe('summary')
  expect(sara.screen).not.toContain('09351234567')
})

story('a contact that is not asked for is answered like any message of a wrong kind', async ({ meet }) => {
  const sara = await meet({ at: 'name' })
  await sara.acts(() => sara.person.shareContact())
  expect(sara.heard).toContain(word('only-text'))
  expect(sara.place).toBe('name')
  await sara.says(ZAHRA.name)
  await sara.walksTo('mobile')
})

story('a contact is deleted where a test is open, and stays where none is', async ({ meet }) => {
  const sara = await meet({ at: 'question' })
  const contacts = ({ person }: Participant) => person.messages.filter(({ contact }) => contact)
  const reza = another(sara)
  await reza.says('/start')
  for (const each of [sara, reza]) await each.acts(() => each.person.shareContact())
  expect(contacts(sara)).toEqual([])
  expect(contacts(reza)).toHaveLength(1)
})
