import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createJsonFile } from '../../src/demo/json-file.ts'
import { startDemo } from '../../src/demo/server.ts'
import { eventually } from '../until.ts'
import { demo, folder } from './demo.ts'

test('a value is written soon, whole, and once for many changes', async () => {
  const path = join(folder(), 'deep', 'state.json')
  let writes = 0
  const file = createJsonFile({ path, current: () => ({ writes: ++writes }), delayMs: 20 })
  expect(file.read()).toBeUndefined()
  for (let i = 0; i < 10; i++) file.schedule()
  await eventually(() => expect(file.read()).toEqual({ writes: 1 }))
  file.flush()
  expect(writes).toBe(1)
  expect(existsSync(`${path}.new`)).toBe(false)
})

test('a half-written draft of a killed process is ignored, a broken file is named', () => {
  const path = join(folder(), 'state.json')
  writeFileSync(`${path}.new`, '{"ha')
  const file = createJsonFile({ path, current: () => ({ a: 1 }) })
  expect(file.read()).toBeUndefined()
  file.schedule()
  file.flush()
  expect(file.read()).toEqual({ a: 1 })
  writeFileSync(path, '{"ha')
  expect(() => file.read()).toThrow('--fresh')
})

test('chats, files, invitations and the key are still there after a restart, also after a kill', async () => {
  const dataDir = folder()
  const first = await demo({ dataDir })
  const person = first.emulator.people()[0]
  person?.start()
  person?.sendFile('document')
  // Nothing is closed: what is on the disk after the pause is what a kill -9 leaves.
  await sleep(400)
  const second = await demo({ dataDir })
  expect(second.emulator.token).toBe(first.emulator.token)
  expect(second.sandbox.key).toBe(first.sandbox.key)
  expect(second.invitations).toEqual(first.invitations)
  const again = second.emulator.person({ id: person?.id ?? 0 })
  expect(again.messages).toEqual(person?.messages)
  const fileId = again.messages.at(-1)?.document?.file_id ?? ''
  expect(second.emulator.file(fileId)?.bytes.toString()).toBe('یادداشت')
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

test('a port that is taken ends the demo before anything is touched', async () => {
  const { url } = await demo()
  const dataDir = folder()
  writeFileSync(join(dataDir, 'telegram.json'), 'broken, but not ours to mend')
  const port = Number(new URL(url).port)
  await expect(startDemo({ ...settings, dataDir, port, fresh: true })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  })
  expect(readFileSync(join(dataDir, 'telegram.json'), 'utf8')).toContain('broken')
})

test('the bot runs as its own process, comes back when it is killed and ends with the demo', async () => {
  process.env.REDIS_URL = 'redis://nowhere'
  onTestFinished(() => void delete process.env.REDIS_URL)
  const botEntry = new URL('./echo-bot.mjs', import.meta.url)
  const { emulator, bot, close } = await demo({ botEntry })
  const person = emulator.people()[0]
  person?.say('env')
  await emulator.settled({ timeoutMs: 15_000 })
  const names = person?.last.text?.split(' ') ?? []
  expect(names).toEqual(
    expect.arrayContaining(['BOT_TOKEN', 'DATA_DIR', 'SERVICE_KEY', 'SERVICE_URL', 'TELEGRAM_API_ROOT']),
  )
  expect(names).not.toContain('REDIS_URL')

  const killed = bot?.pid ?? 0
  process.kill(killed, 'SIGKILL')
  person?.say('a')
  await emulator.settled({ timeoutMs: 15_000 })
  expect(person?.last.text).toMatch(/^\d+ a$/)
  expect(bot?.pid).not.toBe(killed)

  const last = bot?.pid ?? 0
  await close()
  expect(() => process.kill(last, 0)).toThrow()
})

const settings = { host: '127.0.0.1', port: 0, fresh: false, generationSeconds: 1, logLevel: 'warn' }
