import { expect, test } from 'vitest'
import { NEWS_MS } from '../../src/observe/health.ts'
import { createKeyMemory, newsMsOf } from '../../src/service/key-memory.ts'
import { createSqliteStore } from '../../src/storage/sqlite.ts'
import { createClock, hour, minute, second, temporaryFolder } from '../storage/worlds.ts'

type Memory = ReturnType<typeof createKeyMemory>

async function world() {
  const clock = createClock()
  const store = await createSqliteStore({ dir: await temporaryFolder(), now: clock.now })
  const start = (name = 'key') => createKeyMemory(store, { name, newsMs: NEWS_MS, now: clock.now })
  /** Whether the check called the service. */
  async function asks(memory: Memory): Promise<boolean> {
    let asked = false
    await memory.check(async () => {
      asked = true
    })
    return asked
  }
  return { clock, store, start, asks }
}

test('a starting process need not call if another one has seen the key accepted', async () => {
  const { clock, start, asks, store } = await world()
  const first = start()
  expect(await asks(first)).toBe(true)
  first.note(undefined)
  await expect.poll(() => asks(start())).toBe(false)
  expect(await asks(start('another'))).toBe(true)

  clock.wait(hour)
  expect(await asks(start())).toBe(true)
  await store.close()
})

test('a recent acceptance on one replica spares the others their check, whatever their clocks show', async () => {
  const { clock, store, asks } = await world()
  const [busy, idle] = [-hour, hour].map((ms) =>
    createKeyMemory(store, { name: 'key', newsMs: NEWS_MS, now: () => clock.now() + ms }),
  ) as [Memory, Memory]
  expect(await asks(idle)).toBe(true)
  for (let seconds = 0; seconds < 60; seconds += 1) {
    const [before] = await store.read(['accepted:key'])
    busy.note(undefined)
    if (seconds % 3 === 0) await expect.poll(() => store.read(['accepted:key'])).not.toEqual([before])
    expect(await asks(idle)).toBe(false)
    clock.wait(second)
  }
  clock.wait(6 * second)
  expect(await asks(idle)).toBe(true)
  // If the clock of the store is set back, the age is unknown.
  clock.wait(-minute)
  expect(await asks(idle)).toBe(true)
  await store.close()
})

test('what a replica has seen itself counts more than what others have seen', async () => {
  const { store, start, asks } = await world()
  const [one, other] = [start(), start()]
  one.note(undefined)
  await expect.poll(() => asks(other)).toBe(false)
  for (const [code, isAsked] of [
    ['unavailable', true],
    ['rate_limited', true],
    ['code_wrong', false],
    ['rate_limited', false],
  ] as const) {
    other.note(code)
    expect(await asks(other), code).toBe(isAsked)
  }
  await store.close()
})

test('a bot at work keeps the memory fresh, with few writes', async () => {
  const { clock, store, start, asks } = await world()
  let writes = 0
  const put: typeof store.put = (...args) => {
    writes += 1
    return store.put(...args)
  }
  const memory = createKeyMemory(
    { readAt: store.readAt, put },
    { name: 'key', newsMs: NEWS_MS, now: clock.now },
  )
  for (let seconds = 0; seconds < 120; seconds += 1) {
    for (let calls = 0; calls < 50; calls += 1) memory.note(undefined)
    clock.wait(second)
  }
  await expect.poll(() => writes).toBe(40)
  await expect.poll(() => asks(start())).toBe(false)
  await store.close()
})

test('a check goes before other calls until the key was accepted once, then behind them', async () => {
  const { clock, store, start } = await world()
  const memory = start()
  const lanes: string[] = []
  const connect = async (lane: string) => {
    lanes.push(lane)
    if (lanes.length === 1) throw new Error('away')
  }
  await expect(memory.check(connect)).rejects.toThrow('away')
  for (const _ of [1, 2]) {
    await memory.check(connect)
    clock.wait(minute)
  }
  expect(lanes).toEqual(['participant', 'participant', 'background'])
  await store.close()
})

test('an acceptance of the last hour is enough at a start only, and a refused key is forgotten', async () => {
  const { clock, store, start, asks } = await world()
  const memory = start()
  memory.note(undefined)
  await expect.poll(() => asks(start())).toBe(false)
  clock.wait(minute)
  const next = start()
  expect([await asks(next), await asks(next)]).toEqual([false, true])
  memory.note('unavailable')
  expect(await asks(start())).toBe(false)
  memory.note('key_invalid')
  await expect.poll(() => asks(start())).toBe(true)
  await store.close()
})

test('the memory of a former version makes a process ready, and no more', async () => {
  const { store, start, asks } = await world()
  await store.put({ key: 'accepted:key', value: Buffer.from('yes') }, null)
  const memory = start()
  expect([await asks(memory), await asks(memory)]).toEqual([false, true])
  await store.close()
})

test('failing storage costs no more than the check', async () => {
  const fail = () => Promise.reject(new Error('away'))
  const memory = createKeyMemory({ readAt: fail, put: fail }, { name: 'key', newsMs: NEWS_MS, now: Date.now })
  memory.note(undefined)
  let asked = 0
  await memory.check(async () => {
    asked += 1
  })
  expect(asked).toBe(1)
})

test.each([
  ['usual', 100, 3_000, 7_500],
  ['wider', 1_000, 30_000, 7_500],
  ['a low limit of the hour', 100, 100, 442_500],
  ['a low limit of the minute', 12, 3_000, 117_500],
])('with %s limits, checks take a small part of them', (_, ratePerMinute, ratePerHour, newsMs) => {
  expect(newsMsOf({ ratePerMinute, ratePerHour })).toBeCloseTo(newsMs)
})
