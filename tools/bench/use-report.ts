import { monitorEventLoopDelay } from 'node:perf_hooks'

const delay = monitorEventLoopDelay({ resolution: 2 })
delay.enable()

/**
 * Tells whoever has started this process, as often as asked, what CPU time it has used, what memory it has, and how long its
 * event loop was held at most since it was asked last.
 */
process.on('message', (question: unknown) => {
  if (question !== 'used') return
  const { user, system } = process.cpuUsage()
  const heldMs = delay.max / 1e6
  process.send?.({ cpuMs: (user + system) / 1_000, bytes: process.memoryUsage.rss(), heldMs })
  delay.reset()
})
