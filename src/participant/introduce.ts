import { acceptedHands, ownerOf } from '../dialog/access.ts'
import { leaveMobile } from '../dialog/expected.ts'
import { assign, assigneeOf, fileOf, isFileOf, keepIndex, remember } from '../dialog/files.ts'
import { askForMobile } from '../dialog/known-mobile.ts'
import { sendText } from '../dialog/notify.ts'
import type { Turn } from '../dialog/turn.ts'
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
  turn: Turn,
  invitation: Exclude<Invitation, { kind: 'code' }>,
  { keepsInvitation = false } = {},
): Promise<void> {
  const { who, now } = turn
  const { token } = invitation
  const externalId = invitation.kind === 'record' ? invitation.externalId : undefined
  const assignee = await assigneeOf(turn, token)
  const file = await fileOf(turn, invitation)
  const owner = await ownerOf(turn, file)
  const isUsed = file.parent
    ? owner !== who
    : isOthers(assignee, who) && acceptedHands(turn, file).length === 0
  const isForgotten = assignee.is === 'left' && assignee.who === who
  if (isUsed || isForgotten) return sendText(turn, isForgotten ? 'invitation-forgotten' : 'invitation-used')
  leaveMobile(turn)
  if (owner === undefined && !keepsInvitation) forgetInvitation(turn, file.s)
  // From a release on only an invitation leads on.
  if (isIn(assignee, 'released', 'invited') && !keepsInvitation) return sendText(turn, 'invitation-used')
  if (isIn(assignee, 'released'))
    return askForMobile(turn, {
      s: file.s,
      token,
      kind: invitation.kind,
      code: turn.account.invited?.[file.s],
    })
  if (file.parent) return showPlace(turn, file)
  await remember(turn, file)
  if (externalId !== undefined && !takeExternalId(turn, file, externalId))
    return sendText(turn, 'external-id-differs')
  const isFresh = isInStage(file, 'intro') && now - file.seenAt < FRESH_MS
  await (file.isBegun || isFresh ? showPlace : checkRecord)(turn, file)
}

/** The bare link was opened: an invitation that came before counts no more. */
function forgetInvitation({ account }: Turn, s: string): void {
  const { [s]: _, ...invited } = account.invited ?? {}
  account.invited = invited
}

/**
 * Takes the external id of a link: before somebody has begun it stays with the account that opened the link, and until
 * the profile is sent a newer link may bring another one. `false` when the record has another one for good.
 */
function takeExternalId({ account }: Turn, file: RecordFile, id: number): boolean {
  if (!file.isBegun) account.externalIds = { ...account.externalIds, [file.s]: id }
  else if (isInStage(file, 'profile')) file.externalId = id
  return !file.isBegun || file.externalId === id
}

/** Consent is given: the record belongs to this account from here on. */
export async function begin(turn: Turn, file: RecordFile): Promise<void> {
  const { who, now, language, deps, work } = turn
  const assignee = await assigneeOf(turn, file.token)
  if (isIn(assignee, 'released', 'left') || isOthers(assignee, who)) return sendText(turn, 'invitation-used')
  if (!isInStage(file, 'intro')) return showPlace(turn, file)
  const made = await openedInvitation(turn, file)
  const may = await mayBegin(turn, file, made, assignee)
  if (may === 'changed') return showPlace(turn, file)
  if (may === 'no') return
  // A roadmap that holds this record was begun since the introduction was read.
  if (!(await isFileOf(turn, file))) return openInvitation(turn, { kind: 'record', token: file.token })
  const consent = { at: now, language, version: CONSENT_VERSION }
  const isInvited = made !== undefined
  if (!(await assign(turn, file.token, begun, { who, consent }, { isInvited })))
    return sendText(turn, 'invitation-used')
  if (file.state.needsProfile) file.externalId = externalIdOf(turn, file)
  delete turn.account.externalIds?.[file.s]
  file.isBegun = true
  file.chatId = turn.account.chatId
  // Others may have opened the same by another invitation since.
  if (made?.externalId !== undefined) file.externalId = made.externalId
  for (const { role, externalId } of made?.roleIds ?? []) {
    const own = file.roadmap?.roles.find(({ id }) => id === role)
    if (own) own.externalId = externalId
  }
  // As it was read, whatever is set later.
  file.resultTo = made?.resultTo ?? deps.config.resultTo
  await endInvitations({ work, vault: deps.vault, now }, file.token)
  await remember(turn, file)
  keepIndex(turn, file)
  move(file, consented)
  noteBegun(turn, file)
  if (isInStage(file, 'board')) await openBoard(turn, file)
  await showPlace(turn, file)
}
