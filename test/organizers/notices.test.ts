import { expect } from 'vitest'
import { story, word } from '../dialogs/walk.ts'
import { organizerOf } from './desk.ts'

const title = 'حال این دو هفته (نمونه)'
const HOUR = 3_600_000
const stuck = word('notice-stuck', { title }).slice(0, 40)

story('a finished test is told once, with how it was answered and never what', async ({ meet }) => {
  const sara = await meet()
  const manager = await organizerOf(sara)
  await sara.opens(`${sara.payload}_4711`)
  await sara.walksTo('question')
  await sara.answers(1, 1, 1, 2)
  await sara.waits(2 * HOUR)
  await sara.walksTo('review')
  await sara.taps(/^submit:/)
  await sara.waits(60_000)
  const told = manager.chat.split('\n\n').filter((text) => text.includes(`${title}»`.slice(0, 5)))
  expect(manager.chat.split(word('validity-run', { count: 3, usual: 4 }))).toHaveLength(2)
  expect(manager.chat).toContain(word('validity-pauses', { count: 1, usual: 1 }))
  expect(manager.chat).toContain(word('whose-external-id', { id: '4711' }))
  expect(told.join()).not.toContain('زهرا')
  expect(manager.buttons).toContain(`card:r:${sara.token}`)
})

story('somebody stuck is told after a day, once, and again only after going on', async ({ meet }) => {
  const sara = await meet({ at: 'question', environment: { REMINDER_HOURS: '' } })
  await sara.answers(1)
  const manager = await organizerOf(sara, { REMINDER_HOURS: '' })
  await sara.waits(23 * HOUR)
  expect(manager.chat).not.toContain(stuck)
  await sara.waits(2 * HOUR)
  expect(manager.chat.split(stuck)).toHaveLength(2)
  await sara.waits(49 * HOUR)
  expect(manager.chat.split(stuck)).toHaveLength(2)
})

story('what can wait comes after the night, and many at once become one', async ({ meet }) => {
  const sara = await meet()
  const manager = await organizerOf(sara, { QUIET_HOURS: '22-8' })
  const tehran = (sara.world.now() + 3.5 * HOUR) % (24 * HOUR)
  await sara.waits((23 * HOUR - tehran + 24 * HOUR) % (24 * HOUR))
  await sara.walksTo('review')
  await sara.taps(/^submit:/)
  expect(manager.chat).not.toContain(word('validity-run', { count: 1, usual: 4 }))
  await sara.waits(10 * HOUR)
  expect(manager.chat).toContain(word('validity-run', { count: 1, usual: 4 }))
})

story('a switch that is off keeps its kind away, for this organizer', async ({ meet }) => {
  const sara = await meet()
  const manager = await organizerOf(sara)
  await manager.says('/notices')
  expect(manager.data).toHaveLength(9)
  await manager.taps('notice:finished:off')
  expect(manager.data).toContain('notice:finished:on')
  await sara.walksTo('review')
  await sara.taps(/^submit:/)
  expect(manager.chat).not.toContain(word('validity-run', { count: 1, usual: 4 }))
})

story('nobody but an organizer sees the switches', async ({ meet }) => {
  const sara = await meet({ at: 'question' })
  await organizerOf(sara)
  await sara.says('/notices')
  expect(sara.heard).toContain(word('unknown-command'))
})
