import { callService } from '../dialog/call.ts'
import { opensNothing, sendText } from '../dialog/notify.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { HOUR_MS, MINUTE_MS } from '../domain/durations.ts'
import { isRoadmap, type RecordFile } from '../domain/record/record.ts'
import { VISITS_SHARE } from '../service/budget-rules.ts'
import { callCounters, unknownTokens } from '../storage/documents/kinds.ts'
import { placeInLineText } from '../views/failure.ts'

/** So many calls an hour an account causes by links, which anybody can make up; so often it has its results again. */
const PER_HOUR = 10
/** From so many waiting opens on it takes a while until a process takes the next one: people are told at once. */
const CROWD = 500

/**
 * Asks the service about what was opened, unless that is known to be nothing. What nobody has claimed is counted, and where
 * many wait the place in line is said, in a message that is kept true from there on.
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

/** Counts calls that an account causes; says when there were so many that it has to wait. */
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

/** The service does not know this token: it is not asked again for an hour, whoever opens it. */
export function noteUnknown(ctx: UpdateContext, file: RecordFile): void {
  ctx.work.put(unknownTokens, unknownKey(ctx, file), {})
}

/** What is no record may well be a roadmap. */
const unknownKey = ({ deps }: UpdateContext, file: RecordFile): string =>
  deps.vault.hash('unknown', `${isRoadmap(file) ? 'roadmap' : 'record'} ${file.token}`)
