import { expect } from 'vitest'
import { born, type Meeting, type Participant, story, withAnother, word } from './walk.ts'

const MINUTE = 60_000
const TITLE = 'حال این دو هفته (نمونه)'
const ORGANIZERS = '900000002,900000001'

/** A participant under 18, at the guardian's question. */
async function beforeGuardian(meet: (meeting: Meeting) => Promise<Participant>, meeting: Meeting = {}) {
  const sara = await meet({ at: 'birth', ...meeting })
  await sara.forges(born(sara, 16))
  return sara
}

/** A participant at the review. */
async function beforeReview(meet: (meeting: Meeting) => Promise<Participant>) {
  const sara = await meet({ at: 'review' })
  await sara.taps(/^review:/)
  return sara
}

/** How each button is reached. */
const buttons: [
  string,
  RegExp,
  (meet: (meeting: Meeting) => Promise<Participant>) => Promise<Participant>,
][] = [
  ['begin', /^begin:/, (meet) => meet({ at: 'introduction' })],
  ['refresh', /^refresh:/, (meet) => meet({ at: 'waiting', record: { status: 0 } })],
  ['birth', /^birth:open/, (meet) => meet({ at: 'birth' })],
  ['gender', /^gender:female/, (meet) => meet({ at: 'gender' })],
  ['guardian:yes', /^guardian:yes/, beforeGuardian],
  ['guardian:no', /^guardian:no/, beforeGuardian],
  ['profile:ok', /^profile:ok/, (meet) => meet({ at: 'summary' })],
  ['profile:edit', /^profile:edit:name/, (meet) => meet({ at: 'summary' })],
  ['sms:again', /^sms:again/, (meet) => meet({ at: 'code' })],
  ['sms:mobile', /^sms:mobile/, (meet) => meet({ at: 'code' })],
  ['answer', /^a:/, (meet) => meet({ at: 'question' })],
  ['pause', /^pause:/, (meet) => meet({ at: 'question' })],
  ['submit', /^submit:/, (meet) => meet({ at: 'review' })],
  ['review', /^review:/, (meet) => meet({ at: 'review', record: { testId: 'sleep-20' } })],
  ['go', /^go:/, beforeReview],
]

for (const [name, data, stand] of buttons) {
  story(`${name}: a doubled tap leaves the chat as one tap does`, async ({ meet }) => {
    const [once, twice] = [await stand(meet), await stand(meet)]
    const press = async (sara: Participant, taps: number) => {
      const message = sara.person.last
      const button = sara.data.find((each) => data.test(each)) ?? ''
      expect(button).toMatch(data)
      await sara.acts(() => {
        for (let tap = 0; tap < taps; tap += 1) sara.person.rawTap(message, button)
      })
      const ids = /^(begin|refresh|a|pause|submit|review|go|open|retry|result):[\w-]+/
      return sara.fromBot().map(({ text, caption, reply_markup: markup }) => ({
        text: (text ?? caption)?.replace(/[۰-۹]+ ثانیه|ساعت [۰-۹:]+/, ''),
        buttons: markup?.inline_keyboard.flat().map((each) => each.callback_data?.replace(ids, '$1')),
      }))
    }
    expect(await press(twice, 2)).toEqual(await press(once, 1))
    // The number of record reads depends on timing.
    const sent = ({ calls }: Participant) => calls.filter((call) => call !== 'look')
    expect(sent(twice)).toEqual(sent(once))
  })
}

story('a press that was too early for a new code counts when it comes again in time', async ({ meet }) => {
  const sara = await meet({ at: 'code', environment: { SMS_COOLDOWN_SECONDS: '60' } })
  const message = sara.person.last
  const before = sara.calls.length
  await sara.forges('sms:again', message)
  expect(sara.calls).toHaveLength(before)
  await sara.waits(61_000)
  await sara.forges('sms:again', message)
  expect(sara.calls.slice(before)).toEqual(['auth'])
})

story('a doubled tap on “send again” delivers the result once, also a minute later', async ({ meet }) => {
  const sara = await meet({ at: 'review' })
  await sara.taps(/^submit:/)
  await sara.opens()
  const [message, files] = [sara.person.last, sara.files.length]
  const [button = ''] = sara.data
  expect(button).toMatch(/^result:/)
  await sara.acts(() => {
    sara.person.rawTap(message, button)
    sara.person.rawTap(message, button)
  })
  expect(sara.files).toHaveLength(2 * files)
  await sara.waits(MINUTE)
  await sara.forges(button, message)
  expect(sara.files).toHaveLength(2 * files)
  // The same link, or this button after an hour, delivers it again.
  await sara.opens()
  await sara.taps(/^result:/)
  expect(sara.files).toHaveLength(3 * files)
  await sara.waits(60 * MINUTE)
  await sara.forges(button, message)
  expect(sara.files).toHaveLength(4 * files)
})

story('45 presses of “no guardian” send one notice an hour for each record', async ({ meet }) => {
  const sara = await beforeGuardian(meet, { environment: { ORGANIZERS: '900000001' } })
  const manager = sara.world.emulator.person({ id: 900_000_001 })
  manager.start()
  await sara.world.settled()
  const notice = word('notice-guardian', { title: TITLE })
  const notices = () => manager.messages.filter(({ text }) => text?.startsWith(notice))
  const message = sara.person.last
  const presses = async () => {
    for (let press = 0; press < 15; press += 1) await sara.forges('guardian:no', message)
    for (let press = 0; press < 3; press += 1) {
      await sara.opens()
      await sara.taps('guardian:no')
    }
  }
  await presses()
  expect(notices()).toHaveLength(1)
  await sara.waits(61 * MINUTE)
  await presses()
  expect(notices()).toHaveLength(2)
  const second = withAnother(sara, { testId: 'mood-7' })
  await second.opens()
  await second.walksTo('birth')
  await second.forges(born(sara, 16))
  await second.taps('guardian:no')
  expect(notices()).toHaveLength(3)
})

story('an organizer whose chat Telegram holds back does not delay the others', async ({ meet }) => {
  const sara = await beforeGuardian(meet, { environment: { ORGANIZERS } })
  const { emulator } = sara.world
  const [held, other] = [900_000_002, 900_000_001].map((id) => emulator.person({ id }))
  held?.start()
  other?.start()
  await sara.world.settled()
  const isHeld = ({ chat_id: chat }: Record<string, unknown>) => Number(chat) === held?.id
  emulator.fault({ kind: 'flood', retryAfter: 1, method: 'sendMessage', when: isHeld, times: 2 })
  await sara.taps('guardian:no')
  const notice = word('notice-guardian', { title: TITLE })
  for (const organizer of [other, held]) {
    const told = organizer?.messages.filter(({ text }) => text?.startsWith(notice))
    expect(told).toHaveLength(1)
  }
})
