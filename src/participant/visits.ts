import { callService } from '../dialog/call.ts'
import { opensNothing, sendText } from '../dialog/send.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { HOUR_MS, MINUTE_MS } from '../domain/durations.ts'
import { kindOfFile, type RecordFile } from '../domain/record/record.ts'
import { VISITS_SHARE } from '../service/budget-rules.ts'
import { callCounters, unknownTokens } from '../storage/documents/kinds.ts'
import { placeInLineText } from '../views/failure.ts'

/** Hourly limit of an account for calls by links, which anyone can invent, and for repeated results. */
const PER_HOUR = 10
/** From this number of waiting opens on the next one takes a while: participants are told at once. */
const CROWD = 500

/**
 * Asks the service about an opened record, unless the service is known not to know it. Calls for unclaimed
 * records are counted; if many wait, a message shows the position in the queue and stays up to date.
 */
export async function requestOpen(
  ctx: UpdateContext,
  file: RecordFile,
): Promise<'asked' | 'unknown' | 'too many'> {
  const { s, token } = file
  const isVisit = !file.isBegun && !file.parent
  if (isVisit && (await ctx.work.get(unknownTokens, unknownKey(ctx, file)))) {
    await opensNothing(ctx, file)
    return 'unknown'
  }
  if (isVisit && !(await mayCall(ctx, 'visits'))) return 'too many'
  const kind = file.roadmap ? 'openRoadmap' : 'open'
  await callService(ctx, s, { kind, token }, {}, isVisit ? await notifyCrowd(ctx) : undefined)
  return 'asked'
}

/** Counts the calls that an account causes; if there were too many, says how long to wait. */
export async function mayCall(ctx: UpdateContext, about: 'visits' | 'results'): Promise<boolean> {
  const { work, deps, who, now } = ctx
  const id = deps.vault.hash(about, who)
  const at = ((await work.get(callCounters, id))?.at ?? []).filter((time) => time > now - HOUR_MS)
  const oldest = at[at.length - PER_HOUR]
  if (oldest === undefined) work.put(callCounters, id, { at: [...at, now] })
  else await sendText(ctx, `${about}-many`, { minutes: Math.ceil((oldest + HOUR_MS - now) / MINUTE_MS) })
  return oldest === undefined
}

async function notifyCrowd(ctx: UpdateContext): Promise<number | undefined> {
  const [visits] = await ctx.deps.store.backlog(['visit'])
  if (!visits || visits.waiting < CROWD) return undefined
  const place = visits.waiting + 1
  const etaMs = (place / (VISITS_SHARE * ctx.deps.config.ratePerMinute)) * MINUTE_MS
  return ctx.send({ text: placeInLineText(ctx.t, 'participant', { place, etaMs }) })
}

/** The service does not know this token: for an hour no opened link asks for it again. */
export function noteUnknown(ctx: UpdateContext, file: RecordFile): void {
  ctx.work.put(unknownTokens, unknownKey(ctx, file), {})
}

/** A token that is no record may well be a roadmap. */
const unknownKey = ({ deps }: UpdateContext, file: RecordFile): string =>
  deps.vault.hash('unknown', `${kindOfFile(file)} ${file.token}`)
