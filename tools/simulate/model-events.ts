import { createHmac } from 'node:crypto'
import { UNDER_WAY_MS } from './holders.ts'
import type { ModelDeps } from './promises.ts'
import { EVENTS_SECRET } from './settings.ts'
import type { Host } from './time.ts'

/** When the bot has tried to post an event, first by the clock, who did last, and when it has heard that it was taken. */
type Tried = {
  token: string
  body: string
  first: number
  times: number[]
  by: Host
  isTaken: boolean
  overAt?: number
}

/** What was not taken is posted again with growing pauses, each at most so often the one before, as clocks go; for so long. */
const GROWS = 5
const RETRIED_MS = 105_000
const POSTED_FOR_MS = 3 * 24 * 60 * 60_000
/** What waited behind another one, or on a replica that stood still, is posted within so long. */
const NEXT_MS = 90_000
const FIELDS = 'id,type,at,kind,token,external_id'

/** The model of how events are posted: signed, each until it was taken, those of a token in order, and none after /forget. */
export function createEventsModel({
  elapsed,
  now,
  hasForgotten,
  isForgotten,
  tell,
}: ModelDeps & {
  /** The clock, in which days pass. */
  now: () => number
  /** Whether somebody may have had forgotten whose it is. */
  isForgotten: (token: string) => boolean
}) {
  const tried = new Map<string, Tried>()
  /** Those that were given up, or may have been set aside. */
  const givenUp = new Set<string>()
  /** When it was kept that those of a token end. */
  const ended = new Map<string, number>()
  const ofToken = (token: string) => [...tried].filter(([, each]) => each.token === token)

  function lookAtWords(body: string, headers: Readonly<Record<string, string>>): void {
    const sign = (text: string) => `sha256=${createHmac('sha256', EVENTS_SECRET).update(text).digest('hex')}`
    const { 'x-porsa-signature': whole, 'x-porsa-sent': at, 'x-porsa-sent-signature': sent } = headers
    if (whole !== sign(body) || sent !== sign(`${at}.${body}`)) tell('strayed', 'an event is not signed')
    if (String(Object.keys(JSON.parse(body))) !== FIELDS) tell('strayed', 'an event says something else')
  }

  /** The next of a token comes once the one before was taken. */
  function lookAtOrder(token: string): void {
    const isWaiting = ([id, { first, times, overAt }]: [string, Tried]) =>
      overAt === undefined &&
      !givenUp.has(id) &&
      !hasForgotten((times[0] ?? first) - UNDER_WAY_MS, Number.POSITIVE_INFINITY)
    if (!isForgotten(token) && ofToken(token).some(isWaiting))
      tell('shifted', `an event of …${token.slice(-4)} came before the one before it was taken`)
  }

  return {
    /** An event leaves. */
    announces(body: string, headers: Readonly<Record<string, string>>, host: Host): void {
      const { id, type, token } = JSON.parse(body)
      const before = tried.get(id)
      lookAtWords(body, headers)
      if (!before) lookAtOrder(token)
      else if (before.body !== body) tell('shifted', 'an event was changed before it was posted again')
      const goneAt = ended.get(token)
      const isGone = goneAt !== undefined && elapsed() - Math.max(goneAt, host.frozenUntil) > UNDER_WAY_MS
      // What was forgotten before it was begun may be opened by somebody else.
      if (isGone && !hasForgotten(goneAt, goneAt) && (before || type !== 'opened'))
        tell('strayed', `an event says after /forget that …${token.slice(-4)} was ${type}`)
      const { times, ...known } = before ?? { token, body, first: now(), times: [], isTaken: false }
      tried.set(id, { ...known, times: [...times, elapsed()], by: host })
    },
    /** An event was posted. */
    taken(id: string): void {
      const known = tried.get(id)
      if (known) known.isTaken = true
    },
    /** The bot has heard so. */
    hearsTaken(body: string): void {
      const known = tried.get(JSON.parse(body).id)
      if (known) known.overAt ??= elapsed()
    },
    /**
     * The bot says that it posts some event no more: right of those that are so old, as where days pass while one is on its
     * way. A former version counts the time behind another one as well.
     */
    givesUp(hasFormer = false): void {
      const since = ({ first, body }: Tried) => (hasFormer ? Date.parse(JSON.parse(body).at) : first)
      for (const [id, each] of tried) if (now() - since(each) > POSTED_FOR_MS - RETRIED_MS) givenUp.add(id)
    },
    /** One was begun in vain so often that it was set aside; which of them only the bot knows. */
    setsAside(): void {
      for (const [id, { overAt }] of tried) if (overAt === undefined) givenUp.add(id)
    },
    /** Whose they are was forgotten, and that is kept. */
    ends: (token: string): void => void ended.set(token, elapsed()),
    /** Whether more of a token may still come, or never does. */
    isAwaited: (token: string): boolean =>
      ofToken(token).some(([id, { overAt = Infinity }]) => givenUp.has(id) || overAt > elapsed() - NEXT_MS),
    /** At the end: what was not taken at once was posted again. */
    judge(): void {
      for (const [id, { token, isTaken, times }] of tried) {
        const at = times.at(-1) ?? 0
        const isDue = elapsed() - at > RETRIED_MS + 1_000 * GROWS ** times.length
        if (!isDue || isTaken || isForgotten(token) || givenUp.has(id)) continue
        if (!hasForgotten(at - NEXT_MS, at)) tell('lost', 'an event was not posted again')
      }
    },
  }
}
