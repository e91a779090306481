import { RETENTION_MS } from './model-answers.ts'
import type { Participant, Pressed } from './person.ts'
import type { Broken, ModelDeps } from './promises.ts'
import type { Committed } from './shared-store.ts'
import type { HasSkipped, Host } from './time.ts'

/** Jobs that were under way at /forget have ended after this time. */
export const ENDED_MS = 45_000
/** Buttons of a test that was begun, of one that perhaps was not, and of the dialog that follows. */
const BEGUN = /^(?:a|go|pause|review|submit|result|generate|ready):([\w-]+)/
const OPENED = /^(?:begin|refresh|retry|open):([\w-]+)/
const FOLLOWS = /^(?:birth|gender|guardian|profile):/

/** Documents of an account and of a test (record, conversation, attempt, result), and jobs that would resume it. */
const DOCUMENTS = /^[urtso]:/
/** `timer:left` may stay: it deletes later what Telegram has not deleted yet. */
const JOBS = /^(?:reminder|stuck|screen|opening|expiry|timer(?!:left)|submit|result|generation):/

/** A person who used /forget: when the chat was notified, the buttons pressed in it, and its queue. */
type Forgotten = { at: number; pressed: readonly Pressed[]; actor: string }
type Kept = {
  elapsed: number
  names: readonly string[]
  /** Whether an organizer had released a test before: it has no assignee and waits for its next account. */
  wasReleased: (s: string, at: number) => boolean
  /** Whether a put-back of the store has lost writes between the two moments. */
  hasForgotten: (since: number, at: number) => boolean
  hasSkipped: HasSkipped
}

/** Documents and timers of begun tests that /forget has left. */
function leftBy(
  { at, pressed, actor }: Forgotten,
  { elapsed, names, wasReleased, hasForgotten, hasSkipped }: Kept,
): Broken[] {
  if (elapsed - at < ENDED_MS) return []
  const opened = pressed.flatMap(({ data }) => OPENED.exec(data)?.[1] ?? [])
  const begun = pressed.flatMap(({ data, at: since }, index) => {
    const next = pressed[index + 1]
    // The unfinished record has expired, and its link has no owner again.
    if (hasSkipped(RETENTION_MS, since, at)) return []
    // If the store has lost the begin, the link has no owner and stays open for others.
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

/** What the store still has of people who used /forget, unless a put-back has lost the /forget. */
export function leftByForgotten(
  people: readonly Participant[],
  {
    goneAt,
    actorOf,
    ...rest
  }: {
    /** When a chat was surely forgotten, if it has done nothing since. */
    goneAt: (chat: string) => number | undefined
    actorOf: (chat: number) => string
  } & Kept,
): Broken[] {
  return people.flatMap(({ person, pressed, tasks, phones }) => {
    const at = goneAt(String(person.id))
    // Others keep a shared roadmap. A lost phone may keep a test that no organizer released.
    if (at === undefined || phones > 1 || tasks.some(({ family }) => family)) return []
    return leftBy({ at, pressed, actor: actorOf(person.id) }, rest)
  })
}

/** The ids in a job's queue name: its account and its test. A chat's queue has none, as it handles messages in order. */
const idsOf = (actor: string): string[] => (actor.startsWith('chat:') ? [] : actor.split(':').slice(1))
const idOf = (name: string): string => name.slice(name.lastIndexOf(':') + 1)
/** Keys that /forget writes (the epoch of an account) and deletes (its tests). */
export const EPOCH = 'e:'
const TEST = 'r:'

/** Marks the id of a message that a commit has posted. */
const POSTED = '>'
type Claimed = { host: Host; actor: string; fence: string; id: string }

export type ForgottenModel = ReturnType<typeof createForgottenModel>

/** The model of /forget: a job that was under way stores nothing of that account and posts nothing for it. */
export function createForgottenModel({ elapsed, report }: Pick<ModelDeps, 'elapsed' | 'report'>) {
  const claimedAt = new Map<string, number>()
  /** Messages that a chat handles and that are no updates: outcomes of calls, events. */
  const events = new Map<string, { host: Host; actor: string }>()
  /** When the last update of each chat was claimed. */
  const updates = new Map<string, number>()
  /** Accounts and tests that were forgotten, and when. */
  const gone = new Map<string, number>()
  /** When the first release of each test was committed. */
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
    /** Whether an update of a chat was claimed after this moment, such as a duplicate that came days later. */
    isUpdated: (chat: string, at: number): boolean => (updates.get(chat) ?? 0) > at,
    /** Whether a replica handles a message for a chat, claimed after this moment, that is no update. */
    isTold: (chat: string, by: Host, at: number): boolean =>
      [...events].some(
        ([fence, { host, actor }]) => host === by && actor === chat && (claimedAt.get(fence) ?? 0) > at,
      ),
    committed({ actor, fence, writes, posts }: Committed): void {
      events.delete(fence)
      const wasGoneSince = (id: string) => (gone.get(id) ?? 0) > (claimedAt.get(fence) ?? 0)
      const kept = [...writes.filter(({ value }) => value).map(({ key }) => key), ...posts]
      if (idsOf(actor).some(wasGoneSince) && kept.map(idOf).some(wasGoneSince))
        report('strayed', `a ${actor.split(':')[0]} that /forget has ended is kept`)
      if (!writes.some(({ key }) => key.startsWith(EPOCH))) return
      for (const { key, value } of writes)
        if (key.startsWith(EPOCH) || (key.startsWith(TEST) && !value)) gone.set(idOf(key), elapsed())
    },
    /** A store that was put back has lost every later /forget and release. */
    putBack(to: number): void {
      for (const known of [gone, released]) for (const [id, at] of known) if (at >= to) known.delete(id)
    },
  }
}
