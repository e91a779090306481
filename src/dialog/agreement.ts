import { type Agreement, accountOf, agreed, type Consent, isIn as isAssignee } from '../domain/assignee.ts'
import type { ResultTo } from '../domain/invitation.ts'
import { needsGuardian } from '../domain/profile.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import {
  assignmentOf,
  awaitsGuardian,
  isGiven,
  needsGuardian as needsOwn,
  roleOf,
} from '../domain/roadmap.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import { CONSENT_VERSION } from '../texts/keys.ts'
import { ownerOf } from './access.ts'
import { assign, parentOf } from './files.ts'
import type { UpdateContext } from './update-context.ts'

/** What is agreed to now: the words as they stand, in this language, and for whom the result is. */
export const consentNow = ({ now, language }: UpdateContext, resultTo: ResultTo): Consent => ({
  ...{ at: now, language, version: CONSENT_VERSION, resultTo },
})

/** Keeps what was agreed to as long as whose it is: the whole, or the role that has an account of its own. */
export async function noteAgreement(
  ctx: UpdateContext,
  { s, token, roadmap }: RecordFile,
  agreement: Agreement,
): Promise<void> {
  const { role } = agreement
  const hand = roadmap && role !== undefined ? assignmentOf(roadmap, role) : undefined
  await assign(ctx, { s, token, role: hand && isGiven(hand) ? role : undefined }, agreed, agreement)
}

/** For whom a guardian is asked: by which account, of what, and of a roadmap for which role. */
export type Minor = { who: string; s: string; role?: number | undefined }

/**
 * What waits for a guardian's yes for this minor, and how it is noted that they agree; `undefined` where nothing does, or not
 * any more.
 */
export async function waitingForGuardian(ctx: UpdateContext, minor: Minor) {
  const { who, s, role } = minor
  const file = await ctx.work.get(recordFiles, s)
  const whole = file && ((await parentOf(ctx, file)) ?? file)
  if (!file || !whole) return undefined
  const isOwn = (await ownerOf(ctx, whole)) === who
  if (isIn(file, 'profile')) {
    const person = file.state.draft.people.find((each) => each.role?.id === role)
    const isTheirs = file.parent ? (await ownerOf(ctx, file)) === who : isOwn
    if (!isTheirs || !person || !needsGuardian(person, ctx.today)) return undefined
    const note = () => void Object.assign(person, { guardian: true })
    return { whole, title: person.role?.title, role: file.parent?.role ?? role, note }
  }
  // A test alone, or begun by a link of its own.
  if (isIn(file, 'loading') && file.guardian === 'needed' && (await ownerOf(ctx, file)) === who)
    return { whole: file, note: () => Object.assign(file, { guardian: 'agreed' }) }
  const { roadmap } = whole
  if (!roadmap || role === undefined) return undefined
  const hand = assignmentOf(roadmap, role)
  const { title } = roleOf(roadmap, role) ?? {}
  // What is noted with the account of a role says it all.
  if (hand && isAssignee(hand.assignee, 'taken', 'over'))
    return accountOf(hand.assignee) === who && needsOwn(roadmap, hand)
      ? { whole, title, note: () => undefined }
      : undefined
  const own = isOwn && isIn(file, 'new', 'waiting', 'loading') ? awaitsGuardian(roadmap, role) : undefined
  return own && { whole, title, note: () => Object.assign(own, { guardian: true }) }
}
