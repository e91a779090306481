import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../config.ts'
import { createEmulator } from '../demo/emulator/emulator.ts'
import { createLog } from '../observe/logger.ts'
import { run } from '../run.ts'
import { createSandbox } from '../sandbox/sandbox.ts'

export type WholeTest = {
  /** Calls that reached the service, without the look at the key. */
  serviceCalls: string[]
  /** Calls of the Bot API that one answer causes. */
  telegramCallsPerAnswer: number
}

/** One participant's way through a test with SMS and both forms of the result, by the whole bot. */
export async function takeWholeTest(): Promise<WholeTest> {
  const dir = await mkdtemp(join(tmpdir(), 'porsa-bench-'))
  const sandbox = createSandbox({ rateLimits: false })
  const emulator = createEmulator({ spinGuardMs: 0 })
  const env = {
    BOT_TOKEN: emulator.token,
    TELEGRAM_API_ROOT: await emulator.listen(0),
    SERVICE_URL: await sandbox.listen(0),
    SERVICE_KEY: sandbox.key,
    ORGANIZER_NAME: 'سنجش',
    ORGANIZER_CONTACT: '@bench',
    DATA_DIR: join(dir, 'data'),
    DATA_KEY: randomBytes(32).toString('base64'),
    PORT: '0',
  }
  const loaded = loadConfig(env)
  if (!loaded.ok) throw new Error('the environment of the benchmark is wrong')
  const running = await run(loaded.config, { log: createLog('silent') })
  const person = emulator.person()
  const acts = async (act: () => unknown) => {
    act()
    await emulator.settled({ idle: running.isIdle })
  }

  const token = sandbox.addRecord({ testId: 'mood-7', testsAuthRequired: true })
  await acts(() => person.start(`record_${token}`))
  await acts(() => person.tap(/^begin:/))
  await acts(() => person.say('زهرا محمدی'))
  await acts(() => person.say('1375/5/12'))
  await acts(() => person.tap('gender:female'))
  await acts(() => person.say('09123456789'))
  await acts(() => person.tap('profile:ok'))
  await acts(() => person.say(sandbox.sms()[0]?.code ?? ''))
  const before = emulator.calls.length
  // The last answer leads to the review, which needs more than the screen.
  for (let question = 0; question < 6; question += 1) await acts(() => person.tap(/^a:/))
  const telegramCallsPerAnswer = (emulator.calls.length - before) / 6
  await acts(() => person.tap(/^a:/))
  await acts(() => person.tap(/^submit:/))
  if (!person.messages.some(({ document }) => document)) throw new Error(person.transcript())

  await running.stop()
  await Promise.all([sandbox.close(), emulator.close()])
  await rm(dir, { recursive: true })
  const serviceCalls = sandbox.calls.map(({ method, path }) => `${method} ${path.replace(token, '{token}')}`)
  return { serviceCalls: serviceCalls.filter((call) => !call.includes('connect')), telegramCallsPerAnswer }
}
