import { expect } from 'vitest'
import { story, word, wordInEnglish } from './walk.ts'

story('a whole test can be taken in English', async ({ meet }) => {
  const sara = await meet({ at: 'introduction', environment: { LOCALE: 'en' } })
  expect(sara.screen).toContain(wordInEnglish('intro-consent'))
  await sara.taps(/^begin:/)
  expect(sara.screen).toBe(wordInEnglish('name-ask'))
  await sara.says('زهرا محمدی')
  await sara.walksTo('gender')
  expect(sara.person.buttons).toEqual([wordInEnglish('gender-female'), wordInEnglish('gender-male')])
  await sara.taps('gender:female')
  await sara.says('09123456789')
  await sara.walksTo('question')
  expect(sara.screen).toContain(wordInEnglish('question-progress', { position: 1, total: 7, minutes: 2 }))
  await sara.walksTo('review')
  await sara.taps(/^submit:/)
  expect(sara.person.transcript()).toContain('percentile 78')
  expect(sara.submissions).toHaveLength(1)
})

story('the language can be changed in the middle of a question, and stays', async ({ meet }) => {
  const sara = await meet({ at: 'question', record: { authRequired: false } })
  await sara.answers(0, 1)
  await sara.says('/language')
  await sara.taps('lang:en')
  expect(sara.person.toasts).toEqual([wordInEnglish('language-set')])
  expect(sara.question.position).toBe(3)
  expect(sara.screen).toContain('Question 3 of 7')
  await sara.answers(2)
  expect(sara.screen).toContain('Question 4 of 7')
  await sara.meetsRestart()
  await sara.answers(2)
  expect(sara.screen).toContain('Question 5 of 7')
  await sara.taps('lang:fa')
  expect(sara.screen).toContain('پرسش ۵ از ۷')
})

for (const at of ['introduction', 'gender', 'mobile', 'summary', 'code', 'review'] as const) {
  story(`the language can be changed at ${at}, and the same is asked again`, async ({ meet }) => {
    const sara = await meet({ at })
    await sara.says('/language')
    await sara.taps('lang:en')
    expect(sara.heard).toContain(wordInEnglish('language-set'))
    await sara.taps('lang:fa')
    expect(sara.place).toBe(at)
    expect(sara.heard).toContain(word('language-set'))
  })
}

story('the language is each person’s own', async ({ meet }) => {
  const sara = await meet({ at: 'introduction' })
  await sara.says('/language')
  await sara.taps('lang:en')
  const reza = sara.world.emulator.person({ firstName: 'رضا' })
  await sara.acts(() => reza.start())
  expect(reza.last.text).toContain('سلام')
})
