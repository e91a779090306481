import { type Agreement, accountOf, agreed, type Consent, isAssignee } from '../domain/assignee.ts'
import type { ResultTo } from '../domain/invitation.ts'
import { needsGuardian } from '../domain/profile.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { assignmentOf, awaitsGuardian, isGiven, roleNeedsGuardian, roleOf } from '../domain/roadmap.ts'
import { ownerOf } from '../storage/documents/attempts.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import { CONSENT_VERSION } from '../texts/keys.ts'
import { assign, parentOf } from './files.ts'
import type { UpdateContext } from './update-context.ts'

/** The consent given now: the version of its text, the language, and who gets the result. */
export const consentNow = ({ now, language }: UpdateContext, resultTo: ResultTo): Consent => ({
  ...{ at: now, language, version: CONSENT_VERSION, resultTo },
})

/** Keeps an agreement as long as its assignee: of the whole, or of a role that has its own account. */
export async function noteAgreement(
  ctx: UpdateContext,
  { s, token, roadmap }: RecordFile,
  agreement: Agreement,
): Promise<void> {
  const { role } = agreement
  const hand = roadmap && role !== undefined ? assignmentOf(roadmap, role) : undefined
  await assign(ctx, { s, token, role: hand && isGiven(hand) ? role : undefined }, agreed, agreement)
}

/** The minor whom a guardian is asked about: the account, the record, and in a roadmap the role. */
export type Minor = { who: string; s: string; role?: number | undefined }

/**
 * What waits for a guardian's consent for this minor, with `note` to record the consent; `undefined` if
 * nothing waits for it.
 */
export async function waitingForGuardian(ctx: UpdateContext, minor: Minor) {
  const { who, s, role } = minor
  const file = await ctx.work.get(recordFiles, s)
  const whole = file && ((await parentOf(ctx, file)) ?? file)
  if (!file || !whole) return undefined
  const isOwn = (await ownerOf(ctx.work, whole)) === who
  if (isIn(file, 'profile')) {
    const person = file.state.draft.people.find((each) => each.role?.id === role)
    const isTheirs = file.parent ? (await ownerOf(ctx.work, file)) === who : isOwn
    if (!isTheirs || !person || !needsGuardian(person, ctx.today)) return undefined
    const note = () => void Object.assign(person, { guardian: true })
    return { whole, title: person.role?.title, role: file.parent?.role ?? role, note }
  }
  // A standalone test, or one that was begun by its own link.
  if (isIn(file, 'loading') && file.guardian === 'needed' && (await ownerOf(ctx.work, file)) === who)
    return { whole: file, note: () => Object.assign(file, { guardian: 'agreed' }) }
  const { roadmap } = whole
  if (!roadmap || role === undefined) return undefined
  const hand = assignmentOf(roadmap, role)
  const { title } = roleOf(roadmap, role) ?? {}
  // The agreement is stored with the account of the role, so `note` has nothing to add.
  if (hand && isAssignee(hand.assignee, 'taken', 'over'))
    return accountOf(hand.assignee) === who && roleNeedsGuardian(roadmap, hand)
      ? { whole, title, note: () => undefined }
      : undefined
  const own = isOwn && isIn(file, 'new', 'waiting', 'loading') ? awaitsGuardian(roadmap, role) : undefined
  return own && { whole, title, note: () => Object.assign(own, { guardian: true }) }
}
