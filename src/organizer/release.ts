import { Composer } from 'grammy'
import { assign, assigneeOf, forgetToken, knownShortId } from '../dialog/files.ts'
import { type IncomingContext, onButton } from '../dialog/incoming.ts'
import { sendText } from '../dialog/notify.ts'
import { isOrganizer, noteAct } from '../dialog/organizer.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { isIn, isParted, released, releasedAnew } from '../domain/assignee.ts'
import { madeInvitation } from '../jobs/invite.ts'
import { type EventOf, postEvent } from '../queue/chat-message.ts'
import { buttons } from '../views/buttons.ts'
import { releaseRoleView, releaseView } from '../views/target-card.ts'
import { button } from '../views/view.ts'
import { inviteAgain, showInvitation } from './invitation.ts'
import { changeOrganizerState, readOrganizerState } from './listings.ts'
import { type Releasable, roleToRelease, wholeToRelease } from './releasable.ts'
import type { SeenTarget } from './seen.ts'

/** Frees a claim: for the same person in another account, or for another person. */
export function releasing(): Composer<IncomingContext> {
  const composer = new Composer<IncomingContext>()
  onButton(composer, buttons.release, async ({ ctx }, _, s, who?: 'same' | 'other') => {
    if (who === undefined) return ask(ctx, await releasableOf(ctx, s))
    postEvent(ctx.work, { who: ctx.who, chatId: ctx.account.chatId }, s, { kind: 'release', for: who })
  })
  return composer
}

const releasableOf = async (ctx: UpdateContext, s: string): Promise<Releasable | undefined> =>
  (await roleToRelease(ctx, s)) ?? (await wholeToRelease(ctx, s)) ?? (await tombstoneToRelease(ctx, s))

/** Asks for whom it is to be released, or which role of it. */
async function ask(ctx: UpdateContext, found: Releasable | undefined): Promise<void> {
  if (!found || found.roles?.length === 0) return sendText(ctx, 'release-nobody')
  const { title, roles } = found
  await ctx.send(roles ? releaseRoleView(ctx.t, { title, roles }) : releaseView(ctx.t, found))
}

/**
 * Releases what an organizer has pressed for. Whose it is, and whose the attempt is, change in the one commit of this
 * update, which says nothing where it changes something: an answer that comes in between runs it again, and is kept.
 */
export async function release(ctx: UpdateContext, s: string, { for: who }: EventOf<'release'>) {
  if (!isOrganizer(ctx)) return
  const found = await releasableOf(ctx, s)
  // It was a role that was asked about, and its owner has taken it back since.
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

/** Says what became of it, when that is kept, and shows the invitation that leads on. */
export async function releaseDone(
  ctx: UpdateContext,
  { word, title, code, target }: EventOf<'release-done'>,
) {
  if (!isOrganizer(ctx)) return
  const { t } = ctx
  const invite = target && [[button(t.plain('button-card-invite'), buttons.invite.data(target), 'primary')]]
  await ctx.send({ text: t(word, { title }), ...(invite && { keyboard: invite }) })
  const made = await madeInvitation(ctx.work, ctx.deps.vault, code)
  if (made) await showInvitation(ctx, made)
}

/**
 * Record id of what was begun here and of which nothing but the tombstone is kept (after /forget, or when its term is over), so
 * that it can be released. Noted in the organizer state, since nothing leads from a record id to a tombstone.
 */
export async function tombstoneOf(ctx: UpdateContext, seen: SeenTarget): Promise<string | undefined> {
  const assignee = await assigneeOf(ctx, seen.token)
  if (isIn(assignee, 'free', 'invited') || isParted(assignee)) return undefined
  const s = await knownShortId(ctx, seen.token)
  if (s === undefined) return undefined
  const { token, title, kind } = seen
  // A roadmap itself names no profiles; one mobile stands in all of them.
  const profiled = seen.kind === 'record' ? token : seen.roles.flatMap(({ tests }) => tests)[0]?.token
  const mobileOf = seen.needsProfile ? undefined : profiled
  await changeOrganizerState(ctx, (state) => ({ ...state, releasable: { s, kind, token, title, mobileOf } }))
  return s
}

/** What only a tombstone is kept of: nobody's answers are here, so everybody begins at the introduction. */
async function tombstoneToRelease(ctx: UpdateContext, s: string): Promise<Releasable | undefined> {
  const { releasable: tombstone } = await readOrganizerState(ctx)
  if (tombstone?.s !== s) return undefined
  const { title, mobileOf, token, kind } = tombstone
  // Nobody has lost it since the card was shown.
  if (mobileOf !== undefined && isIn(await assigneeOf(ctx, token), 'free', 'invited')) return undefined
  return {
    s,
    kind,
    token,
    title,
    canBeOther: mobileOf === undefined,
    word: mobileOf === undefined ? undefined : 'release-mark-done',
    async free(who) {
      if (mobileOf === undefined) await assign(ctx, token, releasedAnew, who)
      else await assign(ctx, token, released, mobileOf)
      forgetToken(ctx, token)
    },
    invite: () => inviteAgain(ctx, { kind, token, title }),
  }
}
