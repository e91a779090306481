import { type Attempt, openAttempt as open } from '../../domain/attempt.ts'
import { readable } from '../../domain/unreadable.ts'
import type { Entry, Store } from '../store.ts'
import type { Vault } from '../vault.ts'

/** The key that a record's attempt lies under. An attempt is bytes, no document: see `domain/attempt.ts`. */
export const attemptKey = (s: string): string => `s:${s}`

/** Reads an attempt as it is kept; throws an `UnreadableError` when it is none. */
export const openAttempt = ({ value }: Entry): Attempt => readable(() => open(value))

/** Whose an attempt is: the account, nobody while it is released, and the record that it answers. */
export type Whose = { who: string | undefined; s: string }

/**
 * Who may move an attempt: the account, the record and this very attempt, so that a button of one that was started over,
 * a process that remembers the older one, or one that lies in the place of another moves nothing. A released one is nobody's.
 */
export function attemptOwner(
  vault: Vault,
  { who = 'released', s }: Whose,
  { layout, id }: Pick<Attempt, 'layout' | 'id'>,
): Buffer {
  const text = `${who}:${id.toString('hex')}`
  return vault.owner8(layout === 1 ? text : `${text}:${s}`)
}

/** Opens a kept attempt, unless it is another's: whoever can write to the store cannot give it to anybody else. */
export function openAttemptOf(vault: Vault, whose: Whose, entry: Entry): Attempt | undefined {
  const attempt = openAttempt(entry)
  return attempt.owner.equals(attemptOwner(vault, whose, attempt)) ? attempt : undefined
}

/** Reads the attempt of a record, unless it is another's. */
export async function readAttemptOf(
  { store, vault }: { store: Pick<Store, 'read'>; vault: Vault },
  whose: Whose,
): Promise<Attempt | undefined> {
  const [entry] = await store.read([attemptKey(whose.s)])
  return entry && openAttemptOf(vault, whose, entry)
}

/** The same attempt with something changed by us: sealed again if it was sound, and as harmed as it was if not. */
export function resealed(
  { attemptCipher }: Vault,
  s: string,
  attempt: Attempt,
  changes: Partial<Attempt>,
): Attempt {
  const changed = { ...attempt, ...changes }
  return attemptCipher.verify(s, attempt) === 'sound'
    ? { ...changed, mac: attemptCipher.mac(s, changed) }
    : changed
}
