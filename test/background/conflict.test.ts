import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createWorker, type JobHandler } from '../../src/background/worker.ts'
import { createLog } from '../../src/observe/logger.ts'
import { documentKey, documentKind, sealBody, sealDocument } from '../../src/store/documents.ts'
import { loadKeyring } from '../../src/store/keyring.ts'
import { createSqliteStore } from '../../src/store/sqlite.ts'
import { createVault } from '../../src/store/vault.ts'
import { temporaryFolder } from '../store/worlds.ts'

const boards = documentKind<{ tests: number }>('b')

/** A worker with one message, and the outcomes of handling it. */
async function handling(handler: (deps: { changeMeanwhile: () => Promise<void> }) => JobHandler) {
  const dir = await temporaryFolder()
  const store = await createSqliteStore({ dir, now: Date.now })
  const vault = createVault(await loadKeyring(store, [randomBytes(32)]))
  const key = documentKey(boards, 'one')
  const value = sealDocument(vault, key, { tests: 1 })
  const outcomes: string[] = []
  let ended = () => {}
  const end = new Promise<void>((resolve) => {
    ended = resolve
  })
  await store.post({ actor: 'chat:a', id: '1', body: sealBody(vault, 'chat:a', {}) })
  const changeMeanwhile = async () => {
    const [entry] = await store.read([key])
    await store.put({ key, value }, entry?.version ?? null)
  }
  const worker = createWorker({
    store,
    vault,
    now: Date.now,
    log: createLog('silent', { write: () => undefined }),
    handlers: { chat: handler({ changeMeanwhile }) },
    passesInMs: () => undefined,
    setAside: () => undefined,
    onEnd(_, outcome) {
      outcomes.push(outcome)
      if (outcome === 'ok') ended()
    },
  })
  onTestFinished(async () => {
    await worker.stop()
    await store.close()
    await rm(dir, { recursive: true, force: true })
  })
  await end
  return outcomes
}

test('a message that another worker was faster for is handled again, after what it did was undone', async () => {
  const done: string[] = []
  const outcomes = await handling(({ changeMeanwhile }) => {
    let attempt = 0
    return async ({ work, onConflict }) => {
      attempt += 1
      const own = attempt
      const board = await work.get(boards, 'one')
      done.push(`said ${own}`)
      onConflict(async () => void done.push(`unsaid ${own}`))
      if (own < 3) await changeMeanwhile()
      work.put(boards, 'one', { tests: (board?.tests ?? 0) + 1 })
      return undefined
    }
  })
  expect(outcomes).toEqual(['conflict', 'conflict', 'ok'])
  expect(done).toEqual(['said 1', 'unsaid 1', 'said 2', 'unsaid 2', 'said 3'])
})
