import { setTimeout as sleep } from 'node:timers/promises'

export type SettleOptions = {
  /** How long nothing may happen; the default is 30 ms. */
  quietMs?: number
  /** Whether everything else is at rest too, such as background jobs. */
  idle?: () => boolean | Promise<boolean>
  /** After so long it fails with the transcript; the default is 10 s. */
  timeoutMs?: number
}

type Deps = {
  activity: () => number
  /** No update waits for the bot and no call is being carried out. */
  isResting: () => boolean
  /** What to tell when it never rests. */
  explain: () => string
}

/** How often it looks: rest is to be noticed soon, and who works long is looked at less often. */
const STEP_MS = { resting: 5, busy: { first: 6, last: 20, growth: 1.4 } }

/**
 * Waits until the bot has taken every update and nothing has happened for a short while of real time, and for as many
 * looks as fit into it: on a busy machine a while may pass in which nobody had a chance to do anything.
 */
export async function settle({ activity, isResting, explain }: Deps, options: SettleOptions): Promise<void> {
  const { quietMs = 30, timeoutMs = 10_000, idle } = options
  const deadline = performance.now() + timeoutMs
  let seen = activity()
  let since = performance.now()
  let looks = 0
  let busyMs = STEP_MS.busy.first
  for (;;) {
    const resting = isResting() && ((await idle?.()) ?? true)
    if (!resting || activity() !== seen) {
      seen = activity()
      since = performance.now()
      looks = 0
    } else if (++looks > quietMs / STEP_MS.resting && performance.now() - since >= quietMs) return
    if (performance.now() > deadline) throw new Error(`not settled after ${timeoutMs} ms\n${explain()}`)
    await sleep(resting ? STEP_MS.resting : busyMs)
    if (!resting) busyMs = Math.min(STEP_MS.busy.last, busyMs * STEP_MS.busy.growth)
  }
}
