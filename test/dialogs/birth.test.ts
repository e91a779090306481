import { expect } from 'vitest'
import { born, CONTACT, type Participant, story, word, ZAHRA } from './walk.ts'

const sentBirth = ({ world }: Participant) => {
  const { body } = world.sandbox.calls.findLast(({ path }) => path.endsWith('/auth/')) ?? {}
  return (body as { birth: string }).birth
}
const instant = { testsAuthRequired: false }

for (const typed of [
  '۱۳۷۵/۵/۱۲',
  '1375-05-12',
  '١٣٧٥/٠٥/١٢',
  '۱۲ مرداد ۱۳۷۵',
  '1996/8/2',
  '۲ اوت ۱۹۹۶',
  '2 August 1996',
]) {
  story(`the date of birth may be written as «${typed}»`, async ({ meet }) => {
    const sara = await meet({ at: 'birth', record: instant })
    await sara.says(typed)
    expect(sara.place).toBe('gender')
    await sara.walksTo('question')
    expect(sentBirth(sara)).toBe(ZAHRA.iso)
  })
}

story('a guessed century is asked about before it is taken', async ({ meet }) => {
  const sara = await meet({ at: 'birth' })
  await sara.says('۷۵/۵/۱۲')
  expect(sara.screen).toContain(word('birth-is-right'))
  expect(sara.screen).toContain('۱۲ مرداد ۱۳۷۵')
  await sara.opens('')
  expect(sara.screen).toContain(word('birth-is-right'))
  await sara.taps('birth:other')
  expect(sara.screen).toContain(word('birth-ask'))
  await sara.says('۷۵/۵/۱۲')
  await sara.taps('birth:ok')
  expect(sara.place).toBe('gender')
})

story('another date can be typed instead of confirming a guess', async ({ meet }) => {
  const sara = await meet({ at: 'birth', record: instant })
  await sara.says('۷۵/۵/۱۲')
  await sara.says('۱۳۶۰/۱/۱')
  expect(sara.place).toBe('gender')
  await sara.walksTo('question')
  expect(sentBirth(sara)).toBe('1981-03-21')
})

for (const [typed, error] of [
  ['نمی‌گویم', 'unreadable'],
  ['۳۰ سالمه', 'age_only'],
  ['۱۳۷۵/۱۳/۱', 'invalid_month'],
  ['۱۳۷۵/۷/۳۱', 'invalid_day'],
  ['۱۴۵۰/۱/۱', 'future'],
  ['09123456789', 'looks_like_mobile'],
] as const) {
  story(`a date that is ${error} is asked for again, with the reason`, async ({ meet }) => {
    const sara = await meet({ at: 'birth' })
    await sara.says(typed)
    expect(sara.heard).toContain(word(`birth-error.${error}`))
    expect(sara.heard.split('۱۳۷۵/۵/۱۲')).toHaveLength(2)
    expect(sara.place).toBe('birth')
    expect(sara.calls).toEqual(['look'])
  })
}

for (const [said, place] of [
  ['اولی', 'gender'],
  ['۲', 'gender'],
  ['نمی‌فهمم', 'birth'],
] as const)
  story(`«${said}» to two readings of a date leads to the ${place}`, async ({ meet }) => {
    const sara = await meet({ at: 'birth', record: instant })
    await sara.says('12/05/1996')
    const picks = () => sara.data.filter((data) => data.startsWith('birth:pick:'))
    expect(picks()).toHaveLength(2)
    await sara.says(said)
    expect(sara.place).toBe(place)
    // An unclear answer keeps both readings.
    if (place === 'birth') expect(picks()).toHaveLength(2)
    await sara.walksTo('question')
    if (place === 'gender') expect(sentBirth(sara)).toBe(said === '۲' ? '1996-12-05' : '1996-05-12')
  })

story('the calendar leads from the decade to the day, and back', async ({ meet }) => {
  const sara = await meet({ at: 'birth', record: instant })
  const asked = sara.person.last
  await sara.taps('birth:open')
  expect(sara.screen).toBe(word('birth-pick-decade'))
  await sara.taps('birth:j:137')
  expect(sara.screen).toBe(word('birth-pick-year'))
  await sara.taps('birth:j:1375')
  await sara.taps('birth:j:1375:5')
  expect(sara.screen).toBe(word('birth-pick-day', { month: 'مرداد', year: '۱۳۷۵' }))
  await sara.taps(word('button-picker-back'))
  expect(sara.screen).toBe(word('birth-pick-month', { year: '۱۳۷۵' }))
  await sara.taps('birth:j:1375:5')
  // The calendar appears in the message that asked.
  expect(sara.person.last.message_id).toBe(asked.message_id)
  await sara.taps('birth:j:1375:5:12')
  expect(sara.place).toBe('gender')
  await sara.walksTo('question')
  expect(sentBirth(sara)).toBe(ZAHRA.iso)
})

story('the calendar offers no day that the test does not admit', async ({ meet }) => {
  const sara = await meet({ at: 'birth', record: { testId: 'teen-16' } })
  await sara.taps('birth:open')
  const decades = sara.buttons.filter((data) => data.startsWith('birth:j:'))
  expect(decades.length).toBeLessThanOrEqual(2)
  for (const forged of [
    'birth:j:1375:5:12',
    born(sara, 11),
    'birth:j:1395:13:1',
    'birth:j:1390:12:31',
    'birth:nop',
  ]) {
    await sara.forges(forged)
    expect(sara.place, forged).toBe('birth')
  }
})

story('the calendar also opens when the date was typed wrong', async ({ meet }) => {
  const sara = await meet({ at: 'birth' })
  await sara.says('دیروز')
  await sara.taps(word('button-birth-picker'))
  expect(sara.screen).toBe(word('birth-pick-decade'))
})

for (const [typed, age] of [
  ['۱۳۹۸/۱/۱', 'too young'],
  ['۱۳۰۰/۱/۱', 'too old'],
] as const) {
  story(`a participant who is ${age} is told so at once, with the limits`, async ({ meet }) => {
    const sara = await meet({ at: 'birth' })
    await sara.says(typed)
    expect(sara.heard).toContain(word('ages-between', { min: 14, max: 90 }))
    expect(sara.heard).toContain(CONTACT)
    expect(sara.place).toBe('birth')
    expect(sara.calls).toEqual(['look'])
    await sara.says('۱۳۷۵/۵/۱۲')
    expect(sara.place).toBe('gender')
  })
}

story('a guess outside of the limits is refused without asking about it', async ({ meet }) => {
  const sara = await meet({ at: 'birth', record: { testId: 'teen-16' } })
  await sara.says('۷۵/۵/۱۲')
  expect(sara.heard).toContain(word('ages-between', { min: 12, max: 18 }))
  expect(sara.heard).not.toContain(word('birth-is-right'))
})

story('a participant under 18 is asked for the presence of a guardian', async ({ meet }) => {
  const sara = await meet({ at: 'birth' })
  await sara.forges(born(sara, 17))
  expect(sara.place).toBe('guardian')
  expect(sara.screen).toContain(ZAHRA.name)
  await sara.says('۱۷')
  expect(sara.heard).toContain(word('use-buttons'))
  expect(sara.place).toBe('guardian')
  await sara.taps('guardian:yes')
  expect(sara.place).toBe('gender')
  // The guardian is asked for once per person.
  await sara.walksTo('summary')
  await sara.taps('profile:edit:birth')
  await sara.forges(born(sara, 16))
  expect(sara.place).toBe('summary')
})

story('the guardian is asked for up to the day before the 18th birthday', async ({ meet }) => {
  const sara = await meet({ at: 'birth' })
  await sara.forges(born(sara, 18, -2))
  expect(sara.place).toBe('guardian')
  const reza = await meet({ at: 'birth' })
  await reza.forges(born(reza, 18, 2))
  expect(reza.place).toBe('gender')
})

story('without a guardian the dialog stops, the organizer is notified, nothing is lost', async ({ meet }) => {
  const sara = await meet({ at: 'birth', environment: { ORGANIZERS: '900' } })
  const manager = sara.world.emulator.person({ id: 900 })
  await sara.acts(() => manager.start())
  await sara.opens('')
  await sara.forges(born(sara, 15))
  await sara.taps('guardian:no')
  expect(sara.heard).toContain(word('guardian-stop'))
  expect(manager.last.text).toContain(word('notice-guardian', { title: 'حال این دو هفته (نمونه)' }))
  expect(sara.calls).toEqual(['look'])
  await sara.opens('')
  expect(sara.place).toBe('guardian')
  await sara.taps('guardian:yes')
  expect(sara.place).toBe('gender')
})

story('a birth date corrected to that of a minor leads to the guardian’s question', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  await sara.taps('profile:edit:birth')
  await sara.forges(born(sara, 15))
  expect(sara.place).toBe('guardian')
  await sara.taps('guardian:yes')
  expect(sara.place).toBe('summary')
})

story('a corrected date outside of the limits is refused, and another can be typed', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  await sara.taps('profile:edit:birth')
  await sara.says('۱۳۹۸/۱/۱')
  expect(sara.heard).toContain(word('ages-between', { min: 14, max: 90 }))
  await sara.says('۱۳۶۰/۱/۱')
  expect(sara.place).toBe('summary')
  expect(sara.screen).toContain('۱ فروردین ۱۳۶۰')
})

story('a date with a misspelt month is shown for confirmation before it is taken', async ({ meet }) => {
  const sara = await meet({ at: 'birth' })
  await sara.says('3 خورداد 1372')
  expect(sara.screen).toContain(word('birth-is-right'))
  expect(sara.screen).toContain('۳ خرداد ۱۳۷۲')
  await sara.taps('birth:ok')
  expect(sara.place).toBe('gender')
})

story(
  'an unreadable date drops the guess that waits for confirmation; the question is shown once',
  async ({ meet }) => {
    const sara = await meet({ at: 'birth' })
    await sara.says('75/5/12')
    expect(sara.data).toContain('birth:ok')
    const guessed = sara.person.last
    for (const typed of ['75/13/40', 'نمی‌دانم', '۲۵ سال']) {
      await sara.says(typed)
      expect(sara.data).not.toContain('birth:ok')
    }
    await sara.forges('birth:ok', guessed)
    expect(sara.place).toBe('birth')
    expect(sara.chat.split(word('birth-ask'))).toHaveLength(2)
    // The chat keeps neither this question nor the thanks for the shared number.
    await sara.walksTo('summary')
    await sara.taps('profile:ok')
    await sara.walksTo('question')
    for (const left of [word('birth-ask'), word('keyboard-away')]) expect(sara.chat).not.toContain(left)
  },
)
