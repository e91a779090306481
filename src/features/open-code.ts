import { fileOf } from '../chat/files.ts'
import { tell } from '../chat/say.ts'
import type { Turn } from '../chat/turn.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { resultToOf } from '../jobs/recipients.ts'
import { invitations, isMade, type MadeInvitation, whyClosed } from '../kept/invitations.ts'
import { codeKey } from '../kept/keys.ts'
import { openRoleInvitation } from './accept-role.ts'
import { openInvitation } from './introduce.ts'
import { showPlace } from './place.ts'

const closedWords = {
  used: 'invitation-used',
  revoked: 'invitation-revoked',
  expired: 'invitation-expired',
} as const

/** Opens an invitation by its code, whoever has made it: an organizer, or a participant who gave a role away. */
export async function openCode(turn: Turn, code: string): Promise<void> {
  const { work, deps, account } = turn
  const kept = await work.get(invitations, codeKey(deps.vault, code))
  const made = isMade(kept) ? kept : undefined
  if (!made || made.role) {
    const closed = made && whyClosed(made, turn.now)
    if (made && closed && closed !== 'used' && !(await isTaken(turn, made)))
      return tell(turn, closedWords[closed])
    const file = await openRoleInvitation(turn, code)
    return file && showPlace(turn, file)
  }
  const { kind, token, externalId } = made
  const file = await fileOf(turn, { kind, token })
  const closed = file.owner === turn.who ? undefined : whyClosed(made, turn.now)
  if (closed) return tell(turn, closedWords[closed])
  if (file.owner === undefined) {
    account.invited = { ...account.invited, [file.s]: code }
    account.invitedTo = { ...account.invitedTo, [file.s]: made.resultTo ?? deps.config.resultTo }
  }
  const invitation = kind === 'record' ? { kind, token, externalId } : { kind, token }
  await openInvitation(turn, file.owner === turn.who ? { kind, token } : invitation, { isByCode: true })
}

/** Whether this account has begun with the invitation already. */
async function isTaken(turn: Turn, made: MadeInvitation): Promise<boolean> {
  const file = await fileOf(turn, made)
  return file.roadmap?.hands.some(({ code, who }) => code === made.code && who === turn.who) ?? false
}

/** The organizer's invitation by which this account came to something that nobody has begun. */
export async function openedInvitation(
  { work, deps, account }: Turn,
  { s }: Pick<RecordFile, 's'>,
): Promise<MadeInvitation | undefined> {
  const code = account.invited?.[s]
  const kept = code === undefined ? undefined : await work.get(invitations, codeKey(deps.vault, code))
  return isMade(kept) ? kept : undefined
}

/**
 * Whether what was opened may be begun now: with `INVITATION_ONLY` only by an invitation, and by none that is over.
 * Says why not.
 */
export async function mayBegin(
  turn: Turn,
  file: RecordFile,
  made: MadeInvitation | undefined,
): Promise<boolean> {
  if (!made) {
    const isOpen = !turn.deps.config.invitationOnly
    if (!isOpen) await tell(turn, 'invitation-unknown')
    return isOpen
  }
  const closed = whyClosed(made, turn.now)
  if (closed) {
    await tell(turn, closedWords[closed])
    return false
  }
  const said = turn.account.invitedTo?.[file.s]
  const now = made.resultTo ?? turn.deps.config.resultTo
  if (said === now) return true
  // What is consented to is what was read.
  turn.account.invitedTo = { ...turn.account.invitedTo, [file.s]: now }
  await tell(turn, 'invitation-changed')
  await showPlace(turn, file)
  return false
}

/** Who receives the result, as the introduction says it to this account. */
export async function saidResultTo(turn: Turn, file: RecordFile) {
  const invited = file.owner === undefined ? await openedInvitation(turn, file) : undefined
  return invited?.resultTo ?? resultToOf(turn.deps.config, file)
}
