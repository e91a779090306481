import { acceptedAssignments } from '../dialog/access.ts'
import { consentNow } from '../dialog/agreement.ts'
import { leaveAside } from '../dialog/expected.ts'
import { assign, assigneeOf, fileOf, forgetOpened, isFileOf, keepIndex, remember } from '../dialog/files.ts'
import { opensNothing, sendText, withOtherLanguage } from '../dialog/send.ts'
import { askForMobile } from '../dialog/takeover-mobile.ts'
import { offerWayBack, takeEarly } from '../dialog/typed-messages.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { begun, consentOf, isAssignee, isOthers } from '../domain/assignee.ts'
import type { Invitation, KnownDetails } from '../domain/invitation.ts'
import { parseName } from '../domain/persian/name.ts'
import { isAgeAdmitted } from '../domain/profile.ts'
import { isIn as isInStage, type RecordFile } from '../domain/record/record.ts'
import { consented, move } from '../domain/record/transitions.ts'
import { roleOf } from '../domain/roadmap.ts'
import { endInvitations, whyClosedNow } from '../jobs/invite.ts'
import { ownerOf } from '../storage/documents/attempts.ts'
import { invitationDetails, invitations, isGuardianLink, isMade } from '../storage/documents/invitations.ts'
import { codeKey } from '../storage/documents/kinds.ts'
import { openRoleInvitation } from './accept-role.ts'
import { checkRecord, externalIdOf } from './check-record.ts'
import { openGuardianLink } from './guardian-asked.ts'
import { introducedResultTo, mayBegin, noteBegun, openedInvitation, whyClosedTo } from './may-begin.ts'
import { introductionOf, showPlace } from './place.ts'
import { openBoard } from './roadmap-records.ts'

/** Opens a link, a payload or a code; `hasAgreed`: the introduction was read, and consent given. */
export async function open(
  ctx: UpdateContext,
  invitation: Invitation | undefined,
  { hasAgreed = false } = {},
): Promise<void> {
  if (invitation?.kind === 'code') return openCode(ctx, invitation.code, hasAgreed)
  if (invitation && !ctx.deps.config.invitationOnly) return openInvitation(ctx, invitation)
  await opensNothing(ctx)
}

/** Opens an invitation by its code, made by an organizer, or by a participant who gave a role away. */
async function openCode(ctx: UpdateContext, code: string, hasAgreed: boolean): Promise<void> {
  const { work, account, now } = ctx
  const kept = await work.get(invitations, codeKey(work.vault, code))
  if (isGuardianLink(kept)) return openGuardianLink(ctx, code, kept)
  if (!isMade(kept)) return openRoleInvitation(ctx, code, kept)
  const { kind, token, externalId, role } = kept
  if (role) {
    const closed = await whyClosedNow(work, kept, now)
    const isTaken = async () =>
      acceptedAssignments(ctx, await fileOf(ctx, kept)).some((hand) => hand.code === code)
    if (closed && closed !== 'used' && !(await isTaken())) return sendText(ctx, `invitation-${closed}`)
    return openRoleInvitation(ctx, code, { s: role.s, role: role.id })
  }
  const file = await fileOf(ctx, kept)
  const owner = await ownerOf(ctx.work, file)
  const closed = owner === ctx.who ? undefined : await whyClosedTo(ctx, kept)
  if (closed) return sendText(ctx, `invitation-${closed}`)
  if (owner === undefined) account.invited = { ...account.invited, [file.s]: code }
  const brought = owner === ctx.who ? undefined : externalId
  await openInvitation(ctx, { kind, token, externalId: brought }, { keepsInvitation: true, hasAgreed })
}

/** A record read from the service within this time is not read again. */
const FRESH_MS = 10 * 60_000

/** Opens a record or roadmap by its link: first the introduction, after that the exact place. */
export async function openInvitation(
  ctx: UpdateContext,
  { kind, token, externalId }: { kind: 'record' | 'roadmap'; token: string; externalId?: number | undefined },
  { keepsInvitation = false, hasAgreed = false } = {},
): Promise<void> {
  const { who, now } = ctx
  const assignee = await assigneeOf(ctx, token)
  const file = await fileOf(ctx, { kind, token })
  const owner = await ownerOf(ctx.work, file)
  const hasRole = acceptedAssignments(ctx, file).length > 0
  // A test of a package that was begun and released by its own link is taken over by that link.
  const isOfPackage = file.parent && !isAssignee(assignee, 'released')
  const isUsed = isOfPackage ? owner !== who : isOthers(assignee, who) && !hasRole
  // An account that was forgotten before may hold it again.
  const isForgotten = assignee.is === 'left' && assignee.who === who && owner !== who
  if (isUsed || isForgotten) return sendText(ctx, isForgotten ? 'invitation-forgotten' : 'invitation-used')
  leaveAside(ctx)
  // The bare link was opened: an earlier invitation no longer counts.
  if (owner === undefined && !keepsInvitation) delete ctx.account.invited?.[file.s]
  // After a release only an invitation leads on.
  if (isAssignee(assignee, 'released', 'invited') && !keepsInvitation && !hasRole)
    return sendText(ctx, 'invitation-used')
  if (isAssignee(assignee, 'released') && keepsInvitation) {
    // The consent of a forgotten account was deleted with it.
    const isAsked = file.isBegun && consentOf(assignee) === undefined
    if (isAsked && !hasAgreed) return ctx.ask(withOtherLanguage(ctx, await introductionOf(ctx, file)))
    const consent = isAsked ? consentNow(ctx, await introducedResultTo(ctx, file)) : undefined
    return askForMobile(ctx, { s: file.s, token, kind, code: ctx.account.invited?.[file.s], consent })
  }
  if (file.parent) return showPlace(ctx, file)
  await remember(ctx, file)
  if (kind === 'record' && externalId !== undefined && !takeExternalId(ctx, file, externalId))
    return sendText(ctx, 'external-id-differs')
  const isFresh = isInStage(file, 'intro', 'loading') && now - file.seenAt < FRESH_MS
  // The service may know by now that no guardian is needed.
  const isMinors = isInStage(file, 'loading') && file.guardian === 'needed'
  // The link may lead to nothing: no other record is interrupted until the service has answered.
  if ((!file.isBegun || isMinors) && !isFresh) return checkRecord(ctx, file)
  await offerWayBack(ctx, file)
  await showPlace(ctx, file)
}

/**
 * Takes the external id of a link. Before the record is begun it stays with the account that opened the link;
 * until the profile is sent a newer link may replace it. `false` if the record has another one for good.
 */
function takeExternalId({ account }: UpdateContext, file: RecordFile, id: number): boolean {
  if (!file.isBegun) {
    account.externalIds = { ...account.externalIds, [file.s]: id }
    return true
  }
  // The link that the record was begun by always counts, whatever became of its id.
  if (file.linkId === id) return true
  if (isInStage(file, 'profile')) {
    file.externalId = id
    file.linkId = id
  }
  return file.externalId === id
}

/** Consent is given: the record belongs to this account from now on. */
export async function begin(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { who, deps, work } = ctx
  const assignee = await assigneeOf(ctx, file.token)
  if (isAssignee(assignee, 'released', 'left') || isOthers(assignee, who))
    return sendText(ctx, 'invitation-used')
  if (!isInStage(file, 'intro')) return showPlace(ctx, file)
  const made = await openedInvitation(ctx, file)
  const isInvitedOnly = isAssignee(assignee, 'invited')
  if (!made && (isInvitedOnly || deps.config.invitationOnly))
    return sendText(ctx, isInvitedOnly ? 'invitation-used' : 'invitation-unknown')
  const resultTo = made?.resultTo ?? deps.config.resultTo
  const may = await mayBegin(ctx, file, made, resultTo)
  if (may === 'changed') return showPlace(ctx, file)
  // What cannot be begun is not listed either.
  if (may === 'no') return forgetOpened(ctx, file.s)
  // A roadmap with this record was begun after the introduction was read.
  if (!(await isFileOf(ctx, file))) return openInvitation(ctx, { kind: 'record', token: file.token })
  const consent = consentNow(ctx, resultTo)
  if (!(await assign(ctx, file.token, begun, { who, consent }, { isInvited: made !== undefined })))
    return sendText(ctx, 'invitation-used')
  file.linkId = ctx.account.externalIds?.[file.s]
  if (file.state.needsProfile) file.externalId = externalIdOf(ctx, file)
  delete ctx.account.externalIds?.[file.s]
  file.isBegun = true
  file.chatId = ctx.account.chatId
  // Other accounts may have opened the same record by another invitation since.
  if (made?.externalId !== undefined) file.externalId = made.externalId
  for (const { role, externalId } of made?.roleIds ?? []) {
    const own = roleOf(file.roadmap, role)
    if (own) own.externalId = externalId
  }
  // As it was read, even if the setting changes later.
  file.resultTo = resultTo
  const known = made && (await work.get(invitationDetails, codeKey(work.vault, made.code)))
  await endInvitations(ctx, file.token)
  await remember(ctx, file)
  keepIndex(ctx, file)
  move(file, consented)
  if (known) giveDetails(ctx, file, known)
  await takeEarly(ctx, file)
  await noteBegun(ctx, file)
  // A profile may have been corrected long after it was read: a guardian may be needed by now.
  const isAdults = file.shownAs !== undefined && file.guardian === undefined
  if (isInStage(file, 'loading') && isAdults && ctx.now - file.seenAt >= FRESH_MS)
    return checkRecord(ctx, file)
  if (isInStage(file, 'board')) await openBoard(ctx, file)
  await showPlace(ctx, file)
}

/** Fills in what the organizer already knows: the participant confirms it with the rest, or corrects it. */
function giveDetails({ deps, today }: UpdateContext, file: RecordFile, known: KnownDetails): void {
  if (!isInStage(file, 'profile')) return
  const { draft } = file.state
  const { name, birth, mobile } = known
  const [person, ...others] = draft.people
  if (!person || others.length > 0) return
  const folded = parseName(name ?? '', { hamza: deps.config.nameHamza })
  if (folded.ok) person.name = folded.name
  if (birth !== undefined && isAgeAdmitted(person.limits, birth, today)) person.birth = birth
  if (mobile !== undefined) draft.mobile = mobile
}
