/**
 * The operations that both backends (SQLite, Redis) offer. Values, message bodies and keys are opaque here:
 * what is personal was encrypted or hashed before it came (see `vault.ts`). Times are milliseconds of the
 * injected clock.
 */
export interface Store {
  /** Reads several keys at once; an absent or expired key is `undefined`. */
  read(keys: readonly string[]): Promise<(Entry | undefined)[]>
  /** Puts a message into an actor's queue, unless its `id` was posted within the last 24 hours. */
  post(post: Post): Promise<'posted' | 'duplicate'>
  /** Takes the lease of the actor whose first message is due the longest, with that message. */
  claim(leaseMs: number): Promise<Claim | undefined>
  /** Prolongs the lease; `false` when another worker has it. */
  renew(claim: Claim, leaseMs: number): Promise<boolean>
  /** Writes, posts, and ends the claimed message in one step: all of it or nothing. Ends the lease when `ok`. */
  commit(claim: Claim, commit: Commit): Promise<'ok' | 'lost' | 'conflict'>
  /** Compares and moves a sitting in one step: the hot path. */
  answer(key: string, move: SittingMove): Promise<SittingReply>
  /** Whether the storage answers; throws when it does not. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** `version` is opaque and changes with every write of the key. */
export type Entry = { value: Buffer; version: string }

export type Post = {
  actor: string
  /** Posts with an id seen in the last 24 hours are dropped. */
  id: string
  body: Buffer
  /** Not handed out before this time; the default is now. Messages of one actor are handed out in order of posting. */
  dueAt?: number
  /** Drops the messages of this actor that wait (not the one being handled), so that only this one is left. */
  replace?: boolean
}

export type Message = {
  id: string
  body: Buffer
  /** How often the message was put back by `retryAt` after a failure. */
  retries: number
  /** True when an earlier claim of this message neither ended it nor put it back: its worker died on the way. */
  interrupted: boolean
}

export type Claim = { actor: string; fence: string; message: Message }

export type Commit = {
  /** Preconditions: the key has exactly this version, or is absent (`null`). */
  expects?: readonly { key: string; version: string | null }[]
  writes?: readonly Write[]
  posts?: readonly Post[]
  /** The message is done (the default), or comes again at this time. */
  retryAt?: number
  /** With `retryAt`: the body to keep instead, and whether the failure counts in `retries` (default true). */
  retryBody?: Buffer
  countsAsRetry?: boolean
}

/** `value: null` deletes. Without `expiresAt` the value stays for ever. */
export type Write = { key: string; value: Buffer | null; expiresAt?: number }

/**
 * What can happen to a sitting. `owner` is the first 8 bytes of the owner's keyed hash; a sitting of another
 * owner is `gone`. Questions and options count from 0. `first` and `change` are the same answer encrypted for the
 * two streams (see `sitting-cipher.ts`): which of them is kept is decided in the step.
 */
export type SittingMove = { owner: Buffer; at: number } & (
  | {
      kind: 'answer'
      question: number
      revision: number
      first: number
      change: number
      /** A typed answer: a message id that is not newer than the last one taken is `stale`. */
      messageId?: number
      allowBack: boolean
    }
  /** Shows an answered question again (with `allowBack`), or the first open one. */
  | { kind: 'go'; question: number; allowBack: boolean }
  /** Continue later, and back again. Both raise the revision, so older buttons are stale. */
  | { kind: 'pause' }
  | { kind: 'resume' }
  /** No answer is taken between `lock` (only a complete sitting, only at this revision) and `unlock`. */
  | { kind: 'lock'; revision: number }
  | { kind: 'unlock' }
  /** Keeps the code that proves the answers unharmed, if the revision is still this one. */
  | { kind: 'seal'; revision: number; mac: Buffer }
)

export type SittingReply =
  | { status: 'gone' }
  /** `stale`: nothing was changed, this is what stands. */
  | ({ status: 'accepted' | 'stale' } & SittingView)

export type SittingView = {
  state: SittingState
  revision: number
  /** Number of questions; the shown question, equal to `questions` when all are answered (the review). */
  questions: number
  view: number
  answered: number
  activeSeconds: number
  /** When the shown question was first shown. */
  shownAt: number
  language: 'fa' | 'en'
}

export type SittingState = 'open' | 'paused' | 'locked'
