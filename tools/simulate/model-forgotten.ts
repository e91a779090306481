import type { Broken } from './promises.ts'

/** So long after /forget what was under way has ended. */
export const ENDED_MS = 45_000
const BUTTON =
  /"callback_data":"(?:begin|a|go|pause|review|submit|retry|open|refresh|result|generate|ready):([\w-]+)/g

/** Documents about a test (its record, conversation, attempt, result), and what would take it up again later. */
const ENDS = /^(r|t|s|o|reminder|stuck|expiry|timer|submit|result|generation):/

/** Somebody who had everything forgotten: when the chat was told so, what stands in it, and the queue of the chat. */
export type Forgotten = { at: number; messages: unknown; actor: string }

/** What /forget has left: documents and timers of what somebody had begun. */
export function leftBy(
  { at, messages, actor }: Forgotten,
  { elapsed, names }: { elapsed: number; names: readonly string[] },
): Broken[] {
  if (elapsed - at < ENDED_MS) return []
  const own = [...JSON.stringify(messages).matchAll(BUTTON)].map(([, s = '']) => s)
  const who = actor.slice(actor.indexOf(':') + 1)
  const wanted = new Set([...own, who])
  const isLeft = (name: string) => ENDS.test(name) && wanted.has(name.split(':')[1] ?? '')
  return names.filter(isLeft).map((name) => ({ kind: 'strayed', what: `/forget has left ${name}` }))
}
