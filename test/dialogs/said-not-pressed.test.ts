import { expect } from 'vitest'
import type { Participant } from './participant.ts'
import { knownPerson, shortTest } from './short-tests.ts'
import { born, story, word, wordInEnglish } from './walk.ts'

const ours = ({ person }: Participant) => person.messages.filter(({ from }) => from.is_bot).length

story('a plain yes at the summary sends the details', async ({ meet }) => {
  for (const yes of [
    'درسته',
    'بله',
    'آره',
    'بله درسته',
    'همه چیز درسته',
    'تأیید',
    'ادامه بده',
    'ok',
    'Yes',
  ]) {
    const sara = await meet({ at: 'summary' })
    await sara.says(yes)
    expect(sara.place, yes).toBe('code')
  }
})

story('a text that is no yes does not send the details at the summary', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  for (const text of ['نه', 'درست نیست', 'بله ولی تولدم درست نیست', 'چرا باید درست باشد']) {
    await sara.says(text)
    expect(sara.calls, text).not.toContain('auth')
  }
})

story('the words of a button do what the button does', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  await sara.says('ویرایش نام')
  expect(sara.place).toBe('name')
  await sara.says('همین بماند: زهرا محمدی')
  await sara.says(word('button-profile-ok'))
  expect(sara.place).toBe('code')
  await sara.says('تغییر شماره موبایل')
  expect(sara.place).toBe('mobile')
})

story('a field that the participant calls wrong can be corrected', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  for (const [text, place] of [
    ['اسمم اشتباهه', 'name'],
    ['تاریخ تولدم غلطه', 'birth'],
    ['جنسیت درست نیست', 'gender'],
    ['شماره موبایلم عوض شده', 'mobile'],
  ] as const) {
    await sara.says(text)
    expect(sara.place, text).toBe(place)
    if (place === 'mobile') await sara.says('09123456789')
    else await sara.taps('profile:keep')
    expect(sara.place).toBe('summary')
  }
})

story('«wrong mobile» at the code leads to another mobile', async ({ meet }) => {
  const sara = await meet({ at: 'code' })
  await sara.says('شماره اشتباهه')
  expect(sara.place).toBe('mobile')
  await sara.says('09121112233')
  expect(sara.screen).toContain(word('summary-mobile', { mobile: '09121112233' }))
  await sara.waits(61_000)
  await sara.says('بله')
  expect(sara.place).toBe('code')
  await sara.says('شمارم 09351112233 هست')
  expect(sara.place).toBe('summary')
  expect(sara.screen).toContain(word('summary-mobile', { mobile: '09351112233' }))
})

story('a yes is understood wherever a button means yes', async ({ meet }) => {
  const sara = await meet({ at: 'introduction' })
  await sara.says('شروع می‌کنم')
  expect(sara.place).toBe('name')
  await sara.says('زهرا')
  expect(sara.place).toBe('name-confirm')
  await sara.says('همین کافیه')
  expect(sara.place).toBe('birth')
  await sara.says('75/5/12')
  await sara.says('نه')
  await sara.says('75/5/12')
  await sara.says('بله')
  expect(sara.place).toBe('gender')
  await sara.says('خانم')
  await sara.says('09423456789')
  expect(sara.place).toBe('mobile-confirm')
  await sara.says('درسته')
  expect(sara.place).toBe('summary')
  expect(sara.screen).toContain(word('summary-name', { name: 'زهرا' }))
})

story('a guardian can answer in words', async ({ meet }) => {
  const sara = await meet({ at: 'birth' })
  await sara.forges(born(sara, 15))
  expect(sara.place).toBe('guardian')
  await sara.says('خیر')
  expect(sara.heard).toContain(word('guardian-stop'))
  await sara.says('/start')
  await sara.says('بله')
  expect(sara.place).toBe('gender')
})

story('«مرور» shows the review, and «بفرست» sends the answers that it shows', async ({ meet }) => {
  const sara = await meet({ at: 'review' })
  await sara.says('مرور')
  expect(sara.screen).toContain(word('review-hint'))
  await sara.taps(/^go:/)
  await sara.says('مرور پاسخ‌ها')
  expect(sara.screen).toContain(word('review-hint'))
  await sara.says('بفرست')
  expect(sara.submissions).toHaveLength(1)
})

story('«بعداً» puts the profile aside, and is not taken as a name', async ({ meet }) => {
  for (const at of ['name', 'birth', 'summary', 'code'] as const) {
    const sara = await meet({ at })
    await sara.says('بعداً')
    expect(sara.heard, at).toContain(word(at === 'name' ? 'left-aside' : 'cancelled'))
    await sara.says('/start')
    expect(sara.place).toBe(at)
  }
})

story('a yes, a no and a forwarded text are not taken as a name', async ({ meet }) => {
  const sara = await meet({ at: 'name' })
  for (const text of ['بله', 'نه', 'باشه', 'قبلی', 'بفرست']) {
    await sara.says(text)
    expect(sara.place, text).toBe('name')
  }
  await sara.acts(() => sara.person.say('جلسه امروز برگزار می شود', { isForwarded: true }))
  expect(sara.heard).toContain(word('forwarded'))
  expect(sara.place).toBe('name')
})

story('a forwarded number is not taken as an answer', async ({ meet }) => {
  const sara = await meet({ at: 'question' })
  const { position } = sara.question
  await sara.acts(() => sara.person.say('2', { isForwarded: true }))
  expect(sara.question.position).toBe(position)
  expect(sara.heard).toContain(word('forwarded'))
})

story('misplaced messages leave one message more where no test is open', async ({ meet }) => {
  const stranger = await meet()
  await stranger.says('/start')
  const before = ours(stranger)
  for (const text of ['سلام', 'نتیجه من کو؟', 'سلام', 'چه خبر', 'ادامه', 'بله']) await stranger.says(text)
  expect(ours(stranger) - before).toBeLessThanOrEqual(1)
})

story('misplaced messages leave one message more after the end', async ({ meet }) => {
  const sara = await meet({ at: 'review' })
  await sara.taps(/^submit:/)
  const before = ours(sara)
  for (const text of ['سلام', 'نتیجه من کو؟', 'ممنون', 'نتیجه من کو؟', 'سلام', 'بله']) await sara.says(text)
  expect(ours(sara) - before).toBeLessThanOrEqual(1)
})

story('no call removes the buttons of a message that is about to be deleted', async ({ meet }) => {
  const sara = await meet({ at: 'introduction' })
  for (const text of ['یک', 'دو', 'سه']) await sara.says(text)
  await sara.taps(/^begin:/)
  await sara.walksTo('birth')
  for (const text of ['یک', 'دو', 'سه']) await sara.says(text)
  await sara.walksTo('summary')
  for (const text of ['یک', 'دو', 'سه']) await sara.says(text)
  await sara.walksTo('question')
  const { calls } = sara.world.emulator
  const needless = calls.filter(({ method, payload: { message_id: id } }, at) => {
    if (method !== 'editMessageReplyMarkup') return false
    // The message is deleted at once, or its buttons were removed already.
    const near = calls.slice(0, at + 4)
    const deleted = near.some(({ payload }) => (payload.message_ids as unknown[] | undefined)?.includes(id))
    const others = near.filter((one) => one.method === method && one.payload.message_id === id)
    return deleted || others.length > 1
  })
  expect(calls.filter(({ method }) => method === 'deleteMessages').length).toBeGreaterThan(5)
  expect(needless.map(({ payload }) => payload.message_id)).toEqual([])
})

story('a participant who asks whether to send sends nothing', async ({ meet }) => {
  const sara = await meet({ at: 'review' })
  for (const text of ['بفرستم؟', 'جواب‌ها رو بفرستم؟', 'ارسال؟', 'send?', 'بفرستم']) {
    await sara.says(text)
    expect(sara.submissions, text).toHaveLength(0)
    expect(sara.heard, text).toContain(word('here-review'))
    expect(sara.person.buttons, text).toContain(word('button-ask-words'))
  }
})

story('a label with a question mark is not taken as an answer', async ({ meet }) => {
  const sara = await meet({ at: 'question' })
  const label = sara.question.options[1]?.replace(/^.*?\. /, '') ?? ''
  for (const text of [`${label}؟`, 'دو؟', '۲ ؟', 'بعداً؟', 'لغو؟']) {
    await sara.says(text)
    expect(sara.question.position, text).toBe(1)
    expect(sara.heard, text).toContain(word('here-question', { options: sara.question.options.length }))
    expect(sara.person.buttons, text).toContain(word('button-ask-words'))
  }
})

story('a question in the profile is taken neither as consent nor as a yes or a gender', async ({ meet }) => {
  for (const [at, text] of [
    ['introduction', 'شروع کنم؟'],
    ['introduction', 'شروع؟'],
    ['name-confirm', 'بله؟'],
    ['gender', 'خانم؟'],
    ['summary', 'درسته؟'],
    ['summary', `${word('button-profile-ok')}؟`],
  ] as const) {
    const sara = await meet(at === 'name-confirm' ? { at: 'name' } : { at })
    if (at === 'name-confirm') await sara.says('زهرا')
    await sara.says(text)
    expect(sara.place, text).toBe(at)
    expect(sara.calls, text).not.toContain('auth')
  }
  const sara = await meet({ at: 'birth' })
  await sara.says('75/5/12')
  await sara.says('بله؟')
  expect(sara.place).toBe('birth')
  await sara.forges(born(sara, 15))
  await sara.says('بله؟')
  expect(sara.place).toBe('guardian')
})

const withOrganizer = { at: 'question', ...knownPerson(), environment: { ORGANIZERS: '4001' } } as const

for (const languageCode of ['fa', 'en'] as const) {
  const label = languageCode === 'fa' ? word : wordInEnglish
  story(
    `the words of a button at a question or review do what the button does, in ${languageCode}`,
    async ({ meet }) => {
      const sara = await meet({ ...withOrganizer, person: { languageCode } })
      await sara.answers(0)
      await sara.says(label('button-question-back'))
      expect(sara.question.position).toBe(1)
      await sara.says(`${label('button-question-return', { position: 2 })}.`)
      expect(sara.question.position).toBe(2)
      await sara.says(label('button-pause'))
      expect(sara.place).toBe('paused')
      await sara.taps(/^open:/)
      await sara.says(label('button-ask'))
      expect(sara.heard).toContain(label('ask-words'))
      await sara.says('/cancel')
      await sara.walksTo('review')
      await sara.says(label('button-review'))
      expect(sara.screen).toContain(label('review-hint'))
      await sara.says(label('button-ask'))
      expect(sara.heard).toContain(label('ask-words'))
      await sara.says('/cancel')
      await sara.walksTo('review')
      await sara.says(label('button-submit'))
      expect(sara.submissions).toHaveLength(1)
    },
  )
}

story('a number typed at the review does not open a question', async ({ meet }) => {
  const sara = await meet({ at: 'review', ...knownPerson() })
  await sara.taps(/^review:/)
  await sara.taps(/^go:.*:1$/)
  await sara.answers(1)
  expect(sara.place).toBe('review')
  await sara.says('۲')
  expect(sara.place).toBe('review')
})

story('an option with the label of a button is taken as the option', async ({ meet }) => {
  const test = shortTest({ answers: [word('button-pause'), 'برگشت', word('button-ask')] })
  const sara = await meet({ at: 'question', ...knownPerson(test) })
  for (const text of [word('button-pause'), 'برگشت', word('button-ask')]) await sara.says(text)
  expect(sara.place).toBe('review')
})

story('typed words are sent to the organizer by the words of the button below them', async ({ meet }) => {
  const sara = await meet(withOrganizer)
  await sara.says('این یعنی چه')
  await sara.says(word('button-ask-words'))
  expect(sara.heard).toContain(word('ask-sent'))
})
