import { expect, test } from 'vitest'
import { countSms, countVerified, uncountSms } from '../../src/dialog/sms-limits.ts'
import type { UpdateContext } from '../../src/dialog/update-context.ts'
import type { RecordFile } from '../../src/domain/record/record.ts'
import { createChance } from '../random.ts'

const MINUTE = 60_000
const START = Date.UTC(2026, 0, 5, 6)

/** The counters of one bot; each person who asks for a code has an own mobile and record. */
function createBot() {
  const kept = new Map<string, { at: number[] }>()
  const notes: string[] = []
  const work = {
    get: async (_: unknown, id: string) => kept.get(id),
    put: (_: unknown, id: string, value: { at: number[] }) => void kept.set(id, value),
    note: (what: string) => void notes.push(what),
  }
  const deps = {
    config: { smsPerHour: 5, smsCooldownSeconds: 60 },
    vault: { hash: (kind: string, text: string) => `${kind} ${text}` },
  }
  const contextOf = (who: string, now: number) => ({ work, who, now, deps }) as unknown as UpdateContext
  const fileOf = (who: string, sent: number) => ({ token: who, codes: { sent } }) as unknown as RecordFile
  const whoOf = (person: number) => `${String.fromCharCode(65 + (person % 26))}${person}`
  return {
    kept,
    notes,
    asks: (person: number, now: number, mobile = String(person)) =>
      countSms(contextOf(whoOf(person), now), fileOf(whoOf(person), 0), mobile),
    verifies: (person: number, now: number, sent: number) =>
      countVerified(contextOf(whoOf(person), now), fileOf(whoOf(person), sent)),
    fails: (person: number, now: number) =>
      uncountSms(contextOf(whoOf(person), now), fileOf(whoOf(person), 0), String(person)),
  }
}

test('a school of 3,000 is never refused, though many need two codes and every fifth gives up', async () => {
  const bot = createBot()
  const chance = createChance(7)()
  const refused: unknown[] = []
  for (let person = 0; person < 3_000; person += 1) {
    // At the speed of the service's limits.
    const now = START + person * 2_000
    refused.push(await bot.asks(person, now))
    const isLate = chance(4) === 0
    if (isLate) refused.push(await bot.asks(person, now + 2 * MINUTE))
    if (chance(5) > 0) await bot.verifies(person, now + 3 * MINUTE, isLate ? 2 : 1)
  }
  expect(refused.filter(Boolean)).toEqual([])
})

test('a sender of codes to strangers is refused after a hundred, for an hour at most', async () => {
  const bot = createBot()
  for (let person = 0; person < 100; person += 1) expect(await bot.asks(person, START)).toBeUndefined()
  // They do not count as unverified yet.
  expect(await bot.asks(100, START + 4 * MINUTE)).toBeUndefined()
  expect(await bot.asks(101, START + 5 * MINUTE)).toEqual({ reason: 'bot', seconds: 60 * 60 })
  expect(await bot.asks(101, START + 65 * MINUTE)).toBeUndefined()
})

test('verified codes make room for others, and an SMS that was not sent takes none', async () => {
  const bot = createBot()
  for (let person = 0; person < 100; person += 1) await bot.asks(person, START)
  await bot.fails(1, START)
  expect(await bot.asks(101, START + 6 * MINUTE)).toBeUndefined()
  await bot.verifies(101, START + 7 * MINUTE, 1)
  for (let person = 200; person < 202; person += 1) await bot.asks(person, START + 7 * MINUTE)
  expect(await bot.asks(300, START + 12 * MINUTE)).toMatchObject({ reason: 'bot' })
})

test('a person who verifies after two codes removes both, and makes room for an hour', async () => {
  const bot = createBot()
  for (let person = 0; person < 60; person += 1) {
    await bot.asks(person, START)
    await bot.asks(person, START + 2 * MINUTE)
    await bot.verifies(person, START + 3 * MINUTE, 2)
  }
  const strangers = async (from: number, count: number, now: number) => {
    for (let person = from; person < from + count; person += 1) await bot.asks(person, now)
    return bot.asks(from + count, now + 5 * MINUTE)
  }
  expect(await strangers(1_000, 120, START + 4 * MINUTE)).toBeUndefined()
  expect(await strangers(2_000, 100, START + 120 * MINUTE)).toMatchObject({ reason: 'bot' })
})

test('the limit ends as soon as the oldest codes expire, whichever counter has them', async () => {
  const bot = createBot()
  for (let one = 0; one < 60; one += 1) await bot.asks(one * 26 + 1, START)
  for (let one = 0; one < 60; one += 1) await bot.asks(one * 26, START + 10 * MINUTE)
  expect(await bot.asks(7, START + 20 * MINUTE)).toEqual({ reason: 'bot', seconds: 45 * 60 })
})

test('a minute between codes, five an hour; the longest wait is told, and each refusal is noted', async () => {
  const bot = createBot()
  await bot.asks(1, START)
  expect(await bot.asks(1, START + MINUTE / 2)).toEqual({ reason: 'cooldown', seconds: 30 })
  for (const minutes of [1, 3, 5, 7]) expect(await bot.asks(1, START + minutes * MINUTE)).toBeUndefined()
  expect(await bot.asks(1, START + 10 * MINUTE)).toEqual({ reason: 'hour', seconds: 50 * 60 })
  await bot.asks(2, START + 19.5 * MINUTE)
  // In the first case the account has to wait longer than the mobile, in the second the mobile.
  const longest = { reason: 'hour', seconds: 40 * 60 }
  expect(await bot.asks(1, START + 20 * MINUTE, '2')).toEqual(longest)
  expect(await bot.asks(2, START + 20 * MINUTE, '1')).toEqual(longest)
  expect(bot.notes).toEqual(Array(4).fill('sms-refused'))
  expect(await bot.asks(1, START + 60 * MINUTE)).toBeUndefined()
})

test('ten codes a day for one mobile and one record, by the days of Tehran', async () => {
  const bot = createBot()
  const midnight = Date.UTC(2026, 0, 5, 20, 30)
  const tenFrom = async (at: number) => {
    for (let one = 0; one < 10; one += 1) expect(await bot.asks(1, at + one * 15 * MINUTE)).toBeUndefined()
  }
  await tenFrom(START)
  expect(await bot.asks(1, START + 150 * MINUTE)).toEqual({ reason: 'day', seconds: 12 * 60 * 60 })
  expect(await bot.asks(1, midnight - 1_000)).toEqual({ reason: 'day', seconds: 1 })
  await tenFrom(midnight)
  expect(await bot.asks(1, midnight + 150 * MINUTE)).toMatchObject({ reason: 'day' })
})

test('a code that is a day old is not kept', async () => {
  const bot = createBot()
  await bot.asks(1, START)
  await bot.asks(1, START + 24 * 60 * MINUTE)
  expect([...bot.kept.values()].map(({ at }) => at)).toEqual(Array(4).fill([START + 24 * 60 * MINUTE]))
})
