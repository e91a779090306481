import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/observe/logger.ts'
import { run } from '../../src/run.ts'
import { createSurroundings } from './surroundings.ts'

type WholeTest = {
  /** Calls that reached the service, without the check of the key. */
  serviceCalls: string[]
  /** Bot API calls that one answer causes. */
  telegramCallsPerAnswer: number
}

/** One participant takes a test with SMS and both forms of the result, served by the whole bot. */
export async function takeWholeTest(): Promise<WholeTest> {
  const [taken] = await takeTests(1)
  if (!taken) throw new Error('nobody took the test')
  return taken
}

/** As many participants, one after the other; `onEnd` gets the bot's data folder after each. */
export async function takeTests(people: number, onEnd?: (dataDir: string) => void): Promise<WholeTest[]> {
  const { sandbox, emulator, env, close } = await createSurroundings()
  const loaded = loadConfig(env)
  if (!loaded.ok) throw new Error('the environment of the benchmark is wrong')
  const running = await run(loaded.config, { log: createLog('silent') })
  const acts = async (act: () => unknown) => {
    act()
    await emulator.settled({ bot: running })
  }

  async function take(nth: number): Promise<WholeTest> {
    const person = emulator.person()
    const callsBefore = sandbox.calls.length
    const token = sandbox.addRecord({ testId: 'mood-7', testsAuthRequired: true })
    await acts(() => person.start(`record_${token}`))
    await acts(() => person.tap(/^begin:/))
    await acts(() => person.say('زهرا محمدی'))
    await acts(() => person.say('1375/5/12'))
    await acts(() => person.tap('gender:female'))
    await acts(() => person.say(`0912345670${nth}`))
    await acts(() => person.tap('profile:ok'))
    await acts(() => person.say(sandbox.sms()[0]?.code ?? ''))
    const before = emulator.calls.length
    // The last answer leads to the review, which makes more calls than the screen.
    for (let question = 0; question < 6; question += 1) await acts(() => person.tap(/^a:/))
    const telegramCallsPerAnswer = (emulator.calls.length - before) / 6
    await acts(() => person.tap(/^a:/))
    await acts(() => person.tap(/^submit:/))
    if (!person.messages.some(({ document }) => document)) throw new Error(person.transcript())
    const serviceCalls = sandbox.calls
      .slice(callsBefore)
      .map(({ method, path }) => `${method} ${path.replace(token, '{token}')}`)
      .filter((call) => !call.includes('connect'))
    return { serviceCalls, telegramCallsPerAnswer }
  }

  const taken: WholeTest[] = []
  try {
    for (let person = 0; person < people; person += 1) {
      taken.push(await take(person))
      onEnd?.(env.DATA_DIR)
    }
  } finally {
    await running.stop()
    await close()
  }
  return taken
}
