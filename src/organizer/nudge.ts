import type { Composer } from 'grammy'
import { membersHere, ownerOf } from '../dialog/access.ts'
import { onBehalfOf } from '../dialog/call.ts'
import { knownFile, parentOf } from '../dialog/files.ts'
import { type IncomingContext, onButton } from '../dialog/incoming.ts'
import { sendText } from '../dialog/notify.ts'
import { noteAct } from '../dialog/organizer.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import type { RecordFile } from '../domain/record/record.ts'
import type { Member } from '../domain/roadmap.ts'
import { afterQuietHours, isTheirTurn } from '../domain/watch.ts'
import { timerIds, watchJobs } from '../jobs/watch-jobs.ts'
import { accounts, nudges } from '../storage/documents/kinds.ts'
import { buttons } from '../views/buttons.ts'
import { dayTimeText, timeText } from '../views/view.ts'

/** Reminds the participants of a record or roadmap now, for an organizer. */
export function nudging(composer: Composer<IncomingContext>): void {
  onButton(composer, buttons.nudge, ({ ctx }, _, { token }) => nudge(ctx, token))
}

async function nudge(ctx: UpdateContext, token: string): Promise<void> {
  const { t } = ctx
  const known = await knownFile(ctx, token)
  const file = known && ((await parentOf(ctx, known)) ?? known)
  const became = file ? await nudgeFile(ctx, file) : ({ is: 'nobody' } as const)
  if (!('at' in became)) return sendText(ctx, `nudge-${became.is}`)
  const { at } = became
  if (at > ctx.now) return sendText(ctx, 'nudge-later', { time: timeText(t, at) })
  await sendText(ctx, 'nudge-already', { time: dayTimeText(t, at) })
}

type Nudged =
  | { is: 'already' | 'later'; at: number }
  | { is: 'sent' | 'nobody' | 'nothing' | 'off' | 'blocked' }

/** Has those reminded who have something to do in it, once in a while. */
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
  if (members.length === 0) return { is: 'nobody' }
  const others = by === 'organizer' ? members : members.filter(({ who }) => who !== ctx.who)
  const wanted = await wantedOf(ctx, file, others)
  if (wanted.reminded.length === 0) return { is: wanted.whyNot }
  const dueAt = afterQuietHours(ctx.deps.config.quietHours, now)
  for (const member of wanted.reminded) {
    const job = { s, onBehalf: await onBehalfOf(ctx, member), event: { kind: 'remind' } } as const
    watchJobs.timer.post(work, timerIds.nudge(s, member.who), job, { dueAt, replace: true })
  }
  work.put(nudges, s, { at: dueAt })
  if (by === 'organizer') await noteAct(ctx, 'nudge', token)
  return dueAt > now ? { is: 'later', at: dueAt } : { is: 'sent' }
}

/** Reminds until so many are; those who are not to be reminded do not count. `left`: those; `rest`: who was not looked at. */
export async function remindEach<T>(all: readonly T[], most: number, remind: (one: T) => Promise<boolean>) {
  const done = { count: 0, left: 0 }
  for (const one of all) {
    if (done.count === most) break
    done[(await remind(one)) ? 'count' : 'left'] += 1
  }
  return { ...done, rest: all.length - done.count - done.left }
}

/** Who has something to do in it and may be reminded; where there is nobody, why. */
async function wantedOf(ctx: UpdateContext, file: RecordFile, members: readonly Member[]) {
  const owner = await ownerOf(ctx, file)
  const reminded: Member[] = []
  let whyNot: 'nothing' | 'off' | 'blocked' = 'nothing'
  for (const member of members) {
    const account = isTheirTurn(file, member.who, owner) && (await ctx.work.get(accounts, member.who))
    if (!account) continue
    if (account.noReminders) whyNot = 'off'
    else if (account.blocked) whyNot = 'blocked'
    else reminded.push(member)
  }
  return { reminded, whyNot }
}

/** Whether somebody has something to do in it. */
export async function isNudgeable(ctx: UpdateContext, file: RecordFile): Promise<boolean> {
  const owner = await ownerOf(ctx, file)
  return (await membersHere(ctx, file)).some(({ who }) => isTheirTurn(file, who, owner))
}
