import { tell } from '../chat/say.ts'
import type { Turn } from '../chat/turn.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { resultToOf } from '../jobs/recipients.ts'
import { invitations, isMade, type MadeInvitation, whyClosed } from '../kept/invitations.ts'
import { codeKey } from '../kept/keys.ts'

/** What an invitation that opens nothing says. */
export const closedWords = {
  used: 'invitation-used',
  revoked: 'invitation-revoked',
  expired: 'invitation-expired',
} as const

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
 * Says why not. `changed`: the introduction is to be read once more.
 */
export async function mayBegin(
  turn: Turn,
  file: RecordFile,
  made: MadeInvitation | undefined,
): Promise<'yes' | 'no' | 'changed'> {
  if (!made) {
    const isOpen = !turn.deps.config.invitationOnly
    if (!isOpen) await tell(turn, 'invitation-unknown')
    return isOpen ? 'yes' : 'no'
  }
  const closed = whyClosed(made, turn.now)
  if (closed) {
    await tell(turn, closedWords[closed])
    return 'no'
  }
  const said = turn.account.invitedTo?.[file.s]
  const now = made.resultTo ?? turn.deps.config.resultTo
  if (said === now) return 'yes'
  // What is consented to is what was read.
  turn.account.invitedTo = { ...turn.account.invitedTo, [file.s]: now }
  await tell(turn, 'invitation-changed')
  return 'changed'
}

/** Who receives the result, as the introduction says it to this account. */
export async function saidResultTo(turn: Turn, file: RecordFile) {
  const invited = file.owner === undefined ? await openedInvitation(turn, file) : undefined
  return invited?.resultTo ?? resultToOf(turn.deps.config, file)
}
