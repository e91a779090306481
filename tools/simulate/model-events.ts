import { createHmac } from 'node:crypto'
import { UNDER_WAY_MS } from './holders.ts'
import type { ModelDeps } from './promises.ts'
import { EVENTS_SECRET } from './settings.ts'
import type { Host } from './time.ts'

/** The tries to post an event: the first by the calendar, the replica of the last one, and when the bot heard of success. */
type Tried = {
  token: string
  body: string
  first: number
  times: number[]
  by: Host
  isTaken: boolean
  overAt?: number
}

/** An event is retried for `POSTED_FOR_MS`. Each pause is at most `GROWS` times the one before, as clocks differ. */
const GROWS = 5
const RETRIED_MS = 105_000
const POSTED_FOR_MS = 3 * 24 * 60 * 60_000
/** An event that waited behind another one, or on a frozen replica, is posted within this time. */
const NEXT_MS = 90_000
const FIELDS = 'id,type,at,kind,token,external_id'

/** The model of events: signed, retried until accepted, in order for each token, and none after /forget. */
export function createEventsModel({
  elapsed,
  now,
  hasForgotten,
  isForgotten,
  report,
}: ModelDeps & {
  /** The calendar, which can skip days. */
  now: () => number
  /** Whether the owner of the token may have used /forget. */
  isForgotten: (token: string) => boolean
}) {
  const tried = new Map<string, Tried>()
  /** Events that were given up, or may have been set aside. */
  const givenUp = new Set<string>()
  /** When the end of a token's events was committed. */
  const ended = new Map<string, number>()
  const ofToken = (token: string) => [...tried].filter(([, each]) => each.token === token)

  function checkWords(body: string, headers: Readonly<Record<string, string>>): void {
    const sign = (text: string) => `sha256=${createHmac('sha256', EVENTS_SECRET).update(text).digest('hex')}`
    const { 'x-porsa-signature': whole, 'x-porsa-sent': at, 'x-porsa-sent-signature': sent } = headers
    if (whole !== sign(body) || sent !== sign(`${at}.${body}`)) report('strayed', 'an event is not signed')
    if (String(Object.keys(JSON.parse(body))) !== FIELDS) report('strayed', 'an event says something else')
  }

  /** The next event of a token has to wait until the previous one was accepted. */
  function checkOrder(token: string): void {
    const isWaiting = ([id, { first, times, overAt }]: [string, Tried]) =>
      overAt === undefined &&
      !givenUp.has(id) &&
      !hasForgotten((times[0] ?? first) - UNDER_WAY_MS, Number.POSITIVE_INFINITY)
    if (!isForgotten(token) && ofToken(token).some(isWaiting))
      report('shifted', `an event of …${token.slice(-4)} came before the one before it was taken`)
  }

  return {
    /** The bot posts an event. */
    announces(body: string, headers: Readonly<Record<string, string>>, host: Host): void {
      const { id, type, token } = JSON.parse(body)
      const before = tried.get(id)
      checkWords(body, headers)
      if (!before) checkOrder(token)
      else if (before.body !== body) report('shifted', 'an event was changed before it was posted again')
      const goneAt = ended.get(token)
      const isGone = goneAt !== undefined && elapsed() - Math.max(goneAt, host.frozenUntil) > UNDER_WAY_MS
      // A test that was forgotten before it was begun may be opened by another account.
      if (isGone && !hasForgotten(goneAt, goneAt) && (before || type !== 'opened'))
        report('strayed', `an event says after /forget that …${token.slice(-4)} was ${type}`)
      const { times, ...known } = before ?? { token, body, first: now(), times: [], isTaken: false }
      tried.set(id, { ...known, times: [...times, elapsed()], by: host })
    },
    /** The organizer's software has accepted an event. */
    taken(id: string): void {
      const known = tried.get(id)
      if (known) known.isTaken = true
    },
    /** The bot has received the reply that an event was accepted. */
    hearsTaken(body: string): void {
      const known = tried.get(JSON.parse(body).id)
      if (known) known.overAt ??= elapsed()
    },
    /** The bot logs that it gives up an event. That is right for events that are old enough, such as after skipped days. */
    givesUp(): void {
      for (const [id, { first }] of tried) if (now() - first > POSTED_FOR_MS - RETRIED_MS) givenUp.add(id)
    },
    /** An event was set aside after too many failed claims; only the bot knows which. */
    setsAside(): void {
      for (const [id, { overAt }] of tried) if (overAt === undefined) givenUp.add(id)
    },
    /** The commit of the owner's /forget is stored. */
    ends: (token: string): void => void ended.set(token, elapsed()),
    /** Whether a missing event of a token may still come, or was given up. */
    isAwaited: (token: string): boolean =>
      ofToken(token).some(([id, { overAt = Infinity }]) => givenUp.has(id) || overAt > elapsed() - NEXT_MS),
    /** At the end: checks that each event that was not accepted was posted again. */
    judge(): void {
      for (const [id, { token, isTaken, times }] of tried) {
        const at = times.at(-1) ?? 0
        const isDue = elapsed() - at > RETRIED_MS + 1_000 * GROWS ** times.length
        if (!isDue || isTaken || isForgotten(token) || givenUp.has(id)) continue
        if (!hasForgotten(at - NEXT_MS, at)) report('lost', 'an event was not posted again')
      }
    },
  }
}
