import { Counter, Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { tally, timeTally } from '../../src/observe/tally.ts'

const named = (name: string) => ({ name, help: 'Said of it' })
const calls = [
  ['send', 'ok', 0.03],
  ['edit', 'ok', 0.1],
  ['send', 'blocked', 0.0501],
  ['send', 'ok', 7],
] as const

test('our counters are shown as prom-client would show them, at every scrape', async () => {
  const [ours, theirs] = [new Registry(), new Registry()]
  const buckets = [0.05, 0.1, 1]
  const count = tally(ours, { ...named('calls'), labels: ['method', 'outcome'] })
  const time = timeTally(ours, { ...named('seconds'), label: 'method', buckets })
  const registers = [theirs]
  const counter = new Counter({ ...named('calls'), labelNames: ['method', 'outcome'], registers })
  const histogram = new Histogram({ ...named('seconds'), labelNames: ['method'], buckets, registers })
  for (const [method, outcome, seconds] of calls) {
    count(method, outcome)
    time(method, seconds)
    counter.inc({ method, outcome })
    histogram.observe({ method }, seconds)
    expect(await ours.metrics()).toBe(await theirs.metrics())
  }
  expect(await Registry.merge([ours]).metrics()).toBe(await theirs.metrics())
})
