import { expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../../src/domain/durations.ts'
import { isMinor } from '../../src/domain/profile.ts'
import { createAccount } from '../account.ts'
import { knownMinor } from './known-minor.ts'
import { story, word } from './walk.ts'

const TODAY = '2026-11-22'

test.each([
  [{ birth: '2008-11-23', age: null }, true],
  [{ birth: '2008-11-22', age: 12 }, false],
  [{ birth: '2010-05-01T00:00:00Z', age: null }, true],
  [{ birth: '۱۳۸۹/۱/۱', age: 15 }, true],
  [{ birth: null, age: 17 }, true],
  [{ birth: null, age: 18 }, false],
  [{ birth: null, age: null }, false],
])('a profile of %j is one of a minor: %s', (profile, minor) => {
  expect(isMinor(profile, TODAY)).toBe(minor)
})

story(
  'a minor whose profile exists at the service is asked for a guardian before the questions',
  async ({ meet }) => {
    const sara = await meet({ environment: { ORGANIZERS: '900' } })
    const organizer = sara.world.emulator.person({ id: 900 })
    organizer.start()
    await knownMinor(sara)
    await sara.opens()
    await sara.taps(/^begin:/)
    expect(sara.place).toBe('guardian')
    expect(sara.screen).toBe(word('guardian-ask-participant'))
    expect(sara.calls).toEqual(['auth', 'look'])
    await sara.taps('guardian:no')
    expect(sara.heard).toContain(word('guardian-stop'))
    // The stop message says that the child can come back.
    await sara.opens('')
    expect(sara.data).toContain('guardian:link')
    await sara.says('سلام')
    expect(sara.place).toBe('guardian')
    await sara.taps('guardian:yes')
    expect(sara.place).toBe('question')
    await sara.opens()
    expect(sara.place).toBe('question')
  },
)

story('who is eighteen by now, as the service has it, needs no guardian any more', async ({ meet }) => {
  const sara = await meet({})
  await knownMinor(sara, 18, 2)
  await sara.opens()
  await sara.taps(/^begin:/)
  await sara.opens()
  expect(sara.place).toBe('guardian')
  expect(sara.calls).toEqual(['auth', 'look'])
  await sara.waits(3 * DAY_MS)
  await sara.opens()
  expect(sara.place).toBe('question')
})

story('a birth date corrected after the introduction asks for a guardian', async ({ meet }) => {
  const sara = await meet({})
  await knownMinor(sara, 30)
  await sara.opens()
  sara.world.sandbox.update(sara.token, { authRequired: true })
  await knownMinor(sara)
  await sara.waits(10 * MINUTE_MS)
  await sara.taps(/^begin:/)
  expect(sara.place).toBe('guardian')
  await sara.taps('guardian:yes')
  expect(sara.place).toBe('question')
})

story('who has mistyped the birth year corrects it at the guardian’s question', async ({ meet }) => {
  const sara = await meet({ at: 'birth' })
  await sara.says('۱۳۹۱/۱/۱')
  expect(sara.place).toBe('guardian')
  await sara.taps('profile:edit:birth')
  expect(sara.place).toBe('birth')
  await sara.taps('profile:keep')
  expect(sara.place).toBe('guardian')
  await sara.says('تاریخ تولدم اشتباه است')
  await sara.says('۱۳۷۱/۱/۱')
  expect(sara.place).toBe('gender')
  await sara.walksTo('summary')
  expect(sara.screen).toContain('۱۳۷۱')
})

story('a guardian’s no on their own phone is not passed by with another birth date', async ({ meet }) => {
  const sara = await meet({ at: 'birth' })
  await sara.says('۱۳۹۱/۱/۱')
  await sara.taps('guardian:link')
  const mother = createAccount(sara.world, sara.world.emulator.person({ firstName: 'مادر' }), '')
  await mother.opens(/start=(i_[a-z2-7]{12})/.exec(sara.screen)?.[1] ?? '')
  await mother.taps(/^agree:.*:no$/)
  await sara.opens('')
  await sara.taps('profile:edit:birth')
  expect(sara.person.toasts.at(-1)).toBe(word('guardian-only-apart'))
  expect(sara.place).toBe('guardian')
})
