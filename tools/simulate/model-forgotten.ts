import { RETENTION_MS } from './model-answers.ts'
import type { Participant, Pressed } from './person.ts'
import type { Broken, ModelDeps } from './promises.ts'
import type { Committed } from './shared-store.ts'
import type { HasSkipped, Host } from './time.ts'

/** So long after /forget what was under way has ended. */
export const ENDED_MS = 45_000
/** What is pressed of a test that was begun, of one that perhaps was not, and in the dialog that follows. */
const BEGUN = /^(?:a|go|pause|review|submit|result|generate|ready):([\w-]+)/
const OPENED = /^(?:begin|refresh|retry|open):([\w-]+)/
const FOLLOWS = /^(?:birth|gender|guardian|profile):/

/** Documents of an account and of a test (its record, conversation, attempt, result), and what would take it up again. */
const DOCUMENTS = /^[urtso]:/
/** What Telegram has not deleted yet is deleted later (`timer:left`). */
const JOBS = /^(?:reminder|stuck|screen|opening|expiry|timer(?!:left)|submit|result|generation):/

/** Somebody who had everything forgotten: when the chat was told so, what was pressed in it, and the queue of the chat. */
type Forgotten = { at: number; pressed: readonly Pressed[]; actor: string }
type Kept = {
  elapsed: number
  names: readonly string[]
  /** Whether an organizer had released a test before that: it was somebody's no more, and waits for its next account. */
  wasReleased: (s: string, at: number) => boolean
  /** Whether the store has forgotten something that it knew between the two. */
  hasForgotten: (since: number, at: number) => boolean
  hasSkipped: HasSkipped
}

/** What /forget has left: documents and timers of what somebody had begun. */
function leftBy(
  { at, pressed, actor }: Forgotten,
  { elapsed, names, wasReleased, hasForgotten, hasSkipped }: Kept,
): Broken[] {
  if (elapsed - at < ENDED_MS) return []
  const opened = pressed.flatMap(({ data }) => OPENED.exec(data)?.[1] ?? [])
  const begun = pressed.flatMap(({ data, at: since }, index) => {
    const next = pressed[index + 1]
    // What was unfinished is over, and its link is nobody's again.
    if (hasSkipped(RETENTION_MS, since, at)) return []
    // Where the store has forgotten the begin, the link is nobody's, and stays for others.
    const isBegun = next && FOLLOWS.test(next.data) && !hasForgotten(since, next.at)
    return (isBegun ? OPENED : BEGUN).exec(data)?.[1] ?? []
  })
  const who = actor.slice(actor.indexOf(':') + 1)
  const isOf = (name: string, wanted: readonly string[]) =>
    name.split(':').some((part) => part === who || (wanted.includes(part) && !wasReleased(part, at)))
  const isLeft = (name: string) =>
    (DOCUMENTS.test(name) && isOf(name, begun)) || (JOBS.test(name) && isOf(name, [...opened, ...begun]))
  return names.filter(isLeft).map((name) => ({ kind: 'strayed', what: `/forget has left ${name}` }))
}

/** What stands in the store of people who had everything forgotten, as far as the store knows that. */
export function whatIsLeft(
  people: readonly Participant[],
  {
    goneAt,
    actorOf,
    ...rest
  }: {
    /** When somebody was surely forgotten who has done nothing more since. */
    goneAt: (chat: string) => number | undefined
    actorOf: (chat: number) => string
  } & Kept,
): Broken[] {
  return people.flatMap(({ person, pressed, tasks, phones }) => {
    const at = goneAt(String(person.id))
    // What is shared others keep; a phone that is gone may have kept what nobody has released in the end.
    if (at === undefined || phones > 1 || tasks.some(({ family }) => family)) return []
    return leftBy({ at, pressed, actor: actorOf(person.id) }, rest)
  })
}

/** Whose a job is, and what it is about, as the name of its queue says; a chat handles one message after the other. */
const idsOf = (actor: string): string[] => (actor.startsWith('chat:') ? [] : actor.split(':').slice(1))
const idOf = (name: string): string => name.slice(name.lastIndexOf(':') + 1)
/** What /forget writes and deletes: the epoch of an account, its tests. */
export const EPOCH = 'e:'
const TEST = 'r:'

/** In the name of a message: a commit has posted it. */
const POSTED = '>'
type Claimed = { host: Host; actor: string; fence: string; id: string }

export type ForgottenModel = ReturnType<typeof createForgottenModel>

/** The model of what /forget ends: a job that was under way keeps nothing of that account, and posts nothing for it. */
export function createForgottenModel({ elapsed, tell }: Pick<ModelDeps, 'elapsed' | 'tell'>) {
  const claimedAt = new Map<string, number>()
  /** What a chat handles that is no update: the outcome of a call, an event. */
  const events = new Map<string, { host: Host; actor: string }>()
  /** When the last update of each chat was taken up. */
  const updates = new Map<string, number>()
  /** Accounts and tests that were forgotten, and when. */
  const gone = new Map<string, number>()
  /** When an organizer's release of each test was kept first. */
  const released = new Map<string, number>()

  return {
    released({ writes }: Pick<Committed, 'writes'>): void {
      for (const { key } of writes)
        if (key.startsWith(TEST) && !released.has(idOf(key))) released.set(idOf(key), elapsed())
    },
    wasReleased: (s: string, at: number): boolean => (released.get(s) ?? Number.POSITIVE_INFINITY) < at,
    claimed({ host, actor, fence, id }: Claimed): void {
      claimedAt.set(fence, elapsed())
      if (!actor.startsWith('chat:')) return
      if (id.includes(POSTED)) events.set(fence, { host, actor })
      else updates.set(actor, elapsed())
    },
    /** Whether an update of a chat was taken up after then, such as one that came twice, days apart. */
    isUpdated: (chat: string, at: number): boolean => (updates.get(chat) ?? 0) > at,
    /** Whether a replica handles something for a chat, taken up after then, that nobody has written there. */
    isTold: (chat: string, by: Host, at: number): boolean =>
      [...events].some(
        ([fence, { host, actor }]) => host === by && actor === chat && (claimedAt.get(fence) ?? 0) > at,
      ),
    committed({ actor, fence, writes, posts }: Committed): void {
      events.delete(fence)
      const wasGoneSince = (id: string) => (gone.get(id) ?? 0) > (claimedAt.get(fence) ?? 0)
      const kept = [...writes.filter(({ value }) => value).map(({ key }) => key), ...posts]
      if (idsOf(actor).some(wasGoneSince) && kept.map(idOf).some(wasGoneSince))
        tell('strayed', `a ${actor.split(':')[0]} that /forget has ended is kept`)
      if (!writes.some(({ key }) => key.startsWith(EPOCH))) return
      for (const { key, value } of writes)
        if (key.startsWith(EPOCH) || (key.startsWith(TEST) && !value)) gone.set(idOf(key), elapsed())
    },
    /** A store that was put back knows nobody who was forgotten since. */
    putBack(to: number): void {
      for (const known of [gone, released]) for (const [id, at] of known) if (at >= to) known.delete(id)
    },
  }
}
