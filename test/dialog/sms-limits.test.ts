import { expect, test } from 'vitest'
import { countSms, countVerified, uncountSms } from '../../src/dialog/sms-limits.ts'
import type { UpdateContext } from '../../src/dialog/update-context.ts'
import type { RecordFile } from '../../src/domain/record/record.ts'
import { createChance } from '../random.ts'

const MINUTE = 60_000
const START = Date.UTC(2026, 0, 5, 6)

/** The counters of one bot; whoever asks for a code has a mobile and a record of their own. */
function createBot() {
  const kept = new Map<string, unknown>()
  const work = {
    get: async (_: unknown, id: string) => kept.get(id),
    put: (_: unknown, id: string, value: unknown) => void kept.set(id, value),
    note: () => undefined,
  }
  const deps = {
    config: { smsPerHour: 5, smsCooldownSeconds: 60 },
    vault: { hash: (kind: string, text: string) => `${kind} ${text}` },
  }
  const contextOf = (who: string, now: number) => ({ work, who, now, deps }) as unknown as UpdateContext
  const fileOf = (who: string, sent: number) => ({ token: who, codes: { sent } }) as unknown as RecordFile
  const whoOf = (person: number) => `${String.fromCharCode(65 + (person % 26))}${person}`
  return {
    asks: (person: number, now: number) =>
      countSms(contextOf(whoOf(person), now), fileOf(whoOf(person), 0), String(person)),
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
    // As fast as the service's limits let them.
    const now = START + person * 2_000
    refused.push(await bot.asks(person, now))
    const isLate = chance(4) === 0
    if (isLate) refused.push(await bot.asks(person, now + 2 * MINUTE))
    if (chance(5) > 0) await bot.verifies(person, now + 3 * MINUTE, isLate ? 2 : 1)
  }
  expect(refused.filter(Boolean)).toEqual([])
})

test('who has codes sent to strangers is refused after a hundred, for an hour at most', async () => {
  const bot = createBot()
  for (let person = 0; person < 100; person += 1) expect(await bot.asks(person, START)).toBeUndefined()
  // Nobody knows yet that they are not verified.
  expect(await bot.asks(100, START + 4 * MINUTE)).toBeUndefined()
  expect(await bot.asks(101, START + 5 * MINUTE)).toEqual({ reason: 'bot', seconds: 60 * 60 })
  expect(await bot.asks(101, START + 65 * MINUTE)).toBeUndefined()
})

test('others who verify theirs make room, what never left takes none', async () => {
  const bot = createBot()
  for (let person = 0; person < 100; person += 1) await bot.asks(person, START)
  await bot.fails(1, START)
  expect(await bot.asks(101, START + 6 * MINUTE)).toBeUndefined()
  await bot.verifies(101, START + 7 * MINUTE, 1)
  for (let person = 200; person < 202; person += 1) await bot.asks(person, START + 7 * MINUTE)
  expect(await bot.asks(300, START + 12 * MINUTE)).toMatchObject({ reason: 'bot' })
})
