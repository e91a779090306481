import { DAY_MS, HOUR_MS, TEHRAN_MS } from '../domain/durations.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { CLOCK_WRONG_MS } from '../observe/clock.ts'
import { callCounters } from '../storage/documents/kinds.ts'
import type { SmsWait } from '../views/code.ts'
import type { UpdateContext } from './update-context.ts'

/** The SMS of a day that an account caused, or that went to a mobile or for a record, with the limits. */
type Counter = { id: string; at: number[]; perHour: number; perDay: number }

/** The most SMS to one mobile, and for one record, on a day in Tehran. */
const PER_DAY = 10

/** A code of this age can no longer be verified (spec, Limits: drafts). */
const CODE_MS = 5 * 60_000
const COUNTED_MS = HOUR_MS + CODE_MS
/**
 * How many codes an hour may stay unverified, beside as many as were verified: 3,000 honest participants
 * never reach it; someone who has codes sent to strangers soon does.
 */
const UNVERIFIED = 100
/** The codes of the whole bot are counted in several counters, so that chats do not wait for each other. */
const BOT_COUNTERS = Array.from({ length: 8 }, (_, place) => `bot:${place}`)

/** Counts an SMS for the account, the mobile and the record, or returns how long to wait. */
export async function countSms(
  ctx: UpdateContext,
  file: RecordFile,
  mobile: string,
): Promise<SmsWait | undefined> {
  const counters = await readCounters(ctx, file, mobile)
  const waits = counters.flatMap((counter) => waitOf(ctx, counter) ?? [])
  const [longest = await waitOfBot(ctx)] = waits.sort((one, other) => other.seconds - one.seconds)
  if (longest) {
    ctx.work.note('sms-refused')
    return longest
  }
  for (const { id, at } of counters) ctx.work.put(callCounters, id, { at: [...at, ctx.now] })
  await changeBotCounter(ctx, (counted) => ({ ...counted, at: [...counted.at, ctx.now] }))
  return undefined
}

/** A code was verified: this one and the earlier ones of the record no longer count as unverified. */
export const countVerified = (ctx: UpdateContext, { codes }: RecordFile): Promise<void> =>
  changeBotCounter(ctx, ({ at, verified }) => ({
    at: at.slice(0, -(codes?.sent ?? 1)),
    verified: [...verified, ctx.now],
  }))

/** How long to wait until fewer codes of the last hour are unverified. */
async function waitOfBot(ctx: UpdateContext): Promise<SmsWait | undefined> {
  const counters = await Promise.all(BOT_COUNTERS.map((id) => readBotCounter(ctx, id)))
  const unverified = counters
    .flatMap(({ at }) => at)
    .filter((time) => time <= ctx.now - CODE_MS)
    .sort((one, other) => one - other)
  const free = UNVERIFIED + counters.reduce((sum, { verified }) => sum + verified.length, 0)
  const leaving = unverified[unverified.length - free]
  return leaving === undefined
    ? undefined
    : { reason: 'bot', seconds: Math.ceil((leaving + COUNTED_MS - ctx.now) / 1_000) }
}

async function readBotCounter({ work, now }: UpdateContext, id: string) {
  const { at = [], verified = [] } = (await work.get(callCounters, id)) ?? {}
  const isCounted = (time: number) => time > now - COUNTED_MS
  return { at: at.filter(isCounted), verified: verified.filter(isCounted) }
}

type BotCounter = Awaited<ReturnType<typeof readBotCounter>>

/** Changes the counter that this account uses. */
async function changeBotCounter(ctx: UpdateContext, change: (counted: BotCounter) => BotCounter) {
  const id = BOT_COUNTERS[ctx.who.charCodeAt(0) % BOT_COUNTERS.length] ?? ''
  ctx.work.put(callCounters, id, change(await readBotCounter(ctx, id)))
}

function waitOf({ now, deps }: UpdateContext, { at, perHour, perDay }: Counter): SmsWait | undefined {
  const left = (until: number | undefined) => Math.ceil(((until ?? now) - now) / 1_000)
  const after = (time: number | undefined, ms: number) => left(time === undefined ? undefined : time + ms)
  const midnight = now - ((now + TEHRAN_MS) % DAY_MS)
  const cooldown = after(at.at(-1), deps.config.smsCooldownSeconds * 1_000)
  if (cooldown > 0) return { reason: 'cooldown', seconds: cooldown }
  if (at.filter((time) => time >= midnight).length >= perDay)
    return { reason: 'day', seconds: left(midnight + DAY_MS) }
  const hour = after(at[at.length - perHour], HOUR_MS)
  return hour > 0 ? { reason: 'hour', seconds: hour } : undefined
}

/** Takes back the latest count, because the call failed before an SMS could be sent. */
export async function uncountSms(ctx: UpdateContext, file: RecordFile, mobile: string): Promise<void> {
  for (const { id, at } of await readCounters(ctx, file, mobile)) {
    ctx.work.put(callCounters, id, { at: at.slice(0, -1) })
  }
  await changeBotCounter(ctx, (counted) => ({ ...counted, at: counted.at.slice(0, -1) }))
}

async function readCounters({ work, who, now, deps }: UpdateContext, { token }: RecordFile, mobile: string) {
  const { smsPerHour: perHour } = deps.config
  const limits = [
    { id: who, perHour, perDay: Infinity },
    { id: deps.vault.hash('mobile', mobile), perHour, perDay: PER_DAY },
    { id: deps.vault.hash('token', token), perHour: Infinity, perDay: PER_DAY },
  ]
  return Promise.all(
    limits.map(async (limit): Promise<Counter> => {
      const { at = [] } = (await work.get(callCounters, limit.id)) ?? {}
      return { ...limit, at: at.filter((time) => time > now - DAY_MS && time <= now + CLOCK_WRONG_MS) }
    }),
  )
}
