import { rm } from 'node:fs/promises'
import { afterEach, expect, test } from 'vitest'
import { refuseReplaced } from '../../src/storage/replaced-values.ts'
import { createSqliteStore } from '../../src/storage/sqlite.ts'
import type { Store } from '../../src/storage/store.ts'
import { claimNext, post, temporaryFolder } from './worlds.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const KEY = 'draft:1'

/** A store that can hold back its reads, and the alarms of its guard. */
async function openGuarded() {
  const dir = await temporaryFolder()
  ends.push(() => rm(dir, { recursive: true }))
  const store = await createSqliteStore({ dir, now: Date.now })
  ends.push(store.close)
  let held: Promise<unknown> = Promise.resolve()
  const holding: Store = {
    ...store,
    async read(keys) {
      const entries = await store.read(keys)
      await held
      return entries
    },
  }
  const alarms: string[] = []
  const guarded = await refuseReplaced(holding, (problem) => alarms.push(problem))
  return {
    guarded,
    alarms,
    /** Later reads are held back until the returned function is called. */
    hold() {
      let handOut = () => {}
      held = new Promise<void>((resolve) => {
        handOut = resolve
      })
      return handOut
    },
    async write(text: string) {
      const [entry] = await store.read([KEY])
      await guarded.post(post('chat:1', text))
      const expects = [{ key: KEY, version: entry?.version ?? null }]
      const writes = [{ key: KEY, value: Buffer.from(text) }]
      expect(await guarded.commit(await claimNext(guarded), { expects, writes })).toBe('ok')
    },
  }
}

test('a value read before it was replaced, and returned after, is not taken for restored', async () => {
  const { guarded, alarms, hold, write } = await openGuarded()
  await write('first')
  const handOut = hold()
  const reading = guarded.read([KEY])
  await write('second')
  handOut()
  expect((await reading)[0]?.value.toString()).toBe('first')
  expect((await guarded.read([KEY]))[0]?.value.toString()).toBe('second')
  expect(alarms).toEqual([])
})
