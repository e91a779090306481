import { acceptedAssignments, ownerOf } from '../dialog/access.ts'
import { leaveMobile } from '../dialog/expected.ts'
import { assign, assigneeOf, fileOf, isFileOf, keepIndex, remember } from '../dialog/files.ts'
import { askForMobile } from '../dialog/known-mobile.ts'
import { sendText } from '../dialog/notify.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { begun, isIn, isOthers } from '../domain/assignee.ts'
import type { Invitation } from '../domain/invitation.ts'
import { isIn as isInStage, type RecordFile } from '../domain/record/record.ts'
import { begun as consented, move } from '../domain/record/transitions.ts'
import { endInvitations } from '../jobs/invite.ts'
import { CONSENT_VERSION } from '../storage/documents/kinds.ts'
import { noteBegun } from './begun.ts'
import { openBoard } from './board.ts'
import { checkRecord, externalIdOf } from './check-record.ts'
import { mayBegin, openedInvitation } from './opened-invitation.ts'
import { showPlace } from './place.ts'

/** What was read from the service so recently that it need not be asked again. */
const FRESH_MS = 10 * 60_000

/** Opens a record or roadmap by its link: the introduction at first, the exact place after that. */
export async function openInvitation(
  ctx: UpdateContext,
  invitation: Exclude<Invitation, { kind: 'code' }>,
  { keepsInvitation = false } = {},
): Promise<void> {
  const { who, now } = ctx
  const { token } = invitation
  const externalId = invitation.kind === 'record' ? invitation.externalId : undefined
  const assignee = await assigneeOf(ctx, token)
  const file = await fileOf(ctx, invitation)
  const owner = await ownerOf(ctx, file)
  const isUsed = file.parent
    ? owner !== who
    : isOthers(assignee, who) && acceptedAssignments(ctx, file).length === 0
  const isForgotten = assignee.is === 'left' && assignee.who === who
  if (isUsed || isForgotten) return sendText(ctx, isForgotten ? 'invitation-forgotten' : 'invitation-used')
  leaveMobile(ctx)
  if (owner === undefined && !keepsInvitation) forgetInvitation(ctx, file.s)
  // From a release on only an invitation leads on.
  if (isIn(assignee, 'released', 'invited') && !keepsInvitation) return sendText(ctx, 'invitation-used')
  if (isIn(assignee, 'released'))
    return askForMobile(ctx, {
      s: file.s,
      token,
      kind: invitation.kind,
      code: ctx.account.invited?.[file.s],
    })
  if (file.parent) return showPlace(ctx, file)
  await remember(ctx, file)
  if (externalId !== undefined && !takeExternalId(ctx, file, externalId))
    return sendText(ctx, 'external-id-differs')
  const isFresh = isInStage(file, 'intro') && now - file.seenAt < FRESH_MS
  await (file.isBegun || isFresh ? showPlace : checkRecord)(ctx, file)
}

/** The bare link was opened: an invitation that came before counts no more. */
function forgetInvitation({ account }: UpdateContext, s: string): void {
  const { [s]: _, ...invited } = account.invited ?? {}
  account.invited = invited
}

/**
 * Takes the external id of a link: before somebody has begun it stays with the account that opened the link, and until
 * the profile is sent a newer link may bring another one. `false` when the record has another one for good.
 */
function takeExternalId({ account }: UpdateContext, file: RecordFile, id: number): boolean {
  if (!file.isBegun) account.externalIds = { ...account.externalIds, [file.s]: id }
  else if (isInStage(file, 'profile')) file.externalId = id
  return !file.isBegun || file.externalId === id
}

/** Consent is given: the record belongs to this account from here on. */
export async function begin(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { who, now, language, deps, work } = ctx
  const assignee = await assigneeOf(ctx, file.token)
  if (isIn(assignee, 'released', 'left') || isOthers(assignee, who)) return sendText(ctx, 'invitation-used')
  if (!isInStage(file, 'intro')) return showPlace(ctx, file)
  const made = await openedInvitation(ctx, file)
  const may = await mayBegin(ctx, file, made, assignee)
  if (may === 'changed') return showPlace(ctx, file)
  if (may === 'no') return
  // A roadmap that holds this record was begun since the introduction was read.
  if (!(await isFileOf(ctx, file))) return openInvitation(ctx, { kind: 'record', token: file.token })
  const consent = { at: now, language, version: CONSENT_VERSION }
  const isInvited = made !== undefined
  if (!(await assign(ctx, file.token, begun, { who, consent }, { isInvited })))
    return sendText(ctx, 'invitation-used')
  if (file.state.needsProfile) file.externalId = externalIdOf(ctx, file)
  delete ctx.account.externalIds?.[file.s]
  file.isBegun = true
  file.chatId = ctx.account.chatId
  // Others may have opened the same by another invitation since.
  if (made?.externalId !== undefined) file.externalId = made.externalId
  for (const { role, externalId } of made?.roleIds ?? []) {
    const own = file.roadmap?.roles.find(({ id }) => id === role)
    if (own) own.externalId = externalId
  }
  // As it was read, whatever is set later.
  file.resultTo = made?.resultTo ?? deps.config.resultTo
  await endInvitations({ work, vault: deps.vault, now }, file.token)
  await remember(ctx, file)
  keepIndex(ctx, file)
  move(file, consented)
  noteBegun(ctx, file)
  if (isInStage(file, 'board')) await openBoard(ctx, file)
  await showPlace(ctx, file)
}
