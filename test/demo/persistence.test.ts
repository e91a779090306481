import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { type BotExit, startBotProcess } from '../../tools/demo/bot-process.ts'
import { createJsonFile } from '../../tools/demo/json-file.ts'
import { startDemo } from '../../tools/demo/server.ts'
import { eventually } from '../until.ts'
import { demo, folder } from './demo.ts'

test('a value is written soon, completely, and once for many changes', async () => {
  const path = join(folder(), 'deep', 'state.json')
  let writes = 0
  const schema = z.object({ writes: z.number() })
  const file = createJsonFile({ path, schema, current: () => ({ writes: ++writes }), delayMs: 20 })
  expect(file.read()).toBeUndefined()
  for (let i = 0; i < 10; i++) file.schedule()
  await eventually(() => expect(file.read()).toEqual({ writes: 1 }))
  file.flush()
  expect(writes).toBe(1)
  expect(existsSync(`${path}.new`)).toBe(false)
})

test('a half-written draft of a killed process is ignored, a broken file is reported', () => {
  const path = join(folder(), 'state.json')
  writeFileSync(`${path}.new`, '{"ha')
  const file = createJsonFile({ path, schema: z.object({ a: z.number() }), current: () => ({ a: 1 }) })
  expect(file.read()).toBeUndefined()
  file.schedule()
  file.flush()
  expect(file.read()).toEqual({ a: 1 })
  for (const foreign of ['{"ha', 'null', '{"a":"1"}']) {
    writeFileSync(path, foreign)
    expect(() => file.read()).toThrow(`${path} cannot be read; start with --fresh to begin anew`)
  }
})

test('a file that cannot be written is reported once, and written as soon as possible', async () => {
  const path = join(folder(), 'state.json')
  mkdirSync(`${path}.new`) // blocks the path of the draft
  const failures: string[] = []
  const file = createJsonFile({
    path,
    schema: z.number(),
    current: () => 1,
    retryMs: 10,
    onFailure: (code) => failures.push(code),
  })
  onTestFinished(() => file.close())
  for (let i = 0; i < 3; i++) {
    file.schedule()
    file.flush()
  }
  expect(failures).toEqual(['EISDIR'])
  rmdirSync(`${path}.new`)
  await eventually(() => expect(file.read()).toBe(1))
  expect(failures).toHaveLength(1)
})

test.each([
  ['service.json', { key: 'k', snapshot: {} }],
  ['service.json', { snapshot: null }],
  ['telegram.json', { version: 1, token: '1:x' }],
  ['telegram.json', []],
])('a %s with foreign content is reported: %j', async (name, foreign) => {
  const dataDir = folder()
  writeFileSync(join(dataDir, name), JSON.stringify(foreign))
  await expect(startDemo({ ...settings, dataDir })).rejects.toThrow(
    `${join(dataDir, name)} cannot be read; start with --fresh to begin anew`,
  )
  expect(readdirSync(dataDir)).toEqual(['porsa.lock', name])
})

test('a folder that cannot be written is reported before anything listens', async () => {
  const file = join(folder(), 'file')
  writeFileSync(file, '')
  await expect(startDemo({ ...settings, dataDir: join(file, 'data') })).rejects.toThrow(
    `the folder ${join(file, 'data')}: ENOTDIR`,
  )
})

test('two demos never share a folder, but a killed one leaves it to the next', async () => {
  const dataDir = folder()
  await (await startDemo({ ...settings, dataDir })).close()
  const holds = `const { DatabaseSync } = require('@photostructure/sqlite')
    const db = new DatabaseSync(process.argv[1] + '/porsa.lock')
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    console.log('it is held')
    setInterval(() => {}, 1000)`
  const other = spawn(process.execPath, ['-e', holds, dataDir])
  onTestFinished(() => void other.kill('SIGKILL'))
  await once(other.stdout, 'data')
  const before = readdirSync(dataDir)
  await expect(startDemo({ ...settings, dataDir, fresh: true })).rejects.toThrow(
    `${dataDir}: the embedded store in DATA_DIR is in use by another process`,
  )
  expect(readdirSync(dataDir)).toEqual(before)
  other.kill('SIGKILL')
  await once(other, 'exit')
  await (await startDemo({ ...settings, dataDir })).close()
})

test('chats, files, invitations and the key are still there after a restart, also after a kill', async () => {
  const dataDir = folder()
  const first = await demo({ dataDir })
  const person = first.emulator.people()[0]
  person?.start()
  person?.sendFile('document')
  // Nothing is closed: the disk now holds what a kill -9 would leave.
  const kept = () => JSON.parse(readFileSync(join(dataDir, 'telegram.json'), 'utf8'))
  await eventually(() => expect(kept()).toEqual(first.emulator.snapshot()))
  const left = folder()
  cpSync(dataDir, left, { recursive: true })
  const second = await demo({ dataDir: left })
  expect(second.emulator.token).toBe(first.emulator.token)
  expect(second.sandbox.key).toBe(first.sandbox.key)
  expect(second.invitations).toEqual(first.invitations)
  const again = second.emulator.person({ id: person?.id ?? 0 })
  expect(again.messages).toEqual(person?.messages)
  const fileId = again.messages.at(-1)?.document?.file_id ?? ''
  expect(second.emulator.file(fileId)?.bytes.toString()).toBe('یادداشت')
})

test('the service still knows its answers after an immediate kill', async () => {
  const dataDir = folder()
  const first = await demo({ dataDir })
  const token = first.sandbox.addRecord({ testId: 'mood-7', testsAuthRequired: false })
  const answer = await fetch(`${first.serviceUrl}/record/${token}/auth/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'api-key': first.sandbox.key },
    body: JSON.stringify({ name: 'سارا محمدی', birth: '1990-01-01', mobile: '09121234567', is_male: false }),
  })
  expect(answer.status).toBe(200)
  const left = JSON.parse(readFileSync(join(dataDir, 'service.json'), 'utf8'))
  expect(left.snapshot.records[token]).toMatchObject({ authRequired: false, profile: expect.any(String) })
})

test('--fresh empties what a demo made, and only that', async () => {
  const dataDir = folder()
  const first = await startDemo({ ...settings, dataDir })
  first.emulator.people()[0]?.sendFile()
  await first.close()
  mkdirSync(join(dataDir, 'bot'))
  writeFileSync(join(dataDir, 'bot', 'store'), '')
  writeFileSync(join(dataDir, 'mine.txt'), 'x')
  const second = await demo({ dataDir, fresh: true })
  expect(second.emulator.people()[0]?.messages).toEqual([])
  expect(second.sandbox.key).not.toBe(first.sandbox.key)
  expect(existsSync(join(dataDir, 'bot'))).toBe(false)
  expect(existsSync(join(dataDir, 'files'))).toBe(false)
  expect(readFileSync(join(dataDir, 'mine.txt'), 'utf8')).toBe('x')
})

test('a taken port ends the demo before it changes anything', async () => {
  const { url } = await demo()
  const dataDir = folder()
  writeFileSync(join(dataDir, 'telegram.json'), 'broken, but not ours to mend')
  const port = Number(new URL(url).port)
  await expect(startDemo({ ...settings, dataDir, port, fresh: true })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  })
  expect(readFileSync(join(dataDir, 'telegram.json'), 'utf8')).toContain('broken')
})

test('the bot runs as its own process, restarts when it is killed and ends with the demo', async () => {
  process.env.REDIS_URL = 'redis://nowhere'
  onTestFinished(() => void delete process.env.REDIS_URL)
  const botEntry = new URL('./echo-bot.mjs', import.meta.url)
  const { emulator, bot, close } = await demo({ botEntry })
  const person = emulator.people()[0]
  person?.say('env')
  await emulator.settled({ timeoutMs: 60_000 })
  const names = person?.last.text?.split(' ') ?? []
  expect(names).toEqual(
    expect.arrayContaining(['BOT_TOKEN', 'DATA_DIR', 'SERVICE_KEY', 'SERVICE_URL', 'TELEGRAM_API_ROOT']),
  )
  expect(names).not.toContain('REDIS_URL')

  const killed = bot?.pid ?? 0
  process.kill(killed, 'SIGKILL')
  person?.say('a')
  await emulator.settled({ timeoutMs: 60_000 })
  expect(person?.last.text).toMatch(/^\d+ a$/)
  expect(bot?.pid).not.toBe(killed)

  const last = bot?.pid ?? 0
  await close()
  expect(() => process.kill(last, 0)).toThrow()
})

test('a bot that keeps refusing to start is not restarted', async () => {
  const entry = join(folder(), 'refuses.mjs')
  writeFileSync(entry, 'process.exit(1)')
  const exits: BotExit[] = []
  const bot = startBotProcess({
    entry: pathToFileURL(entry),
    env: {},
    firstPauseMs: 1,
    onExit: (exit) => exits.push(exit),
  })
  onTestFinished(() => bot.stop())
  await eventually(() => expect(exits.at(-1)).toEqual({ code: 1, signal: null }))
  expect(exits.map(({ restartInMs }) => restartInMs)).toEqual([0, 1, 2, 4, undefined])
  expect(bot.pid).toBeUndefined()
})

const settings = { host: '127.0.0.1', port: 0, fresh: false, generationSeconds: 1, logLevel: 'warn' }
