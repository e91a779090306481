import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Both halves of it: beyond that fewer collections save no CPU of an answer. */
const YOUNG_BYTES = 8 * 1024 * 1024
/** So much garbage, in percent of what lives, may lie among it before it is collected. V8 lets four times as much gather. */
const GARBAGE_PERCENT = 30

/**
 * Keeps this process small: three quarters of what it would grow to under load is garbage that V8 has not collected. How large
 * the young generation may become V8 takes at the start of a process alone, how fast it grows at any time: so it is looked at
 * after each collection. Threads that help to collect it cost more than they save in a heap of this size.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--no-parallel-scavenge')
  setFlagsFromString(`--heap-growing-percent=${GARBAGE_PERCENT}`)
  limitYoung()
  new PerformanceObserver(limitYoung).observe({ entryTypes: ['gc'] })
}

function limitYoung(): void {
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
  const mayGrow = young !== undefined && young.space_size < YOUNG_BYTES
  setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`)
}
