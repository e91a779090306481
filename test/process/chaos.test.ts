import { fileURLToPath } from 'node:url'
import type { Deed, Plan } from '../../tools/chaos/plan.ts'
import { live } from '../../tools/chaos/world.ts'
import { findRedisServer } from '../store/redis-server.ts'
import { story } from './world.ts'

const redis = findRedisServer()

/** A short one of the worlds that `npm run chaos` lives through: three people, and a deed every few calls. */
const plan = (more: Pick<Plan, 'store' | 'replicas' | 'isPolled'>, deeds: readonly Deed[]): Plan => ({
  seed: 7,
  people: [0, 0, 1],
  faults: deeds.map((deed) => ({ after: 12, pauseMs: 20, deed })),
  ...more,
})

story('killed and put back, the embedded store loses nothing and nobody', async ({ program, expect }) => {
  const short = plan({ store: 'embedded', replicas: 1, isPolled: true }, [
    { kind: 'telegram', fault: { kind: 'cut', executed: true, times: 2 } },
    { kind: 'kill', replica: 0 },
    { kind: 'service', fault: { kind: 'cut', executed: true } },
    { kind: 'store put back', ms: 700 },
  ])
  const { broken, killed } = await live(short, { bot: fileURLToPath(program), redis }, 'small')
  expect(broken).toEqual([])
  expect(killed).toBe(2)
})

story(
  'two replicas and their Redis, killed in turn, lose nothing and nobody',
  async ({ program, expect }) => {
    const short = plan({ store: 'redis', replicas: 2, isPolled: false }, [
      { kind: 'telegram', fault: { kind: 'duplicate', times: 20 } },
      { kind: 'kill', replica: 0 },
      { kind: 'store killed', ms: 100 },
      { kind: 'restart', replica: 1 },
      { kind: 'store put back', ms: 700 },
    ])
    const { broken, killed, stopped } = await live(short, { bot: fileURLToPath(program), redis }, 'small')
    expect(broken).toEqual([])
    expect({ killed, stopped }).toEqual({ killed: 3, stopped: 1 })
  },
)
