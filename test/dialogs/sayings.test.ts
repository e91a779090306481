import { expect } from 'vitest'
import { knownPerson } from './short-tests.ts'
import { story, withAnother, word } from './walk.ts'

story('«بفرست» at the review sends the answers', async ({ meet }) => {
  const sara = await meet({ at: 'review' })
  await sara.says('لطفاً بفرست')
  expect(sara.submissions).toHaveLength(1)
})

story('«بفرست» at a question sends nothing', async ({ meet }) => {
  const sara = await meet({ at: 'question' })
  await sara.says('بفرست')
  expect(sara.heard).toContain(word('here-question', { options: 4 }))
  expect(sara.submissions).toEqual([])
})

story('«قبلی» goes back, and «بعداً» puts the test aside', async ({ meet }) => {
  const sara = await meet({ at: 'question' })
  await sara.answers(1)
  const { position } = sara.question
  await sara.says('قبلی')
  expect(sara.question.position).toBe(position - 1)
  await sara.says('بعداً')
  expect(sara.place).toBe('paused')
})

story('«قبلی» does not go back where answers cannot be changed', async ({ meet }) => {
  const sara = await meet({ at: 'question', environment: { ALLOW_BACK: 'false' } })
  await sara.answers(1)
  const { position } = sara.question
  await sara.says('قبلی')
  expect(sara.question.position).toBe(position)
})

story('the gender and the mobile are understood in a short sentence', async ({ meet }) => {
  const sara = await meet({ at: 'gender' })
  await sara.says('خانوم هستم')
  expect(sara.place).toBe('mobile')
  await sara.says('این ۰۹۱۲۳۴۵۶۷۸۹ نیست')
  expect(sara.place).toBe('mobile')
  await sara.says('شمارم ۰۹۱۲۳۴۵۶۷۸۹ هست')
  expect(sara.screen).toContain(word('summary-mobile', { mobile: '09123456789' }))
})

story('«سلام» is not taken as a name, and is answered', async ({ meet }) => {
  const sara = await meet({ at: 'name' })
  await sara.says('سلام')
  expect(sara.heard).toContain(word('greeting'))
  expect(sara.place).toBe('name')
  await sara.says('نتیجه من کو؟')
  expect(sara.heard).toContain(word('result-not-yet'))
  expect(sara.place).toBe('name')
})

story('a participant who asks for a result is told that it goes to the organizer', async ({ meet }) => {
  const sara = await meet({ at: 'name', environment: { RESULT_TO: 'organizer' } })
  await sara.says('نتیجه من کو؟')
  expect(sara.heard).toContain(word('intro-result-organizer'))
})

story(
  'a greeting of several words is not taken as a name; a name is found in a short sentence',
  async ({ meet }) => {
    const sara = await meet({ at: 'name' })
    for (const greeting of ['سلام وقت بخیر', 'سلام خسته نباشید', 'سلام خوبید', 'سلام و درود']) {
      await sara.says(greeting)
      expect(sara.heard).toContain(word('greeting'))
      expect(sara.place).toBe('name')
    }
    await sara.says('سلام علی رضایی هستم')
    expect(sara.place).toBe('birth')
    await sara.walksTo('summary')
    expect(sara.screen).toContain('علی رضایی')
    expect(sara.screen).not.toMatch(/سلام|هستم/)
  },
)

story('a participant who asks for the result gets the button for it', async ({ meet }) => {
  const sara = await meet({ at: 'review' })
  await sara.taps(/^submit:/)
  await sara.says('نتیجه من کو؟')
  expect(sara.buttons.some((data) => data.startsWith('result:'))).toBe(true)
})

story('six misplaced messages at the introduction leave one, with the way on', async ({ meet }) => {
  const sara = await meet({ at: 'introduction' })
  const ours = () => sara.person.messages.filter(({ from }) => from.is_bot).length
  const before = ours()
  for (const text of ['یک', 'دو', 'سه', 'چهار', 'پنج', 'شش']) await sara.says(text)
  expect(ours()).toBe(before + 1)
  expect(sara.screen).toBe(word('here-intro'))
  expect(sara.person.messages.filter(({ reply_markup }) => reply_markup).length).toBe(1)
  await sara.taps(/^begin:/)
  expect(sara.place).toBe('name')
})

story('misplaced messages at every step leave at most one message more', async ({ meet }) => {
  for (const at of ['name', 'birth', 'summary', 'code', 'paused'] as const) {
    const sara = await meet(at === 'paused' ? { at: 'question' } : { at })
    if (at === 'paused') await sara.taps(/^pause:/)
    const ours = () => sara.person.messages.filter(({ from }) => from.is_bot).length
    const before = ours()
    for (let count = 0; count < 6; count++) await sara.acts(() => sara.person.sendSticker())
    expect(ours() - before, at).toBeLessThanOrEqual(1)
  }
})

story('a changed answer is announced, and no message still claims the former one', async ({ meet }) => {
  const sara = await meet({ at: 'question' })
  await sara.answers(0)
  const { position } = sara.question
  const changed = (text: string) =>
    text.includes(word('answer-changed', { position: position - 1, label: '' }).trim())
  await sara.taps(/^go:/)
  await sara.answers(2)
  expect(sara.question.position).toBe(position)
  expect(changed(sara.screen)).toBe(true)
  await sara.taps(/^go:/)
  await sara.says('۲')
  expect(sara.question.position).toBe(position)
  expect(changed(sara.screen)).toBe(true)
  expect(sara.chat).not.toContain(word('question-chosen', { number: 3, label: '' }).trim())
  await sara.answers(1)
  expect(changed(sara.screen)).toBe(false)
})

story(
  'choosing the same answer again is no change, neither in the chat nor in how it was answered',
  async ({ meet }) => {
    const sara = await meet({ at: 'question' })
    await sara.answers(2)
    const { position } = sara.question
    const isSaid = () =>
      sara.chat.includes(word('answer-changed', { position: position - 1, label: '' }).trim())
    const again = [() => sara.answers(2), () => sara.says('۳')]
    for (const choose of again) {
      await sara.taps(/^go:/)
      await choose()
      expect(sara.question.position).toBe(position)
      expect(isSaid()).toBe(false)
    }
    await sara.says('/mydata')
    const { document } = sara.files.at(-1) ?? {}
    const { bytes } = sara.world.emulator.file(document?.file_id ?? '') ?? {}
    expect(JSON.parse(String(bytes)).records[0].how_answered.changes).toBe(0)
  },
)

story('a link opened in the middle of a profile names the waiting test, and offers it', async ({ meet }) => {
  const sara = await meet({ at: 'birth' })
  const second = withAnother(sara, { testId: 'sleep-20', authRequired: false })
  await second.opens()
  const title = 'حال این دو هفته (نمونه) · زهرا'
  expect(second.heard).toContain(word('set-aside', { title, state: word('stage-profile') }))
  await sara.taps(
    /^open:/,
    sara.person.messages.findLast(({ text }) => text?.includes(title)),
  )
  expect(sara.place).toBe('birth')
})

for (const at of ['introduction', 'summary', 'question'] as const)
  story(`a link that opens nothing puts nothing aside at the ${at}`, async ({ meet }) => {
    const sara = await meet({ at })
    for (const _ of ['asked', 'known to be nothing']) {
      const { message_id: before } = sara.person.last
      await sara.opens('record_00000000-0000-4000-8000-000000000001')
      const said = sara.fromBot().filter(({ message_id: id }) => id > before)
      expect(said.map(({ text }) => text)).toEqual([word('invitation-unknown'), sara.person.last.text])
      expect(sara.place).toBe(at)
      expect(sara.chat).not.toContain(word('typed-withdrawn'))
    }
  })

story('after the beginning no button «شروع می‌کنم» is left', async ({ meet }) => {
  const sara = await meet({ at: 'introduction', ...knownPerson() })
  await sara.taps(/^begin:/)
  expect(sara.place).toBe('question')
  const data = sara.person.messages.flatMap(({ reply_markup }) => JSON.stringify(reply_markup ?? ''))
  expect(data.join()).not.toContain('begin:')
})

story('a person who has opened no test and asks for a result is promised none', async ({ meet }) => {
  const sara = await meet()
  await sara.says('نتیجه')
  expect(sara.heard).toBe(word('tests-none'))
})

story('a participant who asks for a result after sending is not told to send', async ({ meet }) => {
  const sara = await meet({ at: 'review' })
  sara.world.sandbox.fault({ kind: 'status', status: 503, path: 'result', times: 99 })
  await sara.taps(/^submit:/)
  await sara.says('نتیجه')
  expect(sara.heard).not.toContain(word('result-not-yet'))
  expect(sara.heard).toContain(word('result-coming'))
})
