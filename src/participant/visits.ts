import { sendText } from '../dialog/notify.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { HOUR_MS, MINUTE_MS } from '../domain/durations.ts'
import { isRoadmap, type RecordFile } from '../domain/record/record.ts'
import { VISITS_SHARE } from '../service/budget-rules.ts'
import { callCounters, unknownTokens } from '../storage/documents/kinds.ts'
import { placeInLineText } from '../views/failure.ts'

/** Anybody can make up links: an account causes so many calls an hour for what nobody has claimed. */
const PER_HOUR = 10
/** From so many waiting opens on it takes a while until a process takes the next one: people are told at once. */
const CROWD = 500

/**
 * Whether the service may be asked about what nobody has claimed; says why not. Where many wait it says the place in line,
 * in the message `told`, which is kept true from there on.
 */
export async function countVisit(
  ctx: UpdateContext,
  file: RecordFile,
): Promise<'unknown' | 'too many' | { told: number | undefined }> {
  const { work, deps, who, now } = ctx
  if (await work.get(unknownTokens, unknownKey(ctx, file))) {
    await sendText(ctx, 'invitation-unknown')
    return 'unknown'
  }
  const id = deps.vault.hash('visits', who)
  const at = ((await work.get(callCounters, id))?.at ?? []).filter((time) => time > now - HOUR_MS)
  const [oldest = now] = at.slice(-PER_HOUR)
  if (at.length >= PER_HOUR) {
    const minutes = Math.ceil((oldest + HOUR_MS - now) / MINUTE_MS)
    await ctx.send({ text: ctx.t('visits-many', { minutes }) })
    return 'too many'
  }
  work.put(callCounters, id, { at: [...at, now] })
  return { told: await notifyCrowd(ctx) }
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
