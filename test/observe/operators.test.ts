import { expect, onTestFinished, test, vi } from 'vitest'
import type { Part } from '../../src/observe/health.ts'
import { createOperators } from '../../src/watch-self.ts'

/** Replicas that share a list of reported parts, in virtual time; `away` cuts off Telegram or the store. */
function replicas(operators: readonly number[] = [1]) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const told: string[] = []
  const kept = new Set<Part>()
  const away = { telegram: false, store: false }
  /** Operators whom Telegram cannot reach at the moment. */
  const unreached = new Set<number>()
  /** What happens while the store is asked. */
  const meanwhile = { acts: () => {} }
  const one = () =>
    createOperators({
      now: Date.now,
      operators,
      async notify(operator, part, isOk) {
        if (away.telegram || unreached.has(operator)) throw new Error('away')
        const whom = operators.length > 1 ? `${operator}: ` : ''
        told.push(`${whom}${part} ${isOk ? 'works' : 'fails'}`)
      },
      async claim(part, isOk) {
        meanwhile.acts()
        if (away.store) throw new Error('away')
        if (isOk !== kept.has(part)) return false
        if (isOk) kept.delete(part)
        else kept.add(part)
        return true
      },
    })
  const all = [one(), one()]
  return {
    ...{ told, away, unreached, meanwhile },
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

test.each([false, true])(
  'a failure that ends while it is being reported: without the store %s',
  async (isAway) => {
    const { note, passes, told, away, meanwhile } = replicas()
    note('storage', false)
    away.store = isAway
    meanwhile.acts = () => note('storage', true)
    await passes(30)
    expect(told).toEqual(['storage fails'])
    Object.assign(away, { store: false })
    await passes(5)
    expect(told).toEqual(['storage fails', 'storage works'])
  },
)

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
