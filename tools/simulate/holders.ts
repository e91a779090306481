import type { Host } from './time.ts'

/** A test that more than one account could have, and the lengths by which its questions are known. */
export type Shared = { name: string; lengths: readonly number[] }
type Held = { chat: string; since: number }

/** What was read before somebody lost a test, or had everything forgotten, may still be under way for so long. */
export const UNDER_WAY_MS = 6_000
const QUESTION = /جملهٔ \d+ از (\d+)/

export type Holders = ReturnType<typeof createHolders>

/** Watches that the questions of a test that passes from hand to hand are shown to one account at a time. */
export function createHolders({ elapsed, stray }: { elapsed: () => number; stray: (what: string) => void }) {
  const known = new Map<string, Shared>()
  const held = new Map<string, Held>()
  /** When tests passed to another hand: by name and length, or by name alone. */
  const passedAt = new Map<string, number>()

  /** Whether somebody came to hold it by what may have been under way as it passed. */
  function isUnderWay({ name }: Shared, length: number, { since }: Held): boolean {
    const at = Math.max(passedAt.get(name) ?? -Infinity, passedAt.get(`${name}:${length}`) ?? -Infinity)
    return since - at < UNDER_WAY_MS
  }

  return {
    /** Whatever of these lengths this account is shown belongs to this test. */
    knows: (chat: number, shared: Shared) => void known.set(String(chat), shared),
    /** A message stands in a chat. */
    shows(body: string, host: Host): void {
      const length = known.size > 0 ? Number(QUESTION.exec(body)?.[1]) : Number.NaN
      if (Number.isNaN(length)) return
      const chat = String(JSON.parse(body).chat_id)
      const shared = known.get(chat)
      if (!shared?.lengths.includes(length)) return
      // Whoever stood still does not know yet that somebody else has it.
      if (host.frozenUntil > 0 && elapsed() - host.frozenUntil < UNDER_WAY_MS) return
      const test = `${shared.name}:${length}`
      const before = held.get(test)
      const isAnothers = before && before.chat !== chat && !isUnderWay(shared, length, before)
      if (isAnothers) stray(`a question of ${test} came to …${chat.slice(-3)}, too`)
      if (before?.chat !== chat) held.set(test, { chat, since: elapsed() })
    },
    /** Its next holder is let in; of a roadmap, perhaps, to the test of one role only. */
    passes(name: string, length?: number): void {
      passedAt.set(length === undefined ? name : `${name}:${length}`, elapsed())
      for (const test of held.keys())
        if (length === undefined ? test.startsWith(`${name}:`) : test === `${name}:${length}`)
          held.delete(test)
    },
    /** Somebody had everything forgotten: what they had half done goes to somebody else. */
    leaves(chat: string): void {
      for (const [test, { chat: holder }] of held) if (holder === chat) held.delete(test)
    },
    /** The store was put back to how it was then. */
    putBack(to: number): void {
      for (const [test, { since }] of held) if (since >= to - UNDER_WAY_MS) held.delete(test)
    },
  }
}
