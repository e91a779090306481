import { assign, assigneeOf, forgetToken, knownShortId } from '../dialog/files.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { isIn, isParted, released, releasedAnew } from '../domain/assignee.ts'
import { inviteAgain } from './invitation.ts'
import { changeOrganizerState, readOrganizerState } from './listings.ts'
import type { Releasable } from './releasable.ts'
import type { SeenTarget } from './seen.ts'

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
export async function tombstoneToRelease(ctx: UpdateContext, s: string): Promise<Releasable | undefined> {
  const { releasable: tombstone } = await readOrganizerState(ctx)
  if (tombstone?.s !== s) return undefined
  const { title, mobileOf, token, kind } = tombstone
  // Nobody has lost it since the card was shown.
  if (mobileOf !== undefined && isIn(await assigneeOf(ctx, token), 'free', 'invited')) return undefined
  return {
    s,
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
