import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keyAdvice, loadDataKeys } from '../../src/storage/data-key.ts'
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

test('several starts at once make one key and leave nothing else', async () => {
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

test('a key file that cannot be read is not replaced by a new one', async () => {
  await mkdir(join(root, 'data.key'))
  await expect(load()).rejects.toThrow('DATA_KEY_FILE cannot be read (EISDIR)')
})

describe('with Redis', () => {
  const dataKeyFile = () => join(root, 'data.key')
  const loadFor = (redisUrl: string) =>
    loadDataKeys({ dataKeys: undefined, dataKeyFile: dataKeyFile(), redisUrl })

  test('the key is read from its file, several as in DATA_KEY, and is never made', async () => {
    await expect(loadFor('redis://127.0.0.1')).rejects.toThrow(/DATA_KEY_FILE .* has to hold DATA_KEY/)
    expect(await readdir(root)).toEqual([])
    const keys = [randomBytes(32), randomBytes(32)]
    await writeFile(dataKeyFile(), `${keys.map((key) => key.toString('base64')).join(',\n')}\n`)
    expect(await loadFor('redis://127.0.0.1')).toEqual(keys)
  })

  test('a key file that others can read leads to a warning', async () => {
    await writeFile(dataKeyFile(), randomBytes(32).toString('base64'), { mode: 0o600 })
    const advice = (dataKeys?: Buffer[]) => keyAdvice({ dataKeys, dataKeyFile: dataKeyFile() })
    expect(await advice()).toEqual([])
    await chmod(dataKeyFile(), 0o640)
    expect(await advice()).toEqual([expect.stringMatching(/^DATA_KEY_FILE can be read by other users/)])
    expect(await advice([randomBytes(32)])).toEqual([])
    await rm(dataKeyFile())
    expect(await advice()).toEqual([])
  })
})
