import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createGroupCommit } from '../../src/storage/group-commit.ts'
import { openDatabase } from '../../src/storage/sqlite-database.ts'
import { temporaryFolder } from './worlds.ts'

test('what nobody misses after a power cut waits for no disk, unless it comes with what is missed', async () => {
  const synced: boolean[] = []
  const group = createGroupCommit({
    transaction(steps, toDisk = true) {
      synced.push(toDisk)
      return steps()
    },
  })
  expect(await group.runUnsynced(() => 'lease')).toBe('lease')
  expect(await group.run(() => 'answer')).toBe('answer')
  expect(await Promise.all([group.runUnsynced(() => 1), group.run(() => 2)])).toEqual([1, 2])
  expect(synced).toEqual([false, true, true])
})

test('whatever becomes of steps that wait for no disk, the next ones do', async () => {
  const dir = await temporaryFolder()
  const db = await openDatabase(dir)
  onTestFinished(async () => {
    db.close()
    await rm(dir, { recursive: true })
  })
  const full = { synchronous: 2 }
  const setting = () => ({ ...db.prepare('PRAGMA synchronous').get() })
  let within: unknown
  db.transaction(() => {
    within = setting()
  }, false)
  expect([within, setting()]).toEqual([{ synchronous: 1 }, full])
  const fails = () => {
    throw new Error('no')
  }
  expect(() => db.transaction(fails, false)).toThrow('no')
  expect(setting()).toEqual(full)
  db.transaction(() => {
    within = setting()
  })
  expect(within).toEqual(full)
})
