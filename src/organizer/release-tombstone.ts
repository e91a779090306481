import { assign, assigneeOf, forgetToken, knownShortId } from '../dialog/files.ts'
import { noteAct } from '../dialog/note-act.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { isIn, isParted, released, releasedAnew } from '../domain/assignee.ts'
import { releaseView } from '../views/organizer-release.ts'
import { inviteAfterRelease } from './invite-again.ts'
import { changeOrganizerState, readOrganizerState } from './organizer-state.ts'
import { notifyDone } from './release-done.ts'
import type { SeenTarget } from './seen.ts'

/**
 * Record id of what was begun here and of which nothing but the tombstone is kept (after /forget, or when its term is over), so
 * that it can be released. Noted on the desk, since nothing leads from a record id to a tombstone.
 */
export async function tombstoneOf(ctx: UpdateContext, seen: SeenTarget): Promise<string | undefined> {
  const assignee = await assigneeOf(ctx, seen.token)
  if (isIn(assignee, 'free', 'invited') || isParted(assignee)) return undefined
  const s = await knownShortId(ctx, seen.token)
  if (s === undefined) return undefined
  const { token, title, kind } = seen
  const mobileOf = seen.needsProfile ? undefined : profiledRecord(seen)
  await changeOrganizerState(ctx, (state) => ({ ...state, releasable: { s, kind, token, title, mobileOf } }))
  return s
}

/** A roadmap itself names no profiles; one mobile stands in all of them. */
const profiledRecord = (seen: SeenTarget): string | undefined =>
  seen.kind === 'record' ? seen.token : seen.roles.flatMap(({ tests }) => tests)[0]?.token

/** Asks for whom it is to be released. */
export async function askAboutTombstone(ctx: UpdateContext, s: string): Promise<void> {
  const { releasable: tombstone } = await readOrganizerState(ctx)
  if (tombstone?.s !== s) return void (await ctx.send({ text: ctx.t('release-nobody') }))
  const { title, mobileOf } = tombstone
  await ctx.send(releaseView(ctx.t, { s, title, canBeOther: mobileOf === undefined }))
}

/** Frees what only a tombstone is kept of: nobody's answers are here, so everybody begins at the introduction. */
export async function releaseTombstone(ctx: UpdateContext, s: string, who: 'same' | 'other'): Promise<void> {
  const { t } = ctx
  const { releasable: tombstone } = await readOrganizerState(ctx)
  if (tombstone?.s !== s) return void (await ctx.send({ text: t('release-nobody') }))
  const { title, mobileOf, token, kind } = tombstone
  if (who === 'other' && mobileOf !== undefined)
    return void (await ctx.send({ text: t('release-refused', { title }) }))
  const isSame = who === 'same'
  const next =
    mobileOf === undefined
      ? await assign(ctx, token, releasedAnew, who)
      : await assign(ctx, token, released, mobileOf)
  if (!next) return void (await ctx.send({ text: t('release-nobody') }))
  forgetToken(ctx, token)
  await noteAct(ctx, isSame ? 'release-same' : 'release-other', token)
  const made = isSame ? await inviteAfterRelease(ctx, { kind, token, title }) : undefined
  const word =
    mobileOf === undefined ? (made ? 'release-again-done' : 'release-anew-done') : 'release-mark-done'
  notifyDone(ctx, s, { word, title, code: made?.code })
}
