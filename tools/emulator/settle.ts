import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'

/** The bot, where it works in this process and can tell when it rests. */
type Bot = { isIdle(): boolean; idle(): Promise<void> }

export type SettleOptions = {
  /** Knowing it, no real time has to pass; without it, nothing may happen for `quietMs`. */
  bot?: Bot | undefined
  /** The default is 30 ms. */
  quietMs?: number
  /** After so long it fails with the transcript; the default is 10 s. */
  timeoutMs?: number
}

type Deps = {
  activity: () => number
  /** No update waits for the bot and no call is being carried out. */
  isResting: () => boolean
  /** Hears of everything that happens. Returns how to end it. */
  onStir: (listener: () => void) => () => void
  /** What to tell when it never rests. */
  explain: () => string
}

/** What has been sent within the process has arrived after fewer turns of its loop. */
const QUIET_TURNS = 10
/** How often it looks: rest is to be noticed soon, and who works long is looked at less often. */
const STEP_MS = { resting: 5, busy: { first: 6, last: 20, growth: 1.4 } }

/** Waits until the bot has taken every update and nothing happens any more. */
export async function settle(
  deps: Deps,
  { bot, quietMs = 30, timeoutMs = 10_000 }: SettleOptions,
): Promise<void> {
  const limit = new AbortController()
  const { signal } = limit
  const late = sleep(timeoutMs, 'late' as const, { signal }).catch(() => undefined)
  const rest = bot ? knownRest(deps, bot, signal) : quiet(deps, quietMs, signal)
  const first = await Promise.race([rest, late]).finally(() => limit.abort())
  if (first === 'late') throw new Error(`not settled after ${timeoutMs} ms\n${deps.explain()}`)
}

/** Who is at work tells when it rests; then nothing is left but what lies in the sockets. */
async function knownRest(deps: Deps, bot: Bot, signal: AbortSignal): Promise<void> {
  const { activity, isResting } = deps
  let seen = activity()
  for (let turns = 0; turns < QUIET_TURNS && !signal.aborted; turns += 1) {
    await Promise.all([resting(deps), bot.idle()])
    await turn()
    if (isResting() && bot.isIdle() && activity() === seen) continue
    seen = activity()
    turns = 0
  }
}

function resting({ isResting, onStir }: Deps): Promise<void> {
  if (isResting()) return Promise.resolve()
  return new Promise((resolve) => {
    const stop = onStir(() => {
      if (!isResting()) return
      stop()
      resolve()
    })
  })
}

/**
 * Nothing has happened for a short while of real time, and for as many looks as fit into it: on a busy machine a while
 * may pass in which nobody had a chance to do anything.
 */
async function quiet({ activity, isResting }: Deps, quietMs: number, signal: AbortSignal): Promise<void> {
  let seen = activity()
  let since = performance.now()
  let looks = 0
  let busyMs = STEP_MS.busy.first
  while (!signal.aborted) {
    const isQuiet = isResting()
    if (!isQuiet || activity() !== seen) {
      seen = activity()
      since = performance.now()
      looks = 0
    } else if (++looks > quietMs / STEP_MS.resting && performance.now() - since >= quietMs) return
    await sleep(isQuiet ? STEP_MS.resting : busyMs)
    if (!isQuiet) busyMs = Math.min(STEP_MS.busy.last, busyMs * STEP_MS.busy.growth)
  }
}
