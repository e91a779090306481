import { within } from './within.ts'

/** `waiting`: not accepted yet since the start. `degraded`: worked once and fails now. */
type RemoteState = 'waiting' | 'ok' | 'degraded'
/** What the bot works with besides its storage. */
type RemotePart = 'telegram' | 'service'
/** A part that the daily work does not try, so that only checks tell its state. */
type WatchedPart = 'webhook' | 'clock' | 'room' | 'backup'
export type Part = 'storage' | RemotePart | WatchedPart

/** Rejects when its part fails. A check that waits in line calls `leaves` when its time begins to count. */
export type Check = (leaves: () => void) => Promise<unknown>

type HealthOptions = {
  /** Whether storage answers, Telegram accepts the token, and the service the key. */
  checks: { storage: () => Promise<unknown> } & Record<RemotePart, Check>
  /** Whether an error shows that a part fails, and not that the check never reached it. */
  isNews?: (error: unknown) => boolean
  /** How long the outcome of a daily call to the service replaces a check of it. */
  newsMs?: number
  /** Further parts; a failure of one does not end readiness. */
  watched?: Partial<Record<WatchedPart, Check>>
  now: () => number
  onChange?: ((part: Part, isOk: boolean, error?: unknown) => void) | undefined
}

export type Health = ReturnType<typeof createHealth>

const CHECK_EVERY_MS = 15_000
/** How old a call may be to replace a check of the service, which costs a call of its budget. */
export const NEWS_MS = CHECK_EVERY_MS / 2
const LIMIT_MS = { storage: 2_000, other: 10_000 }

/** Knows whether the bot can do its work. Once ready, only storage can end that: people go on answering. */
export function createHealth(options: HealthOptions) {
  const { checks, watched = {}, isNews = () => true, newsMs = NEWS_MS, now, onChange } = options
  const states = new Map<Part, boolean>()
  const notifyOf =
    (part: Part): Notify =>
    (isOk, error) => {
      if (states.get(part) === isOk) return
      states.set(part, isOk)
      onChange?.(part, isOk, error)
    }
  const { clock, room, ...rest } = watched
  const partOf = (part: Exclude<Part, 'storage'>, check: Check) =>
    createPart(part, check, { isNews, newsMs, now, notify: notifyOf(part) })
  const others = Object.entries(rest).map(([part, check]) => partOf(part as WatchedPart, check))
  const clocks = clock && partOf('clock', clock)
  const rooms = room && partOf('room', room)
  const telegram = partOf('telegram', checks.telegram)
  const service = partOf('service', checks.service)
  const notifyStorage = notifyOf('storage')
  let timer: NodeJS.Timeout | undefined
  let isStopping = false

  async function checkStorage() {
    try {
      if (!(await within(LIMIT_MS.storage, checks.storage()))) throw tooLate(LIMIT_MS.storage)
      notifyStorage(true)
      return 'ok'
    } catch (error) {
      notifyStorage(false, error)
      return 'failing'
    }
  }

  /** Checks every part that is due; `start` does so regularly. */
  const checkNow = () =>
    Promise.all([
      // A storage that does not answer cannot tell its room.
      checkStorage().then((state) => (state === 'ok' ? rooms?.checkNow() : undefined)),
      telegram.checkNow(),
      // An answer also brings the time.
      service.checkNow().then(() => clocks?.checkNow()),
      ...others.map((one) => one.checkNow()),
    ])

  return {
    checkNow,
    /** The parts that do not work, by the last checks. */
    failing: (): Part[] => [...states].flatMap(([part, isOk]) => (isOk ? [] : [part])),
    /** Checks at once, then every 15 s. */
    start() {
      void checkNow()
      timer ??= setInterval(() => void checkNow(), CHECK_EVERY_MS).unref()
    },
    /** From now on it is not ready: this process stops. */
    stop() {
      isStopping = true
      clearInterval(timer)
    },
    /** Notes the end of a call: a success replaces the next check of the service, a failure makes it due. */
    report: (part: RemotePart, isOk: boolean) => ({ telegram, service })[part].report(isOk),
    /** The answer of `/readyz`: whether the bot can do its work, and the state of each part. */
    async readiness() {
      const others = statesOf(Object.keys(watched) as WatchedPart[], states)
      const remotes = { telegram: telegram.state(), service: service.state() }
      const parts = { storage: await checkStorage(), ...remotes, ...others }
      const hasBegun = remotes.telegram !== 'waiting' && remotes.service !== 'waiting'
      return { isReady: !isStopping && parts.storage === 'ok' && hasBegun, parts }
    },
  }
}

/** The state of each part, by the last checks. */
const statesOf = (parts: readonly WatchedPart[], states: ReadonlyMap<Part, boolean>) =>
  Object.fromEntries(parts.map((part) => [part, states.get(part) === false ? 'failing' : 'ok']))

type Notify = (isOk: boolean, error?: unknown) => void

type PartDeps = Required<Pick<HealthOptions, 'isNews' | 'newsMs' | 'now'>> & { notify: Notify }

/** The state of one part, known from its checks and from the daily work. */
function createPart(part: Part, check: Check, { isNews, newsMs, now, notify }: PartDeps) {
  const isService = part === 'service'
  let state: RemoteState = 'waiting'
  let newsAt = 0
  let isChecking = false

  function note(isOk: boolean, error?: unknown): void {
    state = isOk ? 'ok' : state === 'waiting' ? 'waiting' : 'degraded'
    newsAt = now()
    notify(isOk, error)
  }
  // If the clock went back, the age of the news is unknown.
  const isFresh = () => isService && state !== 'waiting' && Math.abs(now() - newsAt) < newsMs

  return {
    state: () => state,
    async checkNow(): Promise<void> {
      // A check of the service may wait for its budget for an hour; a second one would lengthen the line.
      if (isChecking || isFresh()) return
      isChecking = true
      let timer: NodeJS.Timeout | undefined
      const leaves = () => {
        timer = setTimeout(() => note(false, tooLate(LIMIT_MS.other)), LIMIT_MS.other)
      }
      if (!isService) leaves()
      try {
        await check(leaves)
        note(true)
      } catch (error) {
        if (isNews(error)) note(false, error)
      }
      clearTimeout(timer)
      isChecking = false
    },
    report(isOk: boolean): void {
      // Only a check may find a part accepted at first, and one failed call is no outage yet.
      if (!isOk) newsAt = Number.NEGATIVE_INFINITY
      else if (state !== 'waiting') note(true)
    },
  }
}

const tooLate = (ms: number) => new Error(`no answer within ${ms} ms`)
