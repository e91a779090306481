import { expect } from 'vitest'
import type { Participant } from '../dialogs/walk.ts'
import { type Office, story, word } from './office.ts'

/** The text of the newest question that an organizer has received. */
const asked = (office: Office) =>
  office.fromBot().findLast(({ text }) => text?.includes(word('question-how')))?.text ?? ''

/** The keyboard under the input field. */
const underInput = ({ person }: Participant) => person.transcript().split('under the input:')[1]

const asks = ({ data }: Participant) => data.filter((each) => each.startsWith('ask:'))

story('every page of the calendar has the button for a question to a person', async ({ work }) => {
  const office = await work()
  const sara = office.join(office.addRecord())
  await sara.walksTo('birth')
  for (const page of ['birth:open', /^birth:j:\d{3}$/, /^birth:j:\d{4}$/, /^birth:j:\d{4}:\d{1,2}$/]) {
    await sara.taps(page)
    expect([page, asks(sara)]).toEqual([page, [expect.stringMatching(/^ask:/)]])
  }
  await sara.taps(/^ask:/)
  await sara.says('روز تولدم را دقیق نمی‌دانم')
  expect(asked(office)).toContain('روز تولدم را دقیق نمی‌دانم')
  expect(sara.place).toBe('birth')
})

story('the button for a question stands under the input field at the mobile', async ({ work }) => {
  const office = await work()
  const sara = office.join(office.addRecord())
  await sara.walksTo('mobile')
  expect(underInput(sara)).toContain(word('button-ask'))
  await sara.says(word('button-ask'))
  expect(sara.heard).toContain(word('ask-words'))
  await sara.says('شماره‌ام را برای چه می‌خواهید؟')
  expect(asked(office)).toContain('برای چه می‌خواهید')
  expect(sara.place).toBe('mobile')
  // A text that is no number is offered as a question, and sent by one press.
  await sara.says('نمی‌خواهم بدهم')
  expect(underInput(sara)).toContain(word('button-ask-words'))
  expect(asked(office)).not.toContain('نمی‌خواهم بدهم')
  await sara.says(word('button-ask-words'))
  expect(asked(office)).toContain('نمی‌خواهم بدهم')
  expect(sara.place).toBe('mobile')
  await sara.says('09123456789')
  expect(sara.place).toBe('summary')
})

for (const words of ['سؤالی دارم', 'سوالی دارم']) {
  story(`«${words}» begins a question at each detail, at a pause and at the result`, async ({ work }) => {
    const office = await work()
    const sara = office.join(office.addRecord())
    for (const place of ['name', 'mobile', 'code', 'paused', 'result-ready'] as const) {
      await sara.walksTo(place === 'paused' ? 'question' : place === 'result-ready' ? 'review' : place)
      if (place === 'paused') await sara.taps(/^pause:/)
      if (place === 'result-ready') await sara.taps(/^submit:/)
      await sara.says(words)
      expect([place, sara.heard]).toEqual([place, expect.stringContaining(word('ask-words'))])
      expect([place, sara.heard.includes(word('ask-stays'))]).toEqual([place, place !== 'result-ready'])
      await sara.says(`چرا ${place}؟`)
      expect(asked(office)).toContain(`چرا ${place}؟`)
      if (place === 'paused') await sara.says('/start')
    }
  })
}

story(
  'without organizers the button at the mobile names a contact, and the number can still be given',
  async ({ work }) => {
    const office = await work({ environment: { ORGANIZERS: '' } })
    const sara = office.join(office.addRecord())
    await sara.walksTo('mobile')
    await sara.says(word('button-ask'))
    expect(sara.heard).toContain(word('ask-contact'))
    expect(sara.place).toBe('mobile')
    expect(underInput(sara)).toContain(word('button-share-mobile'))
  },
)

story('a text that is no answer to a detail is offered to be sent as it is', async ({ work }) => {
  const office = await work()
  const sara = office.join(office.addRecord())
  const offered = async (place: 'name' | 'birth' | 'gender' | 'summary' | 'code', words: string) => {
    await sara.walksTo(place)
    const before = asked(office)
    await sara.says(words)
    expect([place, sara.place]).toEqual([place, place])
    expect([place, sara.person.buttons]).toEqual([place, expect.arrayContaining([word('button-ask-words')])])
    expect(asked(office)).toBe(before)
    await sara.taps(/^ask:/)
    expect(asked(office)).toContain(words)
    expect([place, sara.place]).toEqual([place, place])
    expect(sara.person.buttons).not.toContain(word('button-ask-words'))
  }
  await offered('name', 'چرا نام من 2 بار؟')
  await offered('birth', 'سالش یادم نیست')
  await offered('gender', 'فرقی هم می‌کند؟')
  await offered('summary', 'این‌ها را چه کسی می‌بیند؟')
  await offered('code', 'پیامکی نیامده است')
})

story('a mistyped number is not offered as a question, and drops an earlier offer', async ({ work }) => {
  const office = await work()
  const sara = office.join(office.addRecord())
  await sara.walksTo('birth')
  await sara.says('1375/13/45')
  expect(sara.person.buttons).not.toContain(word('button-ask-words'))
  await sara.says('سالش یادم نیست')
  await sara.says('1375/5/12')
  await sara.walksTo('gender')
  await sara.taps(/^ask:/)
  expect(sara.heard).toContain(word('ask-words'))
  expect(asked(office)).toBe('')
})

story('a button of /settings leads back from the question to a person', async ({ work }) => {
  const office = await work()
  const sara = office.join(office.addRecord())
  await sara.walksTo('name')
  const name = sara.person.last
  await sara.says('/settings')
  const settings = sara.person.last
  await sara.taps(/^ask:/, name)
  expect(sara.heard).toContain(word('ask-words'))
  await sara.taps(/^hour:12/, settings)
  expect(sara.place).toBe('name')
})

story('a reply to the question for a detail is not sent to a person', async ({ work }) => {
  const office = await work()
  const sara = office.join(office.addRecord())
  await sara.walksTo('name')
  const { message_id: replyTo } = sara.person.last
  await sara.taps(/^ask:/)
  expect(sara.heard).toContain(word('ask-words'))
  await sara.acts(() => sara.person.say('زهرا محمدی', { replyTo }))
  expect(sara.place).toBe('birth')
  expect(asked(office)).toBe('')
})
