import { expect } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS, TEHRAN_MS } from '../../src/domain/durations.ts'
import { type Office, onBothStores, story, word } from './office.ts'

/** Milliseconds until this hour of the day in Tehran, and a minute. */
function untilHour({ world }: Office, hour: number): number {
  const passed = (world.now() + TEHRAN_MS) % DAY_MS
  return (hour * HOUR_MS + 60_000 - passed + DAY_MS) % DAY_MS || DAY_MS
}
const digests = ({ person }: Office) =>
  person.messages.filter(({ text }) => text?.includes(word('digest-title').replace(/<[^>]+>/g, '')))

async function nextMorning(office: Office): Promise<void> {
  // Jobs that are due meanwhile are done first.
  if (untilHour(office, 9) > 2 * HOUR_MS) office.world.passWith(HOUR_MS)
  await office.world.settled()
  office.world.passWith(untilHour(office, 9))
  await office.world.settled()
}

onBothStores('each morning with news organizers get one digest', async ({ work }) => {
  const office = await work({ environment: { REMINDER_HOURS: '' } })
  await nextMorning(office)
  expect(digests(office)).toEqual([])
  const [done, left] = [office.addRecordOfSomebody(), office.addRecordOfSomebody()]
  const ali = office.join(done, 'علی')
  await ali.walksTo('review')
  await ali.taps(/^submit:/)
  await office.join(left).walksTo('question')
  await nextMorning(office)
  expect(digests(office)).toHaveLength(1)
  expect(digests(office)[0]?.text).toContain(word('digest-done', { count: 1 }))
  await office.world.restarts()
  await office.world.restarts()
  expect(digests(office)).toHaveLength(1)
  // A participant who is stuck is news of the next morning only.
  await nextMorning(office)
  expect(digests(office)).toHaveLength(2)
  expect(digests(office)[1]?.text).toContain(word('digest-stuck', { count: 1, fresh: 1 }))
  await nextMorning(office)
  expect(digests(office)).toHaveLength(2)
})

/** A participant finishes a test: news for the next morning. */
async function somethingHappens(office: Office): Promise<void> {
  const ali = office.join(office.addRecordOfSomebody(), 'علی')
  await ali.walksTo('review')
  await ali.taps(/^submit:/)
}

/** The bot starts again, and a few minutes go by. */
async function startsAgain({ world }: Office): Promise<void> {
  await world.start()
  await world.settled()
  world.passWith(3 * MINUTE_MS)
  await world.settled()
}

story('a digest after an absence counts those who became stuck meanwhile', async ({ work }) => {
  const office = await work({ environment: { REMINDER_HOURS: '' } })
  await nextMorning(office)
  await office.join(office.addRecordOfSomebody()).walksTo('question')
  await somethingHappens(office)
  await office.world.stop()
  office.world.pass(DAY_MS)
  office.world.pass(untilHour(office, 10))
  await startsAgain(office)
  expect(digests(office)[0]?.text).toContain(word('digest-stuck', { count: 1, fresh: 1 }))
})

story.for([22, 0])('digests go on after one that came late, at %i h', async (hour, { work }) => {
  const office = await work({ environment: { REMINDER_HOURS: '' } })
  await nextMorning(office)
  await somethingHappens(office)
  await office.world.stop()
  office.world.pass(untilHour(office, 9))
  office.world.pass(untilHour(office, hour))
  await startsAgain(office)
  expect(digests(office)).toHaveLength(1)
  await somethingHappens(office)
  office.world.passWith(untilHour(office, 9))
  await office.world.settled()
  // There are never two on one day.
  expect(digests(office)).toHaveLength(hour === 0 ? 1 : 2)
  await somethingHappens(office)
  await nextMorning(office)
  expect(digests(office)).toHaveLength(hour === 0 ? 2 : 3)
})

story('an organizer who has switched the digest off gets no more of them', async ({ work }) => {
  const office = await work()
  await office.says('/notices')
  await office.taps('notice:digest:off')
  const ali = office.join(office.addRecordOfSomebody(), 'علی')
  await ali.walksTo('review')
  await ali.taps(/^submit:/)
  await nextMorning(office)
  expect(digests(office)).toEqual([])
})
