import { monitorEventLoopDelay } from 'node:perf_hooks'

const delay = monitorEventLoopDelay({ resolution: 2 })
delay.enable()

/**
 * Reports to the parent process, on request: the CPU time so far, the memory, and the longest time the event
 * loop was held since the last request.
 */
process.on('message', (question: unknown) => {
  if (question !== 'used') return
  const { user, system } = process.cpuUsage()
  const heldMs = delay.max / 1e6
  process.send?.({ cpuMs: (user + system) / 1_000, bytes: process.memoryUsage.rss(), heldMs })
  delay.reset()
})
