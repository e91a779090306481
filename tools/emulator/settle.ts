import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'

/** The bot, if it runs in this process and can report that it is idle. */
type Bot = { isIdle(): boolean; idle(): Promise<void> }

export type SettleOptions = {
  /** With the bot no real time has to pass; without it, nothing may happen for `quietMs`. */
  bot?: Bot | undefined
  /** The default is 30 ms. */
  quietMs?: number
  /** Fails with the transcript after this time; the default is 10 s. */
  timeoutMs?: number
}

type Deps = {
  activity: () => number
  /** No update waits for the bot and no call is being carried out. */
  isResting: () => boolean
  /** Calls the listener at every activity. Returns a function that ends this. */
  onStir: (listener: () => void) => () => void
  /** The explanation for the error when the bot never rests. */
  explain: () => string
}

/** A message sent within the process arrives in fewer turns of the event loop. */
const QUIET_TURNS = 10
/** The interval of the checks: short, so that rest is noticed soon, and growing while the bot works. */
const STEP_MS = { resting: 5, busy: { first: 6, last: 20, growth: 1.4 } }

/** Waits until the bot has taken every update and all activity has ended. */
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

/** The bot itself reports that it is idle; then only data in the sockets can be left. */
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
 * Waits for a short quiet time, and for as many checks as fit into it: on a busy machine the time alone may
 * pass before anything had a chance to run.
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
