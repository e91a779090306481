import { randomBytes } from 'node:crypto'
import { cp, rm } from 'node:fs/promises'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { findRedisServer, type RedisServer, remember, startRedis } from '../storage/redis-server.ts'
import { until } from '../until.ts'
import { knownPerson } from './short-tests.ts'
import { type Participant, story, word } from './walk.ts'

const atQuestion = { at: 'question', ...knownPerson() } as const
const EARLY = word('answer-too-early')
const UNSEEN = word('answer-not-in-sight')

/** Puts the store back to what it was before `act`. */
async function isPutBack({ world }: Participant, act: () => Promise<unknown>): Promise<void> {
  const folder = world.env.DATA_DIR ?? ''
  await world.stop()
  await cp(folder, `${folder}-backup`, { recursive: true })
  await world.start()
  await act()
  await world.stop()
  await rm(folder, { recursive: true })
  await cp(`${folder}-backup`, folder, { recursive: true })
  await world.start()
}

/** The messages that can be tapped to answer. */
const open = ({ person }: Participant) =>
  person.messages.filter(({ reply_markup }) => /"a:/.test(JSON.stringify(reply_markup ?? '')))

story('a number is not recorded for the question of an older store', async ({ meet }) => {
  const sara = await meet(atQuestion)
  await isPutBack(sara, () => sara.answers(0))
  expect(sara.question.position).toBe(2)
  await sara.says('3')
  expect(sara.heard).toContain(UNSEEN)
  expect(sara.question.position).toBe(1)
  expect(open(sara)).toHaveLength(1)
  await sara.says('2')
  await sara.walksTo('review')
  await sara.taps(/^review:/)
  expect(sara.screen).toMatch(/۱\..*\n.*گاهی/)
})

story(
  'a number typed for a question below the one of an older store is asked for again',
  async ({ meet }) => {
    const sara = await meet(atQuestion)
    await isPutBack(sara, () => sara.says('1'))
    await sara.says('3')
    expect(sara.heard).toContain(UNSEEN)
    expect(sara.question.position).toBe(1)
  },
)

story('a number typed after a restart is answered without a question that goes at once', async ({ meet }) => {
  const sara = await meet(atQuestion)
  await sara.answers(0)
  await sara.world.restarts()
  const texts: string[] = []
  const isNoted = ({ text }: Record<string, unknown>) => {
    texts.push(String(text))
    return false
  }
  sara.world.emulator.fault({ kind: 'delay', ms: 1, method: 'sendMessage', when: isNoted })
  await sara.says('3')
  expect(sara.question.position).toBe(3)
  expect(texts[0]).toBe(word('one-moment'))
  expect(texts.join()).not.toContain('معلوم نیست')
})

for (const [how, again, position] of [
  ['the same number just below a question that was slow to come is asked about', '3', 2],
  ['another number just below a question that was slow to come answers it', '2', 3],
] as const)
  story(how, async ({ meet }) => {
    const sara = await meet(atQuestion)
    const { emulator } = sara.world
    sara.world.holdClock()
    emulator.fault({ kind: 'delay', ms: 1_100, method: 'sendMessage' })
    await sara.says('3')
    await sara.acts(() => sara.person.say(again))
    expect(sara.question.position).toBe(position)
    if (position === 3) return
    expect(sara.screen).toContain('معلوم نیست این شماره برای همین پرسش')
    await sara.says('بله')
    expect(sara.question.position).toBe(3)
  })

story(
  'a number queued behind a tap on «back» is not for the question that «back» shows',
  async ({ meet }) => {
    const sara = await meet(atQuestion)
    await sara.answers(0)
    const goesBackAndTypes = () => {
      sara.person.tap(/^go:/)
      sara.person.say('3', { date: sara.world.now() + 5_000 })
      return true
    }
    sara.world.emulator.fault({ kind: 'delay', ms: 1_000, method: 'sendMessage', when: goesBackAndTypes })
    await sara.says('/help')
    expect(sara.heard).toContain(EARLY)
    expect(sara.question.position).toBe(1)
    await sara.answers(0)
    await sara.walksTo('review')
    await sara.taps(/^review:/)
    expect(sara.screen).not.toMatch(/۱\..*\n.*همیشه/)
  },
)

story(
  'a number queued while its question is answered by a tap is not for the next question',
  async ({ meet }) => {
    const sara = await meet(atQuestion)
    const typesAndTaps = () => {
      sara.person.say('3')
      sara.person.tap(sara.question.data[0] ?? '')
      return true
    }
    sara.world.emulator.fault({ kind: 'delay', ms: 1_000, method: 'sendMessage', when: typesAndTaps })
    await sara.says('/help')
    expect(sara.heard).toContain(EARLY)
    expect(sara.question.position).toBe(2)
  },
)

story(
  'a question that a tap rendered further up is sent below as well, and takes a typed number',
  async ({ meet }) => {
    const sara = await meet(atQuestion)
    const { emulator } = sara.world
    const tapsAbove = () => {
      emulator.fault({ kind: 'delay', ms: 1_500, method: 'editMessageText' })
      sara.person.tap(sara.question.data[0] ?? '')
      return true
    }
    // The second question arrives, and is sent once more because the reply was lost.
    const isLost = emulator.fault({ kind: 'cut', method: 'sendMessage', executed: true })
    sara.person.say('1')
    await until(() => isLost.hits === 1)
    emulator.fault({ kind: 'delay', ms: 1_000, method: 'sendMessage', when: tapsAbove })
    await until(() => open(sara).length === 2)
    await sara.world.settled()
    expect(sara.question.position).toBe(3)
    sara.world.pass(2_000)
    await sara.says('3')
    await sara.taps(/^submit:/)
    expect(sara.submissions).toHaveLength(1)
  },
)

story(
  'a number that comes together with the tap on its question is not for the next question',
  async ({ meet }) => {
    const sara = await meet(atQuestion)
    await sara.world.stop()
    sara.person.tap(sara.question.data[0] ?? '')
    sara.person.say('3')
    await sara.acts(() => sara.world.start())
    expect(sara.heard).toContain(EARLY)
    expect(sara.question.position).toBe(2)
  },
)

story(
  'the question of «back» is shown again after a late edit to the next one, and takes a number',
  async ({ meet }) => {
    const sara = await meet(atQuestion)
    await sara.answers(0)
    const { emulator } = sara.world
    const method = 'editMessageText'
    const isThird = ({ text }: Record<string, unknown>) => String(text).startsWith('پرسش ۳ ')
    const arrivesUnheard = (payload: Record<string, unknown>) => {
      if (isThird(payload)) emulator.fault({ kind: 'error', method, when: isThird })
      return isThird(payload)
    }
    const goesBack = (payload: Record<string, unknown>) => {
      if (!isThird(payload)) return false
      sara.person.tap(/^go:/)
      emulator.fault({ kind: 'cut', executed: true, method, when: arrivesUnheard })
      return true
    }
    emulator.fault({ kind: 'error', method, when: goesBack })
    await sara.answers(0)
    expect(sara.screen).toContain('پرسش ۱ ')
    sara.world.pass(2_000)
    await sara.says('3')
    expect(sara.heard).toContain(word('answer-changed', { position: 1, label: 'بله' }))
    expect(sara.question.position).toBe(3)
  },
)

story('the question of «back» is shown again after an edit that came late', async ({ meet }) => {
  const sara = await meet(atQuestion)
  await sara.answers(0)
  const isThird = ({ text }: Record<string, unknown>) =>
    String(text).startsWith('پرسش ۳ ') && Boolean(sara.person.tap(/^go:/))
  sara.world.emulator.fault({ kind: 'delay', ms: 1_200, method: 'editMessageText', when: isThird })
  await sara.answers(0)
  expect(sara.question.position).toBe(1)
})

story('after a restart a number counts at once for the question on the screen', async ({ meet }) => {
  const sara = await meet(atQuestion)
  await sara.answers(0)
  await sara.meetsRestart()
  await sara.says('9')
  expect(sara.heard).toContain(word('option-out-of-range', { options: 3 }))
  await sara.meetsRestart()
  await sara.says('2')
  expect(sara.heard).not.toContain(EARLY)
  expect(sara.question.position).toBe(3)
})

story('a number for a question that this process rendered costs no further call', async ({ meet }) => {
  const sara = await meet(atQuestion)
  await sara.answers(0)
  const before = sara.world.emulator.calls.length
  await sara.says('2')
  expect(sara.question.position).toBe(3)
  const since = sara.world.emulator.calls.slice(before).map(({ method }) => method)
  expect(since).not.toContain('editMessageText')
})

story('a number may be for a question below that an older store does not know', async ({ meet }) => {
  const sara = await meet(atQuestion)
  await sara.meetsRestart()
  await isPutBack(sara, async () => {
    // The first question keeps its buttons above the second one.
    const description = "Bad Request: message can't be edited"
    sara.world.emulator.fault({ kind: 'error', status: 400, description, method: 'editMessageReplyMarkup' })
    await sara.says('1')
    expect(sara.question.position).toBe(2)
    expect(open(sara)).toHaveLength(2)
  })
  await sara.says('3')
  expect(sara.question.data).toHaveLength(1)
  await sara.taps(sara.question.data[0] ?? '')
  expect(sara.question.position).toBe(2)
})

story('an edit whose reply was lost does not prove what is on the screen', async ({ meet }) => {
  const sara = await meet(atQuestion)
  await isPutBack(sara, () => sara.answers(0))
  sara.world.emulator.fault({ kind: 'cut', method: 'editMessageText', executed: true, times: 1 })
  await sara.says('3')
  expect(sara.heard).toContain(UNSEEN)
  expect(sara.question.position).toBe(1)
})

story('a tap on a question unknown to an older store shows the older one below', async ({ meet }) => {
  const sara = await meet(atQuestion)
  const before = sara.question.message.message_id
  await isPutBack(sara, () => sara.answers(0))
  // Tapped with the second question in sight, handled by a store that has the first one.
  await sara.acts(() => {
    sara.person.tap(sara.question.data[1] ?? '')
  })
  expect(sara.question.position).toBe(1)
  expect(sara.question.message.message_id).toBeGreaterThan(before)
  expect(open(sara)).toHaveLength(1)
})

describe.skipIf(!findRedisServer())('with a real redis-server', () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedis(findRedisServer() ?? '')
  })
  afterAll(() => server.remove())

  story('a process does not trust a Redis that went back behind what it rendered', async ({ meet }) => {
    const environment = { REDIS_URL: server.url, DATA_KEY: randomBytes(32).toString('base64') }
    const sara = await meet({ ...atQuestion, environment })
    const redis = new Redis(server.url)
    const putBack = await remember(redis)
    await sara.answers(0)
    // Like a failover, which ends all connections.
    await redis.client('KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
    await putBack()
    await sara.says('3')
    expect(sara.heard).toContain(UNSEEN)
    expect(sara.question.position).toBe(1)
    await sara.says('3')
    expect(sara.question.position).toBe(2)
    redis.disconnect()
  })
})
