import { existsSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { loadConfig } from '../../src/config.ts'
import { exitCodeOf } from '../../src/observe/away.ts'
import { createLog } from '../../src/observe/logger.ts'
import { run } from '../../src/run.ts'
import { durable, findRedisServer, freePort, startRedis } from '../storage/redis-server.ts'
import { until } from '../until.ts'
import { type BotProcess, createBotProcess } from './bot-process.ts'
import { layPackage } from './package.ts'
import { story } from './world.ts'

/** What the operator reads when the bot does not start. */
async function refusal(bot: BotProcess, changes: Record<string, string> = {}): Promise<string> {
  bot.start(changes)
  const { code } = await bot.exit()
  return `exit ${code}\n${bot.output.stderr}`
}

const wrong = {
  BOT_TOKEN: 'wrong-token',
  TELEGRAM_API_ROOT: 'wrong-root',
  SERVICE_URL: 'https://wrong-service/v1',
  SERVICE_KEY: 'wrong key',
  HTTP_PROXY_URL: 'ftp://wrong-proxy',
  PRIVACY_URL: 'wrong-privacy',
  SECURITY_CONTACT: 'wrong-security',
  REDIS_URL: 'wrong-redis',
  DATA_KEY: 'wrong-key',
  WEBHOOK_URL: 'wrong-webhook',
  WEBHOOK_SECRET: 'wrong secret',
  PORT: '99999',
  ORGANIZERS: 'wrong-organizer',
  LOCALE: 'wrong-locale',
  RESULT_TO: 'wrong-recipient',
  ALLOW_BACK: 'wrong-flag',
  INVITATION_ONLY: 'wrong-flag',
  RATE_PER_MINUTE: '-77001',
  RATE_PER_HOUR: '0.77002',
  POLL_SECONDS: '-77003',
  SMS_PER_HOUR: '-77004',
  SMS_COOLDOWN_SECONDS: '-77005',
  REMINDER_HOURS: '-77006',
  QUIET_HOURS: '77-99',
  RETENTION_DAYS: '-77007',
  NAME_HAMZA: 'wrong-hamza',
  SANDBOX_GENERATION_SECONDS: '-77008',
  LOG_LEVEL: 'wrong-level',
}

story('every wrong variable is named on a line of its own, no value is shown', async ({ open, expect }) => {
  const { bot } = await open({ environment: { ...wrong, ORGANIZER_NAME: '', ORGANIZER_CONTACT: ' ' } })
  const [exit, ...lines] = (await refusal(bot)).trim().split('\n')
  expect(exit).toBe('exit 1')
  const names = lines.map((line) => line.slice(0, line.indexOf(' ')))
  expect(names.sort()).toEqual([...Object.keys(wrong), 'ORGANIZER_NAME', 'ORGANIZER_CONTACT'].sort())
  expect(lines.filter((line) => /wrong|7700|99999|77-99/.test(line.replace(/^\S+/, '')))).toEqual([])
  expect(bot.output.stdout).toBe('')
})

story('a missing font stops the start in plain words', async ({ open, dir, expect }) => {
  const { env } = await open()
  await layPackage(dir, { without: 'src' })
  const bot = createBotProcess(pathToFileURL(join(dir, 'dist', 'main.js')), env)
  expect(await refusal(bot)).toMatch(/^exit 1\nThe \w+ font of the result card is missing: .*\n$/)
})

story('a second process on the same folder is refused', async ({ open, program, expect }) => {
  const { bot, env } = await open()
  bot.start()
  await bot.address()
  const second = createBotProcess(program, env)
  expect(await refusal(second)).toMatch(/^exit 1\n.*DATA_DIR is in use by another process.*\n$/)
  await bot.ready()
})

/** Why the parts cannot be put together, in the words of `main`: without a process, which is slow. */
async function failure(env: Record<string, string>): Promise<string> {
  const loaded = loadConfig(env)
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  return run(loaded.config, { log: createLog('silent') }).then(
    (running) => running.stop().then(() => 'it starts'),
    ({ message }: Error) => message,
  )
}

story('a store whose key file is missing gets no new key', async ({ open, expect }) => {
  const { env } = await open()
  const keyless = { ...env, PORT: '0' }
  const key = `${env.DATA_DIR}.key`
  expect(await failure(keyless)).toBe('it starts')
  await rename(key, `${key}.kept`)
  const missing = /^the key of this store is not there: put it back at DATA_KEY_FILE/
  expect(await failure(keyless)).toMatch(missing)
  expect(existsSync(key)).toBe(false)
  await rename(`${key}.kept`, key)
  expect(await failure(keyless)).toBe('it starts')
})

story('a setting that cannot be used is named, without its value', async ({ open, dir, expect }) => {
  const { bot, env } = await open()
  await writeFile(join(dir, 'file'), '')
  expect(
    await refusal(bot, { DATA_DIR: join(dir, 'file', 'data'), DATA_KEY_FILE: join(dir, 'key') }),
  ).toMatch(/^exit 1\nDATA_DIR cannot be used \(ENOTDIR\)\n$/)
  const inFile = join(dir, 'file', 'data')
  // The path of the key where only DATA_DIR is set.
  expect(await failure({ ...env, DATA_DIR: inFile, DATA_KEY_FILE: `${inFile}.key` })).toBe(
    'DATA_DIR cannot be used (ENOTDIR)',
  )
  expect(await failure({ ...env, DATA_KEY_FILE: join(dir, 'file', 'key') })).toMatch(
    /^DATA_KEY_FILE cannot be \w+ \(ENOTDIR\)$/,
  )
  const redis = {
    REDIS_URL: `redis://:secret@127.0.0.1:${await freePort()}`,
    DATA_KEY: Buffer.alloc(32).toString('base64'),
  }
  expect(await failure({ ...env, ...redis })).toBe(
    'REDIS_URL is set, but Redis cannot be reached (ECONNREFUSED)',
  )
  bot.output.stderr = ''
  expect(await refusal(bot, { BOT_TOKEN: `${env.BOT_TOKEN}x` })).toBe(
    'exit 1\nBOT_TOKEN is refused by Telegram: Unauthorized\n',
  )
  bot.output.stderr = ''
  expect(await refusal(bot, { WEBHOOK_URL: 'http://bot.example.org/telegram' })).toMatch(
    /^exit 1\nWEBHOOK_URL is refused by Telegram: Bad Request: bad webhook: An HTTPS URL/,
  )
})

story('a stop does not wait for a Telegram that does not answer at the start', async ({ open, expect }) => {
  const { env, emulator } = await open()
  const silence = emulator.fault({ kind: 'delay', ms: 60_000, method: 'getMe', times: Infinity })
  const loaded = loadConfig(env)
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  const running = await run(loaded.config, { log: createLog('silent') })
  // One call of the start, one of the health check.
  await until(() => silence.hits === 2)
  await running.stop()
  expect(await running.ended).toBeUndefined()
  expect(silence.hits).toBe(2)
})

story('a start in conflict with another bot of the token is tried again', async ({ open, expect }) => {
  const { env, emulator } = await open()
  emulator.fault({ kind: 'error', status: 409, description: 'Conflict', method: 'getMe', times: Infinity })
  const loaded = loadConfig(env)
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  const running = await run(loaded.config, { log: createLog('silent') })
  const reason = await running.ended
  await running.stop()
  expect([exitCodeOf(reason), String(reason)]).toEqual([
    75,
    expect.stringContaining('refused by Telegram: Conflict'),
  ])
})

story('a port that is in use is named', async ({ open, expect }) => {
  const taken = createServer()
  const port = await freePort()
  await new Promise<void>((resolve) => taken.listen(port, '127.0.0.1', resolve))
  const { env } = await open()
  expect(await failure({ ...env, PORT: String(port) })).toBe('PORT cannot be listened on (EADDRINUSE)')
  taken.close()
})

story(
  'an outside failure ends with 75, so that a supervisor tries again until it has passed',
  async ({ open, expect }) => {
    const program = findRedisServer()
    if (!program) return
    const redis = await startRedis(program, [...durable, '--requirepass', 'sesame'])
    const { bot } = await open()
    const settings = { DATA_KEY: Buffer.alloc(32, 1).toString('base64') }
    const url = (password: string) => `redis://:${password}@127.0.0.1:${redis.port}`
    await redis.kill()
    expect(await refusal(bot, { ...settings, REDIS_URL: url('sesame') })).toMatch(
      /^exit 75\nREDIS_URL is set, but Redis cannot be reached \(ECONNREFUSED\)\n$/,
    )
    await redis.start()
    bot.output.stderr = ''
    // A wrong password does not pass: this is a wrong setting.
    expect(await refusal(bot, { ...settings, REDIS_URL: url('sesam') })).toMatch(/^exit 1\nREDIS_URL is set/)
    bot.start({ ...settings, REDIS_URL: url('sesame') })
    await bot.ready()
    await bot.kill()
    await redis.remove()
  },
)
