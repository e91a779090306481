import { openSitting as open, type Sitting } from '../domain/sitting.ts'
import { readable } from '../domain/unreadable.ts'
import type { Entry } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'

/** The key that a record's sitting lies under. A sitting is bytes, no document: see `domain/sitting.ts`. */
export const sittingKey = (s: string): string => `s:${s}`

/** Reads a sitting as it is kept; throws an `UnreadableError` when it is none. */
export const openSitting = ({ value }: Entry): Sitting => readable(() => open(value))

/**
 * Who may move a sitting: the account and this very sitting, so that a button of one that was started over, or a
 * process that remembers the older one, moves nothing.
 */
export const ownerOf = (vault: Vault, who: string, sittingId: Buffer): Buffer =>
  vault.owner8(`${who}:${sittingId.toString('hex')}`)

/** Opens a kept sitting, unless it is not this account's: whoever can write to the store cannot give it to another. */
export function openSittingOf(vault: Vault, who: string, entry: Entry): Sitting | undefined {
  const sitting = openSitting(entry)
  return sitting.owner.equals(ownerOf(vault, who, sitting.id)) ? sitting : undefined
}
/** Whose a sitting is while its claim is released: no account's. */
export const RELEASED = 'released'
