import { afterAll, beforeAll, describe } from 'vitest'
import type { WireMessage } from '../../tools/emulator/emulator.ts'
import { createAccount } from '../account.ts'
import { readQuestion } from '../question.ts'
import { findRedisServer, type RedisServer, startRedis } from '../storage/redis-server.ts'
import { until } from '../until.ts'
import { startReplicas } from './replicas.ts'
import { type ProcessWorld, story } from './world.ts'

const program = findRedisServer()

/** A person with two tests, whose questions come at once. */
function withTwoTests({ sandbox, emulator, explain }: ProcessWorld) {
  const person = emulator.person()
  const account = createAccount({ settled: async () => {} }, person, '')
  const questions = () =>
    account
      .fromBot()
      .filter(({ reply_markup }) => JSON.stringify(reply_markup ?? '').includes('"a:'))
      .map((message) => readQuestion(message, person.transcript))
  const shownAt = ({ date, edit_date = date }: WireMessage) => edit_date

  function test(testId: string) {
    const payload = `record_${sandbox.addRecord({ testId, authRequired: false })}`
    let s = ''
    const own = () => questions().findLast((question) => question.s === s)
    return {
      /** The position that the chat shows. */
      position: () => own()?.position ?? 0,
      async begins() {
        const before = new Set(questions().map((question) => question.s))
        const { message_id: opened } = person.start(payload)
        await until(() => (person.lastWith('begin:')?.message_id ?? 0) > opened, { explain })
        person.tap(/^begin:/)
        const begun = () => questions().find((question) => !before.has(question.s))
        await until(() => begun() !== undefined, { explain })
        // The question may be sent twice, for a tap that came at once.
        await emulator.settled()
        s = begun()?.s ?? ''
      },
      async opens() {
        const last = person.last.message_id
        person.start(payload)
        await until(() => (own()?.message.message_id ?? 0) > last, { explain })
      },
      async taps() {
        const shown = own()
        if (!shown) throw new Error(`no question\n${explain()}`)
        person.tap(shown.data[0] ?? '', shown.message)
        await until(() => own()?.position === shown.position + 1, { explain })
      },
      /** Reads the newest question, types a number, and confirms it where the bot asks. */
      async types() {
        const { position = 0 } = own() ?? {}
        const shown = Math.max(...account.fromBot().map(shownAt))
        await until(() => Date.now() >= (shown + 1) * 1_000)
        const { message_id: typed } = person.say('2')
        await until(() => person.last.message_id > typed, { explain })
        const asks = () =>
          questions().some(({ options, message }) => options.length === 1 && message.message_id > typed)
        await until(() => own()?.position === position + 1 || asks(), { explain })
        await emulator.settled()
        if (asks()) await this.taps()
        await until(() => own()?.position === position + 1, { explain })
      },
    }
  }
  return { person, mood: test('mood-7'), sleep: test('sleep-20') }
}

/** Replicas with a right clock, one that is ahead and one that is behind. */
const CLOCKS = [0, 60_000, -37_000]
const [RIGHT, AHEAD, BEHIND] = [0, 1, 2]
/** The replica that takes a person's taps, and the one that takes all else. */
const WAYS = [
  { taps: AHEAD, rest: RIGHT },
  { taps: BEHIND, rest: RIGHT },
  { taps: RIGHT, rest: AHEAD },
  { taps: RIGHT, rest: BEHIND },
]

describe.skipIf(!program)('replicas whose clocks differ', () => {
  let redis: RedisServer
  beforeAll(async () => {
    redis = await startRedis(program ?? '')
  })
  afterAll(() => redis.remove())

  story(
    'a number is for the test shown last, whichever clock is wrong and whichever replica takes the taps',
    async ({ open, program: bot, expect, onTestFinished }) => {
      const world = await open({ emulator: { settle: { timeoutMs: 100_000 } } })
      const people = WAYS.map((way) => ({ way, ...withTwoTests(world) }))
      const wayOf = (id: number | undefined) => people.find(({ person }) => person.id === id)?.way ?? WAYS[0]
      const replicas = await startReplicas({
        program: bot,
        env: world.env,
        redisUrl: redis.url,
        aheadMs: CLOCKS,
        route: ({ callback_query: tap, message }) =>
          (tap ? wayOf(tap.from.id)?.taps : wayOf(message?.from?.id)?.rest) ?? RIGHT,
      })
      onTestFinished(replicas.stop)
      const goes = async ({ way, mood, sleep }: (typeof people)[number]) => {
        const stand = () => [way, mood.position(), sleep.position()]
        await mood.begins()
        await sleep.begins()
        await mood.taps()
        await mood.types()
        expect(stand()).toEqual([way, 3, 1])
        await mood.taps()
        await sleep.opens()
        await sleep.types()
        expect(stand()).toEqual([way, 4, 2])
        await sleep.types()
        await mood.taps()
        await sleep.taps()
        await sleep.types()
        expect(stand()).toEqual([way, 5, 5])
      }
      await Promise.all(people.map(goes))
    },
  )
})
