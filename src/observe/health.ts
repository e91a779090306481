/** `waiting`: not accepted yet since the start. `degraded`: worked once and fails now. */
type RemoteState = 'waiting' | 'ok' | 'degraded'
/** What the bot works with besides its storage. */
type RemotePart = 'telegram' | 'service'

/** What `/readyz` answers: whether the bot can do its work, and how each part stands. */
type Readiness = {
  isReady: boolean
  parts: { storage: 'ok' | 'failing'; telegram: RemoteState; service: RemoteState }
}

type HealthOptions = {
  /** Each rejects when its part does not work: storage answers, Telegram takes the token, the service the key. */
  checks: Record<'storage' | RemotePart, () => Promise<unknown>>
  now: () => number
  onChange?: ((part: 'storage' | RemotePart, isOk: boolean, error?: unknown) => void) | undefined
}

export type Health = {
  /** Looks at once, then every 15 s at what is not in order. */
  start(): void
  stop(): void
  /** From now on it is not ready: this process stops. */
  leave(): void
  /** What the daily work shows of a remote part: a success spares the next look, a failure makes it due. */
  report(part: RemotePart, isOk: boolean): void
  readiness(): Promise<Readiness>
  /** Looks at every remote part that is due; `start` does this by itself. */
  look(): Promise<void>
}

const LOOK_EVERY_MS = 15_000
const LIMIT_MS = { storage: 2_000, telegram: 10_000, service: 20_000 }
/** Without news for so long, a part that worked is looked at again. A look at the service costs a call of its budget. */
const STALE_MS = { telegram: 60_000, service: 300_000 }

/** Knows whether the bot can do its work. Only storage can end a readiness once reached: people go on answering. */
export function createHealth({ checks, now, onChange }: HealthOptions): Health {
  const told = new Map<string, boolean>()
  const notifyOf =
    (part: 'storage' | RemotePart): Tell =>
    (isOk, error) => {
      if (told.get(part) === isOk) return
      told.set(part, isOk)
      onChange?.(part, isOk, error)
    }
  const remoteOf = (part: RemotePart) => createRemote(part, checks[part], now, notifyOf(part))
  const remotes = { telegram: remoteOf('telegram'), service: remoteOf('service') }
  const notifyStorage = notifyOf('storage')
  let timer: NodeJS.Timeout | undefined
  let isLeaving = false

  const checkStorage = () =>
    within(LIMIT_MS.storage, checks.storage()).then(
      () => {
        notifyStorage(true)
        return 'ok' as const
      },
      (error) => {
        notifyStorage(false, error)
        return 'failing' as const
      },
    )

  const look = async () => {
    await Promise.all([remotes.telegram.look(), remotes.service.look()])
  }

  return {
    look,
    start() {
      void look()
      timer ??= setInterval(() => void look(), LOOK_EVERY_MS).unref()
    },
    stop() {
      clearInterval(timer)
      timer = undefined
    },
    leave() {
      isLeaving = true
    },
    report: (part, isOk) => remotes[part].report(isOk),
    async readiness() {
      const [telegram, service] = [remotes.telegram.state(), remotes.service.state()]
      const parts = { storage: await checkStorage(), telegram, service }
      const hasBegun = telegram !== 'waiting' && service !== 'waiting'
      return { isReady: !isLeaving && parts.storage === 'ok' && hasBegun, parts }
    },
  }
}

type Tell = (isOk: boolean, error?: unknown) => void

/** What is known of one remote part, by looks at it and by the news of the daily work. */
function createRemote(part: RemotePart, check: () => Promise<unknown>, now: () => number, tell: Tell) {
  let state: RemoteState = 'waiting'
  let newsAt = 0
  let isLookedAt = false

  function note(isOk: boolean, error?: unknown): void {
    state = isOk ? 'ok' : state === 'waiting' ? 'waiting' : 'degraded'
    newsAt = now()
    tell(isOk, error)
  }
  const fails = (error: unknown) => note(false, error)

  return {
    state: () => state,
    async look(): Promise<void> {
      // A look at the service may stand in line for its budget for an hour: a second one would only lengthen the line.
      if (isLookedAt || (state === 'ok' && now() - newsAt < STALE_MS[part])) return
      isLookedAt = true
      // An outcome is news even after the limit.
      const outcome = check()
        .then(() => note(true), fails)
        .finally(() => {
          isLookedAt = false
        })
      await within(LIMIT_MS[part], outcome).catch(fails)
    },
    report(isOk: boolean): void {
      // Acceptance is for a look to find out, and one failed call is no outage yet.
      if (!isOk) newsAt = Number.NEGATIVE_INFINITY
      else if (state !== 'waiting') note(true)
    },
  }
}

async function within(ms: number, done: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  })
  await Promise.race([done, limit]).finally(() => clearTimeout(timer))
}
