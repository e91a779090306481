import { randomUUID } from 'node:crypto'
import { until } from './until.ts'
import type { World } from './world.ts'

/** The service wants a pause of so many seconds: what is asked of it from here on waits in line. */
export async function holdUp({ sandbox, emulator, address }: World, seconds: number): Promise<void> {
  const token = randomUUID()
  sandbox.fault({ kind: 'rate-limit', retryAfter: seconds, path: token, times: 1 })
  emulator.person().start(`record_${token}`)
  await until(async () => {
    const metrics = await (await fetch(new URL('/metrics', address))).text()
    return /^porsa_budget_paused_seconds [1-9]/m.test(metrics)
  })
}
