import type { StorageAdapter } from 'grammy'
import type { AttemptMove, AttemptReply } from '../domain/attempt.ts'
import { DAY_MS, HOUR_MS } from '../domain/durations.ts'
import { createRandom } from './aes-gcm.ts'

/**
 * The operations of both backends (SQLite, Redis). Values, message bodies and keys are opaque: personal data
 * was encrypted or hashed before (see `vault.ts`). Times are milliseconds of the injected clock.
 */
export interface Store {
  /** Reads several keys at once; an absent or expired key is `undefined`. */
  read(keys: readonly string[]): Promise<(Entry | undefined)[]>
  /** Reads one key, with the time of the read by the clock that all processes share. */
  readAt(key: string): Promise<{ at: number; entry: Entry | undefined }>
  /** Writes one key outside of a claim if it has this version or is absent (`null`); else returns `false`. */
  put(write: Write, version: string | null): Promise<boolean>
  /** Puts a message into an actor's queue, unless its `id` was posted within the last 24 hours. */
  post(post: Post): Promise<'posted' | 'duplicate'>
  /**
   * Leases the actor that has been due longest, of the first of these kinds with one due, and returns its
   * first message. The kind is the part of an actor's name before the colon.
   */
  claim(leaseMs: number, kinds: readonly string[]): Promise<Claim | undefined>
  /** Extends the lease; `false` when another worker has it. */
  renew(claim: Claim, leaseMs: number): Promise<boolean>
  /**
   * Notes whether the claimed message, with lost claims before, is now the only one in work. `lost` becomes 3
   * if this claim is lost too, else 2 again.
   */
  suspect(claim: Claim, isAlone: boolean): Promise<void>
  /** Extends the lease and marks the message as begun; `false` when another worker has the lease. */
  begin(claim: Claim, leaseMs: number): Promise<boolean>
  /**
   * Writes, posts, and ends the claimed message in one step: all of it or nothing. `ok` ends the lease. If a
   * commit with the same id was carried out before, its reply was lost: the repetition returns `ok` and does
   * nothing.
   */
  commit(claim: Claim, commit: Commit): Promise<'ok' | 'lost' | 'conflict'>
  /** Checks a move against an attempt and applies it in one step: the hot path. */
  answer(key: string, move: AttemptMove): Promise<AttemptReply>
  /** The messages waiting in the queues of these kinds. */
  backlog(kinds: readonly string[]): Promise<Backlog[]>
  /** The number of entries in each of these lists at a time or later, all read in one step. */
  counts(asked: readonly { list: string; from: number }[]): Promise<number[]>
  /** A piece of a list: entries at a time or later, the oldest first. */
  listed(
    list: string,
    piece: { from: number; skip: number; most: number },
  ): Promise<{ id: string; at: number }[]>
  /**
   * A page of a few hundred keys from the end (`from`) of the last one, and the ids of the prefix `named`.
   */
  census(from?: string, named?: string): Promise<CensusPage>
  /** Texts for sessions, which may be lost: each expires `termMs` after its last write. */
  sessions(termMs: number): StorageAdapter<string>
  /** Checks that the storage accepts writes; throws when it does not (a full disk, no memory left). */
  ping(): Promise<void>
  /** Changes with every reconnect, after which the storage may be a restored one; `undefined`: unknown. */
  connection(): number | undefined
  /**
   * The id of the storage's life. It changes when the storage came back older (restored, failed over) and may
   * have forgotten what was begun.
   */
  life(): Promise<string>
  /** Rejects when memory or disk is nearly full, or data does not reach the disk. */
  room(): Promise<void>
  /** Advice for the operator of the storage, one English sentence each; empty when all is well. */
  advice(): Promise<string[]>
  close(): Promise<void>
}

/** Whether the storage came back older since this life; work begun by an earlier version knows none. */
export const isOlderThan = async (
  { life }: Pick<Store, 'life'>,
  known: string | undefined,
): Promise<boolean> => known !== undefined && known !== (await life())

/** There is no store where one should be. */
export class NoStore extends Error {}

/** `version` is opaque and changes with every write of the key. */
export type Entry = { value: Buffer; version: string }

/** `waiting`: actors with messages; `due`: those due and not leased; `oldestMs`: the longest delay. */
export type Backlog = { kind: string; waiting: number; due: number; oldestMs: number }

/** The number of keys by prefix, and the headers of the attempts among them. The last page has no `next`. */
export type CensusPage = {
  counts: Record<string, number>
  attempts: Buffer[]
  names: string[]
  next?: string
}

/** How long the id of a post is remembered. */
export const SEEN_FOR_MS = DAY_MS
/** How long the id of a commit is remembered: longer than it is repeated, unless the process stood still. */
export const COMMIT_SEEN_FOR_MS = HOUR_MS

/** A message for an actor. */
export type Post = {
  actor: string
  /** Posts with an id seen in the last 24 hours are dropped. */
  id: string
  /** It cannot be posted twice (its commit happens once), so its id is neither compared nor remembered. */
  once?: boolean
  body: Buffer
  /** The earliest time of its claim; default now. Messages of one actor are claimed in order of posting. */
  dueAt?: number
  /** Drops the waiting messages of this actor (not the one in work), so that only this one is left. */
  replace?: boolean
}

/** A message as its worker receives it. */
export type Message = {
  id: string
  body: Buffer
  /** How often the message was put back by `retryAt` after a failure. */
  retries: number
  /** An earlier claim of this message began an act that must not be repeated (`begin`), and was lost. */
  begun: boolean
  /**
   * How many claims in a row were lost: their process died, or stood still for longer than the lease. At most
   * 2, unless the message was the only one in work (`suspect`).
   */
  lost: number
}

/** So many lost claims prove nothing: other messages were in work at the same time. */
export const LOST_AMONG_OTHERS = 2

/** The lease of an actor with its first message; each claim has its own `fence`. */
export type Claim = { actor: string; fence: string; message: Message }

/** The writes and posts of a handled message, and how the message ends. */
export type Commit = {
  /** Identifies the commit; without it, a repetition returns `lost`. */
  id?: string
  /** Preconditions: the key has exactly this version, or is absent (`null`). */
  expects?: readonly { key: string; version: string | null }[]
  writes?: readonly Write[]
  lists?: readonly Listed[]
  posts?: readonly Post[]
  /** When the message is retried; by default it is done. */
  retryAt?: number
  /** With `retryAt`: a new body, whether `retries` grows (default true) and begun stays (default false). */
  retryBody?: Buffer
  countsAsRetry?: boolean
  staysBegun?: boolean
}

/** The kind of an actor: the part of its name before the colon. */
export const kindOf = (actor: string): string => actor.slice(0, Math.max(0, actor.indexOf(':')))

/**
 * `value: null` deletes. Without `expiresAt` the value never expires. `version`: the new version that the
 * value was sealed for (see `newVersion`); by default the store makes one.
 */
export type Write = { key: string; value: Buffer | null; expiresAt?: number; version?: string }

const VERSION_BYTES = 8
const random = createRandom()
/** A version that no other write has. */
export const newVersion = (): string => random(VERSION_BYTES).toString('base64url')

/**
 * Moves an entry, ordered by time, from its list to another or to none (`null`). Entries leave a list after
 * `LISTED_FOR_MS`. `isRecount`: an entry that is already in the list keeps its place.
 */
export type Listed = { id: string; list: string | null; at: number; isRecount?: true }

/** Longer than organizers look back. */
export const LISTED_FOR_MS = 366 * DAY_MS

/** Counts keys by their prefix, and collects the headers of attempts. The store's own keys have no prefix. */
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
