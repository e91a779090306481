import type { Composer } from 'grammy'
import { endAttempt, releaseAttempt } from '../dialog/attempt.ts'
import { mayMakeProfile } from '../dialog/call.ts'
import { assign, assigneeOf, forgetAssignee, forgetToken, indexed, removeFile } from '../dialog/files.ts'
import { type IncomingContext, onButton } from '../dialog/incoming.ts'
import { isOrganizer, mayDecide, noteAct } from '../dialog/organizer.ts'
import { endUnregistered } from '../dialog/role-details.ts'
import { sendText } from '../dialog/send.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { accountOf, consentOf, isAssignee, isParted, released, releasedAnew } from '../domain/assignee.ts'
import { roleLabel } from '../domain/record/names.ts'
import { hasProfile, kindOfFile, type RecordFile } from '../domain/record/record.ts'
import { assignmentOf, everyRecord, isGiven, type RoadmapPart, roleIdsOf } from '../domain/roadmap.ts'
import { madeInvitation } from '../jobs/invite.ts'
import { endAssignments, leave } from '../participant/assign-role.ts'
import { type EventOf, postEvent } from '../queue/chat-message.ts'
import { ownerOf } from '../storage/documents/attempts.ts'
import type { MadeInvitation } from '../storage/documents/invitations.ts'
import { accounts, recordFiles } from '../storage/documents/kinds.ts'
import { buttons } from '../views/buttons.ts'
import { releaseRoleView, releaseView } from '../views/target-card.ts'
import { button } from '../views/view.ts'
import { givenBefore, inviteAgain, inviteToRole, showInvitation } from './invitation.ts'
import { keepTombstone, readOrganizerState } from './kept-listings.ts'
import type { SeenTarget } from './seen.ts'

/** Releases a claim: for the same person in another account, or for another person. */
export function releasing(composer: Composer<IncomingContext>): void {
  onButton(composer, buttons.release, async ({ ctx }, _, s, who?: 'same' | 'other') => {
    if (who === undefined) return ask(ctx, await releasableOf(ctx, s))
    postEvent(ctx.work, { who: ctx.who, chatId: ctx.account.chatId }, s, { kind: 'release', for: who })
  })
}

const releasableOf = async (ctx: UpdateContext, s: string): Promise<Releasable | undefined> =>
  (await roleToRelease(ctx, s)) ?? (await wholeToRelease(ctx, s)) ?? (await tombstoneToRelease(ctx, s))

/** Asks for whom to release it, or which role of it. */
async function ask(ctx: UpdateContext, found: Releasable | undefined): Promise<void> {
  if (!found || found.roles?.length === 0) return sendText(ctx, 'release-nobody')
  const { title, roles } = found
  await ctx.send(roles ? releaseRoleView(ctx.t, { title, roles }) : releaseView(ctx.t, found))
}

/**
 * Releases what an organizer has chosen. Assignee and attempt owner change in one commit, and a later event
 * sends the message. An answer that comes in between makes this update run again, and is kept.
 */
export async function release(ctx: UpdateContext, s: string, { for: who }: EventOf<'release'>) {
  if (!mayDecide(ctx)) return
  const found = await releasableOf(ctx, s)
  // The button was for a role, which the owner has taken back since.
  if (!found || found.roles || found.s !== s) return ask(ctx, found)
  const { kind, token, title, word } = found
  const isSame = who === 'same'
  const refusal = isSame || found.canBeOther ? await found.whyNot?.(who) : 'release-refused'
  if (refusal) return sendText(ctx, refusal, { title })
  await found.free(who)
  await noteAct(ctx, isSame ? 'release-same' : 'release-other', token)
  const made = isSame ? await found.invite() : undefined
  postEvent(ctx.work, { who: ctx.who, chatId: ctx.account.chatId }, s, {
    kind: 'release-done',
    word: word ?? (made ? 'release-again-done' : 'release-anew-done'),
    title,
    code: made?.code,
    ...(!made && { target: { kind, token } }),
  })
}

/** Reports a release that is committed, and shows the new invitation. */
export async function releaseDone(
  ctx: UpdateContext,
  { word, title, code, target }: EventOf<'release-done'>,
) {
  if (!isOrganizer(ctx)) return
  const { t } = ctx
  const invite = target && [[button(t.plain('button-card-invite'), buttons.invite.data(target), 'primary')]]
  await ctx.send({ text: t(word, { title }), ...(invite && { keyboard: invite }) })
  const made = await madeInvitation(ctx.work, code)
  if (made) await showInvitation(ctx, made)
}

/**
 * The record id of something begun here of which only a tombstone is left (after /forget, or after its term),
 * to release it. It is kept in the organizer state, because no record id leads to a tombstone.
 */
export async function tombstoneOf(ctx: UpdateContext, seen: SeenTarget): Promise<string | undefined> {
  const assignee = await assigneeOf(ctx, seen.token)
  if (isAssignee(assignee, 'free', 'invited') || isParted(assignee)) return undefined
  const { s } = (await indexed(ctx, seen.token)) ?? {}
  if (s === undefined) return undefined
  const { token, title, kind } = seen
  // A roadmap itself names no profiles. All of them have the same mobile.
  const profiled = seen.kind === 'record' ? token : seen.roles.flatMap(({ tests }) => tests)[0]?.token
  const mobileOf = seen.needsProfile ? undefined : profiled
  await keepTombstone(ctx, { s, kind, token, title, mobileOf })
  return s
}

/** Something of which only a tombstone is left. There are no answers, so all begin at the introduction. */
async function tombstoneToRelease(ctx: UpdateContext, s: string): Promise<Releasable | undefined> {
  const { tombstones } = await readOrganizerState(ctx)
  const tombstone = tombstones?.find((each) => each.s === s)
  if (!tombstone) return undefined
  const { title, mobileOf, token, kind } = tombstone
  const assignee = await assigneeOf(ctx, token)
  // It has become free since the card was shown, so there is nothing to release.
  if (mobileOf !== undefined && isAssignee(assignee, 'free', 'invited')) return undefined
  const { resultTo, ...ids } = await givenBefore(ctx, token)
  const given = { resultTo: consentOf(assignee)?.resultTo ?? resultTo, ...(mobileOf === undefined && ids) }
  return {
    s,
    kind,
    token,
    title,
    canBeOther: mobileOf === undefined,
    word: mobileOf === undefined ? undefined : 'release-mark-done',
    async free(who) {
      // An account that only knew the mobile has lost nothing.
      const owner = consentOf(assignee) && accountOf(assignee)
      const former = owner === undefined ? undefined : await ctx.work.get(accounts, owner)
      if (owner !== undefined)
        notifyFormer(ctx, { who: owner, chatId: former?.chatId }, s, { title, typed: [], records: [] })
      if (mobileOf === undefined) await assign(ctx, token, releasedAnew, who)
      else await assign(ctx, token, released, mobileOf)
      forgetToken(ctx, token)
    },
    invite: () => inviteAgain(ctx, { kind, token, title, ...given }),
  }
}

type Person = EventOf<'release'>['for']

/** What an organizer can release: a record, a roadmap, a role, or something with only a tombstone left. */
type Releasable = {
  s: string
  kind: 'record' | 'roadmap'
  token: string
  title: string
  /** The roles of a roadmap that no account owns as a whole. They are released one by one. */
  roles?: readonly { s: string; title: string }[] | undefined
  /** Another person may begin, because the service has linked no profile. */
  canBeOther: boolean
  /** The message after a release that keeps something; `undefined` where it begins again. */
  word?: 'release-same-done' | 'release-role-done' | 'release-mark-done' | undefined
  whyNot?(who: Person): Promise<'release-answers-wait' | 'release-busy' | undefined>
  free(who: Person): Promise<unknown>
  /** The new invitation for the same person. */
  invite(): Promise<MadeInvitation>
}

/** The roles of a roadmap that have an account of their own, or had one until they were released. */
function givenRoles(file: RecordFile) {
  // Before the registration only the account that began takes a role back.
  const { roadmap } = hasProfile(file) ? file : {}
  return (roadmap?.roles ?? []).flatMap((role) => {
    const hand = roadmap && assignmentOf(roadmap, role.id)
    const records = roadmap ? everyRecord(roadmap, role.id) : []
    return hand && isGiven(hand) && records.length > 0 ? [{ role, hand, records }] : []
  })
}

/** Each role that can be released separately, with the record id of its first test. */
export const releasableRoles = (file: RecordFile): { s: string; title: string }[] =>
  givenRoles(file).flatMap(({ role: { title }, records: [first] }) => (first ? [{ s: first.s, title }] : []))

/** A role by the record id of one of its tests. It is for the same person: the service has its profile. */
async function roleToRelease(ctx: UpdateContext, s: string): Promise<Releasable | undefined> {
  const { work } = ctx
  const parent = (await work.get(recordFiles, s))?.parent
  const file = parent && (await work.get(recordFiles, parent.s))
  const given = file && givenRoles(file).find(({ role }) => role.id === parent.role)
  if (!given) return undefined
  const { role, hand, records } = given
  const title = `${file.test.title} · ${roleLabel(role)}`
  return {
    s,
    kind: 'roadmap',
    token: file.token,
    title,
    canBeOther: false,
    word: 'release-role-done',
    /** The answers stay, for a person who knows the profile's mobile. The other roles go on meanwhile. */
    async free() {
      const { assignee } = hand
      const former = isAssignee(assignee, 'taken', 'over') ? assignee : undefined
      const had = former ? await releaseRecords(ctx, records, former.who) : []
      hand.assignee = released(assignee) ?? assignee
      if (!former) return
      notifyFormer(ctx, former, file.s, { title, typed: [], records: had })
      await leave(ctx, file, former.who)
    },
    invite: () => inviteToRole(ctx, file, role, hand),
  }
}

/** A record or roadmap that was begun, or released before. A record of a roadmap is released with it. */
export async function wholeToRelease(ctx: UpdateContext, id: string): Promise<Releasable | undefined> {
  const { work } = ctx
  const file = await work.get(recordFiles, id)
  if (file?.parent) return wholeToRelease(ctx, file.parent.s)
  if (!file?.isBegun) return undefined
  const { s, token, roadmap, externalId, resultTo } = file
  const kind = kindOfFile(file)
  const ids = roadmap ? { roleIds: roleIdsOf(roadmap) } : { externalId }
  const isKept = hasProfile(file)
  return {
    s,
    kind,
    token,
    title: file.test.title,
    roles: roadmap && isParted(await assigneeOf(ctx, token)) ? releasableRoles(file) : undefined,
    canBeOther: !isKept,
    word: isKept ? 'release-same-done' : undefined,
    async whyNot(who) {
      if (who === 'same' && 'answered' in file.state && file.state.answered !== undefined)
        return 'release-answers-wait'
      const owner = await ownerOf(ctx.work, file)
      const account = owner === undefined ? undefined : await work.guard(accounts, owner)
      const isUnderWay = account !== undefined && mayMakeProfile({ account, now: ctx.now }, s)
      return isUnderWay && !isKept ? 'release-busy' : undefined
    },
    free: (who) => (isKept ? releaseForSame(ctx, file) : releaseAnew(ctx, file, who)),
    invite: () => inviteAgain(ctx, { kind, token, title: file.test.title, resultTo, ...ids }),
  }
}

/** The answers stay, for a person who knows the mobile in the profile. */
async function releaseForSame(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { s, token, roadmap } = file
  const owner = await ownerOf(ctx.work, file)
  // A role that was handed over is released separately, also where the same account has it.
  const given = givenRoles(file).map(({ role }) => role.id)
  const own = roadmap ? everyRecord(roadmap).filter(({ role }) => !given.includes(role)) : []
  const records = owner === undefined ? [] : await releaseRecords(ctx, own, owner)
  if (owner !== undefined) await releaseAttempt(ctx, s, owner)
  await notifyOwner(ctx, file, records)
  await assign(ctx, token, released)
  await ctx.work.touch(recordFiles, s)
  delete file.chatId
  if (owner !== undefined) await leave(ctx, file, owner)
}

/** Nothing that was typed or answered is kept. */
async function releaseAnew(ctx: UpdateContext, file: RecordFile, who: Person): Promise<void> {
  const { s, token } = file
  await notifyOwner(ctx, file, [])
  await endUnregistered(ctx, file)
  await endAssignments(ctx, file.roadmap?.hands ?? [])
  await assign(ctx, token, releasedAnew, who)
  endAttempt(ctx, s)
  await removeFile(ctx, file)
  // The next account gets another record id, so that buttons of the account before mean nothing there.
  forgetToken(ctx, token)
}

/** Notifies the account that had it, which keeps nothing of it. */
async function notifyOwner(ctx: UpdateContext, file: RecordFile, records: string[]): Promise<void> {
  const { s, chatId, test, typed = [] } = file
  const who = await ownerOf(ctx.work, file)
  if (who !== undefined) notifyFormer(ctx, { who, chatId }, s, { title: test.title, typed, records })
  delete file.typed
}

function notifyFormer(
  { work }: UpdateContext,
  { who, chatId }: { who: string; chatId?: number | undefined },
  s: string,
  what: Omit<EventOf<'released'>, 'kind'>,
): void {
  if (chatId !== undefined) postEvent(work, { who, chatId }, s, { kind: 'released', ...what })
}

/** Releases the unfinished attempts at these tests. Returns the record ids that this account had. */
async function releaseRecords(ctx: UpdateContext, records: RoadmapPart['records'], who: string) {
  const had: string[] = []
  for (const { s, token, isFinished } of records) {
    const record = await ctx.work.get(recordFiles, s)
    const owner = record && (await ownerOf(ctx.work, record))
    const own = await assigneeOf(ctx, token)
    if (!record || (owner === undefined && own.is !== 'released') || (owner !== who && isFinished)) continue
    if (owner === who) had.push(s)
    else await notifyOwner(ctx, record, [])
    if (owner !== undefined) await releaseAttempt(ctx, s, owner)
    // A test that any account has begun by a link of its own goes with the roadmap from here on.
    if (accountOf(own) === owner) forgetAssignee(ctx, token)
    delete record.chatId
    await ctx.work.touch(recordFiles, s)
  }
  return had
}
