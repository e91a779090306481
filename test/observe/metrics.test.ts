import perfHooks from 'node:perf_hooks'
import { expect, test, vi } from 'vitest'
import { createMetrics } from '../../src/observe/metrics.ts'

test('the process itself is measured once, however many bots run in it', async () => {
  createMetrics()
  const watching = vi.spyOn(perfHooks, 'monitorEventLoopDelay')
  const texts = await Promise.all([createMetrics(), createMetrics()].map((metrics) => metrics.text()))
  expect(watching).not.toHaveBeenCalled()
  for (const text of texts) expect(text).toContain('porsa_nodejs_eventloop_lag_p99_seconds ')
})
