import { expect, onTestFinished, test, vi } from 'vitest'
import type { Part } from '../../src/observe/health.ts'
import { createOperators } from '../../src/watch-self.ts'

/** Replicas that share a list of reported parts, in virtual time; `away` cuts off Telegram or the store. */
function replicas(operators: readonly number[] = [1]) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const told: string[] = []
  /** Operators who have blocked the bot, once per attempt to reach them. */
  const tried: number[] = []
  const kept = new Set<Part>()
  const away = { telegram: false, store: false }
  /** Operators whom Telegram cannot reach at the moment, and operators who have blocked the bot. */
  const [unreached, blocked] = [new Set<number>(), new Set<number>()]
  const one = () =>
    createOperators({
      now: Date.now,
      operators,
      async notify(operator, part, isOk) {
        if (blocked.has(operator)) tried.push(operator)
        if (blocked.has(operator)) return 'blocked'
        if (away.telegram || unreached.has(operator)) return 'failed'
        const whom = operators.length > 1 ? `${operator}: ` : ''
        told.push(`${whom}${part} ${isOk ? 'works' : 'fails'}`)
        return 'told'
      },
      async claim(part, isOk) {
        if (away.store) throw new Error('away')
        if (isOk !== kept.has(part)) return false
        if (isOk) kept.delete(part)
        else kept.add(part)
        return true
      },
    })
  const all = [one(), one()]
  return {
    ...{ told, tried, away, unreached, blocked },
    more: one,
    note: (part: Part, isOk: boolean) => all.forEach((each) => void each.note(part, isOk)),
    async passes(seconds: number) {
      await vi.advanceTimersByTimeAsync(seconds * 1_000)
      for (const each of all) await each.settle()
    },
  }
}

test('a failure is reported once, by one replica, and once more when it is over', async () => {
  const { note, passes, told } = replicas()
  note('service', true)
  await passes(30)
  note('service', false)
  await passes(5)
  expect(told).toEqual([])
  await passes(30)
  await passes(30)
  expect(told).toEqual(['service fails'])
  note('service', true)
  await passes(5)
  await passes(30)
  expect(told).toEqual(['service fails', 'service works'])
})

test('a failure that lasts a moment is not reported', async () => {
  const { note, passes, told } = replicas()
  note('telegram', true)
  note('telegram', false)
  await passes(10)
  note('telegram', true)
  await passes(60)
  expect(told).toEqual([])
})

test('a notice that could not be sent while Telegram was away is sent later', async () => {
  const { note, passes, told, away } = replicas()
  note('webhook', true)
  away.telegram = true
  note('webhook', false)
  await passes(60)
  away.telegram = false
  await passes(5)
  expect(told).toEqual(['webhook fails'])
})

test('without the store each replica reports', async () => {
  const { note, passes, told, away } = replicas()
  note('storage', true)
  away.store = true
  note('storage', false)
  await passes(30)
  expect(told).toEqual(['storage fails', 'storage fails'])
  away.store = false
  note('storage', true)
  await passes(5)
  expect(told).toEqual(['storage fails', 'storage fails', 'storage works', 'storage works'])
})

test('a new process reports the end of a failure that another one reported', async () => {
  const { note, passes, told, more } = replicas()
  note('room', false)
  await passes(30)
  const fresh = more()
  fresh.note('room', true)
  await fresh.settle()
  expect(told).toEqual(['room fails', 'room works'])
})

test('each operator is notified once, including those that the first try did not reach', async () => {
  const { note, passes, told, unreached } = replicas([1, 2])
  unreached.add(2)
  note('webhook', false)
  await passes(30)
  await passes(5)
  expect(told).toEqual(['1: webhook fails'])
  unreached.clear()
  await passes(5)
  await passes(5)
  expect(told).toEqual(['1: webhook fails', '2: webhook fails'])
  note('webhook', true)
  await passes(5)
  expect(told.slice(2)).toEqual(['1: webhook works', '2: webhook works'])
})

test('an operator who blocked the bot is tried again only while no other one knows', async () => {
  const { note, passes, told, tried, unreached, blocked } = replicas([1, 2])
  blocked.add(1)
  unreached.add(2)
  note('room', false)
  await passes(30)
  await passes(5)
  expect(tried).toEqual([1, 1])
  unreached.clear()
  for (let time = 0; time < 3; time += 1) await passes(5)
  expect(told).toEqual(['2: room fails'])
  expect(tried).toHaveLength(3)
})
