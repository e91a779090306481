import { expect } from 'vitest'
import { callCounters } from '../../src/storage/documents/kinds.ts'
import { putDocument } from '../../src/storage/documents.ts'
import { withStorage } from '../kept-entries.ts'
import { another, story, withAnother, word, ZAHRA } from './walk.ts'

const MINUTE = 60_000

story(
  'the request names sender, mobile and validity of the code, and says that it is not Telegram’s',
  async ({ meet }) => {
    const sara = await meet({ at: 'code' })
    const { mobile } = ZAHRA
    expect(sara.screen).toBe(word('code-ask', { mobile, minutes: 5 }))
    expect(sara.screen).toContain('تلگرام')
    await sara.waits(2 * MINUTE)
    await sara.opens()
    expect(sara.screen).toContain(word('code-ask', { mobile, minutes: 3 }))
  },
)

story('a mistyped code can be typed again', async ({ meet }) => {
  const sara = await meet({ at: 'code', sandbox: { newCode: () => '12345' } })
  for (const wrong of ['11111', '22222', '33333', '44444']) {
    await sara.says(wrong)
    expect(sara.heard).toContain(word('code-wrong'))
    expect(sara.place).toBe('code')
  }
  await sara.says('12345')
  expect(sara.place).toBe('question')
  expect(sara.codes).toHaveLength(1)
  expect(sara.calls.filter((call) => call === 'verify')).toHaveLength(5)
})

story('after five wrong codes a new code has to be requested, also after a restart', async ({ meet }) => {
  const sara = await meet({ at: 'code', sandbox: { newCode: () => '12345' } })
  const verified = () => sara.calls.filter((call) => call === 'verify').length
  for (const wrong of ['11111', '22222', '33333']) await sara.says(wrong)
  await sara.meetsRestart()
  for (const wrong of ['44444', '55555']) await sara.says(wrong)
  expect(sara.screen).toBe(word('code-spent'))
  await sara.meetsRestart()
  // Not even the right code is sent to the service.
  for (const late of ['12345', '66666']) {
    await sara.says(late)
    expect(sara.screen).toBe(word('code-spent'))
  }
  expect(verified()).toBe(5)
  const said = sara.fromBot().length
  await sara.waits(5 * MINUTE)
  // The bot has said already that this code is spent.
  expect(sara.fromBot()).toHaveLength(said)
  await sara.taps('sms:again')
  expect(sara.codes).toHaveLength(2)
  await sara.says('00000')
  expect(sara.heard).toContain(word('code-wrong'))
  await sara.says('12345')
  expect(sara.place).toBe('question')
  expect(verified()).toBe(7)
})

story('after five wrong codes the mobile can be changed', async ({ meet }) => {
  const sara = await meet({ at: 'code', sandbox: { newCode: () => '12345' } })
  for (const wrong of ['11111', '22222', '33333', '44444', '55555']) await sara.says(wrong)
  await sara.taps('sms:mobile')
  await sara.says('09351112233')
  await sara.waits(MINUTE)
  await sara.taps('profile:ok')
  await sara.walksTo('question')
})

for (const typed of ['۱۲۳۴۵', '١٢٣٤٥', '12 345', 'کد: ۱۲۳۴۵', 'کد تأیید شما ۱۲۳۴۵ است']) {
  story(`the code may be written as «${typed}»`, async ({ meet }) => {
    const sara = await meet({ at: 'code', sandbox: { newCode: () => '12345' } })
    await sara.says(typed)
    expect(sara.place).toBe('question')
  })
}

for (const typed of ['سلام', 'کد ۱۲۳ یا ۴۵۶']) {
  story(`«${typed}» is no code, and no call is made for it`, async ({ meet }) => {
    const sara = await meet({ at: 'code' })
    await sara.says(typed)
    expect(sara.heard).toContain(word('code-malformed'))
    expect(sara.place).toBe('code')
    expect(sara.calls).toEqual(['look', 'auth'])
  })
}

for (const [typed, count] of [
  ['7', 1],
  ['کد ۱۲', 2],
  ['123456789012', 12],
  ['1'.repeat(30), 30],
] as const) {
  story(`«${typed}» is refused for its length, and no call is made for it`, async ({ meet }) => {
    const sara = await meet({ at: 'code' })
    await sara.says(typed)
    expect(sara.heard).toContain(word('code-length', { count }))
    expect(sara.place).toBe('code')
    expect(sara.calls).toEqual(['look', 'auth'])
  })
}

story('a participant without a code is helped, and more so after the second code', async ({ meet }) => {
  const sara = await meet({ at: 'code' })
  const reasons = word('code-reasons')
  await sara.says('کد نیومد')
  expect(sara.heard).toContain(word('code-none'))
  expect(sara.heard).not.toContain(reasons)
  expect(sara.place).toBe('code')
  await sara.waits(MINUTE)
  await sara.taps('sms:again')
  expect(sara.screen).toContain(reasons)
  await sara.says('no code')
  expect(sara.heard).toContain(reasons)
  expect(sara.heard).not.toContain(word('code-none'))
  expect(sara.person.buttons).toContain(word('button-ask-words'))
  await sara.waits(5 * MINUTE)
  expect(sara.screen).toContain(word('code-expired'))
  expect(sara.screen).toContain(reasons)
  expect(sara.calls).toEqual(['look', 'auth', 'auth'])
})

const { mobile: own } = ZAHRA
for (const typed of [`به ${own} پیامک نیومد`, own, own.slice(1), `شمارم ${own} هست`]) {
  story(`«${typed}», the mobile of the code, is neither a code nor a new mobile`, async ({ meet }) => {
    const sara = await meet({ at: 'code' })
    await sara.says(typed)
    expect(sara.heard).toContain(word('code-none'))
    expect(sara.place).toBe('code')
    expect(sara.calls).toEqual(['look', 'auth'])
    await sara.says(sara.codes[0] ?? '')
    expect(sara.place).toBe('question')
  })
}

story('organizers are notified once when the limit of codes is reached', async ({ meet }) => {
  const sara = await meet({ at: 'code', environment: { SMS_PER_HOUR: '1', ORGANIZERS: '900' } })
  const organizer = sara.world.emulator.person({ id: 900 })
  organizer.start()
  await sara.waits(2 * MINUTE)
  const notice = word('notice-sms-limit', { title: '' }).slice(-40)
  const told = () => organizer.messages.filter(({ text }) => text?.includes(notice))
  await sara.taps('sms:again')
  await sara.taps('sms:again')
  expect(told()).toHaveLength(1)
})

story('an SMS that the service did not send is not counted', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  sara.world.sandbox.update(sara.token, { testsAuthRequired: false })
  await sara.taps('profile:ok')
  expect(sara.place).toBe('question')
  const next = withAnother(sara, { testId: 'mood-7' })
  await next.opens()
  await next.walksTo('summary')
  await next.taps('profile:ok')
  expect(next.place).toBe('code')
})

story('after five minutes the bot says that the code has expired', async ({ meet }) => {
  const sara = await meet({ at: 'code' })
  await sara.waits(5 * MINUTE)
  expect(sara.screen).toBe(word('code-expired'))
  await sara.says(sara.codes[0] ?? '')
  expect(sara.screen).toBe(word('code-expired'))
  expect(sara.calls).toEqual(['look', 'auth'])
  await sara.taps('sms:again')
  expect(sara.place).toBe('code')
  await sara.walksTo('question')
  expect(sara.calls).toEqual(['look', 'auth', 'auth', 'verify', 'questions'])
})

story('a code that the service calls expired can be replaced by a new one', async ({ meet }) => {
  const sara = await meet({ at: 'code' })
  const message = 'Verification draft token is invalid or expired.'
  sara.world.sandbox.fault({ kind: 'status', status: 400, message, path: 'verify' })
  await sara.says('12345')
  expect(sara.screen).toBe(word('code-expired'))
  await sara.waits(MINUTE)
  await sara.taps('sms:again')
  await sara.walksTo('question')
})

story(
  'details are kept when the service does not find the draft, and the code can be typed again',
  async ({ meet }) => {
    const sara = await meet({ at: 'code' })
    sara.world.sandbox.fault({ kind: 'status', status: 404, message: 'Not found.', path: 'verify' })
    await sara.says(sara.codes[0] ?? '')
    expect(sara.place).toBe('refused')
    expect(sara.chat).not.toContain(word('typed-withdrawn'))
    await sara.says(sara.codes[0] ?? '')
    expect(sara.place).toBe('question')
  },
)

story('a new code has to wait for the cool-down', async ({ meet }) => {
  const sara = await meet({ at: 'code' })
  await sara.taps('sms:again')
  // The answer is an alert, so that the chat does not fill up.
  expect(sara.person.answers.at(-1)).toMatchObject({ showAlert: true, text: expect.stringMatching(/ثانیه/) })
  expect(sara.heard).toBe('')
  expect(sara.codes).toHaveLength(1)
  await sara.waits(MINUTE)
  await sara.taps('sms:again')
  expect(sara.codes).toHaveLength(2)
  await sara.walksTo('question')
})

story('no more than SMS_PER_HOUR codes are sent in an hour', async ({ meet }) => {
  const sara = await meet({ at: 'code', environment: { SMS_PER_HOUR: '2' } })
  await sara.waits(2 * MINUTE)
  await sara.taps('sms:again')
  expect(sara.codes).toHaveLength(2)
  await sara.waits(2 * MINUTE)
  await sara.taps('sms:again')
  expect(sara.heard).toContain(word('sms-hour', { minutes: 56 }))
  expect(sara.heard).toContain(word('sms-hour-contact'))
  await sara.waits(57 * MINUTE)
  await sara.taps('sms:again')
  expect(sara.codes).toHaveLength(3)
})

story('no more than ten codes a day go to one mobile, and for one test', async ({ meet }) => {
  const environment = { SMS_PER_HOUR: '100', SMS_COOLDOWN_SECONDS: '0' }
  const sara = await meet({ at: 'code', environment })
  const again = async () => {
    await sara.waits(MINUTE)
    await sara.taps('sms:again')
  }
  for (let code = 2; code <= 10; code += 1) await again()
  expect(sara.codes).toHaveLength(10)
  await again()
  expect(sara.heard).toContain(word('sms-day'))

  const next = withAnother(sara, { testId: 'mood-7' })
  await next.opens()
  await next.walksTo('summary')
  await next.taps('profile:ok')
  expect(next.heard).toContain(word('sms-day'))
  expect(next.codes).toHaveLength(10)

  await sara.opens()
  await sara.taps('sms:mobile')
  await sara.says('09351112233')
  await sara.taps('profile:ok')
  expect(sara.heard).toContain(word('sms-day'))
  await sara.waits(24 * 60 * MINUTE)
  await sara.taps('profile:ok')
  expect(sara.codes).toHaveLength(11)
})

story('a mobile is not flooded from several accounts', async ({ meet }) => {
  const sara = await meet({ at: 'code', environment: { SMS_PER_HOUR: '1' } })
  const reza = another(withAnother(sara, { testId: 'mood-7' }))
  await reza.opens()
  await reza.walksTo('summary')
  await reza.waits(2 * MINUTE)
  await reza.taps('profile:ok')
  expect(reza.heard).toMatch(/دقیقه/)
  expect(sara.codes).toHaveLength(1)
})

story('an account does not flood several mobiles', async ({ meet }) => {
  const sara = await meet({ at: 'code', environment: { SMS_PER_HOUR: '1' } })
  await sara.waits(2 * MINUTE)
  await sara.taps('sms:mobile')
  await sara.says('09351112233')
  await sara.taps('profile:ok')
  expect(sara.heard).toMatch(/دقیقه/)
  expect(sara.buttons).toContain('profile:ok')
  expect(sara.codes).toHaveLength(1)
})

story('the mobile can be changed without typing the rest again', async ({ meet }) => {
  const sara = await meet({ at: 'code' })
  await sara.taps('sms:mobile')
  expect(sara.place).toBe('mobile')
  await sara.says('09351112233')
  expect(sara.place).toBe('summary')
  expect(sara.screen).toContain(word('summary-name', { name: ZAHRA.name }))
  await sara.waits(MINUTE)
  await sara.taps('profile:ok')
  expect(sara.world.sandbox.sms()[0]).toMatchObject({ mobile: '09351112233' })
  await sara.walksTo('question')
})

story('the code sent to a former mobile is not accepted for the new one', async ({ meet }) => {
  const sara = await meet({ at: 'code' })
  const [oldCode = ''] = sara.codes
  await sara.taps('sms:mobile')
  await sara.says('09351112233')
  await sara.waits(5 * MINUTE)
  expect(sara.place).toBe('summary')
  await sara.says(oldCode)
  expect(sara.place).toBe('summary')
  expect(sara.calls).toEqual(['look', 'auth'])
})

story(
  'when SMS is switched off meanwhile the profile is sent once more, without a code',
  async ({ meet }) => {
    const sara = await meet({ at: 'code' })
    sara.world.sandbox.update(sara.token, { testsAuthRequired: false })
    await sara.says('12345')
    expect(sara.place).toBe('question')
    expect(sara.calls).toEqual(['look', 'auth', 'verify', 'auth', 'questions'])
    expect(sara.codes).toHaveLength(1)
  },
)

story('when SMS is switched on meanwhile the code is asked for, and its limits hold', async ({ meet }) => {
  const sara = await meet({ at: 'summary', record: { testsAuthRequired: false } })
  sara.world.sandbox.update(sara.token, { testsAuthRequired: true })
  await sara.taps('profile:ok')
  expect(sara.place).toBe('code')
  await sara.taps('sms:again')
  expect(sara.codes).toHaveLength(1)
  await sara.waits(MINUTE)
  await sara.taps('sms:again')
  expect(sara.codes).toHaveLength(2)
  await sara.walksTo('question')
})

for (const executed of [true, false]) {
  const fate = executed ? 'after the SMS went out' : 'before anything happened'
  story(`a connection cut ${fate} leads to no second SMS without a tap`, async ({ meet }) => {
    const sara = await meet({ at: 'summary' })
    sara.world.sandbox.fault({ kind: 'cut', executed, path: 'auth/$' })
    await sara.taps('profile:ok')
    expect(sara.heard).toContain(word('sms-unclear', { mobile: ZAHRA.mobile }))
    expect(sara.place).toBe('code')
    expect(sara.calls).toEqual(['look', 'auth', 'look'])
    expect(sara.codes).toHaveLength(executed ? 1 : 0)
    await sara.waits(MINUTE)
    await sara.taps('sms:again')
    await sara.walksTo('question')
  })
}

story('the mobile can also be changed after an unclear SMS', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  sara.world.sandbox.fault({ kind: 'cut', path: 'auth/$' })
  await sara.taps('profile:ok')
  await sara.taps('sms:mobile')
  await sara.says('09351112233')
  expect(sara.place).toBe('summary')
})

story('after an unclear SMS every way back offers a new code', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  sara.world.sandbox.fault({ kind: 'cut', path: 'auth/$' })
  await sara.taps('profile:ok')
  await sara.says('12345')
  // The typed code is answered, and no message still says that an SMS may come.
  expect(sara.heard).toContain(word('use-buttons'))
  expect(sara.chat).not.toContain(word('sms-unclear', { mobile: ZAHRA.mobile }))
  await sara.taps('profile:ok')
  expect(sara.person.toasts.at(-1)).toMatch(/صبر کنید.*در راه نیست/)
  await sara.opens('')
  expect(['summary', 'code']).toContain(sara.place)
  expect(sara.codes).toHaveLength(0)
})

story('without SMS a profile whose reply was lost is found, not made twice', async ({ meet }) => {
  const sara = await meet({ at: 'summary', record: { testsAuthRequired: false } })
  sara.world.sandbox.fault({ kind: 'cut', executed: true, path: 'auth/$' })
  await sara.taps('profile:ok')
  expect(sara.place).toBe('question')
  expect(sara.calls).toEqual(['look', 'auth', 'look', 'questions'])
})

story('without SMS a profile that did not arrive can be sent again', async ({ meet }) => {
  const sara = await meet({ at: 'summary', record: { testsAuthRequired: false } })
  sara.world.sandbox.fault({ kind: 'cut', path: 'auth/$' })
  await sara.taps('profile:ok')
  expect(sara.heard).toContain(word('failure-unavailable'))
  await sara.taps(/^retry:/)
  expect(sara.place).toBe('question')
})

story('an accepted code whose reply was lost is not sent twice', async ({ meet }) => {
  const sara = await meet({ at: 'code' })
  sara.world.sandbox.fault({ kind: 'status', status: 502, executed: true, path: 'verify' })
  await sara.says(sara.codes[0] ?? '')
  expect(sara.place).toBe('question')
  expect(sara.calls).toEqual(['look', 'auth', 'verify', 'look', 'questions'])
})

story('a code that did not reach the service is sent again by one tap', async ({ meet }) => {
  const sara = await meet({ at: 'code' })
  sara.world.sandbox.fault({ kind: 'cut', path: 'verify' })
  await sara.says(sara.codes[0] ?? '')
  expect(sara.heard).toContain(word('failure-unavailable'))
  await sara.taps(/^retry:/)
  expect(sara.place).toBe('question')
  expect(sara.calls).toEqual(['look', 'auth', 'verify', 'look', 'verify', 'questions'])
})

story('the retry of a wrong code does not send it a second time', async ({ meet }) => {
  const sara = await meet({ at: 'code' })
  sara.world.sandbox.fault({ kind: 'cut', path: 'verify' })
  await sara.says('0000')
  const retry = sara.buttons.find((data) => data.startsWith('retry:')) ?? ''
  await sara.taps(retry)
  expect(sara.heard).toContain(word('code-wrong'))
  const { calls } = sara
  await sara.forges(retry)
  expect(sara.place).toBe('code')
  expect(sara.calls).toEqual(calls)
})

story('a code typed right after a failed call counts without a tap', async ({ meet }) => {
  const sara = await meet({ at: 'code' })
  sara.world.sandbox.fault({ kind: 'cut', path: 'verify' })
  await sara.says(sara.codes[0] ?? '')
  await sara.says(sara.codes[0] ?? '')
  expect(sara.place).toBe('question')
})

story('a code typed twice at once is verified once', async ({ meet }) => {
  const sara = await meet({ at: 'code' })
  sara.world.sandbox.fault({ kind: 'slow', ms: 60, path: 'verify' })
  const [code = ''] = sara.codes
  await sara.acts(() => {
    sara.person.say(code)
    sara.person.say(code)
  })
  expect(sara.place).toBe('question')
  expect(sara.calls.filter((call) => call === 'verify')).toHaveLength(1)
})

story(
  'typed details are deleted from the chat once the profile exists, and the bot says so',
  async ({ meet }) => {
    const sara = await meet({ at: 'mobile' })
    await sara.says('نمی‌دانم')
    await sara.acts(() => sara.person.shareContact())
    await sara.taps('profile:edit:mobile')
    await sara.walksTo('code')
    await sara.says('99999')
    await sara.walksTo('question')
    const shown = sara.person.messages.map(({ text, contact }) => text ?? contact?.phone_number).join('\n')
    expect(shown).toContain(word('typed-deleted-sms'))
    expect(sara.person.messages.filter(({ from }) => !from.is_bot).map(({ text }) => text)).toEqual([
      `/start ${sara.payload}`,
    ])
    for (const secret of [ZAHRA.name, ZAHRA.mobile, '۱۳۷۵', sara.codes[0] ?? '-']) {
      expect(shown).not.toContain(secret)
    }
  },
)

story('an SMS that fails to go out does not count for the limits', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  sara.world.sandbox.fault({ kind: 'status', status: 400, message: 'نام درست نیست.', path: 'auth/$' })
  await sara.taps('profile:ok')
  await sara.taps('profile:ok')
  expect(sara.place).toBe('code')
})

story('an SMS that went out counts, also when the mobile is refused after it', async ({ meet }) => {
  const sara = await meet({ at: 'code' })
  const message = 'Mobile duplicate limit reached.'
  sara.world.sandbox.fault({ kind: 'status', status: 400, message, path: 'verify/$' })
  await sara.says(sara.codes[0] ?? '')
  expect(sara.place).toBe('mobile')
  await sara.walksTo('summary')
  await sara.taps('profile:ok')
  expect(sara.codes).toHaveLength(1)
})

story('a code that expires during another test leaves that test’s question in place', async ({ meet }) => {
  const sara = await meet({ at: 'code' })
  const second = withAnother(sara, { testId: 'sleep-20', authRequired: false })
  await second.opens()
  await second.walksTo('question')
  await second.waits(6 * MINUTE)
  expect(second.place).toBe('question')
  await sara.opens()
  expect(sara.screen).toBe(word('code-expired'))
})

story(
  'too many unverified codes stop all codes of the bot, and organizers are notified once',
  async ({ meet }) => {
    const sara = await meet({ at: 'summary', environment: { ORGANIZERS: '900' } })
    const manager = sara.world.emulator.person({ id: 900, firstName: 'مدیر' })
    await sara.acts(() => manager.start())
    const at = Array(100).fill(sara.world.now() - 6 * MINUTE)
    await withStorage(sara, async ({ store, vault }) => {
      const term = { now: sara.world.now(), retentionDays: 30 }
      await putDocument({ store, vault, term }, callCounters, 'bot:3', { at })
    })
    await sara.taps('profile:ok')
    expect(sara.heard).toContain(word('sms-bot', { minutes: 59 }))
    await sara.taps('profile:ok')
    expect(sara.codes).toHaveLength(0)
    expect(manager.transcript().split(word('notice-sms-unverified'))).toHaveLength(2)
    await sara.waits(60 * MINUTE)
    await sara.taps('profile:ok')
    expect(sara.place).toBe('code')
  },
)

story('an SMS whose outcome is unknown counts as sent', async ({ meet }) => {
  const sara = await meet({ at: 'summary', environment: { SMS_PER_HOUR: '1' } })
  sara.world.sandbox.fault({ kind: 'status', status: 503, method: 'POST', path: 'auth/$', times: 1 })
  await sara.taps('profile:ok')
  await sara.waits(2 * MINUTE)
  await sara.taps('sms:again')
  expect(sara.heard).toContain(word('sms-hour', { minutes: 58 }))
  expect(sara.codes).toHaveLength(0)
})

story('a number in a text that no code came is not taken as a code', async ({ meet }) => {
  const sara = await meet({ at: 'code' })
  for (const said of ['بعد از ۱۲۰ ثانیه هنوز کد نیومده', 'کد بعد از 300 ثانیه هم نیومد'])
    await sara.says(said)
  expect(sara.calls).not.toContain('verify')
})

story('a clock that is set back by a few minutes does not shorten the cool-down', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  sara.world.pass(4 * 60_000)
  await sara.taps('profile:ok')
  sara.world.pass(-4 * 60_000)
  await sara.taps('sms:again')
  expect(sara.codes).toHaveLength(1)
})

story('after a clock was set back a new code waits for the usual cool-down only', async ({ meet }) => {
  const sara = await meet()
  sara.world.pass(6 * 3_600_000)
  await sara.walksTo('code')
  sara.world.pass(-6 * 3_600_000)
  await sara.waits(6 * 60_000)
  await sara.taps('sms:again')
  expect(sara.codes).toHaveLength(2)
})
