import { expect } from 'vitest'
import { knownPerson, shortTest } from './short-tests.ts'
import { createParticipant, type Participant, story, withAnother, word } from './walk.ts'

/** A yes, a no and a number answer what the bot has sent last, not what waits above it. */
const yesOrNo = knownPerson(shortTest({ answers: ['بله', 'خیر'] }))

/** Types a text well after the last message was shown. */
async function saysLater(participant: Participant, text: string): Promise<void> {
  participant.world.pass(2_000)
  await participant.says(text)
}

/** The participant asks the organizer, who asks something back. */
async function isAskedBack({ world, acts, taps, says, person }: Participant): Promise<void> {
  const manager = world.emulator.person({ id: 900, firstName: 'مدیر' })
  await acts(() => manager.start())
  await taps(/^ask:/)
  await says('منظور این پرسش چیست؟')
  const asked = manager.messages.findLast(({ text }) => text?.includes('منظور'))
  await acts(() => manager.say('متن را تا آخر خوانده‌اید؟', { replyTo: asked?.message_id }))
  expect(person.last.text).toContain('خوانده‌اید؟')
}

for (const [typed, said, stands] of [
  ['2', 'بله', '۲. خیر'],
  ['1', 'بله', '۱. بله'],
  ['1', 'نه', undefined],
] as const)
  story(`asked whether «${typed}» is meant, «${said}» records ${stands ?? 'nothing'}`, async ({ meet }) => {
    const sara = await meet({ at: 'question', ...yesOrNo })
    sara.world.holdClock()
    await sara.answers(0)
    // Typed in the second in which the question was edited: the bot asks whether it is meant for that.
    await sara.acts(() => sara.person.say(typed))
    expect(sara.screen).toContain('معلوم نیست')
    await saysLater(sara, said)
    expect(sara.question.position).toBe(stands === undefined ? 2 : 3)
    if (stands === undefined) return
    await sara.taps(/^go:[^:]+:1$/)
    expect(sara.screen).toContain(`پاسخ فعلی شما: ${stands}`)
  })

for (const at of ['introduction', 'summary'] as const)
  story(`a yes to the question of /forget is no yes at the ${at}`, async ({ meet }) => {
    const sara = await meet({ at })
    await sara.says('/forget')
    await sara.says('بله')
    expect(sara.calls).not.toContain('auth')
    expect(sara.place).toBe(at)
    await sara.says('بله')
    expect(sara.place).toBe(at === 'summary' ? 'code' : 'name')
  })

for (const [at, next] of [
  ['introduction', 'name'],
  ['summary', 'code'],
  ['name-confirm', 'birth'],
] as const)
  story(`a yes below messages that ask nothing still counts at the ${at}`, async ({ meet }) => {
    const sara = await meet({ at: at === 'name-confirm' ? 'name' : at })
    if (at === 'name-confirm') await sara.says('علی')
    for (const said of ['/help', '/privacy', '/id', '/language']) await sara.says(said)
    await sara.says('بله')
    expect(sara.place).toBe(next)
  })

story('a yes to the explanation of the introduction begins the test', async ({ meet }) => {
  const sara = await meet({ at: 'introduction' })
  await sara.says('چی؟')
  expect(sara.screen).toContain(word('here-intro'))
  await sara.says('بله')
  expect(sara.place).toBe('name')
})

story('a yes to the organizer’s question back does not send the details', async ({ meet }) => {
  const sara = await meet({ at: 'summary', environment: { ORGANIZERS: '900' } })
  await isAskedBack(sara)
  await sara.says('بله')
  expect(sara.calls).not.toContain('auth')
  await sara.says('بله')
  expect(sara.calls).toContain('auth')
})

story('a yes to the first part of a question does not confirm another option of it', async ({ meet }) => {
  const long = Array.from({ length: 1_500 }, () => 'چرا').join(' ')
  const items = ['اول', long].map((text) => ['calm', text] as const)
  const test = shortTest({ answers: ['بله', 'خیر'], sections: [{ title: 'همه', items }] })
  const sara = await meet({ at: 'question', ...knownPerson(test) })
  await saysLater(sara, '1')
  const { message_id: asks } = sara.question.message
  const part = sara.person.messages.findLast(({ message_id, from }) => from.is_bot && message_id < asks)
  await sara.says('/tests')
  await saysLater(sara, '2')
  expect(sara.screen).toContain('معلوم نیست')
  sara.world.pass(2_000)
  await sara.acts(() => sara.person.say('بله', { replyTo: part?.message_id }))
  await sara.walksTo('review')
  await sara.taps(/^submit:/)
  expect(sara.submissions.at(-1)?.record).toEqual(['q1o1', 'q2o1'])
})

story('a yes to a suggested command does not begin the test', async ({ meet }) => {
  const sara = await meet({ at: 'introduction' })
  await sara.says('/privcy')
  expect(sara.screen).toContain('/privacy')
  await sara.says('بله')
  expect(sara.place).toBe('introduction')
})

for (const language of ['fa', 'en'])
  for (const at of ['guardian', 'summary'] as const)
    story(
      `a yes to whether another command was meant is not taken as a yes at the ${at}, ${language}`,
      async ({ meet }) => {
        const sara = await meet({ at: at === 'guardian' ? 'birth' : at })
        await sara.says('/language')
        await sara.taps(`lang:${language}`)
        if (at === 'guardian') await sara.says('1390/1/1')
        await sara.says('/privcy')
        expect(sara.screen).toContain('/privacy')
        await sara.says(language === 'fa' ? 'بله' : 'yes')
        expect(sara.place).toBe(at)
        await sara.says(language === 'fa' ? 'بله' : 'yes')
        expect(sara.place).toBe(at === 'guardian' ? 'gender' : 'code')
      },
    )

story('a yes to a suggested command is no answer to the question, but a later yes is', async ({ meet }) => {
  const sara = await meet({ at: 'question', ...yesOrNo })
  await saysLater(sara, '/privcy')
  await saysLater(sara, 'بله')
  expect(sara.screen).toContain('معلوم نیست')
  await saysLater(sara, 'بله')
  expect(sara.question.position).toBe(2)
  await saysLater(sara, '/privcy')
  await sara.answers(1)
  await saysLater(sara, 'بله')
  expect(sara.place).toBe('review')
})

story('«ادامه» to a failure of one test does not begin another', async ({ meet }) => {
  const one = await meet({ at: 'review', ...knownPerson() })
  const { sandbox } = one.world
  const submit = { method: 'POST', path: '^/record/[^/]+/$', times: 999 }
  const away = sandbox.fault({ kind: 'status', status: 503, ...submit })
  await one.taps(/^submit:/)
  const other = withAnother(one, { testId: 'short', authRequired: false })
  await other.opens()
  away.end()
  sandbox.fault({ kind: 'status', status: 400, ...submit })
  await one.waits(600_000)
  expect(one.screen).toContain(word('submit-refused'))
  await one.says('ادامه')
  expect(one.place).toBe('introduction')
})

for (const [answers, said] of [
  [['1', '2', '3'], '2'],
  [['یک', 'دو', 'سه'], 'دو'],
] as const)
  story(`«${said}» to an organizer’s question back is no answer of the test`, async ({ meet }) => {
    const test = knownPerson(shortTest({ answers: [...answers] }))
    const sara = await meet({ at: 'question', ...test, environment: { ORGANIZERS: '900' } })
    await isAskedBack(sara)
    await saysLater(sara, said)
    expect(sara.question.position).toBe(1)
  })

story('a yes to the question of /forget is no yes of a guardian', async ({ meet }) => {
  const sara = await meet({ at: 'birth' })
  await sara.says('1390/1/1')
  expect(sara.place).toBe('guardian')
  await sara.says('/forget')
  await sara.says('بله')
  expect(sara.place).toBe('guardian')
})

story('a no to the question of /forget is no answer to the question of a test', async ({ meet }) => {
  const sara = await meet({ at: 'question', ...yesOrNo })
  await sara.says('/forget')
  await saysLater(sara, 'نه')
  expect(sara.question.position).toBe(1)
})

for (const said of ['ادامه', 'بله'])
  story(`«${said}» to a reminder of one test does not begin another`, async ({ meet }) => {
    const one = await meet({ at: 'question', ...knownPerson() })
    const other = withAnother(one, { testId: 'mood-7' })
    await other.opens()
    await one.waits(25 * 3_600_000)
    await one.says(said)
    expect(one.place).toBe('introduction')
  })

story('the number of a test in /tests is no answer to the question above', async ({ meet }) => {
  const one = await meet({ at: 'question', ...knownPerson() })
  const other = withAnother(one, { testId: 'mood-7', authRequired: false })
  await other.opens()
  await other.walksTo('question')
  await other.says('/tests')
  await saysLater(other, '2')
  expect(other.screen).toContain('معلوم نیست')
  await saysLater(other, '2')
  expect(other.question.position).toBe(2)
})

story('the number of a test in a reminder is no answer to the question above', async ({ meet }) => {
  const one = await meet({ at: 'question', ...knownPerson() })
  const other = withAnother(one, { testId: 'mood-7', authRequired: false })
  await other.opens()
  await other.walksTo('question')
  await other.waits(25 * 3_600_000)
  await saysLater(other, '2')
  // The question may be rendered again below it.
  expect(other.chat).toContain('معلوم نیست')
  expect(other.chat).not.toContain('پرسش ۲ از')
})

for (const hasAsked of [true, false])
  story(
    `a yes to a reminder is no answer to the question${hasAsked ? ' that the bot has asked about' : ''}`,
    async ({ meet }) => {
      const sara = await meet({ at: 'question', ...yesOrNo })
      sara.world.holdClock()
      await sara.answers(0)
      if (hasAsked) await sara.acts(() => sara.person.say('2'))
      expect(sara.screen.includes('معلوم نیست')).toBe(hasAsked)
      await sara.waits(25 * 3_600_000)
      await saysLater(sara, 'بله')
      expect(sara.question.position).toBe(2)
    },
  )

story('a parent’s answer for a child is no answer of the parent’s own test', async ({ meet }) => {
  const tests = [shortTest({ id: 'yes', minAge: 10, answers: ['بله', 'خیر'] })]
  const child = await meet({ at: 'birth', record: { testId: 'yes' }, sandbox: { tests } })
  await child.says('1390/1/1')
  await child.taps('guardian:link')
  const link = /start=(i_[a-z2-7]{12})/.exec(child.screen)?.[1] ?? ''
  const { world } = child
  const token = world.sandbox.addRecord({ testId: 'yes', authRequired: false })
  const mother = createParticipant(world, world.emulator.person({ firstName: 'مادر' }), token)
  await mother.walksTo('question')
  await mother.opens(link)
  await saysLater(mother, 'نه')
  expect(mother.question.position).toBe(1)
  // Nor does it remove the buttons of the parent's own summary.
  const own = createParticipant(world, world.emulator.person(), world.sandbox.addRecord({ testId: 'yes' }))
  await own.walksTo('summary')
  await own.opens(link)
  await own.taps(/^agree:/)
  expect(own.buttons).toContain('profile:ok')
})

story('a yes to an organizer’s question back is no answer of the test', async ({ meet }) => {
  const sara = await meet({ at: 'question', ...yesOrNo, environment: { ORGANIZERS: '900' } })
  await isAskedBack(sara)
  await saysLater(sara, 'بله')
  expect(sara.question.position).toBe(1)
  expect(sara.screen).toContain('معلوم نیست')
  expect(sara.heard).not.toContain(word('answer-too-early'))
})
