import { expect } from 'vitest'
import type { Account } from '../account.ts'
import { createAccount } from '../account.ts'
import { CONTACT, withAnother } from '../dialogs/walk.ts'
import { type Office, ORGANIZED, onBothStores, shortIdOf, story, word } from './office.ts'

const SUPPORT = 'خط بحران: ۱۲۳'
const ASKED = 'این سؤال یعنی چه؟'
const HOUR = 3_600_000
const SECOND_ID = 4_002
const environment = { ORGANIZERS: `${ORGANIZED.ORGANIZERS},${SECOND_ID}:desk`, SUPPORT_TEXT: SUPPORT }

/** A participant at the first question, and two organizers, the second of them at the desk. */
async function atQuestion(work: (options?: object) => Promise<Office>, options: object = {}) {
  const office = await work({ sandbox: { testsAuthRequired: false }, environment, ...options })
  const second = createAccount(
    office.world,
    office.world.emulator.person({ id: SECOND_ID, firstName: 'مینا' }),
    '',
  )
  await second.opens('')
  const sara = office.join(office.addRecord())
  await sara.opens()
  await sara.walksTo('question')
  return { office, second, sara, s: shortIdOf(sara) }
}

/** The newest message to an account with this text. */
const bearing = ({ person }: Account, text: string) =>
  person.messages.findLast((each) => each.from.is_bot && each.text?.includes(text))

const replies = (account: Account, to: string, text: string) =>
  account.acts(() => account.person.say(text, { replyTo: bearing(account, to)?.message_id }))

onBothStores('a question reaches every organizer; one answers, and the other sees it', async ({ work }) => {
  const { office, second, sara, s } = await atQuestion(work)
  await sara.taps(`ask:${s}`)
  expect(sara.heard).toContain(word('ask-words'))
  await sara.says(ASKED)
  expect(sara.heard).toContain(word('ask-sent'))
  expect(sara.place).toBe('question')
  for (const each of [office, second]) {
    const message = bearing(each, ASKED)
    expect(message?.text).toContain('زهرا محمدی')
    expect(message?.text).toContain(word('stage-question', { position: 1, total: 7 }))
    expect(JSON.stringify(message?.reply_markup)).toContain(`card:r:${sara.token}`)
  }
  await replies(second, ASKED, 'یعنی <b>هفتهٔ گذشته</b>')
  expect(second.heard).toBe(word('answer-sent'))
  const answer = bearing(sara, 'هفتهٔ گذشته')
  expect(answer?.text).toContain(word('answer-came'))
  expect(answer?.text).toContain('<b>')
  const told = bearing(office, 'مینا')
  expect(told?.text).toContain('هفتهٔ گذشته')
  expect(told?.reply_to_message?.text).toContain(ASKED)
  await sara.answers(1)
  expect(sara.question.position).toBe(2)
  // Nothing comes again after a restart.
  const before = office.person.messages.length
  await sara.meetsRestart()
  await office.world.settled()
  expect(office.person.messages).toHaveLength(before)
})

story('a doubled press on the way to a person asks and sends once, and says so', async ({ work }) => {
  const { office, sara, s } = await atQuestion(work)
  const count = (account: Account, text: string) =>
    account.person.messages.filter((each) => each.from.is_bot && each.text?.includes(text)).length
  const pressesTwice = async () => {
    const { message } = sara.question
    await sara.acts(() => {
      for (let press = 0; press < 2; press += 1) sara.person.rawTap(message, `ask:${s}`)
    })
    return sara.person.toasts.at(-1)
  }
  expect(await pressesTwice()).toBe(word('ask-words'))
  expect(count(sara, word('ask-words'))).toBe(1)
  await sara.says(ASKED)
  expect(count(office, ASKED)).toBe(1)
  await sara.says('این جواب نیست')
  await pressesTwice()
  expect(count(office, 'این جواب نیست')).toBe(1)
})

story('a tap counts as an answer while the bot waits for a question, and ends the wait', async ({ work }) => {
  const { office, sara, s } = await atQuestion(work)
  await sara.taps(`ask:${s}`)
  await sara.answers(2)
  expect(sara.question.position).toBe(2)
  // Telegram dates messages by the second.
  office.world.pass(1_000)
  await sara.says('3')
  expect(sara.question.position).toBe(3)
  expect(bearing(office, word('question-how'))).toBeUndefined()
  // Without a tap in between the next text goes to the organizers, even a number.
  await sara.taps(`ask:${s}`)
  await sara.says('3')
  expect(bearing(office, word('question-how'))?.text).toContain('3')
  expect(sara.question.position).toBe(3)
  // Another button ends the wait as well.
  await sara.taps(`ask:${s}`)
  await sara.taps(`go:${s}:1`)
  await sara.says('چی؟')
  expect(bearing(office, 'چی؟')).toBeUndefined()
})

story('a tap on another test ends the wait for a question, too', async ({ work }) => {
  const { office, sara } = await atQuestion(work)
  const { question } = sara
  const other = withAnother(sara, { testId: 'mood-7', authRequired: false })
  await other.opens()
  await other.walksTo('question')
  await other.taps(`ask:${other.question.s}`)
  await other.taps(question.data[0] ?? '', question.message)
  office.world.pass(3_000)
  await other.says('3')
  expect(bearing(office, word('question-how'))).toBeUndefined()
  expect(other.heard).not.toContain(word('ask-sent'))
})

story('a question is sent although the clock of the store is ahead', async ({ work }) => {
  const { office, sara, s } = await atQuestion(work)
  office.world.pass(5_000)
  await sara.answers(0)
  office.world.pass(-5_000)
  await sara.taps(`ask:${s}`)
  await sara.says(ASKED)
  expect(bearing(office, ASKED)).toBeDefined()
})

story('the words of the button for a question are not taken as a name', async ({ work }) => {
  const office = await work({ environment })
  const sara = office.join(office.addRecord())
  await sara.opens()
  await sara.walksTo('name')
  await sara.says(word('button-ask'))
  expect(sara.heard).toContain(word('ask-words'))
  await sara.says(ASKED)
  expect(bearing(office, ASKED)).toBeDefined()
  expect(sara.place).toBe('name')
})

for (const label of ['', 'کد تأیید: '])
  story(`an SMS code that has come after all goes to no organizer: «${label}…»`, async ({ work }) => {
    const office = await work({ environment })
    const sara = office.join(office.addRecord())
    await sara.opens()
    await sara.walksTo('code')
    await sara.taps(/^ask:/)
    await sara.says('کد نیومد، چه کنم؟')
    expect(bearing(office, 'چه کنم؟')).toBeDefined()
    await sara.taps(/^ask:/)
    const [code = ''] = sara.codes
    await sara.says(label + code)
    expect(bearing(office, code)).toBeUndefined()
    expect(sara.place).toBe('question')
  })

story('a text that is no answer is offered to be sent as it is', async ({ work }) => {
  const { office, second, sara, s } = await atQuestion(work)
  const before = sara.fromBot().length
  await sara.says(ASKED)
  // The offer is in the question's own message.
  expect(sara.fromBot()).toHaveLength(before)
  expect(sara.screen).toContain(word('here-question', { options: sara.question.options.length }))
  expect(sara.person.buttons).toContain(word('button-ask-words'))
  expect(bearing(office, ASKED)).toBeUndefined()
  await sara.taps(`ask:${s}`)
  expect(bearing(office, ASKED)).toBeDefined()
  expect(bearing(second, ASKED)).toBeDefined()
  expect(sara.place).toBe('question')
  expect(sara.person.buttons).not.toContain(word('button-ask-words'))
  // After an answer the same button has no text to send.
  await sara.says('دیگر نمی‌دانم چه بگویم')
  await sara.answers(1)
  expect(sara.person.buttons).not.toContain(word('button-ask-words'))
  await sara.taps(`ask:${s}`)
  expect(sara.heard).toContain(word('ask-words'))
  expect(bearing(office, 'دیگر نمی‌دانم')).toBeUndefined()
})

story('words of distress bring help first, wherever they are typed', async ({ work }) => {
  const { office, sara, s } = await atQuestion(work)
  const before = sara.fromBot().length
  await sara.says('می‌خواهم خودم را بکشم')
  expect(sara.fromBot()).toHaveLength(before)
  expect(sara.screen.replace(/^\u200f/, '').startsWith(SUPPORT)).toBe(true)
  expect(sara.screen).toContain(CONTACT)
  expect(sara.place).toBe('question')
  // The organizer is not sent a text that the participant did not send.
  expect(bearing(office, 'بکشم')).toBeUndefined()
  await sara.taps(`ask:${s}`)
  expect(bearing(office, 'بکشم')).toBeDefined()
  expect(sara.heard).toContain(SUPPORT)
  const reza = office.join(office.addRecord(), 'رضا')
  await reza.opens()
  await reza.walksTo('name')
  await reza.says('دیگه نمی‌خوام زنده بمونم')
  expect(reza.heard).toContain(SUPPORT)
  expect(reza.place).toBe('name')
})

story('the support text stays in the chat when the question is shown again below', async ({ work }) => {
  const { sara } = await atQuestion(work)
  const withSupport = () => sara.fromBot().filter(({ text }) => text?.includes(SUPPORT))
  await sara.says('می‌خواهم خودم را بکشم')
  await sara.says('می‌خواهم بمیرم')
  expect(withSupport()).toHaveLength(1)
  await sara.says('/settings')
  await sara.taps('large:on')
  expect(sara.place).toBe('question')
  expect(sara.screen).not.toContain(SUPPORT)
  const [help] = withSupport()
  expect(help?.text).toContain(CONTACT)
  expect(help?.reply_markup).toBeUndefined()
  await sara.says('/start')
  expect(withSupport()).toHaveLength(1)
  await sara.answers(1)
  expect(sara.question.position).toBe(2)
})

story('the longest support text comes with the buttons to answer', async ({ work }) => {
  const long = {
    SUPPORT_TEXT: SUPPORT.padEnd(2_000, 'آ'),
    ORGANIZER_NAME: 'ن'.repeat(200),
    ORGANIZER_CONTACT: 'م'.repeat(200),
  }
  const { sara, s } = await atQuestion(work, { environment: { ...environment, ...long } })
  await sara.says('می‌خواهم بمیرم')
  expect(sara.screen).toContain(long.SUPPORT_TEXT)
  expect(sara.screen).toContain(long.ORGANIZER_CONTACT)
  expect(sara.person.buttons).toContain(word('button-ask-words'))
  await sara.taps(`ask:${s}`)
  await sara.answers(1)
  expect(sara.question.position).toBe(2)
})

story('«لغو» cancels, and «حذف اطلاعات من» shows what /forget shows', async ({ work }) => {
  const { office, sara, s } = await atQuestion(work)
  await sara.taps(`ask:${s}`)
  await sara.says('لغو')
  expect(sara.heard).toBe(word('left-aside'))
  await sara.says('انصراف')
  expect(sara.place).toBe('paused')
  await sara.says('Cancel')
  expect(sara.heard).toContain(word('cancel-nothing'))
  expect(bearing(office, 'لغو')).toBeUndefined()
  await sara.says('حذف اطلاعات من')
  expect(sara.data).toContain('forget:yes')
})

story('a question is text only, of a thousand letters, and five go out in an hour', async ({ work }) => {
  const { office, sara, s } = await atQuestion(work)
  await sara.taps(`ask:${s}`)
  await sara.acts(() => sara.person.sendSticker())
  expect(sara.heard).toBe(word('ask-only-text'))
  await sara.says('آ'.repeat(1_001))
  expect(sara.heard).toContain(word('ask-too-long', { letters: 1_000 }))
  await sara.says('ب'.repeat(1_000))
  expect(bearing(office, 'ب'.repeat(1_000))).toBeDefined()
  for (const each of [2, 3, 4, 5, 6]) {
    await sara.taps(`ask:${s}`)
    await sara.says(`پرسش شمارهٔ ${each}`)
  }
  expect(bearing(office, 'پرسش شمارهٔ 5')).toBeDefined()
  expect(bearing(office, 'پرسش شمارهٔ 6')).toBeUndefined()
  expect(sara.heard).toContain(word('ask-too-many'))
  await sara.waits(HOUR)
  await sara.taps(`ask:${s}`)
  await sara.says('پرسش شمارهٔ 7')
  expect(bearing(office, 'پرسش شمارهٔ 7')).toBeDefined()
})

story('without organizers the button for a question names the contact', async ({ work }) => {
  const { sara, s } = await atQuestion(work, { environment: { ORGANIZERS: '' } })
  await sara.taps(`ask:${s}`)
  expect(sara.heard).toBe(word('ask-contact'))
  await sara.says('3')
  expect(sara.question.position).toBe(2)
})

story('/forget deletes the question: an answer to it reaches no one', async ({ work }) => {
  const { office, sara, s } = await atQuestion(work)
  await sara.taps(`ask:${s}`)
  await sara.says(ASKED)
  await sara.says('/mydata')
  const kept = sara.fromBot().findLast(({ document }) => document?.file_name === 'my-data.json')
  const bytes = office.world.emulator.file(kept?.document?.file_id ?? '')?.bytes.toString() ?? '{}'
  expect(JSON.parse(bytes).questions).toMatchObject([{ text: ASKED }])
  await sara.forgets()
  const before = sara.person.messages.length
  await replies(office, ASKED, 'برای شما')
  expect(office.heard).toBe(word('question-gone'))
  expect(sara.person.messages).toHaveLength(before)
  await office.forges('questions')
  expect(office.heard).toBe(word('questions-none'))
})

story('a reply to a message that is no question is sent to no one, and says so', async ({ work }) => {
  const { office, second, sara, s } = await atQuestion(work)
  await office.says(`/records ${sara.token}`)
  const before = sara.person.messages.length
  await office.acts(() => office.person.say('سلام', { replyTo: office.person.last.message_id }))
  expect(office.heard).toBe(word('reply-no-question'))
  const forger = office.stranger()
  await forger.opens('')
  await forger.forges(`ask:${s}`)
  expect(forger.person.toasts.at(-1)).toBe(word('button-old'))
  await forger.says('از طرف او')
  expect(bearing(office, 'از طرف او')).toBeUndefined()
  // A stranger's reply is a plain message; the number of a message means nothing in another chat.
  await sara.taps(`ask:${s}`)
  await sara.says(ASKED)
  const stranger = office.stranger()
  await stranger.opens('')
  await stranger.acts(() => stranger.person.say('هست', { replyTo: stranger.person.last.message_id }))
  expect(stranger.heard).toBe(word('nothing-open'))
  expect(
    sara.person.messages.slice(before).filter(({ text }) => text?.includes('سلام') || text === 'هست'),
  ).toEqual([])
  await second.acts(() => second.person.sendSticker())
  await office.forges('questions')
  expect(office.heard).toContain(ASKED)
  expect(office.heard).toContain('هنوز پاسخی ندارد')
  await replies(office, 'هنوز پاسخی ندارد', 'پاسخ')
  expect(bearing(sara, 'پاسخ')).toBeDefined()
  await office.forges('questions')
  expect(office.heard).toBe(word('questions-none'))
})

story(
  'the card of the participant comes below the question, and a reply to it is sent to no one',
  async ({ work }) => {
    const { office, sara, s } = await atQuestion(work)
    await sara.taps(`ask:${s}`)
    await sara.says(ASKED)
    const question = bearing(office, ASKED)
    await office.taps(`card:r:${sara.token}`, question)
    expect(office.heard).toContain(word('card-token', { token: sara.token }))
    expect(bearing(office, ASKED)?.message_id).toBe(question?.message_id)
    await office.acts(() =>
      office.person.say('به خانم کریمی زنگ بزن', { replyTo: office.person.last.message_id }),
    )
    expect(office.heard).toBe(word('reply-no-question'))
    expect(bearing(sara, 'کریمی')).toBeUndefined()
  },
)

story('an answer that would be a command elsewhere reaches the participant', async ({ work }) => {
  const { office, sara, s } = await atQuestion(work)
  await sara.taps(`ask:${s}`)
  await sara.says(ASKED)
  for (const answer of ['لغو', 'حذف اطلاعات من']) {
    await replies(office, ASKED, answer)
    expect([answer, office.heard]).toEqual([answer, word('answer-sent')])
    expect(bearing(sara, answer)?.text).toContain(word('answer-came'))
  }
})

story('a question about a record that was released is not counted as unanswered', async ({ work }) => {
  const { office } = await atQuestion(work)
  const reza = office.join(office.addRecord(), 'رضا')
  await reza.walksTo('name')
  await reza.taps(/^ask:/)
  await reza.says(ASKED)
  await office.opens('')
  expect(office.data).toContain('questions')
  await office.says(reza.token)
  await office.taps(/^release:/)
  await office.taps(/:other$/)
  await office.opens('')
  expect(office.data).not.toContain('questions')
})

story('an answer waits for a participant who has blocked the bot, and comes once', async ({ work }) => {
  const { office, sara, s } = await atQuestion(work)
  await sara.taps(`ask:${s}`)
  await sara.says(ASKED)
  await sara.acts(() => sara.person.block())
  await replies(office, ASKED, 'جواب اول')
  await replies(office, ASKED, 'جواب دوم')
  // The organizer is not told that a waiting answer was sent.
  expect(office.heard).toContain('همین‌که')
  expect(bearing(sara, 'جواب')).toBeUndefined()
  await sara.acts(() => sara.person.unblock())
  await sara.says('/start')
  const came = sara.person.messages.filter(({ text }) => text?.includes('جواب '))
  expect(came).toHaveLength(2)
})

story(
  'a question that came twice after an unclear reply can be answered on either message',
  async ({ work }) => {
    const { office, sara, s } = await atQuestion(work)
    await sara.taps(`ask:${s}`)
    const { emulator } = office.world
    emulator.fault({
      kind: 'cut',
      executed: true,
      method: 'sendMessage',
      when: ({ chat_id }) => chat_id === office.person.id,
    })
    await sara.says(ASKED)
    await office.acts(() => office.world.passWith(60_000))
    const came = office.person.messages.filter((each) => each.from.is_bot && each.text?.includes(ASKED))
    expect(came.length).toBeGreaterThan(1)
    await office.taps(/^asked:/)
    expect(office.person.toasts.at(-1)).toBe(word('question-how'))
    await office.acts(() => office.person.say('این پاسخ است', { replyTo: came[0]?.message_id }))
    expect(office.heard).toBe(word('answer-sent'))
    expect(bearing(sara, 'این پاسخ است')).toBeDefined()
  },
)

story('a former organizer cannot answer a question', async ({ work }) => {
  const { office, sara, s } = await atQuestion(work)
  await sara.taps(`ask:${s}`)
  await sara.says(ASKED)
  office.world.env.ORGANIZERS = String(SECOND_ID)
  await office.world.restarts()
  await replies(office, ASKED, 'از یک غریبه')
  expect(bearing(sara, 'از یک غریبه')).toBeUndefined()
})

story('a question can be asked at the profile and at the result', async ({ work }) => {
  const { office, sara } = await atQuestion(work)
  const reza = office.join(office.addRecord(), 'رضا')
  await reza.opens()
  await reza.walksTo('name')
  await reza.taps(/^ask:/)
  await reza.says('نام شناسنامه‌ای؟')
  expect(bearing(office, 'نام شناسنامه‌ای؟')).toBeDefined()
  expect(reza.place).toBe('name')
  await reza.walksTo('question')
  await sara.walksTo('review')
  await sara.says('یکی را اشتباه زدم، چه کنم؟')
  expect(sara.screen).toContain(word('here-review'))
  await sara.taps(/^ask:/)
  expect(bearing(office, 'یکی را اشتباه زدم')).toBeDefined()
  expect(sara.place).toBe('review')
  await sara.taps(/^submit:/)
  await sara.waits(60_000)
  await sara.taps(/^ask:/)
  await sara.says('این نتیجه خوب است؟')
  expect(bearing(office, 'این نتیجه خوب است؟')).toBeDefined()
})

story('the bot stops waiting for a question after an hour', async ({ work }) => {
  const { office, sara, s } = await atQuestion(work)
  await sara.taps(`ask:${s}`)
  office.world.pass(HOUR + 1)
  await sara.says('۱')
  expect(sara.chat).not.toContain(word('ask-sent'))
  expect(sara.question.position).toBe(2)
})

story('a reply to an organizer’s answer is no answer of the test', async ({ work }) => {
  const { office, sara, s } = await atQuestion(work)
  await sara.taps(`ask:${s}`)
  await sara.says(ASKED)
  await replies(office, ASKED, 'امروز ساعت ۲ یا ۳؟')
  office.world.pass(2_000)
  await replies(sara, 'ساعت ۲', '۳')
  expect(sara.question.position).toBe(1)
  expect(sara.heard).toContain(word('answer-elsewhere'))
  expect(sara.person.buttons).toContain(word('button-ask-words'))
  // One press sends it to the organizers.
  const before = office.person.messages.length
  await sara.taps(`ask:${s}`)
  expect(office.person.messages.slice(before).some(({ text }) => text?.includes('۳'))).toBe(true)
  await sara.says('۳')
  expect(sara.question.position).toBe(2)
})
