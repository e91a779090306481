import { expect, onTestFinished, test, vi } from 'vitest'
import { keepForgotten } from '../../src/jobs/forgotten.ts'
import { createLog } from '../../src/observe/logger.ts'
import { epochs } from '../../src/storage/documents/kinds.ts'
import { documentKey, readDocuments } from '../../src/storage/documents.ts'
import { eventually } from '../until.ts'
import { newStore } from './world.ts'

const WHO = 'a'.repeat(16)

test('a forgotten account is forgotten again once an older store is put back under the bot', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const now = () => Date.UTC(2026, 0, 5)
  const { store, vault } = await newStore(now)
  const known = new Map([[WHO, 2]])
  const list = { read: async () => known, add: async () => undefined }
  let connection: number | undefined = 1
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const deps = { now, log, config: { retentionDays: 30 }, vault }
  const leave = await keepForgotten({ ...deps, store: { ...store, connection: () => connection } }, list)
  onTestFinished(leave)
  const epoch = async () => (await readDocuments({ store, vault }, epochs, [WHO]))[0]?.epoch
  expect(await epoch()).toBe(2)

  const key = documentKey(epochs, WHO)
  const [entry] = await store.read([key])
  await store.put({ key, value: null }, entry?.version ?? null)
  // A store that is away is no other store, and neither is one that was never away.
  for (const next of [1, undefined]) {
    connection = next
    vi.advanceTimersByTime(15_000)
  }
  expect(await epoch()).toBeUndefined()
  connection = 2
  vi.advanceTimersByTime(15_000)
  await eventually(async () => expect(await epoch()).toBe(2))
  expect(lines.filter((line) => line.includes('an older store was put back'))).toHaveLength(2)
})
