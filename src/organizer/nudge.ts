import type { Composer } from 'grammy'
import { membersHere } from '../dialog/access.ts'
import { onBehalfOf } from '../dialog/call.ts'
import { isReleased, parentOf } from '../dialog/files.ts'
import { type IncomingContext, onButton } from '../dialog/incoming.ts'
import { noteAct } from '../dialog/organizer.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import type { RecordFile } from '../domain/record/record.ts'
import type { Member } from '../domain/roadmap.ts'
import { afterQuietHours } from '../domain/watch.ts'
import { isTurnOf } from '../jobs/turn.ts'
import { timerIds, watchJobs } from '../jobs/watch-jobs.ts'
import { accounts, fileOfToken, nudges } from '../storage/documents/kinds.ts'
import { buttons } from '../views/buttons.ts'
import { dayTimeText, lines, timeText } from '../views/view.ts'

/** Reminds the participants of a record or roadmap now, for an organizer. */
export function nudging(composer: Composer<IncomingContext>): void {
  onButton(composer, buttons.nudge, ({ ctx }, _, { token }) => nudge(ctx, token))
}

async function nudge(ctx: UpdateContext, token: string): Promise<void> {
  const known = await fileOfToken(ctx.work, token)
  const file = known && ((await parentOf(ctx, known)) ?? known)
  const outcome: Nudged = file ? await nudgeFile(ctx, file) : { is: 'nobody' }
  const without = 'without' in outcome ? outcome.without : []
  const others = [...without].map((why) => ctx.t(`nudge-without.${why}`))
  await ctx.send({ text: lines(nudgedText(ctx, outcome), others) })
}

function nudgedText({ t, now }: UpdateContext, outcome: Nudged): string {
  if (!('at' in outcome)) return t(`nudge-${outcome.is}`)
  const { at } = outcome
  return at > now
    ? t('nudge-later', { time: timeText(t, at) })
    : t('nudge-already', { time: dayTimeText(t, at) })
}

/** Why a person who has something to do may not be reminded. */
type WhyNot = 'off' | 'blocked'
type Nudged =
  | { is: 'already'; at: number }
  | { is: 'later'; at: number; without: ReadonlySet<WhyNot> }
  | { is: 'sent'; without: ReadonlySet<WhyNot> }
  | { is: 'nobody' | 'released' | 'nothing' | WhyNot }

/** Reminds the people who have something to do in it, once in a while. */
export async function nudgeFile(
  ctx: UpdateContext,
  file: RecordFile,
  by: 'organizer' | 'participant' = 'organizer',
): Promise<Nudged> {
  const { work, now } = ctx
  const { s, token } = file
  const before = await work.get(nudges, s)
  if (before) return { is: 'already', at: before.at }
  const members = await membersHere(ctx, file)
  if (members.length === 0) return { is: (await isReleased(ctx, file)) ? 'released' : 'nobody' }
  const others = by === 'organizer' ? members : members.filter(({ who }) => who !== ctx.who)
  const { reminded, without } = await remindable(ctx, file, others)
  if (reminded.length === 0) return { is: [...without][0] ?? 'nothing' }
  const dueAt = afterQuietHours(ctx.deps.config.quietHours, now)
  for (const member of reminded) {
    const job = { s, onBehalf: await onBehalfOf(ctx, member), event: { kind: 'remind' } } as const
    watchJobs.timer.post(work, timerIds.nudge(s, member.who), job, { dueAt, replace: true })
  }
  work.put(nudges, s, { at: dueAt })
  if (by === 'organizer') await noteAct(ctx, 'nudge', token)
  return dueAt > now ? { is: 'later', at: dueAt, without } : { is: 'sent', without }
}

/** Reminds until `most` are reminded. `left`: those who may not be reminded; `rest`: those not tried. */
export async function remindEach<T>(all: readonly T[], most: number, remind: (one: T) => Promise<boolean>) {
  const done = { count: 0, left: 0 }
  for (const one of all) {
    if (done.count === most) break
    done[(await remind(one)) ? 'count' : 'left'] += 1
  }
  return { ...done, rest: all.length - done.count - done.left }
}

/** The people who have something to do in it and may be reminded, and why others may not. */
async function remindable(ctx: UpdateContext, file: RecordFile, members: readonly Member[]) {
  const reminded: Member[] = []
  const without = new Set<WhyNot>()
  for (const member of members) {
    const isTurn = await isTurnOf(ctx.work, file, member.who)
    const account = isTurn && (await ctx.work.get(accounts, member.who))
    if (!account) continue
    if (account.noReminders) without.add('off')
    else if (account.blocked) without.add('blocked')
    else reminded.push(member)
  }
  return { reminded, without }
}

/** Whether any member has something to do in it. */
export async function isNudgeable(ctx: UpdateContext, file: RecordFile): Promise<boolean> {
  for (const { who } of await membersHere(ctx, file)) if (await isTurnOf(ctx.work, file, who)) return true
  return false
}
