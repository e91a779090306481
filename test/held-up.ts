import { randomUUID } from 'node:crypto'
import { until } from './until.ts'
import type { World } from './world.ts'

/** Makes the service request a pause of this many seconds: later calls to it are queued. */
export async function holdUp(world: World, seconds: number): Promise<void> {
  const { sandbox, emulator } = world
  const token = randomUUID()
  sandbox.fault({ kind: 'rate-limit', retryAfter: seconds, path: token, times: 1 })
  emulator.person().start(`record_${token}`)
  // The refused call is queued again.
  await until(async () => (await pausedSeconds(world)) > 0 && (await callsInLine(world)) === 1)
}

const pausedSeconds = (world: World) => gauge(world, 'porsa_budget_paused_seconds')
export const callsInLine = (world: World) => gauge(world, 'porsa_budget_waiting{lane="participant"}')

async function gauge({ address }: World, name: string): Promise<number> {
  const metrics = await (await fetch(new URL('/metrics', address))).text()
  return Number(
    metrics
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length),
  )
}
