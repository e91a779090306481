import { expect, onTestFinished, test, vi } from 'vitest'
import type { Part } from '../../src/observe/health.ts'
import { createOperators } from '../../src/watch-self.ts'

/** Replicas that share what was told, in time that is let pass; `away` is the way to Telegram, or the store. */
function replicas() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const told: string[] = []
  const kept = new Set<Part>()
  const away = { telegram: false, store: false }
  const one = () =>
    createOperators({
      now: Date.now,
      async tell(part, isOk) {
        if (away.telegram) throw new Error('away')
        told.push(`${part} ${isOk ? 'works' : 'fails'}`)
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
    told,
    away,
    more: one,
    note: (part: Part, isOk: boolean) => all.forEach((each) => void each.note(part, isOk)),
    async passes(seconds: number) {
      await vi.advanceTimersByTimeAsync(seconds * 1_000)
      for (const each of all) await each.settle()
    },
  }
}

test('what fails is told once, by one of all, and once more when it is over', async () => {
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

test('what passes in a moment is not told', async () => {
  const { note, passes, told } = replicas()
  note('telegram', true)
  note('telegram', false)
  await passes(10)
  note('telegram', true)
  await passes(60)
  expect(told).toEqual([])
})

test('what could not be told while Telegram was away is told after', async () => {
  const { note, passes, told, away } = replicas()
  note('webhook', true)
  away.telegram = true
  note('webhook', false)
  await passes(60)
  away.telegram = false
  await passes(5)
  expect(told).toEqual(['webhook fails'])
})

test('without the store each replica tells', async () => {
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

test('a process that is new tells the end of what another one had told', async () => {
  const { note, passes, told, more } = replicas()
  note('room', false)
  await passes(30)
  const fresh = more()
  fresh.note('room', true)
  await fresh.settle()
  expect(told).toEqual(['room fails', 'room works'])
})
