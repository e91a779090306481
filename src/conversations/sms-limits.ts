import type { Turn } from '../chat/turn.ts'
import { HOUR_MS } from '../domain/durations.ts'
import { smsCounters } from '../kept/documents.ts'

/** What stands against another SMS: the cool-down, or the hour's limit of this account or this mobile. */
type SmsWait = { reason: 'cooldown' | 'hour'; seconds: number }

/** Counts an SMS for the account and the mobile, or says how long to wait. */
export async function countSms(turn: Turn, mobile: string): Promise<SmsWait | undefined> {
  const { config } = turn.deps
  const counters = await readCounters(turn, mobile)
  const waits = counters.flatMap(({ at }): SmsWait[] => {
    const latest = at.at(-1)
    const cooldown = latest === undefined ? 0 : latest + config.smsCooldownSeconds * 1_000 - turn.now
    if (cooldown > 0) return [{ reason: 'cooldown', seconds: Math.ceil(cooldown / 1_000) }]
    const oldest = at[at.length - config.smsPerHour]
    return oldest === undefined
      ? []
      : [{ reason: 'hour', seconds: Math.ceil((oldest + HOUR_MS - turn.now) / 1_000) }]
  })
  const [longest] = waits.sort((one, other) => other.seconds - one.seconds)
  if (longest) {
    turn.work.note('sms-refused')
    return longest
  }
  for (const { id, at } of counters) turn.work.put(smsCounters, id, { at: [...at, turn.now] })
  return undefined
}

/** Takes back the latest count: the call failed before an SMS could go out. */
export async function uncountSms(turn: Turn, mobile: string): Promise<void> {
  for (const { id, at } of await readCounters(turn, mobile)) {
    turn.work.put(smsCounters, id, { at: at.slice(0, -1) })
  }
}

async function readCounters(turn: Turn, mobile: string): Promise<{ id: string; at: number[] }[]> {
  const ids = [turn.who, turn.deps.vault.hash('mobile', mobile)]
  return Promise.all(
    ids.map(async (id) => {
      const at = (await turn.work.get(smsCounters, id))?.at ?? []
      return { id, at: at.filter((time) => time > turn.now - HOUR_MS) }
    }),
  )
}
