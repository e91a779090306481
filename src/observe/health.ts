/** `waiting`: not accepted yet since the start. `degraded`: worked once and fails now. */
export type RemoteState = 'waiting' | 'ok' | 'degraded'
/** What the bot works with besides its storage. */
export type RemotePart = 'telegram' | 'service'

/** What `/readyz` answers: whether the bot can do its work, and how each part stands. */
export type Readiness = {
  isReady: boolean
  parts: { storage: 'ok' | 'failing'; telegram: RemoteState; service: RemoteState }
}

export type HealthOptions = {
  /** Each rejects when its part does not work: storage answers, Telegram takes the token, the service the key. */
  checks: {
    storage: () => Promise<unknown>
    telegram: () => Promise<unknown>
    service: () => Promise<unknown>
  }
  now: () => number
  onChange?: ((part: 'storage' | RemotePart, isOk: boolean, error?: unknown) => void) | undefined
}

export type Health = {
  /** Looks at once, then every 15 s at what is not in order. */
  start(): void
  stop(): void
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
  const remotes = {
    telegram: { state: 'waiting' as RemoteState, newsAt: 0, isLookedAt: false },
    service: { state: 'waiting' as RemoteState, newsAt: 0, isLookedAt: false },
  }
  const told = new Map<string, boolean>()
  let timer: NodeJS.Timeout | undefined

  function tell(part: 'storage' | RemotePart, isOk: boolean, error?: unknown): void {
    if (told.get(part) === isOk) return
    told.set(part, isOk)
    onChange?.(part, isOk, error)
  }

  function note(part: RemotePart, isOk: boolean, error?: unknown): void {
    const remote = remotes[part]
    remote.state = isOk ? 'ok' : remote.state === 'waiting' ? 'waiting' : 'degraded'
    remote.newsAt = now()
    tell(part, isOk, error)
  }

  async function lookAt(part: RemotePart): Promise<void> {
    const remote = remotes[part]
    // A look at the service may stand in line for its budget for an hour: a second one would only lengthen the line.
    if (remote.isLookedAt) return
    if (remote.state === 'ok' && now() - remote.newsAt < STALE_MS[part]) return
    remote.isLookedAt = true
    const fails = (error: unknown) => note(part, false, error)
    // An outcome is news even after the limit.
    const outcome = async () => {
      try {
        await checks[part]()
        note(part, true)
      } catch (error) {
        fails(error)
      } finally {
        remote.isLookedAt = false
      }
    }
    await within(LIMIT_MS[part], outcome).catch(fails)
  }

  async function lookAtStorage(): Promise<'ok' | 'failing'> {
    try {
      await within(LIMIT_MS.storage, checks.storage)
      tell('storage', true)
      return 'ok'
    } catch (error) {
      tell('storage', false, error)
      return 'failing'
    }
  }

  const look = async () => {
    await Promise.all([lookAt('telegram'), lookAt('service')])
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
    report(part, isOk) {
      // Acceptance is for a look to find out, and one failed call is no outage yet.
      if (!isOk) remotes[part].newsAt = Number.NEGATIVE_INFINITY
      else if (remotes[part].state !== 'waiting') note(part, true)
    },
    async readiness() {
      const [telegram, service] = [remotes.telegram.state, remotes.service.state]
      const parts = { storage: await lookAtStorage(), telegram, service }
      return { isReady: parts.storage === 'ok' && telegram !== 'waiting' && service !== 'waiting', parts }
    },
  }
}

async function within(ms: number, check: () => Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  })
  try {
    await Promise.race([check(), limit])
  } finally {
    clearTimeout(timer)
  }
}
