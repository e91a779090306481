import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createWorker } from '../../src/background/worker.ts'
import { createLog } from '../../src/observe/logger.ts'
import { sealBody } from '../../src/store/documents.ts'
import { createSqliteStore } from '../../src/store/sqlite.ts'
import { createVault } from '../../src/store/vault.ts'
import { createClock, temporaryFolder } from '../store/worlds.ts'
import { becomes } from '../until.ts'

test('a message that cannot be opened does not hold up the chat behind it', async () => {
  const clock = createClock()
  const store = await createSqliteStore({ dir: await temporaryFolder(), now: clock.now })
  const vault = createVault({ index: randomBytes(32), data: new Map([[1, randomBytes(32)]]), current: 1 })
  const actor = 'chat:somebody'
  await store.post({ actor, id: 'harmed', body: Buffer.from('not sealed by anybody') })
  await store.post({ actor, id: 'sound', body: sealBody(vault, actor, { text: 'hello' }) })
  const handled: unknown[] = []
  let asideBody: unknown = 'none yet'
  const worker = createWorker({
    store,
    vault,
    now: clock.now,
    log: createLog('silent'),
    handlers: {
      chat: async ({ body }) => {
        handled.push(body)
        return undefined
      },
    },
    passesInMs: () => undefined,
    setAside: ({ body }) => {
      asideBody = body
    },
    onEnd: () => clock.wait(10_000),
  })
  const isDone = await becomes(() => {
    worker.wake()
    clock.wait(1_000)
    return handled.length > 0
  }, 5_000)
  await worker.stop()
  await store.close()
  expect(isDone).toBe(true)
  expect(handled).toEqual([{ text: 'hello' }])
  expect(asideBody).toBeUndefined()
})
