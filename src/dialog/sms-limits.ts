import { DAY_MS, HOUR_MS, TEHRAN_MS } from '../domain/durations.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { smsCounters } from '../storage/documents/kinds.ts'
import type { UpdateContext } from './update-context.ts'

/** What stands against another SMS: the cool-down, the limit of an hour, or that of a day in Tehran. */
type SmsWait = { reason: 'cooldown' | 'hour' | 'day'; seconds: number }

/** The SMS of a day that were caused by an account, went to a mobile, or were for a record. */
type Counter = { id: string; at: number[]; perHour: number; perDay: number }

/** So many go to one mobile, and for one record, on a day in Tehran. */
const PER_DAY = 10

/** Counts an SMS for the account, the mobile and the record, or says how long to wait. */
export async function countSms(
  ctx: UpdateContext,
  file: RecordFile,
  mobile: string,
): Promise<SmsWait | undefined> {
  const counters = await readCounters(ctx, file, mobile)
  const waits = counters.flatMap((counter) => waitOf(ctx, counter) ?? [])
  const [longest] = waits.sort((one, other) => other.seconds - one.seconds)
  if (longest) {
    ctx.work.note('sms-refused')
    return longest
  }
  for (const { id, at } of counters) ctx.work.put(smsCounters, id, { at: [...at, ctx.now] })
  return undefined
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

/** Takes back the latest count: the call failed before an SMS could go out. */
export async function uncountSms(ctx: UpdateContext, file: RecordFile, mobile: string): Promise<void> {
  for (const { id, at } of await readCounters(ctx, file, mobile)) {
    ctx.work.put(smsCounters, id, { at: at.slice(0, -1) })
  }
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
      const { at = [] } = (await work.get(smsCounters, limit.id)) ?? {}
      return { ...limit, at: at.filter((time) => time > now - DAY_MS) }
    }),
  )
}
