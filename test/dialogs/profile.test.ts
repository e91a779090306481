import { expect } from 'vitest'
import { another, born, ORGANIZER, type Participant, story, withAnother, word, ZAHRA } from './walk.ts'

/** The places that the participant passes from here on, each once. */
async function placesUpTo(sara: Participant, last: Participant['place']): Promise<(string | undefined)[]> {
  const passed = [sara.place]
  while (passed.at(-1) !== last && passed.length < 12) {
    await sara.goesOn()
    passed.push(sara.place)
  }
  return passed
}

/** The body of the last call that sent a profile. */
const sentProfile = ({ world }: Participant) =>
  world.sandbox.calls.findLast(({ path }) => path.endsWith('/auth/'))?.body

story('the dialog asks in its order, one thing at a time', async ({ meet }) => {
  const sara = await meet({ at: 'introduction' })
  expect(await placesUpTo(sara, 'question')).toEqual([
    'introduction',
    'name',
    'birth',
    'gender',
    'mobile',
    'summary',
    'code',
    'question',
  ])
})

story('without SMS the questions follow the summary', async ({ meet }) => {
  const sara = await meet({ at: 'mobile', record: { testsAuthRequired: false } })
  expect(sara.screen).toBe(word('mobile-ask'))
  expect(await placesUpTo(sara, 'question')).toEqual(['mobile', 'summary', 'question'])
  expect(sara.calls).toEqual(['look', 'auth', 'questions'])
})

story('a test that needs no profile goes straight to its questions', async ({ meet }) => {
  const sara = await meet({ at: 'introduction', record: { authRequired: false } })
  expect(await placesUpTo(sara, 'question')).toEqual(['introduction', 'question'])
  expect(sara.calls).toEqual(['look', 'questions'])
})

story('a test for one gender does not ask for it', async ({ meet }) => {
  const sara = await meet({ at: 'birth', record: { testId: 'women-16' } })
  expect(await placesUpTo(sara, 'summary')).toEqual(['birth', 'mobile', 'summary'])
  expect(sara.screen).toContain(word('summary-gender', { gender: word('gender-female') }))
  expect(sara.buttons).not.toContain('profile:edit:gender')
  await sara.forges('profile:edit:gender')
  expect(sara.place).toBe('summary')
  await sara.walksTo('question')
  expect(sentProfile(sara)).toMatchObject({ is_male: false })
})

for (const field of ['name', 'birth', 'gender'] as const) {
  story(`a correction of the ${field} can be given up, and the former value stays`, async ({ meet }) => {
    const sara = await meet({ at: 'summary' })
    const before = sara.screen
    await sara.taps(`profile:edit:${field}`)
    expect(sara.place).toBe(field)
    await sara.taps('profile:keep')
    expect(sara.screen).toBe(before)
  })
}

story('a correction of the mobile offers the former one', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  const before = sara.screen
  await sara.taps('profile:edit:mobile')
  expect(sara.person.state.replyKeyboard?.rows.flat()).toMatchObject([
    {},
    { text: ZAHRA.mobile },
    { text: word('button-ask') },
  ])
  await sara.says(ZAHRA.mobile)
  expect(sara.screen).toBe(before)
})

story('the service gets what was typed, in its normal form', async ({ meet }) => {
  const sara = await meet({ at: 'name' })
  await sara.says('  عليرضا   كريمي ')
  await sara.walksTo('gender')
  await sara.taps('gender:male')
  await sara.says('+98 912 345 67 89')
  expect(sara.screen).toContain(word('summary-name', { name: 'علیرضا کریمی' }))
  expect(sara.screen).toContain(word('summary-gender', { gender: word('gender-male') }))
  expect(sara.screen).toContain('09123456789')
  expect(sara.screen).toContain('۱۳۷۵')
  await sara.taps('profile:ok')
  expect(sentProfile(sara)).toEqual({
    name: 'علیرضا کریمی',
    mobile: '09123456789',
    birth: ZAHRA.iso,
    is_male: true,
  })
})

for (const [typed, error, bad] of [
  ['زهرا Z', 'latin', 'Z'],
  ['زهرا محمدی ۱۳۵۵', 'digit', ''],
  ['زهرا!', 'punctuation', '!'],
  ['زهرا 🌸', 'emoji', '🌸'],
  ['ز', 'too_short', ''],
  ['زهرااااا', 'repeated', ''],
  ['زهرا '.repeat(12), 'too_long', ''],
] as const) {
  story(`a name that is ${error} is asked for again, with the reason`, async ({ meet }) => {
    const sara = await meet({ at: 'name' })
    await sara.says(typed)
    expect(sara.heard).toContain(word(`name-error.${error}`, { bad: [...new Set(bad)].join('') }))
    expect(sara.heard).toContain(word('name-example'))
    expect(sara.place).toBe('name')
    await sara.walksTo('birth')
    expect(sara.calls).toEqual(['look'])
  })
}

story('the gender may be typed, and no other text counts as one', async ({ meet }) => {
  const sara = await meet({ at: 'gender' })
  await sara.says('نمی‌گویم')
  expect(sara.heard).toContain(word('use-buttons'))
  expect(sara.place).toBe('gender')
  for (const property of ['__proto__', 'constructor']) await sara.says(property)
  expect(sara.place).toBe('gender')
  await sara.says('خانم')
  expect(sara.place).toBe('mobile')
})

story('the gender may be typed on an Arabic keyboard', async ({ meet }) => {
  const sara = await meet({ at: 'gender' })
  await sara.says('مذكر\u200f')
  await sara.walksTo('summary')
  expect(sara.screen).toContain(word('summary-gender', { gender: word('gender-male') }))
})

story('twelve Latin letters typed at the name are not taken as an invitation code', async ({ meet }) => {
  const sara = await meet({ at: 'name' })
  await sara.says('mohammadreza')
  expect(sara.heard).not.toContain(word('invitation-unknown'))
  // A text in another alphabet is not quoted letter by letter.
  expect(sara.heard).toContain(word('name-error.latin_many'))
  expect(sara.place).toBe('name')
})

for (const typed of ['۰۹۱۲۳۴۵۶۷۸۹', '٠٩١٢٣٤٥٦٧٨٩', '0912-345-6789', '00989123456789', '9123456789']) {
  story(`the mobile may be written as ${typed}`, async ({ meet }) => {
    const sara = await meet({ at: 'mobile' })
    await sara.says(typed)
    expect(sara.place).toBe('summary')
    expect(sara.screen).toContain(word('summary-mobile', { mobile: '09123456789' }))
  })
}

for (const [typed, error] of [
  ['شماره ندارم', 'bad_char'],
  ['+33612345678', 'foreign'],
  ['02188776655', 'landline'],
  ['0912345', 'too_short'],
  ['091234567890', 'too_long'],
] as const) {
  story(`a number that is ${error} is asked for again, with the reason`, async ({ meet }) => {
    const sara = await meet({ at: 'mobile' })
    await sara.says(typed)
    expect(sara.heard).toContain(word(`mobile-error.${error}`))
    await sara.says(ZAHRA.mobile)
    expect(sara.place).toBe('summary')
    expect(sara.calls).toEqual(['look'])
  })
}

story('a number of an unknown range has to be confirmed', async ({ meet }) => {
  const sara = await meet({ at: 'mobile' })
  await sara.says('09812345678')
  expect(sara.place).toBe('mobile-confirm')
  expect(sara.screen).toContain('09812345678')
  await sara.taps('mobile:ok')
  expect(sara.place).toBe('summary')
  expect(sara.screen).toContain('09812345678')
})

story('another number can be typed instead of confirming an unusual one', async ({ meet }) => {
  const sara = await meet({ at: 'mobile' })
  await sara.says('09812345678')
  await sara.says(ZAHRA.mobile)
  expect(sara.place).toBe('summary')
  expect(sara.screen).toContain(ZAHRA.mobile)
})

story('the participant’s own contact is taken, and its keyboard goes away', async ({ meet }) => {
  const sara = await meet({ at: 'mobile', person: { phone: '+989351112233' } })
  expect(sara.person.state.replyKeyboard?.rows.flat()).toMatchObject([
    { requestContact: true },
    { text: word('button-ask') },
  ])
  await sara.acts(() => sara.person.shareContact())
  expect(sara.place).toBe('summary')
  expect(sara.screen).toContain('09351112233')
  expect(sara.person.state.replyKeyboard).toBeUndefined()
})

story('the contact of another person is not taken', async ({ meet }) => {
  const sara = await meet({ at: 'mobile' })
  await sara.acts(() => sara.person.shareContact({ own: false }))
  expect(sara.heard).toContain(word('contact-of-another'))
  expect(sara.place).toBe('mobile')
  await sara.acts(() => sara.person.shareContact())
  expect(sara.place).toBe('summary')
})

story('the participant’s own contact with a foreign number is not taken either', async ({ meet }) => {
  const sara = await meet({ at: 'mobile', person: { phone: '+4915112345678' } })
  await sara.acts(() => sara.person.shareContact())
  expect(sara.heard).toContain(word('mobile-error.foreign'))
  await sara.says(ZAHRA.mobile)
  expect(sara.place).toBe('summary')
})

story('each field can be corrected at the summary, and the others stay', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  await sara.taps('profile:edit:name')
  expect(sara.place).toBe('name')
  await sara.says('مریم کاظمی')
  await sara.taps('profile:edit:birth')
  expect(sara.place).toBe('birth')
  await sara.forges('birth:j:1360:1:1')
  await sara.taps('profile:edit:gender')
  await sara.taps('gender:male')
  await sara.taps('profile:edit:mobile')
  expect(sara.place).toBe('mobile')
  await sara.says('09351112233')
  expect(sara.place).toBe('summary')
  await sara.taps('profile:ok')
  expect(sentProfile(sara)).toEqual({
    name: 'مریم کاظمی',
    birth: '1981-03-21',
    is_male: true,
    mobile: '09351112233',
  })
})

story('a correction that is given up keeps the former values', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  await sara.taps('profile:edit:mobile')
  await sara.says('02188776655')
  await sara.meetsRestart()
  await sara.opens()
  expect(sara.place).toBe('mobile')
  await sara.says(ZAHRA.mobile)
  expect(sara.screen).toContain(word('summary-name', { name: ZAHRA.name }))
})

story('a participant who became too old meanwhile is told so before an SMS goes out', async ({ meet }) => {
  const sara = await meet({ at: 'birth', record: { testId: 'teen-16', testsAuthRequired: true } })
  await sara.forges(born(sara, 19, -2))
  await sara.walksTo('summary')
  await sara.waits(4 * 86_400_000)
  await sara.opens()
  await sara.taps('profile:ok')
  expect(sara.heard).toContain(word('problem-title'))
  expect(sara.heard).toContain(word('problem-age', { ages: word('ages-between', { min: 12, max: 18 }) }))
  expect(sara.calls).toEqual(['look'])
})

story('a refusal of the service is shown in its words and can be corrected', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  sara.world.sandbox.fault({ kind: 'status', status: 400, message: 'این نام پذیرفته نیست.', path: 'auth/$' })
  await sara.taps('profile:ok')
  expect(sara.heard).toContain('این نام پذیرفته نیست.')
  expect(sara.place).toBe('summary')
  await sara.taps('profile:edit:name')
  await sara.says('مریم کاظمی')
  await sara.taps('profile:ok')
  expect(sara.place).toBe('code')
})

story('a number that was used too often is replaced without typing the rest again', async ({ meet }) => {
  const sara = await meet({ at: 'question', sandbox: { authenticationsPerMobile: 1 } })
  const second = withAnother(sara, { testId: 'mood-7' })
  await second.waits(120_000)
  await second.opens()
  await second.walksTo('summary')
  await second.taps('profile:ok')
  expect(second.heard).toContain(word('failure-mobile-limit'))
  expect(second.place).toBe('mobile')
  await second.says('09351112233')
  expect(second.place).toBe('summary')
  expect(second.screen).toContain(word('summary-name', { name: ZAHRA.name }))
  await second.taps('profile:ok')
  expect(second.place).toBe('code')
})

story('NAME_HAMZA=fold writes names for a service that refuses hamza', async ({ meet }) => {
  const sara = await meet({
    at: 'name',
    environment: { NAME_HAMZA: 'fold' },
    sandbox: { strictNames: true },
    record: { testsAuthRequired: false },
  })
  await sara.says('رضا رئیسی')
  await sara.walksTo('question')
  expect(sentProfile(sara)).toMatchObject({ name: 'رضا رییسی' })
})

story(
  'a participant who taps twice while Telegram is slow finds the later question where it was',
  async ({ meet }) => {
    const sara = await meet({ at: 'gender' })
    const asked = sara.person.last
    await sara.taps('gender:female')
    await sara.walksTo('summary')
    const { message_id: summary } = sara.person.last
    await sara.forges('gender:female', asked)
    expect(sara.person.toasts).toEqual([word('button-old')])
    expect(sara.person.last.message_id).toBe(summary)
    await sara.taps('profile:ok')
    expect(sara.place).toBe('code')
  },
)

story('the buttons of an older question of the dialog do nothing', async ({ meet }) => {
  const sara = await meet({ at: 'gender' })
  const asked = sara.person.last
  await sara.taps('gender:female')
  await sara.forges('gender:male', asked)
  expect(sara.person.toasts).toEqual([word('button-old')])
  expect(sara.place).toBe('mobile')
  await sara.walksTo('summary')
  expect(sara.screen).toContain(word('summary-gender', { gender: word('gender-female') }))
})

story('«right, go on» pressed twice sends one SMS', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  const summary = sara.person.last
  await sara.acts(() => {
    sara.person.tap('profile:ok', summary)
    sara.person.tap('profile:ok', summary)
  })
  expect(sara.place).toBe('code')
  expect(sara.codes).toHaveLength(1)
})

story('an external id that is taken does not stop the participant for good', async ({ meet }) => {
  const sara = await meet({ environment: { ORGANIZERS: '900' }, record: { testsAuthRequired: false } })
  const organizer = sara.world.emulator.person({ id: 900, firstName: 'مدیر' })
  await sara.acts(() => organizer.start())
  await sara.opens(`${sara.payload}_77`)
  await sara.walksTo('question')
  const reza = another(withAnother(sara, { testId: 'mood-7', testsAuthRequired: false }))
  await reza.opens(`${reza.payload}_77`)
  await reza.walksTo('summary')
  await reza.taps('profile:ok')
  expect(reza.heard).toContain(word('failure-organizer'))
  expect(organizer.last.text).toContain('77')
  // The organizer sends a link with another id; nothing has to be typed again.
  await reza.opens(`${reza.payload}_78`)
  expect(reza.place).toBe('summary')
  await reza.taps('profile:ok')
  expect(reza.place).toBe('question')
  expect(sentProfile(reza)).toMatchObject({ external_id: 78, name: ZAHRA.name })
})

story('every request for a code names the organizer that asks', async ({ meet }) => {
  const sara = await meet({ at: 'mobile' })
  expect(sara.screen).toContain(ORGANIZER)
  await sara.walksTo('code')
  expect(sara.screen).toContain(ORGANIZER)
})

story(
  'a contact shared at the mobile is taken although the bot waits for a question to the organizer',
  async ({ meet }) => {
    const sara = await meet({ at: 'mobile', environment: { ORGANIZERS: '900' } })
    await sara.says('سؤالی دارم')
    await sara.acts(() => sara.person.shareContact())
    expect(sara.place).toBe('summary')
  },
)

story('at the name the question to the organizer names a command as the way back', async ({ meet }) => {
  const sara = await meet({ at: 'name', environment: { ORGANIZERS: '900' } })
  await sara.taps(/^ask:/)
  expect(sara.heard).toContain('/start')
  await sara.says('/start')
  await sara.says('زهرا محمدی')
  expect(sara.place).toBe('birth')
})
