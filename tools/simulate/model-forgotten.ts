import type { Broken } from './promises.ts'

/** So long after /forget what was under way has ended. */
export const ENDED_MS = 45_000
const BUTTON = /^(?:begin|a|go|pause|review|submit|retry|open|refresh|result|generate|ready):([\w-]+)/

/** Documents of an account and of a test (its record, conversation, attempt, result), and what would take it up again. */
const ENDS = /^(u|r|t|s|o|reminder|stuck|screen|opening|expiry|timer|submit|result|generation):/

/** Somebody who had everything forgotten: when the chat was told so, what was pressed in it, and the queue of the chat. */
export type Forgotten = { at: number; pressed: readonly string[]; actor: string }

/** What /forget has left: documents and timers of what somebody had begun. */
export function leftBy(
  { at, pressed, actor }: Forgotten,
  { elapsed, names }: { elapsed: number; names: readonly string[] },
): Broken[] {
  if (elapsed - at < ENDED_MS) return []
  const own = pressed.flatMap((data) => BUTTON.exec(data)?.[1] ?? [])
  const who = actor.slice(actor.indexOf(':') + 1)
  const wanted = new Set([...own, who])
  const isLeft = (name: string) => ENDS.test(name) && name.split(':').some((part) => wanted.has(part))
  return names.filter(isLeft).map((name) => ({ kind: 'strayed', what: `/forget has left ${name}` }))
}
