import { afterEach, describe, expect, test } from 'vitest'
import { createTestWorld, type World } from '../world.ts'
import { createParticipant, type Participant, withAnother, word } from './walk.ts'

let world: World
afterEach(() => world.close())

/** A participant whose external id is taken already, and the organizer who can mend it. */
async function refusedForTheId() {
  world = await createTestWorld({ sandbox: { testsAuthRequired: false } })
  const organizer = world.emulator.person({ firstName: 'مدیر' })
  await world.start({ ORGANIZERS: String(organizer.id) })
  organizer.start()
  const first = createParticipant(
    world,
    world.emulator.person(),
    world.sandbox.addRecord({ testId: 'mood-7' }),
  )
  await first.opens(`${first.payload}_7`)
  await first.walksTo('question')
  const second = createParticipant(
    world,
    world.emulator.person(),
    world.sandbox.addRecord({ testId: 'mood-7' }),
  )
  await second.opens(`${second.payload}_7`)
  await second.walksTo('summary')
  await second.taps('profile:ok')
  return { organizer, second }
}

const shortIdOf = ({ buttons }: Participant) =>
  buttons.find((data) => data.startsWith('retry:'))?.slice('retry:'.length) ?? ''

describe('an external id that is taken', () => {
  test('is told to the organizer, who lets the participant go on without one', async () => {
    const { organizer, second } = await refusedForTheId()
    expect(second.place).toBe('refused')
    expect(organizer.last.text).toContain('7')
    await second.acts(() => organizer.tap(/^extid:.*:drop$/))
    expect(second.place).toBe('question')
    await second.acts(() => organizer.rawTap(organizer.last, 'audit'))
    expect(organizer.last.text).toContain(word('act.external-id'))
    expect(organizer.last.text).toContain(second.token)
  })

  test('can be replaced by another one', async () => {
    const { organizer, second } = await refusedForTheId()
    await second.acts(() => organizer.tap(/^extid:.*:new$/))
    await second.acts(() => organizer.say('نمی‌دانم'))
    expect(organizer.last.text).toBe(word('external-id-ask'))
    await second.acts(() => organizer.say('۴۲'))
    expect(second.place).toBe('question')
    const auth = world.sandbox.calls.findLast(({ path }) => path.endsWith('/auth/'))
    expect(auth?.body).toMatchObject({ external_id: 42 })
    // The link that the participant began with still opens.
    await second.opens(`${second.payload}_7`)
    expect(second.place).toBe('question')
  })

  test('is asked for until a command ends that; the participant can still go on without one', async () => {
    const { organizer, second } = await refusedForTheId()
    const notice = organizer.last
    await second.acts(() => organizer.tap(/^extid:.*:new$/))
    await second.acts(() => organizer.say('/cancel'))
    expect(organizer.last.text).toBe(word('left-aside'))
    await second.acts(() => organizer.say('۴۲'))
    expect(organizer.last.text).not.toBe(word('external-id-settled'))
    expect(second.place).toBe('refused')
    await second.acts(() => organizer.rawTap(notice, `extid:${shortIdOf(second)}:drop`))
    expect(second.place).toBe('question')
  })

  test('cannot be replaced once it is settled, and the organizer is told so', async () => {
    const { organizer, second } = await refusedForTheId()
    const notice = organizer.last
    await second.acts(() => organizer.tap(/^extid:.*:new$/))
    await second.acts(() => organizer.rawTap(notice, `extid:${shortIdOf(second)}:drop`))
    expect(second.place).toBe('question')
    await second.acts(() => organizer.say('۴۲'))
    expect(organizer.last.text).toBe(word('external-id-over'))
  })

  test('that is settled during another test leaves the question of that test in place', async () => {
    const { organizer, second } = await refusedForTheId()
    const other = withAnother(second, { testId: 'sleep-20', testsAuthRequired: false })
    await other.opens()
    await other.walksTo('gender')
    const asks = other.person.last
    await second.acts(() => organizer.tap(/^extid:.*:drop$/))
    expect(second.chat).not.toContain(word('profile-sending'))
    const title = 'حال این دو هفته (نمونه) · زهرا'
    expect(second.heard).toContain(word('meanwhile', { title, state: word('stage-loading') }))
    const open = second.data[0] ?? ''
    await other.taps('gender:female', asks)
    expect(other.place).toBe('mobile')
    await other.walksTo('question')
    await second.forges(open)
    expect(second.place).toBe('question')
    expect(world.sandbox.calls.filter(({ path }) => path.includes(`${second.token}/questions`))).toHaveLength(
      1,
    )
  })

  test('cannot be settled by the participant with a forged button', async () => {
    const { second } = await refusedForTheId()
    await second.forges(`extid:${shortIdOf(second)}:drop`)
    expect(second.place).not.toBe('question')
  })
})
