import type { AttemptMove } from '../../src/domain/attempt.ts'
import { openAttempt } from '../../src/domain/attempt-layout.ts'
import { epochs, pictures, questionnaires } from '../../src/storage/documents/kinds.ts'
import {
  type Claim,
  COMMIT_SEEN_FOR_MS,
  type Commit,
  type Store,
  type Write,
} from '../../src/storage/store.ts'
import type { Ask, Question } from './ask.ts'
import type { Moved } from './model-answers.ts'
import { openRedis } from './redis-behind.ts'
import { openSqlite } from './sqlite-behind.ts'
import type { Host, Time } from './time.ts'
import type { Step } from './visits.ts'

/** The commit of a message: its writes, and the actors that it posts to. */
export type Committed = {
  actor: string
  fence: string
  writes: readonly Pick<Write, 'key' | 'value'>[]
  posts: readonly string[]
}

/** News of what the store has just done, for the watch. */
export type StoreNews =
  | { kind: 'posted'; id: string }
  | {
      kind: 'claimed' | 'renewed' | 'begun'
      host: Host
      actor: string
      fence: string
      leaseMs: number
      id: string
    }
  | ({ kind: 'committed'; host: Host } & Committed)
  | { kind: 'not committed'; host: Host; actor: string; fence: string; outcome: string }
  | ({ kind: 'moved'; revision: number } & Moved)
  | { kind: 'locked'; key: string }
  | { kind: 'told as lost'; actor: string }
  | { kind: 'overwritten'; key: string }
  | { kind: 'put back'; from: number; to: number }

const NAMED_BY_CONTENT = new RegExp(`^(${questionnaires.prefix}|${pictures.prefix}):`)

export type SharedStore = Awaited<ReturnType<typeof openSharedStore>>

/** One store for all replicas; each replica reaches it over a connection that can fail. */
export async function openSharedStore({
  dir,
  redisUrl,
  time,
  ask,
  onNews,
  stepOfCommit,
  lastsMs,
}: {
  dir: string
  /** The embedded store if absent. */
  redisUrl: string | undefined
  time: Time
  ask: Ask
  onNews: (news: StoreNews) => void
  /** The step that a commit carries out. */
  stepOfCommit: (commit: { actor: string; writes?: Commit['writes'] }) => Step | undefined
  /** The extra time of a commit that carries out this step. */
  lastsMs: (step: Step, keys: readonly string[]) => number
}) {
  const behind = await (redisUrl === undefined
    ? openSqlite({ dir, time })
    : openRedis({ url: redisUrl, time }))
  const { store } = behind
  let keptAt: number | undefined
  let failovers = 0
  /** The fences of committed claims, with elapsed time and date: repeating the same commit is no news. */
  const committed = new Map<string, { at: number; date: number }>()
  /** The number of updates that each replica has put into the store. */
  const taken = new Map<Host, number>()
  const takes = (host: Host) => void taken.set(host, (taken.get(host) ?? 0) + 1)

  /** Requests that are under way when the store is put back fail with their connection. */
  function ofConnection<T>(act: () => Promise<T>): () => Promise<T> {
    const own = failovers
    return () => (own === failovers ? act() : Promise.reject(failure(false)))
  }

  /** The keys that have changed since they were read. */
  async function changedSince(reads: NonNullable<Commit['expects']>): Promise<string[]> {
    const entries = await store.read(reads.map(({ key }) => key))
    return reads.flatMap(({ key, version }, at) => ((entries[at]?.version ?? null) === version ? [] : [key]))
  }
  const overwrites = (keys: readonly string[]) => {
    // Documents that are named by their content are the same from every writer.
    for (const key of keys) if (!NAMED_BY_CONTENT.test(key)) onNews({ kind: 'overwritten', key })
  }

  /** The store as one replica sees it. */
  function of(host: Host): Store {
    /** The last read of each key by this replica, with the failovers until then, and the time of each claim. */
    const lastRead = new Map<string, { at: number; life: number; version: string | null }>()
    const claimedAt = new Map<string, number>()
    const readSince = ({ fence }: Claim, { writes = [], expects = [] }: Commit) =>
      writes.flatMap(({ key, value }) => {
        const read = lastRead.get(key)
        // /forget deletes documents whatever their version is.
        if (value === null && writes.some((each) => each.key.startsWith(`${epochs.prefix}:`))) return []
        // What was read before the store was put back says nothing about this one.
        if (read?.life !== failovers || read.at < (claimedAt.get(fence) ?? 0)) return []
        return expects.some((each) => each.key === key) ? [] : [{ key, version: read.version }]
      })
    const asks = <T>(what: string, act: () => Promise<T>, more: Partial<Question<T>> = {}): Promise<T> =>
      ask(host, { asked: 'store', what, act: ofConnection(act), failure, ...more })
    /** A commit can carry out a step that a person has begun. It can meet a conflict, unless it was carried out before. */
    const committing = ({ actor, fence }: Claim, { writes }: Commit) => {
      const step = stepOfCommit({ actor, writes })
      const refusal = committed.has(fence) ? undefined : () => 'conflict' as const
      return { step, refusal, lastsMs: step ? lastsMs(step, writes?.map(({ key }) => key) ?? []) : 0 }
    }
    return {
      ...store,
      read: (keys) =>
        asks(`read ${keys.length}`, async () => {
          const entries = await store.read(keys)
          for (const [index, key] of keys.entries())
            lastRead.set(key, {
              at: time.elapsed(),
              life: failovers,
              version: entries[index]?.version ?? null,
            })
          return entries
        }),
      readAt: (key) => asks('read 1', () => store.readAt(key)),
      put: (write, version) =>
        asks('put', async () => {
          const changed = await changedSince([{ key: write.key, version }])
          const isPut = await store.put(write, version)
          if (isPut) overwrites(changed)
          if (isPut && isLocked(write)) onNews({ kind: 'locked', key: write.key })
          return isPut
        }),
      post: (post) =>
        asks(`post ${kind(post.actor)}`, async () => {
          const outcome = await store.post(post)
          takes(host)
          if (outcome === 'posted') onNews({ kind: 'posted', id: post.id })
          return outcome
        }),
      claim: (leaseMs, kinds) =>
        asks('claim', async () => {
          if (!behind.isDue()) return undefined
          const claim = await store.claim(leaseMs, kinds)
          if (claim) claimedAt.set(claim.fence, time.elapsed())
          if (claim) onNews({ kind: 'claimed', host, leaseMs, ...nameOf(claim) })
          return claim
        }),
      renew: (claim, leaseMs) =>
        asks(`renew ${kind(claim.actor)}`, async () => {
          const isHeld = await store.renew(claim, leaseMs)
          if (isHeld) onNews({ kind: 'renewed', host, leaseMs, ...nameOf(claim) })
          return isHeld
        }),
      suspect: (claim, isAlone) => asks(`suspect ${kind(claim.actor)}`, () => store.suspect(claim, isAlone)),
      begin: (claim, leaseMs) =>
        asks(`begin ${kind(claim.actor)}`, async () => {
          const isHeld = await store.begin(claim, leaseMs)
          if (isHeld) onNews({ kind: 'begun', host, leaseMs, ...nameOf(claim) })
          return isHeld
        }),
      commit: (claim, commit) =>
        asks(
          `commit ${claim.actor.startsWith('chat:') ? 'chat' : claim.actor}`,
          async () => {
            const changed = await changedSince([...(commit.expects ?? []), ...readSince(claim, commit)])
            const outcome = await store.commit(claim, commit)
            const { actor, fence } = claim
            const before = committed.get(fence)
            if (outcome === 'lost' && before && time.worldNow() - before.date < COMMIT_SEEN_FOR_MS)
              onNews({ kind: 'told as lost', actor })
            if (outcome !== 'ok') onNews({ kind: 'not committed', host, actor, fence, outcome })
            else if (!committed.has(fence)) {
              overwrites(changed)
              onNews({ kind: 'committed', host, actor, fence, ...contentOf(commit) })
            }
            if (outcome === 'ok')
              committed.set(fence, before ?? { at: time.elapsed(), date: time.worldNow() })
            return outcome
          },
          committing(claim, commit),
        ),
      answer: (key, move) =>
        asks(`answer ${move.kind}`, async () => {
          const reply = await store.answer(key, move)
          if (reply.status === 'gone') return reply
          takes(host)
          const isAccepted = reply.status === 'accepted'
          const { revision, answered, questions } = reply
          const news = { key, isAccepted, answer: answerOf(move), revision, answered, questions }
          onNews({ kind: 'moved', move: move.kind, ...news })
          return reply
        }),
      counts: (asked) => asks('counts', () => store.counts(asked)),
      listed: (list, piece) => asks('listed', () => store.listed(list, piece)),
      ping: () => asks('ping', () => store.ping()),
      connection: () => failovers,
      life: () => asks('life', async () => String(failovers)),
      advice: async () => [],
      close: async () => {},
    }
  }

  return {
    of,
    taken: (host: Host): number => taken.get(host) ?? 0,
    /** Saves the present state. */
    keep(): void {
      keptAt = time.elapsed()
      void behind.keep()
    },
    /** Restores the saved state: a failover or a power cut has lost all later writes. */
    putBack(): void {
      if (keptAt === undefined) return
      void behind.putBack()
      onNews({ kind: 'put back', from: time.elapsed(), to: keptAt })
      for (const [fence, { at }] of committed) if (at >= keptAt) committed.delete(fence)
      keptAt = undefined
      failovers += 1
    },
    values: behind.values,
    names: behind.names,
    close: () => store.close(),
  }
}

/** The question that a move answers, and the revision of its button. */
const answerOf = (move: AttemptMove): Moved['answer'] =>
  move.kind === 'answer'
    ? { question: move.question, revision: move.revision, isTyped: move.messageId !== undefined }
    : undefined
const contentOf = ({ writes = [], posts = [] }: Commit) => ({
  writes,
  posts: posts.map(({ actor }) => actor),
})
const failure = (isDone: boolean) => new Error(`the store did not answer${isDone ? ', but did it' : ''}`)
const nameOf = ({ actor, fence, message: { id } }: Claim) => ({ actor, fence, id })
/** Whether a write locks answers. */
const isLocked = ({ key, value }: Write): boolean =>
  key.startsWith('s:') && value !== null && openAttempt(value).state === 'locked'
const kind = (actor: string) => actor.slice(0, actor.indexOf(':'))
