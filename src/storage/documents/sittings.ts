import { openSitting as open, type Sitting } from '../../domain/sitting.ts'
import { readable } from '../../domain/unreadable.ts'
import type { Entry, Store } from '../store.ts'
import type { Vault } from '../vault.ts'

/** The key that a record's sitting lies under. A sitting is bytes, no document: see `domain/sitting.ts`. */
export const sittingKey = (s: string): string => `s:${s}`

/** Reads a sitting as it is kept; throws an `UnreadableError` when it is none. */
export const openSitting = ({ value }: Entry): Sitting => readable(() => open(value))

/** Whose a sitting is: the account, nobody while it is released, and the record that it answers. */
export type Whose = { who: string | undefined; s: string }

/**
 * Who may move a sitting: the account, the record and this very sitting, so that a button of one that was started over,
 * a process that remembers the older one, or one that lies in the place of another moves nothing. A released one is nobody's.
 */
export function attemptOwner(
  vault: Vault,
  { who = 'released', s }: Whose,
  { layout, id }: Pick<Sitting, 'layout' | 'id'>,
): Buffer {
  const text = `${who}:${id.toString('hex')}`
  return vault.owner8(layout === 1 ? text : `${text}:${s}`)
}

/** Opens a kept sitting, unless it is another's: whoever can write to the store cannot give it to anybody else. */
export function openSittingOf(vault: Vault, whose: Whose, entry: Entry): Sitting | undefined {
  const sitting = openSitting(entry)
  return sitting.owner.equals(attemptOwner(vault, whose, sitting)) ? sitting : undefined
}

/** Reads the sitting of a record, unless it is another's. */
export async function readSittingOf(
  { store, vault }: { store: Pick<Store, 'read'>; vault: Vault },
  whose: Whose,
): Promise<Sitting | undefined> {
  const [entry] = await store.read([sittingKey(whose.s)])
  return entry && openSittingOf(vault, whose, entry)
}

/** The same sitting with something changed by us: sealed again if it was sound, and as harmed as it was if not. */
export function resealed(
  { sittingCipher }: Vault,
  s: string,
  sitting: Sitting,
  changes: Partial<Sitting>,
): Sitting {
  const changed = { ...sitting, ...changes }
  return sittingCipher.verify(s, sitting) === 'sound'
    ? { ...changed, mac: sittingCipher.mac(s, changed) }
    : changed
}
