import { within } from './within.ts'

/** `waiting`: not accepted yet since the start. `degraded`: worked once and fails now. */
type RemoteState = 'waiting' | 'ok' | 'degraded'
/** What the bot works with besides its storage. */
type RemotePart = 'telegram' | 'service'
/** What has nobody to be asked for by a request: it is only looked at. */
type WatchedPart = 'webhook' | 'clock' | 'room' | 'backup'
export type Part = 'storage' | RemotePart | WatchedPart

/** Rejects when its part does not work. One that waits in line says when its call leaves: its time counts from there. */
export type Check = (leaves: () => void) => Promise<unknown>

type HealthOptions = {
  /** Storage answers, Telegram takes the token, the service the key. */
  checks: { storage: () => Promise<unknown> } & Record<RemotePart, Check>
  /** Whether an error shows that a part does not work, and not that nobody was asked. */
  isNews?: (error: unknown) => boolean
  /** For so long what was met of the service spares a look at it. */
  newsMs?: number
  /** Further parts; what is wrong with one ends no readiness. */
  watched?: Partial<Record<WatchedPart, Check>>
  now: () => number
  onChange?: ((part: Part, isOk: boolean, error?: unknown) => void) | undefined
}

export type Health = ReturnType<typeof createHealth>

const LOOK_EVERY_MS = 15_000
/** What was met so lately nobody needs to ask the service: that costs a call of its budget, all else nothing. */
export const NEWS_MS = LOOK_EVERY_MS / 2
const LIMIT_MS = { storage: 2_000, other: 10_000 }

/** Knows whether the bot can do its work. Only storage can end a readiness once reached: people go on answering. */
export function createHealth(options: HealthOptions) {
  const { checks, watched = {}, isNews = () => true, newsMs = NEWS_MS, now, onChange } = options
  const told = new Map<Part, boolean>()
  const notifyOf =
    (part: Part): Notify =>
    (isOk, error) => {
      if (told.get(part) === isOk) return
      told.set(part, isOk)
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

  /** Looks at every part that is due; `start` does this by itself. */
  const look = () =>
    Promise.all([
      // While it does not answer nobody knows how much room it has.
      checkStorage().then((state) => (state === 'ok' ? rooms?.look() : undefined)),
      telegram.look(),
      // Whoever answers says the time, too.
      service.look().then(() => clocks?.look()),
      ...others.map((one) => one.look()),
    ])

  return {
    look,
    /** What does not work now, as far as it was looked at. */
    failing: (): Part[] => [...told].flatMap(([part, isOk]) => (isOk ? [] : [part])),
    /** Looks at once, then every 15 s. */
    start() {
      void look()
      timer ??= setInterval(() => void look(), LOOK_EVERY_MS).unref()
    },
    /** From now on it is not ready: this process stops. */
    stop() {
      isStopping = true
      clearInterval(timer)
    },
    /** What the daily work shows of a remote part: a success spares the service the next look, a failure makes it due. */
    report: (part: RemotePart, isOk: boolean) => ({ telegram, service })[part].report(isOk),
    /** What `/readyz` answers: whether the bot can do its work, and how each part stands. */
    async readiness() {
      const others = standingOf(Object.keys(watched) as WatchedPart[], told)
      const remotes = { telegram: telegram.state(), service: service.state() }
      const parts = { storage: await checkStorage(), ...remotes, ...others }
      const hasBegun = remotes.telegram !== 'waiting' && remotes.service !== 'waiting'
      return { isReady: !isStopping && parts.storage === 'ok' && hasBegun, parts }
    },
  }
}

/** How each stands, as far as it was looked at. */
const standingOf = (parts: readonly WatchedPart[], told: ReadonlyMap<Part, boolean>) =>
  Object.fromEntries(parts.map((part) => [part, told.get(part) === false ? 'failing' : 'ok']))

type Notify = (isOk: boolean, error?: unknown) => void

type PartDeps = Required<Pick<HealthOptions, 'isNews' | 'newsMs' | 'now'>> & { notify: Notify }

/** What is known of one part, by looks at it and by the news of the daily work. */
function createPart(part: Part, check: Check, { isNews, newsMs, now, notify }: PartDeps) {
  const isService = part === 'service'
  let state: RemoteState = 'waiting'
  let newsAt = 0
  let isLookedAt = false

  function note(isOk: boolean, error?: unknown): void {
    state = isOk ? 'ok' : state === 'waiting' ? 'waiting' : 'degraded'
    newsAt = now()
    notify(isOk, error)
  }
  // A clock that went back knows nothing of how old the news is.
  const isFresh = () => isService && state !== 'waiting' && Math.abs(now() - newsAt) < newsMs

  return {
    state: () => state,
    async look(): Promise<void> {
      // A look at the service may stand in line for its budget for an hour: a second one would only lengthen the line.
      if (isLookedAt || isFresh()) return
      isLookedAt = true
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
      isLookedAt = false
    },
    report(isOk: boolean): void {
      // Acceptance is for a look to find out, and one failed call is no outage yet.
      if (!isOk) newsAt = Number.NEGATIVE_INFINITY
      else if (state !== 'waiting') note(true)
    },
  }
}

const tooLate = (ms: number) => new Error(`no answer within ${ms} ms`)
