import { expect } from 'vitest'
import { knownPerson, shortTest } from './short-tests.ts'
import { type Participant, story, word } from './walk.ts'

/** Without a profile, so that the story begins with the questions. */
const life = { record: { testId: 'life-60', authRequired: false } }
const mood = { record: { authRequired: false } }
const sleep = { record: { testId: 'sleep-20', authRequired: false } }

const botCalls = ({ world }: Participant) => world.emulator.calls.length

story('a question shows its position and how long the test may take', async ({ meet }) => {
  const sara = await meet({ at: 'question', ...life })
  expect(sara.screen).toContain(word('question-progress', { position: 1, total: 60, minutes: 12 }))
  await sara.answers(0, 0, 0, 0, 0, 0)
  expect(sara.screen).toContain('پرسش ۷ از ۶۰')
})

story(
  'the remaining time never grows, and is not shown while an earlier answer is looked at',
  async ({ meet }) => {
    const sara = await meet({ at: 'question', ...life })
    sara.world.holdClock()
    for (let count = 0; count < 10; count++) {
      sara.world.pass(120_000)
      await sara.answers(0)
    }
    const progress = word('question-progress', { position: 11, total: 60, minutes: 10 })
    expect(sara.screen).toContain(progress)
    await sara.taps(word('button-question-back'))
    expect(sara.screen).toMatch(
      new RegExp(`^${word('question-progress-bare', { position: 10, total: 60 })}\n`),
    )
    expect(sara.question.options.filter((label) => label.startsWith('✓ '))).toHaveLength(1)
    await sara.taps(word('button-question-return', { position: 11 }))
    expect(sara.screen).toContain(progress)
  },
)

story('encouragement comes at half and at three quarters, and only then', async ({ meet }) => {
  const sara = await meet({ at: 'question', record: { testId: 'sleep-20', authRequired: false } })
  const cheered: number[] = []
  for (let position = 1; position <= 20; position++) {
    if (/راه را آمده‌اید/.test(sara.screen)) cheered.push(position)
    await sara.answers(0)
  }
  expect(cheered).toEqual([11, 16])
})

story('a text that is no answer is explained in the question’s own message, shown once', async ({ meet }) => {
  const sara = await meet({ at: 'question', ...mood })
  for (const typed of ['شاید', '۹', 'نمی‌دانم']) await sara.says(typed)
  await sara.opens('')
  const { text } = sara.question
  const asked = text.split('\n\n').at(-1) ?? ''
  expect(sara.chat.split(asked)).toHaveLength(2)
  await sara.says('شاید')
  expect(sara.chat.split(asked)).toHaveLength(2)
  expect(sara.screen.startsWith(word('here-question', { options: 4 }))).toBe(true)
})

story('a tap replaces the question by the next one, with two calls to Telegram', async ({ meet }) => {
  const sara = await meet({ at: 'question', ...mood })
  const { message } = sara.question
  const before = botCalls(sara)
  await sara.answers(2)
  expect(sara.question).toMatchObject({ position: 2 })
  expect(sara.question.message.message_id).toBe(message.message_id)
  expect(
    sara.world.emulator.calls
      .slice(before)
      .map(({ method }) => method)
      .toSorted(),
  ).toEqual(['answerCallbackQuery', 'editMessageText'])
})

story('questions cannot be forwarded or saved', async ({ meet }) => {
  const sara = await meet({ at: 'question', ...mood })
  expect(sara.question.message.has_protected_content).toBe(true)
})

story('a section is announced where it begins', async ({ meet }) => {
  const sara = await meet({ at: 'question', ...life })
  expect(sara.screen).toMatch(/^بخش ۱ از ۵: /)
  await sara.answers(0)
  expect(sara.screen).not.toMatch(/^بخش /)
  await sara.answers(...Array<number>(11).fill(0))
  expect(sara.question.position).toBe(13)
  expect(sara.screen).toMatch(/^بخش ۲ از ۵: /)
})

story('long options are shown in full in the text, with short buttons, right to left', async ({ meet }) => {
  const sara = await meet({ at: 'question', record: { testId: 'choices-10', authRequired: false } })
  const { text, options, message } = sara.question
  expect(options).toEqual(['۱', '۲', '۳', '۴'])
  expect(text).toContain('۱. همان روز با او حرف می‌زنم، می‌گویم کارم پشت کار او مانده است')
  expect(text).toContain('۴. جلوی همه می‌پرسم چرا کار را نرسانده است تا دفعهٔ بعد حواسش را بیشتر جمع کند.')
  const [row = []] = message.reply_markup?.inline_keyboard ?? []
  expect(row.map((button) => button.text)).toEqual(['۴', '۳', '۲', '۱'])
})

for (const typed of ['۳', '٣', '3', '۳.', 'گزینهٔ ۳']) {
  story(`an answer can be typed as «${typed}»`, async ({ meet }) => {
    const sara = await meet({ at: 'question', ...mood })
    const old = sara.question.message
    await sara.says(typed)
    expect(sara.question.position).toBe(2)
    expect(sara.question.message.message_id).toBeGreaterThan(old.message_id)
    expect(sara.buttons.filter((data) => data.startsWith('a:'))).toHaveLength(4)
    await sara.walksTo('review')
    await sara.taps(/^review:/)
    expect(sara.screen).toContain(
      word('review-entry', {
        number: 1,
        question: 'دلم گرفته بود و چیزی خوشحالم نمی‌کرد.',
        answer: 'بیشتر روزها',
      }),
    )
  })
}

for (const typed of ['0', '5', '۹۹']) {
  story(`«${typed}» is no option of a question with four`, async ({ meet }) => {
    const sara = await meet({ at: 'question', ...mood })
    await sara.says(typed)
    const said = typed === '0' ? 'here-question' : 'option-out-of-range'
    expect(sara.heard).toContain(word(said, { options: 4 }))
    expect(sara.question.position).toBe(1)
  })
}

story('a text is no answer, and the question is asked again', async ({ meet }) => {
  const sara = await meet({ at: 'question', ...mood })
  await sara.says('نمی‌دانم، شاید ۲ یا ۳')
  expect(sara.heard).toContain(word('here-question', { options: 4 }))
  expect(sara.question.position).toBe(1)
  expect(sara.place).toBe('question')
})

story('a number written before the question was shown does not count for it', async ({ meet }) => {
  const sara = await meet({ at: 'question', ...mood })
  sara.world.pass(60_000)
  const writtenAt = sara.world.now() - 5_000
  await sara.answers(0)
  await sara.acts(() => sara.person.say('۲', { date: writtenAt }))
  expect(sara.heard).toContain(word('answer-too-early'))
  expect(sara.question.position).toBe(2)
})

story(
  'a number that comes late counts if its second is later than that of the question; else the bot asks',
  async ({ meet }) => {
    const sara = await meet({ at: 'question', ...mood })
    const { world, person } = sara
    world.holdClock()
    await sara.answers(0)
    const saysWhileNobodyHears = async () => {
      await world.stop()
      person.say('۲')
      world.pass(5_000)
      await sara.acts(() => world.start())
    }
    await saysWhileNobodyHears()
    expect(sara.heard).toContain(word('answer-asked', { number: 2, label: 'چند روز' }))
    expect(sara.question.position).toBe(2)
    await sara.taps(/^go:/)
    await sara.answers(0)
    world.pass(1_000)
    await saysWhileNobodyHears()
    expect(sara.heard).not.toContain('؟»')
    expect(sara.question.position).toBe(4)
  },
)

story(
  'a number typed in the very second in which a tap showed the question has to be confirmed',
  async ({ meet }) => {
    const sara = await meet({ at: 'question', ...mood })
    sara.world.holdClock()
    await sara.answers(0)
    await sara.acts(() => sara.person.say('۲'))
    expect(sara.heard).toContain(word('answer-asked', { number: 2, label: 'چند روز' }))
    expect(sara.question.position).toBe(2)
  },
)

story('two numbers written at once answer one question', async ({ meet }) => {
  const sara = await meet({ at: 'question', ...mood })
  await sara.acts(() => {
    sara.person.say('۲')
    sara.person.say('۳')
  })
  expect(sara.question.position).toBe(2)
  expect(sara.heard).toContain(word('answer-too-early'))
})

story('a participant can go back, change an answer, and return to where they were', async ({ meet }) => {
  const sara = await meet({ at: 'question', ...mood })
  await sara.answers(0, 1, 2)
  await sara.taps(word('button-question-back'))
  await sara.taps(word('button-question-back'))
  expect(sara.question.position).toBe(2)
  expect(sara.screen).toContain(word('question-chosen', { number: 2, label: 'چند روز' }))
  await sara.answers(3)
  expect(sara.question.position).toBe(4)
  await sara.taps(/^go:.*:1$/).catch(() => sara.forges(`go:${sara.question.s}:1`))
  expect(sara.screen).toContain(word('question-chosen', { number: 4, label: 'تقریباً هر روز' }))
  await sara.taps(word('button-question-return', { position: 4 }))
  expect(sara.question.position).toBe(4)
})

story('on the first question there is nothing to go back to', async ({ meet }) => {
  const sara = await meet({ at: 'question', ...mood })
  expect(sara.person.buttons).not.toContain(word('button-question-back'))
})

story('with ALLOW_BACK=false an answer cannot be changed', async ({ meet }) => {
  const sara = await meet({ at: 'question', environment: { ALLOW_BACK: 'false' }, ...mood })
  await sara.answers(0, 1)
  expect(sara.person.buttons).not.toContain(word('button-question-back'))
  await sara.forges(`go:${sara.question.s}:0`)
  expect(sara.question.position).toBe(3)
})

story('a paused test goes on by its button, /start, the link, /tests or a text', async ({ meet }) => {
  const sara = await meet({ at: 'question', ...mood })
  await sara.answers(0, 1)
  const ways = [
    () => sara.taps(word('button-continue')),
    () => sara.opens(''),
    () => sara.opens(),
    () => sara.says('/tests').then(() => sara.taps(/^open:/)),
    () => sara.says('ادامه می‌دهم'),
  ]
  for (const goesOn of ways) {
    await sara.taps(word('button-pause'))
    expect(sara.place).toBe('paused')
    expect(sara.screen).toContain('۲ از ۷')
    await goesOn()
    expect(sara.place).toBe('question')
    expect(sara.question.position).toBe(3)
  }
})

story('a number typed while the test is paused is no answer, and shows the question', async ({ meet }) => {
  const sara = await meet({ at: 'question', ...mood })
  await sara.taps(word('button-pause'))
  await sara.says('۲')
  expect(sara.place).toBe('question')
  expect(sara.question.position).toBe(1)
})

story('the old buttons of a paused test only lead back to it', async ({ meet }) => {
  const sara = await meet({ at: 'question', ...mood })
  const { data, message } = sara.question
  await sara.taps(word('button-pause'))
  await sara.forges(data[0] ?? '', message)
  expect(sara.place).toBe('question')
  expect(sara.question.position).toBe(1)
})

story('every question has the button «continue later»', async ({ meet }) => {
  const sara = await meet({ at: 'question', ...mood })
  for (let position = 1; position <= 7; position++) {
    expect(sara.person.buttons).toContain(word('button-pause'))
    await sara.answers(0)
  }
  expect(sara.person.buttons).toContain(word('button-pause'))
})

story('a question whose message is gone is sent again', async ({ meet }) => {
  const sara = await meet({ at: 'question', ...mood })
  const { data, message } = sara.question
  sara.world.pass(49 * 3_600_000)
  await sara.acts(() => sara.person.rawTap(9_999, data[1] ?? ''))
  expect(sara.question.position).toBe(2)
  expect(sara.question.message.message_id).toBeGreaterThan(message.message_id)
})

story('the questions are fetched from the service once, whatever happens', async ({ meet }) => {
  const sara = await meet({ at: 'question', ...sleep })
  await sara.answers(0, 1, 2)
  await sara.meetsRestart()
  await sara.opens()
  await sara.answers(3)
  await sara.meetsRestart()
  await sara.walksTo('review')
  expect(sara.calls).toEqual(['look', 'questions'])
})

story('all 567 answers are kept though they come faster than questions can be shown', async ({ meet }) => {
  const sara = await meet({ at: 'question', record: { testId: 'panorama-567', authRequired: false } })
  const { s, message } = sara.question
  const chosen = Array.from({ length: 567 }, (_, index) => (index * 7) % 2)
  await sara.acts(() => {
    for (const [index, option] of chosen.entries()) {
      sara.person.rawTap(message, `a:${s}:${index}:${option}:${(index + 1).toString(36)}`)
    }
  })
  expect(sara.place).toBe('review')
  await sara.taps(/^submit:/)
  expect(sara.submissions).toHaveLength(1)
  const sections = sara.submissions[0]?.record as Record<string, string[]>
  const sent = Object.values(sections).flat()
  expect(sent).toEqual(
    chosen.map((option, index) => expect.stringMatching(new RegExp(`^q${index + 1}o${option + 1}$`))),
  )
})

story(
  'options that are numbers get no numbers of their own, and a typed number is one of them',
  async ({ meet }) => {
    const sara = await meet({
      at: 'question',
      ...knownPerson(shortTest({ answers: ['0', '1', '2', '3'] })),
    })
    expect(sara.question.options.map((label) => label.trim())).toEqual(['0', '1', '2', '3'])
    await sara.says('۴')
    expect(sara.heard).toContain('عددی را که روی آن است')
    expect(sara.question.position).toBe(1)
    await sara.says('۲')
    await sara.taps(word('button-question-back'))
    expect(sara.question.options).toContain('✓ 2')
    expect(sara.screen).toMatch(/پاسخ فعلی شما: 2$/)
  },
)
