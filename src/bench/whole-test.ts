import { loadConfig } from '../config.ts'
import { createLog } from '../observe/logger.ts'
import { run } from '../run.ts'
import { createSurroundings } from './surroundings.ts'

type WholeTest = {
  /** Calls that reached the service, without the look at the key. */
  serviceCalls: string[]
  /** Calls of the Bot API that one answer causes. */
  telegramCallsPerAnswer: number
}

/** One participant's way through a test with SMS and both forms of the result, by the whole bot. */
export async function takeWholeTest(): Promise<WholeTest> {
  const { sandbox, emulator, env, close } = await createSurroundings()
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
  await close()
  const serviceCalls = sandbox.calls.map(({ method, path }) => `${method} ${path.replace(token, '{token}')}`)
  return { serviceCalls: serviceCalls.filter((call) => !call.includes('connect')), telegramCallsPerAnswer }
}
