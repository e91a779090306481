import { expect } from 'vitest'
import { story, withAnother, word, wordInEnglish, ZAHRA } from './walk.ts'

const HOUR = 3_600_000

story('/settings and /language open the settings; a chosen language leaves no keyboard', async ({ meet }) => {
  const sara = await meet({ at: 'name' })
  for (const command of ['/language', '/settings']) {
    await sara.says(command)
    expect(sara.heard).toContain(word('settings').split('\n')[0])
    expect(sara.person.buttons.slice(0, 2)).toEqual([
      `✓ ${word('language-name')}`,
      wordInEnglish('language-name'),
    ])
  }
  await sara.taps('lang:en')
  expect(sara.heard).toContain(wordInEnglish('language-set'))
  expect(sara.person.messages.filter((each) => JSON.stringify(each).includes('lang:'))).toHaveLength(1)
})

story('large text shows one option a row and no folded text in the middle of a test', async ({ meet }) => {
  const sara = await meet({ at: 'question' })
  await sara.says('/settings')
  await sara.taps('large:on')
  const widths = () => {
    const rows = sara.person.messages.findLast((each) => JSON.stringify(each).includes('"a:'))?.reply_markup
    return (rows?.inline_keyboard ?? [])
      .filter(([one]) => 'callback_data' in (one ?? {}) && JSON.stringify(one).includes('"a:'))
      .map((row) => row.length)
  }
  expect(new Set(widths())).toEqual(new Set([1]))
  await sara.answers(1)
  expect(new Set(widths())).toEqual(new Set([1]))
})

story('a reminder comes at the chosen hour', async ({ meet }) => {
  const sara = await meet({ at: 'question', environment: { REMINDER_HOURS: '24' } })
  await sara.says('/settings')
  await sara.taps('hour:21')
  for (let waited = 0; waited < 60 && !sara.screen.includes('هنوز تمام نشده'); waited++)
    await sara.waits(HOUR)
  expect(sara.screen).toContain('هنوز تمام نشده')
  expect(new Date(sara.person.last.date * 1_000 + 3.5 * HOUR).getUTCHours()).toBe(21)
})

story('the details of the last test can be taken with one press', async ({ meet }) => {
  const sara = await meet({ at: 'question' })
  const second = withAnother(sara, { testId: 'mood-7' })
  await second.opens()
  await second.taps(/^begin:/)
  await second.taps('profile:same')
  expect(second.place).toBe('summary')
  expect(second.screen).toContain(ZAHRA.name)
})

story('a brother’s test asks for the details again and keeps the mobile', async ({ meet }) => {
  const sara = await meet({ at: 'question' })
  const second = withAnother(sara, { testId: 'mood-7' })
  await second.opens()
  await second.taps(/^begin:/)
  await second.says('علی محمدی')
  await second.says('۱۳۷۰/۱/۱')
  await second.taps('gender:male')
  expect(second.place).toBe('summary')
  await second.says('۰۹۱۲۱۱۱۲۲۳۳')
  expect(second.screen).toContain(word('summary-mobile', { mobile: '09121112233' }))
})

story('after /forget no details of the last test are offered', async ({ meet }) => {
  const sara = await meet({ at: 'question' })
  await sara.forgets()
  const second = withAnother(sara, { testId: 'mood-7' })
  await second.opens()
  await second.taps(/^begin:/)
  expect(second.data).not.toContain('profile:same')
})

story('a result in large text has no folded text', async ({ meet }) => {
  const sara = await meet({ at: 'review' })
  await sara.says('/settings')
  await sara.taps('large:on')
  await sara.taps(/^submit:/)
  const folded = sara.person.messages.flatMap(({ entities = [] }) =>
    entities.filter(({ type }) => /quote/.test(type)),
  )
  expect(sara.chat).toContain('سنگینی دل: نمره')
  // Only the introduction, which was shown before the setting.
  expect(folded).toHaveLength(1)
})
