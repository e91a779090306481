import type { Composer } from 'grammy'
import { acceptedAssignments, isMine } from '../dialog/access.ts'
import { forgetQuestions } from '../dialog/ask.ts'
import { endAttempt, readAttempt } from '../dialog/attempt.ts'
import { onBehalf } from '../dialog/call.ts'
import { allFiles, assign, endTalk, hereAgain, parentOf, removeFile } from '../dialog/files.ts'
import { endGuardianLinks } from '../dialog/guardian.ts'
import { type IncomingContext, isOnAsked, onButton } from '../dialog/incoming.ts'
import { notifyOrganizers } from '../dialog/notify-organizers.ts'
import { endUnregistered } from '../dialog/role-details.ts'
import { sendText } from '../dialog/send.ts'
import { withdrawTyped } from '../dialog/typed-messages.ts'
import { leaveAsked, silently, type UpdateContext } from '../dialog/update-context.ts'
import { accountOf, left } from '../domain/assignee.ts'
import { parseSaying, saysSame } from '../domain/persian/saying.ts'
import { titleOf } from '../domain/record/names.ts'
import { accountsOf, hasProfile, isIn, type RecordFile } from '../domain/record/record.ts'
import { allFinished, everyRecord, isGiven, rolesHeldBy } from '../domain/roadmap.ts'
import { postAct } from '../jobs/acts.ts'
import { endAnnouncements } from '../jobs/announce.ts'
import { postNotice } from '../jobs/notices.ts'
import { endWatches, endWatchesOver } from '../jobs/watch-jobs.ts'
import { actorKind } from '../queue/actors.ts'
import { epochOf } from '../queue/job.ts'
import { ownerOf } from '../storage/documents/attempts.ts'
import {
  accountKey,
  accounts,
  blockedDeliveries,
  deadLetters,
  epochs,
  type OnBehalf,
  onBehalfSchema,
  recordFiles,
} from '../storage/documents/kinds.ts'
import { noticeBoxes } from '../storage/documents/notices.ts'
import type { Translate } from '../texts/texts.ts'
import { buttons } from '../views/buttons.ts'
import { forgetView, type Kept } from '../views/privacy.ts'
import { button } from '../views/view.ts'
import { endAssignments, giveBack, leave } from './assign-role.ts'
import { notifyOthers } from './board.ts'
import { giveRecord } from './roadmap-records.ts'

/** `/forget`: shows what is stored and deletes it. Only the organizer can delete what the service keeps. */
export function forget(composer: Composer<IncomingContext>): void {
  composer.command('forget', ({ ctx }) => askToForget(ctx))
  onButton(composer, buttons.forget, async (incoming, _, answer) => {
    const { ctx } = incoming
    const { asked, asksForget } = ctx.account
    const isAsksForget = incoming.callbackQuery.message?.message_id === asksForget
    // A message during the press has changed what is stored, and ended this question.
    if (answer === 'yes' && asked === undefined && isAsksForget) return askToForget(ctx)
    if (asked === undefined || asked !== asksForget || !isOnAsked(incoming)) {
      await incoming.toast(ctx.t.plain('button-old'))
      return
    }
    await answered(ctx, answer)
  })
}

/** Takes a no, or a typed button label; a mere yes is not enough to delete everything. */
export async function saidToForget(ctx: UpdateContext, said: string): Promise<boolean> {
  const { asked, asksForget } = ctx.account
  if (asked === undefined || asked !== asksForget) return false
  const isSaid = (label: 'button-forget-yes' | 'button-forget-no') => saysSame(said, ctx.t.plain(label))
  const isYes = isSaid('button-forget-yes')
  if (!isYes && !isSaid('button-forget-no') && parseSaying(said) !== 'no') return false
  await answered(ctx, isYes ? 'yes' : 'no')
  return true
}

async function answered(ctx: UpdateContext, answer: 'yes' | 'no'): Promise<void> {
  leaveAsked(ctx)
  delete ctx.account.asksForget
  if (answer === 'no') {
    await sendText(ctx, 'forget-kept-all')
    // This question took the buttons from the one before, which is asked again.
    return hereAgain(ctx)
  }
  const epoch = await withdraw(ctx)
  await sendText(ctx, 'forgotten')
  // The last step before the commit that deletes: if the process dies in between, the next start deletes.
  await ctx.deps.forgotten
    .add(new Map([[ctx.who, epoch]]))
    .catch((err: unknown) => ctx.deps.log.error({ err }, 'forgotten in the store alone'))
}

async function askToForget(ctx: UpdateContext): Promise<void> {
  const kept = await keptOf(ctx, await allFiles(ctx))
  await ctx.ask(forgetView(ctx.t, kept))
  if (ctx.account.asked !== undefined) ctx.account.asksForget = ctx.account.asked
}

async function keptOf(ctx: UpdateContext, files: readonly RecordFile[]): Promise<Kept> {
  const hasDetails = ctx.account.details !== undefined
  const kept: Kept = { hasDetails, profiles: 0, attempts: 0, finished: 0, links: 0, unsent: [] }
  for (const file of files) {
    const { s, parent, roadmap } = file
    const people = isIn(file, 'profile', 'code', 'given') ? file.state.draft.people : []
    // In another account's roadmap the draft belongs to that account.
    const isTyped = people.some(({ name }) => name !== undefined) && (await isMine(ctx, file))
    const isFinished = isIn(file, 'done', 'scored')
    const attempt = await readAttempt(ctx, s)
    if (isTyped) kept.profiles += 1
    // A roadmap does not count beside its own tests.
    if (isFinished && !roadmap?.records.some((record) => files.some((each) => each.s === record.s)))
      kept.finished += 1
    if (!parent && !isTyped && !isFinished && !attempt) kept.links += 1
    if (!attempt) continue
    kept.attempts += 1
    if (attempt.answered === attempt.questions && !isIn(file, 'scored'))
      kept.unsent.push({ s, title: titleOf(file) })
  }
  return kept
}

/** Deletes everything, and notifies the organizers, who alone can delete the rest. Returns the new epoch. */
async function withdraw(ctx: UpdateContext): Promise<number> {
  const { work, who, deps } = ctx
  const epoch = (await epochOf(work, who)) + 1
  work.put(epochs, who, { epoch })
  work.note('withdrawn')
  await deleteAll(ctx, epoch, async ({ s, token, roadmap, test }) => {
    const card = buttons.card.data({ kind: roadmap ? 'roadmap' : 'record', token })
    const buttonsOf = (t: Translate) => [[button(t.plain('button-card'), card)]]
    await postNotice(deps, work, { key: 'notice-withdrawn', of: s }, { title: test.title, token }, buttonsOf)
  })
  return epoch
}

/** A restored older store has this account again: everything is deleted once more, without notices. */
export async function forgetAgain(ctx: UpdateContext): Promise<void> {
  await deleteAll(silently(ctx), await epochOf(ctx.work, ctx.who))
}

/**
 * Deletes everything of this account. The new epoch keeps running work from bringing anything back. A claim
 * stays as a tombstone, so that the link opens for no other account.
 */
async function deleteAll(
  ctx: UpdateContext,
  epoch: number,
  notify?: (left: RecordFile) => Promise<void>,
): Promise<void> {
  const { work, who, account, now } = ctx
  // Includes items that were released meanwhile and no longer belong to this account.
  const { items } = account
  const files = await allFiles(ctx)
  const forgotten = { ...(await onBehalf(ctx)), epoch: epoch - 1 }
  await work.guard(blockedDeliveries, who)
  work.remove(blockedDeliveries, who)
  await work.guard(deadLetters, who)
  work.remove(deadLetters, who)
  await forgetQuestions(ctx)
  endGuardianLinks(ctx)
  endWatches(work, forgotten, new Set([...items, ...files.map(({ s }) => s)]))
  const own = new Set<RecordFile>()
  for (const file of files) if (await isMine(ctx, file)) own.add(file)
  const left = files.filter((file) => own.has(file) || acceptedAssignments(ctx, file).length > 0)
  // Leaving a roadmap includes leaving its tests.
  for (const file of left.filter(({ parent }) => left.every(({ s }) => s !== parent?.s))) {
    postAct(work, { what: 'withdrawn', token: file.token, at: now })
    await notify?.(file)
  }
  for (const file of files) {
    const screen = account.screens[file.s]
    // A message that promises a result goes; all others only lose their buttons.
    if (screen !== undefined)
      (isIn(file, 'submitting', 'generating', 'scored') ? ctx.takeAway : ctx.removeButtons)(screen)
    await forgetDeliveries(ctx, file)
    if (own.has(file) || !file.isBegun) endAnnouncements(work, file)
    await forgetNames(ctx, file)
    if (own.has(file)) await deleteFile(ctx, file, forgotten)
    else await giveBack(ctx, file)
  }
  if (account.typed) ctx.deleteMessages(account.typed)
  account.items = []
  work.remove(accounts, who)
}

async function deleteFile(ctx: UpdateContext, file: RecordFile, forgotten: OnBehalf): Promise<void> {
  const { work, who, now } = ctx
  const { s, token, roadmap } = file
  withdrawTyped(ctx, file)
  endWatchesOver(work, forgotten, s, now)
  endAttempt(ctx, s)
  await assign(ctx, token, left, who)
  // A test of a roadmap that others go on with is theirs, also if it was begun by its own link.
  const whole = await parentOf(ctx, file)
  const record = whole?.roadmap && everyRecord(whole.roadmap).find((each) => each.s === s)
  if (whole && record) {
    await endTalk(ctx, s)
    await giveRecord(ctx, whole, record)
    return notifyOthers(ctx, whole)
  }
  const hands = roadmap?.hands ?? []
  // The account that took over the whole may have had a role as well.
  const others = hands.filter((hand) => isGiven(hand) && accountOf(hand.assignee) !== who && hasProfile(file))
  await endUnregistered(ctx, file, { isForgotten: true })
  // An invitation that no account has accepted ends.
  const ended = hands.filter((hand) => !others.includes(hand))
  await endAssignments(ctx, ended, { isForgotten: true })
  if (roadmap && others.length > 0) {
    if (!allFinished(roadmap))
      await notifyOrganizers(ctx, file, 'notice-roadmap-left', { title: file.test.title })
    roadmap.hands = others
    delete file.chatId
    delete file.shownAs
    return leave(ctx, file)
  }
  await removeFile(ctx, file)
}

/** Where others go on, the roles of a forgotten account keep only their titles, also in finished tests. */
async function forgetNames(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { roadmap } = file
  if (!roadmap) return
  for (const role of rolesHeldBy(roadmap, ctx.who, await ownerOf(ctx.work, file))) {
    delete file.shownAs
    delete role.name
    for (const { s } of everyRecord(roadmap, role.id)) {
      const record = await ctx.work.get(recordFiles, s)
      if (record?.person !== undefined) record.person = role.title
    }
  }
}

/** Removes this account from the deliveries and notices that wait for accounts that cannot be reached. */
async function forgetDeliveries(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { work, who, deps } = ctx
  const organizers = deps.config.organizers.map((id) => accountKey(work.vault, id))
  for (const recipient of [...organizers, ...accountsOf(file, await ownerOf(ctx.work, file))]) {
    const box = await work.get(noticeBoxes, recipient)
    if (box) box.waiting = box.waiting.filter(({ about }) => about?.who !== who)
    const kept = await work.get(blockedDeliveries, recipient)
    if (!kept) continue
    // A result that still has to go out does so on behalf of another account.
    kept.waiting = kept.waiting.filter(({ actor, body }) =>
      actorKind(actor) === 'notices-due'
        ? box && box.waiting.length > 0
        : onBehalfSchema.safeParse(body.onBehalf).data?.who !== who,
    )
    if (kept.waiting.length === 0) work.remove(blockedDeliveries, recipient)
  }
}
