import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadDataKeys } from '../../src/store/data-key.ts'
import { temporaryFolder } from './worlds.ts'

let root = ''
beforeEach(async () => {
  root = await temporaryFolder()
})
afterEach(() => rm(root, { recursive: true }))

const load = (dataKeys?: Buffer[]) => loadDataKeys({ dataKeys, dataKeyFile: join(root, 'data.key') })

test('a key is made once, for its owner only, and found again', async () => {
  const [made] = await load()
  expect(made).toHaveLength(32)
  const { mode } = await stat(join(root, 'data.key'))
  expect((mode & 0o777).toString(8)).toBe('600')
  expect(await load()).toEqual([made])
})

test('two starts at once make one key and leave nothing else', async () => {
  const keys = await Promise.all(Array.from({ length: 5 }, () => load()))
  expect(new Set(keys.map(([key]) => key?.toString('hex'))).size).toBe(1)
  expect(await readdir(root)).toEqual(['data.key'])
})

test('given keys are taken as they are, and no file is made', async () => {
  const dataKeys = [randomBytes(32), randomBytes(32)]
  expect(await load(dataKeys)).toEqual(dataKeys)
  expect(await readdir(root)).toEqual([])
})

test('a broken key file is named, kept, and not shown', async () => {
  await writeFile(join(root, 'data.key'), 'c2hvcnQ=\n')
  const refusal = await load().catch(String)
  expect(refusal).toMatch(/DATA_KEY_FILE does not hold 32 bytes in base64/)
  expect(refusal).not.toContain('c2hvcnQ')
  expect(await readFile(join(root, 'data.key'), 'utf8')).toBe('c2hvcnQ=\n')
})
