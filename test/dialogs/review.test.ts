import { expect } from 'vitest'
import { type Meeting, story, word } from './walk.ts'

const sleep: Meeting = { at: 'review', record: { testId: 'sleep-20', authRequired: false } }

const entry = (number: number, question: string, answer: string) =>
  word('review-entry', { number, question, answer })

story('when all is answered the participant can look at every answer, in pages', async ({ meet }) => {
  const sara = await meet(sleep)
  expect(sara.screen).toContain(word('all-answered', { total: 20 }))
  expect(sara.data.map((data) => data.split(':')[0])).toEqual(['submit', 'review', 'pause', 'ask'])
  await sara.taps(word('button-review'))
  expect(sara.screen).toContain(word('review-title', { page: 1, pages: 2, total: 20 }))
  expect(sara.screen).toContain(entry(1, 'شب‌ها زود و آسان خوابم می‌برد.', 'به‌ندرت'))
  expect(sara.screen).toContain(word('review-hint'))
  expect(sara.person.buttons).toContain('۱۰')
  expect(sara.person.buttons).not.toContain('۱۱')
  await sara.taps(word('button-page-next'))
  expect(sara.screen).toContain(word('review-title', { page: 2, pages: 2, total: 20 }))
  expect(sara.screen).toContain(entry(20, 'اگر شب بیدار شوم، زود دوباره خوابم می‌برد.', 'هرگز'))
  await sara.taps(word('button-page-previous'))
  expect(sara.screen).toContain(word('review-title', { page: 1, pages: 2, total: 20 }))
})

story('a participant can go from the review to a question, change it, and come back', async ({ meet }) => {
  const sara = await meet(sleep)
  await sara.taps(word('button-review'))
  await sara.taps(word('button-page-next'))
  await sara.taps('۱۷')
  expect(sara.question.position).toBe(17)
  // Back on the page of that question, changed or not.
  await sara.taps(word('button-review'))
  expect(sara.screen).toContain(word('review-title', { page: 2, pages: 2, total: 20 }))
  await sara.taps('۲۰')
  await sara.answers(4)
  expect(sara.screen).toContain(entry(20, 'اگر شب بیدار شوم، زود دوباره خوابم می‌برد.', 'همیشه'))
  await sara.taps(word('button-page-previous'))
  await sara.taps('۳')
  await sara.answers(4)
  expect(sara.place).toBe('review')
  expect(sara.screen).toContain(entry(3, 'شب‌ها سر ساعتی ثابت به رختخواب می‌روم.', 'همیشه'))
  await sara.taps(/^submit:/)
  const [submission] = sara.submissions
  expect(Object.values(submission?.record as object).flat()[2]).toBe('o5')
})

story('a press on an older review sends nothing while a question is open', async ({ meet }) => {
  const sara = await meet(sleep)
  const submit = sara.data.find((data) => data.startsWith('submit:')) ?? ''
  await sara.taps(word('button-review'))
  await sara.taps('۳')
  await sara.forges(submit)
  expect(sara.place).toBe('question')
  expect(sara.submissions).toEqual([])
  await sara.answers(4)
  expect(sara.place).toBe('review')
  await sara.taps(/^submit:/)
  expect(sara.submissions).toHaveLength(1)
})

story('a change by a typed number leads back to the review too', async ({ meet }) => {
  const sara = await meet(sleep)
  await sara.taps(word('button-review'))
  await sara.taps('۳')
  await sara.says('۵')
  expect(sara.place).toBe('review')
  expect(sara.screen).toContain(entry(3, 'شب‌ها سر ساعتی ثابت به رختخواب می‌روم.', 'همیشه'))
})

story('with ALLOW_BACK=false the review shows the answers and sends them', async ({ meet }) => {
  const sara = await meet({ ...sleep, environment: { ALLOW_BACK: 'false' } })
  await sara.taps(word('button-review'))
  expect(sara.screen).toContain(word('review-hint-fixed'))
  expect(sara.person.buttons).not.toContain('۱')
  await sara.taps(word('button-page-next'))
  await sara.forges(`go:${sara.buttons.find((data) => data.startsWith('submit:'))?.slice(7)}:3`)
  expect(sara.place).toBe('review')
  await sara.taps(/^submit:/)
  expect(sara.submissions).toHaveLength(1)
})

story('a number typed at the review changes nothing', async ({ meet }) => {
  const sara = await meet(sleep)
  await sara.says('۲')
  expect(sara.heard).toContain(word('here-review'))
  expect(sara.place).toBe('review')
})

story('the review can wait until later', async ({ meet }) => {
  const sara = await meet(sleep)
  await sara.taps(word('button-pause'))
  expect(sara.place).toBe('paused')
  await sara.meetsRestart()
  await sara.taps(word('button-continue'))
  expect(sara.place).toBe('review')
})

story('a page that does not exist shows the nearest one', async ({ meet }) => {
  const sara = await meet(sleep)
  const s = sara.buttons.find((data) => data.startsWith('submit:'))?.slice(7)
  await sara.forges(`review:${s}:99`)
  expect(sara.screen).toContain(word('review-title', { page: 2, pages: 2, total: 20 }))
})

story('with ALLOW_BACK=false the reply at the review is brief and offers no change', async ({ meet }) => {
  const sara = await meet({ at: 'review', environment: { ALLOW_BACK: 'false' } })
  await sara.says('یعنی چی')
  expect(sara.heard.split('پاسخ‌ها را')).toHaveLength(2)
  expect(sara.heard).not.toContain('تغییر')
})

story('a participant who was reminded before sending gets the thanks once', async ({ meet }) => {
  const sara = await meet({ at: 'review' })
  await sara.waits(25 * 3_600_000)
  await sara.taps(/^submit:/)
  expect(sara.chat.split(word('submit-sent', { total: 7 }))).toHaveLength(2)
})

story('the message that answers are on their way stands once, however often asked', async ({ meet }) => {
  const sara = await meet({ at: 'review' })
  sara.world.sandbox.fault({ kind: 'status', status: 503, path: '.', times: 9_999 })
  await sara.taps(/^submit:/)
  for (const ask of ['سلام', '/start', 'سلام', '/start']) await sara.says(ask)
  expect(sara.chat.split(word('submit-waiting'))).toHaveLength(2)
})
