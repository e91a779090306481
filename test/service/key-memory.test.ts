import { expect, test } from 'vitest'
import { createKeyMemory } from '../../src/service/key-memory.ts'
import { createSqliteStore } from '../../src/storage/sqlite.ts'
import { createClock, hour, minute, temporaryFolder } from '../storage/worlds.ts'

async function world() {
  const clock = createClock()
  const store = await createSqliteStore({ dir: await temporaryFolder(), now: clock.now })
  const start = (name = 'key') => createKeyMemory(store, { name, now: clock.now })
  /** Whether the check asked the service. */
  async function asks(memory: ReturnType<typeof start>): Promise<boolean> {
    let asked = false
    await memory.check(async () => {
      asked = true
    })
    return asked
  }
  return { clock, store, start, asks }
}

test('a process that starts need not ask what another has seen', async () => {
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

test('a bot at work keeps the memory fresh, at few writes', async () => {
  const { clock, store, start, asks } = await world()
  let writes = 0
  const put: typeof store.put = (...args) => {
    writes += 1
    return store.put(...args)
  }
  const memory = createKeyMemory({ read: store.read, put }, { name: 'key', now: clock.now })
  for (let minutes = 0; minutes < 120; minutes += 1) {
    for (let calls = 0; calls < 50; calls += 1) memory.note(undefined)
    clock.wait(minute)
  }
  await expect.poll(() => writes).toBe(12)
  await expect.poll(() => asks(start())).toBe(false)
  await store.close()
})

test('only the first check of a process may be spared, and a refused key is forgotten', async () => {
  const { store, start, asks } = await world()
  const memory = start()
  memory.note(undefined)
  await expect.poll(() => asks(start())).toBe(false)
  const second = start()
  expect([await asks(second), await asks(second)]).toEqual([false, true])
  memory.note('unavailable')
  expect(await asks(start())).toBe(false)
  memory.note('key_invalid')
  await expect.poll(() => asks(start())).toBe(true)
  await store.close()
})

test('storage that fails costs no more than the question', async () => {
  const fail = () => Promise.reject(new Error('away'))
  const memory = createKeyMemory({ read: fail, put: fail }, { name: 'key', now: Date.now })
  memory.note(undefined)
  let asked = 0
  await memory.check(async () => {
    asked += 1
  })
  expect(asked).toBe(1)
})
