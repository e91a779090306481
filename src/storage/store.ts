import type { StorageAdapter } from 'grammy'
import type { AttemptMove, AttemptReply } from '../domain/attempt.ts'
import { DAY_MS, HOUR_MS } from '../domain/durations.ts'
import { createRandom } from './aes-gcm.ts'

/**
 * The operations that both backends (SQLite, Redis) offer. Values, message bodies and keys are opaque here:
 * what is personal was encrypted or hashed before it came (see `vault.ts`). Times are milliseconds of the
 * injected clock.
 */
export interface Store {
  /** Reads several keys at once; an absent or expired key is `undefined`. */
  read(keys: readonly string[]): Promise<(Entry | undefined)[]>
  /** Reads one key, and says when, by the clock that all processes share. */
  readAt(key: string): Promise<{ at: number; entry: Entry | undefined }>
  /** Writes one key outside of a claim, if it has exactly this version or is absent (`null`); `false` when not. */
  put(write: Write, version: string | null): Promise<boolean>
  /** Puts a message into an actor's queue, unless its `id` was posted within the last 24 hours. */
  post(post: Post): Promise<'posted' | 'duplicate'>
  /**
   * Takes the lease of an actor of one of these kinds, with its first message: of the first kind of which one is due,
   * the actor that waits the longest. The kind is what stands before the colon of an actor's name.
   */
  claim(leaseMs: number, kinds: readonly string[]): Promise<Claim | undefined>
  /** Prolongs the lease; `false` when another worker has it. */
  renew(claim: Claim, leaseMs: number): Promise<boolean>
  /**
   * Notes whether the claimed message, whose claims came to no end before, is now the only one in work: `lost` is 3 if this
   * claim is lost while it is, else 2 again.
   */
  suspect(claim: Claim, isAlone: boolean): Promise<void>
  /** Prolongs the lease and notes with the message that it was begun; `false` when another worker has it. */
  begin(claim: Claim, leaseMs: number): Promise<boolean>
  /**
   * Writes, posts, and ends the claimed message in one step: all of it or nothing. Ends the lease when `ok`. A commit with
   * the id of one that was carried out is that one, repeated since its reply was lost: `ok`, and nothing is done twice.
   */
  commit(claim: Claim, commit: Commit): Promise<'ok' | 'lost' | 'conflict'>
  /** Compares and moves an attempt in one step: the hot path. */
  answer(key: string, move: AttemptMove): Promise<AttemptReply>
  /** What waits in the queues of these kinds. */
  backlog(kinds: readonly string[]): Promise<Backlog[]>
  /** How many have come to each of these lists at a time or later, all in one step. */
  counts(asked: readonly { list: string; from: number }[]): Promise<number[]>
  /** A piece of a list: of those that have come at a time or later, the first come first. */
  listed(
    list: string,
    piece: { from: number; skip: number; most: number },
  ): Promise<{ id: string; at: number }[]>
  /** One page of what is kept, a few hundred keys; `from` is where the last page ended. Names those of one prefix. */
  census(from?: string, named?: string): Promise<CensusPage>
  /** Texts for sessions, which may be lost: each leaves by itself, so long after it was last written. */
  sessions(termMs: number): StorageAdapter<string>
  /** Whether the storage takes writes; throws when it does not (a full disk, no memory left). */
  ping(): Promise<void>
  /**
   * Which connection to the storage this process has: another one may have met a storage that was put back. `undefined`
   * where that cannot be told.
   */
  connection(): number | undefined
  /**
   * Names the life of the storage: another name than before says that it came back older meanwhile (restored, failed
   * over), so that it may have forgotten what was begun.
   */
  life(): Promise<string>
  /** Rejects where there is little memory or disk left, or what is kept does not reach the disk. */
  room(): Promise<void>
  /** What the operator of the storage should change, one English sentence each; empty when all is well. */
  advice(): Promise<string[]>
  close(): Promise<void>
}

/** Whether the storage has come back older since it had this life; what an earlier version began knows none. */
export const isOlderThan = async (
  { life }: Pick<Store, 'life'>,
  known: string | undefined,
): Promise<boolean> => known !== undefined && known !== (await life())

/** There is nothing where a store should be. */
export class NoStore extends Error {}

/** `version` is opaque and changes with every write of the key. */
export type Entry = { value: Buffer; version: string }

/** `waiting`: actors with messages; `due`: those whose first one is due and in nobody's hands; `oldestMs`: for how long. */
export type Backlog = { kind: string; waiting: number; due: number; oldestMs: number }

/** How many keys there are of each prefix, and the heads of the attempts among them. Without `next` it was the last page. */
export type CensusPage = {
  counts: Record<string, number>
  attempts: Buffer[]
  /** The ids of one prefix. */
  names: string[]
  next?: string
}

/** How long the id of a post is remembered. */
export const SEEN_FOR_MS = DAY_MS
/** How long the id of a commit is remembered: much longer than anybody repeats it, unless the process stood still. */
export const COMMIT_SEEN_FOR_MS = HOUR_MS

/** A message for an actor. */
export type Post = {
  actor: string
  /** Posts with an id seen in the last 24 hours are dropped. */
  id: string
  /** It cannot come twice (its commit happens once): its id is neither compared nor remembered. */
  once?: boolean
  body: Buffer
  /** Not handed out before this time; the default is now. Messages of one actor are handed out in order of posting. */
  dueAt?: number
  /** Drops the messages of this actor that wait (not the one being handled), so that only this one is left. */
  replace?: boolean
}

/** A message as its worker gets it. */
export type Message = {
  id: string
  body: Buffer
  /** How often the message was put back by `retryAt` after a failure. */
  retries: number
  /** An earlier claim of this message began what must not be repeated (`begin`), and did not come to its end. */
  begun: boolean
  /**
   * How many claims in a row have neither ended nor put back this message: their process died, or stood still beyond the
   * lease. No more than 2, unless it was alone (`suspect`).
   */
  lost: number
}

/** So many lost claims are no proof: others were in work at the same time. */
export const LOST_IN_COMPANY = 2

/** The lease of an actor with its first message; `fence` tells it from every other claim. */
export type Claim = { actor: string; fence: string; message: Message }

/** What the handling of a message leaves behind, and how the message ends. */
export type Commit = {
  /** Tells this commit from every other one; without it a repetition is `lost`. */
  id?: string
  /** Preconditions: the key has exactly this version, or is absent (`null`). */
  expects?: readonly { key: string; version: string | null }[]
  writes?: readonly Write[]
  lists?: readonly Listed[]
  posts?: readonly Post[]
  /** The message is done (the default), or comes again at this time. */
  retryAt?: number
  /**
   * With `retryAt`: the body to keep instead, whether the failure counts in `retries` (default true), and whether the
   * message stays one that was begun (default false).
   */
  retryBody?: Buffer
  countsAsRetry?: boolean
  staysBegun?: boolean
}

/** The kind of an actor: what stands before the colon. */
export const kindOf = (actor: string): string => actor.slice(0, Math.max(0, actor.indexOf(':')))

/**
 * `value: null` deletes. Without `expiresAt` the value stays for ever. `version` is the new one (see `newVersion`) where the
 * value was sealed for it; otherwise the store makes one.
 */
export type Write = { key: string; value: Buffer | null; expiresAt?: number; version?: string }

const VERSION_BYTES = 8
const random = createRandom()
/** A version that no other write gets. */
export const newVersion = (): string => random(VERSION_BYTES).toString('base64url')

/**
 * Puts something into a list, at its place by the time, and out of the one that it was in; `null`: into none. What has come to a
 * list so long ago (`LISTED_FOR_MS`) leaves it. `isRecount`: in the list that it is in already it keeps its place.
 */
export type Listed = { id: string; list: string | null; at: number; isRecount?: true }

/** Longer than anybody asks about. */
export const LISTED_FOR_MS = 366 * DAY_MS

/** Counts keys by their prefix, each with the first bytes where it is an attempt; what the store keeps for itself has none. */
export function censusOf(
  keys: readonly { key: string; head?: Buffer | undefined }[],
  named?: string,
  next?: string,
): CensusPage {
  const counts: Record<string, number> = {}
  for (const { key } of keys) {
    const prefix = /^([a-z]+):/.exec(key)?.[1]
    if (prefix !== undefined) counts[prefix] = (counts[prefix] ?? 0) + 1
  }
  const attempts = keys.flatMap(({ head }) => (head?.length ? [head] : []))
  const names = keys.flatMap(({ key }) =>
    key.startsWith(`${named}:`) ? [key.slice(key.indexOf(':') + 1)] : [],
  )
  return { counts, attempts, names, ...(next !== undefined && { next }) }
}
