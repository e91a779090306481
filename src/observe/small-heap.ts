import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Both halves of the young generation: if it is larger, fewer collections save no CPU per answer. */
const YOUNG_BYTES = 8 * 1024 * 1024
/** How much garbage, in percent of live data, may gather before a collection. V8 allows four times that. */
const GARBAGE_PERCENT = 30

/**
 * Keeps this process small: else three quarters of its heap under load are uncollected garbage. V8 takes the
 * limit of the young generation only at the start of a process, but its growth factor at any time: so the
 * size is checked after each collection. Threads that help to collect cost more than they save.
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
