import type { Host } from './time.ts'

/** A test that several accounts can get, and the lengths by which its questions are recognised. */
export type Shared = { name: string; lengths: readonly number[] }
type Held = { chat: string; since: number }

/** Messages from before a release or /forget may still be under way for this time. */
export const UNDER_WAY_MS = 6_000
const QUESTION = /جملهٔ \d+ از (\d+)/

export type Holders = ReturnType<typeof createHolders>

/** Watches that the questions of a test are shown to one account at a time, although the test changes hands. */
export function createHolders({ elapsed, stray }: { elapsed: () => number; stray: (what: string) => void }) {
  const known = new Map<string, Shared>()
  const held = new Map<string, Held>()
  /** When tests passed to another account, by name and length or by name alone. */
  const passedAt = new Map<string, number>()

  /** Whether the account was shown the test by a message that may have been under way when the test passed on. */
  function isUnderWay({ name }: Shared, length: number, { since }: Held): boolean {
    const at = Math.max(passedAt.get(name) ?? -Infinity, passedAt.get(`${name}:${length}`) ?? -Infinity)
    return since - at < UNDER_WAY_MS
  }

  return {
    /** Questions of these lengths in this chat belong to this test. */
    knows: (chat: number, shared: Shared) => void known.set(String(chat), shared),
    /** A message is shown in a chat. */
    shows(body: string, host: Host): void {
      const length = known.size > 0 ? Number(QUESTION.exec(body)?.[1]) : Number.NaN
      if (Number.isNaN(length)) return
      const chat = String(JSON.parse(body).chat_id)
      const shared = known.get(chat)
      if (!shared?.lengths.includes(length)) return
      // A replica that was frozen does not know yet that another account has it.
      if (host.frozenUntil > 0 && elapsed() - host.frozenUntil < UNDER_WAY_MS) return
      const test = `${shared.name}:${length}`
      const before = held.get(test)
      const isAnothers = before && before.chat !== chat && !isUnderWay(shared, length, before)
      if (isAnothers) stray(`a question of ${test} came to …${chat.slice(-3)}, too`)
      if (before?.chat !== chat) held.set(test, { chat, since: elapsed() })
    },
    /** The test passes to its next holder; with a length, only the test of one role does. */
    passes(name: string, length?: number): void {
      passedAt.set(length === undefined ? name : `${name}:${length}`, elapsed())
      for (const test of held.keys())
        if (length === undefined ? test.startsWith(`${name}:`) : test === `${name}:${length}`)
          held.delete(test)
    },
    /** The account used /forget: its unfinished tests may go to another account. */
    leaves(chat: string): void {
      for (const [test, { chat: holder }] of held) if (holder === chat) held.delete(test)
    },
    /** The store was put back to its state of that moment. */
    putBack(to: number): void {
      for (const [test, { since }] of held) if (since >= to - UNDER_WAY_MS) held.delete(test)
    },
  }
}
