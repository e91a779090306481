import { expect } from 'vitest'
import { knownPerson } from './short-tests.ts'
import {
  another,
  wordInEnglish as english,
  ORGANIZER,
  type Participant,
  type Place,
  story,
  withAnother,
  word,
  ZAHRA,
} from './walk.ts'

const PERSIAN_LETTER = /\p{Script=Arabic}/u
const PERSIAN_DIGIT = /[۰-۹]/

async function toEnglish(participant: Participant) {
  await participant.says('/language')
  await participant.taps('lang:en')
}

/** What the person reads at each place after the change to English. */
const saidAt: readonly (readonly [Place, string])[] = [
  ['introduction', english('intro-consent')],
  ['name', english('name-ask')],
  ['birth', english('birth-ask')],
  ['gender', english('gender-female')],
  ['mobile', english('mobile-ask').slice(0, 30)],
  ['summary', english('button-profile-ok')],
  ['code', english('button-sms-again')],
  ['question', english('button-pause')],
  ['review', english('button-submit')],
]

for (const [at, said] of saidAt) {
  story(`/language at "${at}" shows the same place in English`, async ({ meet }) => {
    const sara = await meet({ at })
    const { calls } = sara
    await toEnglish(sara)
    expect(sara.heard).toContain(english('language-set'))
    expect(`${sara.screen} ${sara.person.buttons.join(' ')}`).toContain(said)
    if (at === 'question') expect(sara.question.position).toBe(1)
    expect(sara.calls).toEqual(calls)
    await sara.says('/language')
    await sara.taps('lang:fa')
    expect(sara.heard).toContain(word('language-set'))
    expect(sara.place).toBe(at)
  })
}

story('a change of language is also answered while a test waits and after its result', async ({ meet }) => {
  const sara = await meet({ at: 'waiting', record: { status: 0 } })
  await toEnglish(sara)
  expect(sara.person.buttons).toContain(english('button-refresh'))
  const reza = await meet({ at: 'review', ...knownPerson() })
  await reza.taps(/^submit:/)
  await toEnglish(reza)
  expect(reza.heard).toBe(english('language-set'))
  await reza.opens()
  expect(reza.heard).toContain(english('result-ready', { title: 'آزمون کوتاه' }))
})

story('a whole test in English', async ({ meet }) => {
  const sara = await meet({ person: { languageCode: 'en' } })
  await sara.says('/language')
  await sara.taps('lang:en')
  await sara.opens()
  expect(sara.screen).toContain(
    english('intro-ages', { ages: english('ages-between', { min: 14, max: 90 }) }),
  )
  await sara.taps(/^begin:/)
  await sara.says('Zahra')
  expect(sara.heard).toContain(english('name-error.latin_many'))
  await sara.says(ZAHRA.name)
  await sara.says('1996/8/2')
  if (sara.buttons.includes('birth:ok')) await sara.taps('birth:ok')
  await sara.taps('gender:female')
  await sara.says(ZAHRA.mobile)
  expect(sara.place).toBe('summary')
  expect(sara.screen).toContain('1996')
  expect(sara.screen).toContain(ZAHRA.mobile)
  expect(sara.screen).not.toMatch(PERSIAN_DIGIT)
  await sara.taps('profile:ok')
  expect(sara.screen).toContain(ORGANIZER)
  await sara.says(sara.codes[0] ?? '')
  expect(sara.question.text).toContain(english('question-progress', { position: 1, total: 7, minutes: 2 }))
  await sara.says('2')
  expect(sara.question.position).toBe(2)
  await sara.walksTo('review')
  await sara.taps(/^review:/)
  expect(sara.screen).toContain(english('review-title', { page: 1, pages: 1, total: 7 }))
  await sara.taps(/^submit:/)
  expect(sara.files).toHaveLength(2)
  const result = sara.person.messages.map(({ text = '' }) => text).join('\n')
  expect(result).toContain(english('result-closing'))
  await sara.says('/tests')
  expect(sara.heard).toContain(english('stage-done'))
})

story('in English no text of the bot is left in Persian', async ({ meet }) => {
  const sara = await meet({
    environment: { LOCALE: 'en', ORGANIZER_NAME: 'Calm', ORGANIZER_CONTACT: '@calm' },
    person: { languageCode: 'en' },
  })
  for (const command of ['/start', '/tests', '/help', '/privacy', '/forget', '/cancel', '/what']) {
    await sara.says(command)
    expect(sara.heard, command).not.toBe('')
    expect(sara.heard, command).not.toMatch(PERSIAN_LETTER)
  }
  await sara.says('/start record_00000000-0000-4000-8000-000000000000')
  expect(sara.heard).toBe(english('invitation-unknown'))
})

story('with LOCALE=en participants who have not chosen a language get English', async ({ meet }) => {
  const sara = await meet({ environment: { LOCALE: 'en' } })
  await sara.opens()
  expect(sara.screen).toContain(english('intro-consent'))
  await sara.says('/language')
  await sara.taps('lang:fa')
  expect(sara.screen).toContain(word('intro-consent'))
  await sara.meetsRestart()
  await sara.opens()
  expect(sara.screen).toContain(word('intro-consent'))
})

story('a participant with an English Telegram gets English, with a button for Persian', async ({ meet }) => {
  const sara = await meet({ person: { languageCode: 'en-US' } })
  await sara.opens('')
  expect(sara.screen).toBe(english('welcome'))
  await sara.opens()
  expect(sara.screen).toContain(english('intro-language'))
  expect(sara.screen).toContain(english('intro-consent'))
  await sara.taps(word('language-name'))
  expect(sara.screen).toContain(word('intro-consent'))
  expect(sara.data).not.toContain('lang:en')
  await sara.meetsRestart()
  await sara.opens()
  expect(sara.screen).toContain(word('intro-consent'))
})

story(
  'a Telegram in another language gets the organizer’s language, with a button for the other',
  async ({ meet }) => {
    const sara = await meet({ at: 'introduction', person: { languageCode: 'de' } })
    expect(sara.screen).toContain(word('intro-consent'))
    expect(sara.data).toContain('lang:en')
  },
)

story('numbers and dates follow the language, codes and mobiles do not', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  expect(sara.screen).toContain('۱۳۷۵')
  expect(sara.screen).toContain(ZAHRA.mobile)
  await toEnglish(sara)
  expect(sara.screen).toContain('1996')
  expect(sara.screen).not.toContain('۱۳۷۵')
  expect(sara.screen).toContain(ZAHRA.mobile)
})

story(
  'the language changes in mid-questionnaire without losing an answer, also for the hot path',
  async ({ meet }) => {
    const sara = await meet({ at: 'question', ...knownPerson() })
    await sara.answers(2)
    await toEnglish(sara)
    expect(sara.question.position).toBe(2)
    await sara.answers(0)
    expect(sara.question.text).toContain(english('question-progress', { position: 3, total: 3, minutes: 1 }))
    await sara.answers(1)
    await sara.taps(/^submit:/)
    expect(sara.submissions.map(({ record }) => record)).toEqual([['q1o3', 'q2o1', 'q3o2']])
    expect(sara.person.messages.map(({ text }) => text)).toContain(english('submit-sent', { total: 3 }))
  },
)

story('the chosen language applies to every test of the account', async ({ meet }) => {
  const sara = await meet({ at: 'question' })
  await toEnglish(sara)
  const next = withAnother(sara, { testId: 'sleep-20', authRequired: false })
  await next.opens()
  expect(next.screen).toContain(english('intro-consent'))
})

story('the buttons of an older language choice still work', async ({ meet }) => {
  const sara = await meet({ at: 'name' })
  await sara.says('/language')
  const choice = sara.person.last
  await sara.says(ZAHRA.name)
  await sara.taps('lang:en', choice)
  expect(sara.place).toBe('birth')
  expect(sara.screen).toContain(english('birth-ask'))
})

story('each participant has their own language', async ({ meet }) => {
  const sara = await meet({ at: 'introduction' })
  await toEnglish(sara)
  const reza = another(sara)
  await reza.opens()
  expect(reza.screen).toContain(word('intro-consent'))
})

story('an update without a language code does not change the language', async ({ meet }) => {
  const sara = await meet({ at: 'question', ...knownPerson(), person: { languageCode: 'en' } })
  await sara.says('xyz')
  const { heard } = sara
  delete (sara.person.state as { languageCode?: string }).languageCode
  await sara.says('xyz')
  expect(sara.heard).toBe(heard)
})
