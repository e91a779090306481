import { setTimeout as sleep } from 'node:timers/promises'
import { startBot } from './bot-process.ts'
import type { Place } from './place.ts'
import { createSurroundings } from './surroundings.ts'
import { megabytes, type Row, type Table } from './table.ts'

const ANSWERS = 3
/** People who are in the dialog at once. */
const AT_ONCE = 50

/** Resident memory of the whole bot after this many people have begun a test and answer, on each store. */
export async function measureMemory(place: Place): Promise<Table> {
  const people = place.isShort ? 100 : 1_000
  const redis = await place.redis()
  const rows: Row[] = []
  for (const [store, url] of [['Redis', redis?.url] as const, ['SQLite', undefined] as const]) {
    if (store === 'Redis' && !url) continue
    rows.push({
      what: `${store}: process`,
      value: await bytesWith(place, people, url),
      show: megabytes,
      goal: { most: 160e6 },
      means: 'Resident memory of the whole process, garbage and all.',
    })
  }
  return {
    title: `${people.toLocaleString('en')} active people`,
    about: `Everybody opens a test of their own, gives their details, and answers ${ANSWERS} questions, ${AT_ONCE} at a time; nobody has ended.`,
    rows,
  }
}

async function bytesWith(place: Place, people: number, redisUrl: string | undefined): Promise<number> {
  const { sandbox, emulator, env, close } = await createSurroundings()
  place.finally(close)
  const { DATA_DIR, ...shared } = env
  const limits = { RATE_PER_MINUTE: '100000', RATE_PER_HOUR: '1000000' }
  const bot = await startBot({ ...shared, ...limits, ...(redisUrl ? { REDIS_URL: redisUrl } : { DATA_DIR }) })
  place.finally(() => bot.stop())
  for (let begun = 0; begun < people; begun += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => takePart(begun + index)))
  }
  return bot.bytes()

  async function takePart(nth: number): Promise<void> {
    const person = emulator.person()
    const sees = async (data: string) => {
      while (!person.lastWith(data)) await sleep(20)
    }
    const hears = async (count: number) => {
      while (person.messages.length < count) await sleep(20)
    }
    person.start(`record_${sandbox.addRecord({ testId: 'mood-7', testsAuthRequired: false })}`)
    await sees('begin:')
    person.tap(/^begin:/)
    for (const words of ['زهرا محمدی', '1375/5/12']) {
      await hears(person.messages.length + 1)
      person.say(words)
    }
    await sees('gender:female')
    person.tap('gender:female')
    await hears(person.messages.length + 1)
    person.say(`0912${String(nth).padStart(7, '0')}`)
    await sees('profile:ok')
    person.tap('profile:ok')
    for (let answer = 0; answer < ANSWERS; answer += 1) {
      await sees(`a:`)
      person.tap(/^a:/)
      await sleep(50)
    }
  }
}
