import { expect, test } from 'vitest'
import { createClock } from '../../src/observe/clock.ts'

const DAY_MS = 86_400_000
const MOST_OFF_MS = 5 * 60_000

/** A machine whose clock can be set, in a world whose time runs on. */
function machine({ aheadMs = 0 } = {}) {
  const world = { at: Date.UTC(2026, 0, 1), aheadMs, asleepMs: 0 }
  const clock = createClock({
    wall: () => world.at + world.aheadMs,
    elapsed: () => world.at - world.asleepMs,
  })
  return { world, clock, off: () => clock.now() - world.at }
}

test('a correct clock is followed, even if it drifts by up to five minutes', async () => {
  const { world, clock, off } = machine({ aheadMs: 4_000 })
  clock.note(world.at, 'telegram')
  expect(off()).toBe(4_000)
  world.aheadMs = 4_000 - MOST_OFF_MS
  expect(off()).toBe(4_000 - MOST_OFF_MS)
  await clock.check()
  expect(clock.aheadMs()).toBe(4_000 - MOST_OFF_MS)
})

/** Only the service's `Date` is wrong: the machine and Telegram agree. */
test.each([40 * DAY_MS, -40 * DAY_MS, -600_000])(
  'a service clock that is %i ms wrong changes nothing, in any order of answers',
  async (wrong) => {
    const { world, clock, off } = machine({ aheadMs: 2_000 })
    for (const of of ['telegram', 'service', 'service', 'telegram'] as const) {
      world.at += 60_000
      clock.note(of === 'service' ? world.at + wrong : world.at, of)
      expect([off(), clock.aheadMs()]).toEqual([2_000, 2_000])
      await clock.check()
    }
  },
)

test('a machine that differs from Telegram and from a wrong service follows the nearer one', async () => {
  const { world, clock, off } = machine({ aheadMs: 40 * DAY_MS })
  clock.note(world.at, 'telegram')
  clock.note(world.at - 600_000, 'service')
  expect([off(), clock.aheadMs()]).toEqual([0, 40 * DAY_MS])
  await expect(clock.check()).rejects.toThrow('wrong')
})

test.each([40 * DAY_MS, -40 * DAY_MS, MOST_OFF_MS + 1])(
  'a clock that jumps by %i ms changes nothing, not even for a moment, and is reported',
  async (jump) => {
    const { world, clock, off } = machine()
    clock.note(world.at, 'telegram')
    world.aheadMs = jump
    expect(off()).toBe(0)
    await expect(clock.check()).rejects.toThrow('wrong')
    world.at += 60_000
    clock.note(world.at, 'telegram')
    expect([off(), clock.aheadMs()]).toEqual([0, jump])
    world.aheadMs = 0
    world.at += 15_000
    clock.note(world.at, 'telegram')
    expect(off()).toBe(0)
    await clock.check()
  },
)

test('the first answer corrects a clock that is wrong from the start', () => {
  const { world, clock, off } = machine({ aheadMs: 40 * DAY_MS })
  expect(off()).toBe(40 * DAY_MS)
  clock.note(world.at, 'telegram')
  expect(off()).toBe(0)
})

test('a machine that slept continues with the right time of day', () => {
  const { world, clock, off } = machine()
  clock.note(world.at, 'telegram')
  world.at += 8 * 3_600_000
  world.asleepMs = 8 * 3_600_000
  clock.note(world.at, 'telegram')
  expect(off()).toBe(0)
})
