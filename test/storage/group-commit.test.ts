import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/storage/sqlite-database.ts'
import { temporaryFolder } from './worlds.ts'

test('after a failed transaction the next ones still wait for the disk', async () => {
  const dir = await temporaryFolder()
  const db = await openDatabase(dir)
  onTestFinished(async () => {
    db.close()
    await rm(dir, { recursive: true })
  })
  const full = { synchronous: 2 }
  const setting = () => ({ ...db.prepare('PRAGMA synchronous').get() })
  const fails = () => {
    throw new Error('no')
  }
  expect(() => db.transaction(fails)).toThrow('no')
  expect([db.transaction(setting), setting()]).toEqual([full, full])
})
