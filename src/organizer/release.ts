import { Composer } from 'grammy'
import { ownerOf } from '../dialog/access.ts'
import { endAttempt, releaseAttempt } from '../dialog/attempt.ts'
import { assign, forgetToken } from '../dialog/files.ts'
import type { IncomingContext } from '../dialog/incoming.ts'
import { noteAct } from '../dialog/note-act.ts'
import { isOrganizer } from '../dialog/organizer.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { released, releasedAnew } from '../domain/assignee.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { onButton } from '../participant/on-button.ts'
import { postEvent } from '../queue/chat-message.ts'
import type { EventOf } from '../queue/events.ts'
import { accounts, owedResults, recordFiles, talks } from '../storage/documents/kinds.ts'
import { buttons } from '../views/buttons.ts'
import { releaseView } from '../views/organizer-release.ts'
import { inviteAgain } from './invite-again.ts'
import { notifyDone } from './release-done.ts'
import {
  askAboutRole,
  askWhichRole,
  givenRoleOf,
  isOfRoles,
  releaseRecords,
  releaseRole,
} from './release-role.ts'
import { askAboutTombstone, releaseTombstone } from './release-tombstone.ts'

/** A call that is younger may still make a profile. */
const UNDER_WAY_MS = 5 * 60_000

/** Frees a claim: for the same person in another account, or for another person. */
export function releasing(): Composer<IncomingContext> {
  const composer = new Composer<IncomingContext>()
  onButton(composer, buttons.release, async ({ ctx }, _, s, who?: 'same' | 'other') => {
    if (who === undefined) return askForWhom(ctx, s)
    postEvent(ctx.work, { who: ctx.who, chatId: ctx.account.chatId }, s, { kind: 'release', for: who })
  })
  return composer
}

async function askForWhom(ctx: UpdateContext, s: string): Promise<void> {
  const role = await givenRoleOf(ctx, s)
  if (role) return askAboutRole(ctx, role)
  const file = await claimedFile(ctx, s)
  if (!file) return askAboutTombstone(ctx, s)
  if (await isOfRoles(ctx, file)) return askWhichRole(ctx, file)
  const { title } = file.test
  await ctx.send(releaseView(ctx.t, { s: file.s, title, canBeOther: !hasProfile(file) }))
}

/**
 * Releases what an organizer has pressed for. Whose it is, and whose the attempt is, change in the one commit of this
 * turn, which says nothing where it changes something: an answer that comes in between runs it again, and is kept.
 */
export async function release(
  ctx: UpdateContext,
  s: string,
  { for: who }: EventOf<'release'>,
): Promise<void> {
  if (!isOrganizer(ctx)) return
  const role = await givenRoleOf(ctx, s)
  if (role) return releaseRole(ctx, role, who)
  const file = await claimedFile(ctx, s)
  if (!file) return releaseTombstone(ctx, s, who)
  // It was a role that was asked about, and its owner has taken it back since.
  if (file.s !== s) return askForWhom(ctx, s)
  if (await isOfRoles(ctx, file)) return askWhichRole(ctx, file)
  const { title } = file.test
  const refusal = await refusalOf(ctx, file, who)
  if (refusal) return void (await ctx.send({ text: ctx.t(refusal, { title }) }))
  const isKept = who === 'same' && hasProfile(file)
  await (isKept ? releaseForSame : releaseAnew)(ctx, file, who)
  await noteAct(ctx, who === 'same' ? 'release-same' : 'release-other', file.token)
  const made = who === 'same' ? await inviteAgain(ctx, file) : undefined
  const word = isKept ? 'release-same-done' : made ? 'release-again-done' : 'release-anew-done'
  notifyDone(ctx, s, { word, title, code: made?.code })
}

/** What somebody has begun, or an organizer has released before; a record of a roadmap is released with it. */
async function claimedFile(ctx: UpdateContext, s: string): Promise<RecordFile | undefined> {
  const file = await ctx.work.get(recordFiles, s)
  if (file?.parent) return claimedFile(ctx, file.parent.s)
  return file?.isBegun ? file : undefined
}

/** Whether the service has linked a profile, as far as the stage tells. */
function hasProfile(file: RecordFile): boolean {
  if (isIn(file, 'waiting')) return file.state.draft === undefined
  return !isIn(file, 'new', 'intro', 'profile', 'code')
}

const answersWait = ({ state }: RecordFile): boolean => 'answered' in state && state.answered !== undefined

async function refusalOf(ctx: UpdateContext, file: RecordFile, who: 'same' | 'other') {
  if (who === 'other' && hasProfile(file)) return 'release-refused'
  if (who === 'same' && answersWait(file)) return 'release-answers-wait'
  const owner = await ownerOf(ctx, file)
  const account = owner === undefined ? undefined : await ctx.work.guard(accounts, owner)
  const pending = account?.pending[file.s]
  const isUnderWay = pending !== undefined && ctx.now - pending.at < UNDER_WAY_MS
  return isUnderWay && !hasProfile(file) ? 'release-busy' : undefined
}

/** The answers stay as they are, for whoever knows the mobile in the profile. */
async function releaseForSame(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { s, token, roadmap } = file
  const owner = await ownerOf(ctx, file)
  const records = owner === undefined ? [] : await releaseRecords(ctx, roadmap?.records ?? [], owner)
  if (owner !== undefined) await releaseAttempt(ctx, s, owner)
  await notifyBefore(ctx, file, records)
  await assign(ctx, token, released)
  await ctx.work.touch(recordFiles, s)
  delete file.chatId
}

/** Nothing of what was typed or answered is kept. */
async function releaseAnew(ctx: UpdateContext, file: RecordFile, who: 'same' | 'other'): Promise<void> {
  const { s, token } = file
  await notifyBefore(ctx, file, [])
  await assign(ctx, token, releasedAnew, who)
  endAttempt(ctx, s)
  ctx.work.remove(talks, s)
  ctx.work.remove(owedResults, s)
  ctx.work.remove(recordFiles, s)
  // The next one gets another record id: no button of the account before means anything to it.
  forgetToken(ctx, token)
}

/** The account that had it is told, and has nothing of it left. */
async function notifyBefore(ctx: UpdateContext, file: RecordFile, records: string[]): Promise<void> {
  const { s, chatId, test, typed = [] } = file
  const who = await ownerOf(ctx, file)
  if (who !== undefined && chatId !== undefined)
    postEvent(ctx.work, { who, chatId }, s, { kind: 'released', title: test.title, typed, records })
  delete file.typed
}
