import type { Broken } from './promises.ts'

/** So long after /forget what was under way has ended. */
export const ENDED_MS = 45_000
/** What is pressed of a test that was begun, of one that perhaps was not, and in the dialog that follows. */
const BEGUN = /^(?:a|go|pause|review|submit|result|generate|ready):([\w-]+)/
const OPENED = /^(?:begin|refresh|retry|open):([\w-]+)/
const FOLLOWS = /^(?:birth|gender|guardian|profile):/

/** Documents of an account and of a test (its record, conversation, attempt, result), and what would take it up again. */
const DOCUMENTS = /^[urtso]:/
const JOBS = /^(reminder|stuck|screen|opening|expiry|timer|submit|result|generation):/

/** Somebody who had everything forgotten: when the chat was told so, what was pressed in it, and the queue of the chat. */
export type Forgotten = { at: number; pressed: readonly string[]; actor: string }

/** What /forget has left: documents and timers of what somebody had begun. */
export function leftBy(
  { at, pressed, actor }: Forgotten,
  { elapsed, names }: { elapsed: number; names: readonly string[] },
): Broken[] {
  if (elapsed - at < ENDED_MS) return []
  const opened = pressed.flatMap((data) => OPENED.exec(data)?.[1] ?? [])
  const begun = pressed.flatMap((data, index) => {
    const isBegun = FOLLOWS.test(pressed[index + 1] ?? '')
    return (isBegun ? OPENED : BEGUN).exec(data)?.[1] ?? []
  })
  const who = actor.slice(actor.indexOf(':') + 1)
  const isOf = (name: string, wanted: readonly string[]) =>
    name.split(':').some((part) => part === who || wanted.includes(part))
  const isLeft = (name: string) =>
    (DOCUMENTS.test(name) && isOf(name, begun)) || (JOBS.test(name) && isOf(name, [...opened, ...begun]))
  return names.filter(isLeft).map((name) => ({ kind: 'strayed', what: `/forget has left ${name}` }))
}
