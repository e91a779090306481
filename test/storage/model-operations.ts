import fc from 'fast-check'
import { type Step, step } from './moves.ts'
import { hour } from './worlds.ts'

/** The lease of every claim of the model. */
export const LEASE_MS = 10_000
export const kinds = ['chat', 'job', 'late']
export const actors = ['chat:a', 'chat:b', 'job:a', 'job:b', 'late:a']
export const keys = ['d:1', 'd:2', 'd:3']

/** A post: `dueInMs` is counted from the time of the operation. */
export type PostShape = {
  actor: string
  id: string
  once: boolean
  replace: boolean
  dueInMs: number | undefined
}

/** A write: a `text` of `undefined` deletes the key. */
export type WriteShape = { key: string; text: string | undefined; leavesInMs: number | undefined }

/** The end of a message, as in a commit. */
type EndShape = {
  retryInMs: number | undefined
  countsAsRetry: boolean
  staysBegun: boolean
  hasNewBody: boolean
}

/**
 * An operation of a store. Claims, commits and versions are counted `back` from the last one, so that late
 * workers and outdated versions occur.
 */
export type Operation =
  | { name: 'post'; post: PostShape }
  | { name: 'claim'; kinds: string[] }
  | { name: 'renew' | 'begin' | 'repeat'; back: number }
  | {
      name: 'commit'
      back: number
      end: EndShape
      expects: { key: string; back: number } | undefined
      writes: WriteShape[]
      posts: PostShape[]
    }
  | { name: 'put'; back: number; write: WriteShape }
  | { name: 'sit'; back: number; questions: number }
  | { name: 'answer'; step: Step }
  | { name: 'read' | 'backlog' }

/** An operation, some time after the one before. */
export type Timed = { afterMs: number; operation: Operation }

const back = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(3) })
const orNone = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

const post = fc.record<PostShape>({
  actor: fc.constantFrom(...actors),
  id: fc.constantFrom('1', '2', '3', '4', '5', '6', '7'),
  once: fc.boolean(),
  replace: fc.boolean(),
  dueInMs: orNone(fc.constantFrom(-3_000, 0, 1, 500, 5_000, 20_000)),
})

// Redis expires by its own clock: a value is gone by the next operation, or stays for hours of any clock.
const write = fc.record<WriteShape>({
  key: fc.constantFrom(...keys),
  text: orNone(fc.constantFrom('one', 'two', '')),
  leavesInMs: orNone(fc.constantFrom(1, 2 * hour, 25 * hour)),
})

const end = fc.record<EndShape>({
  retryInMs: orNone(fc.constantFrom(-5, 0, 10, 4_000)),
  countsAsRetry: fc.boolean(),
  staysBegun: fc.boolean(),
  hasNewBody: fc.boolean(),
})

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ name: fc.constant('post'), post }) },
  {
    weight: 5,
    arbitrary: fc.record({
      name: fc.constant('claim'),
      kinds: fc.constantFrom(kinds, ['job'], ['late', 'chat'], ['chat', 'job']),
    }),
  },
  { weight: 4, arbitrary: fc.record({ name: fc.constantFrom('renew', 'begin', 'begin', 'repeat'), back }) },
  {
    weight: 5,
    arbitrary: fc.record({
      name: fc.constant('commit'),
      back,
      end,
      expects: orNone(fc.record({ key: fc.constantFrom(...keys), back })),
      writes: fc.array(write, { maxLength: 2 }),
      posts: fc.array(post, { maxLength: 2 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ name: fc.constant('put'), back, write }) },
  { weight: 1, arbitrary: fc.record({ name: fc.constant('sit'), back, questions: fc.nat({ max: 2 }) }) },
  { weight: 4, arbitrary: fc.record({ name: fc.constant('answer'), step }) },
  { weight: 3, arbitrary: fc.record({ name: fc.constantFrom('read', 'read', 'backlog') }) },
)

/** Any operations, one after the other: a real clock moves between any two of them. */
export const operations: fc.Arbitrary<Timed[]> = fc.array(
  fc.record({
    afterMs: fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(1, 3, 50, 900, 4_000) },
      { weight: 3, arbitrary: fc.constantFrom(LEASE_MS - 1, LEASE_MS) },
      { weight: 1, arbitrary: fc.constantFrom(hour, 24 * hour) },
    ),
    operation,
  }),
  { minLength: 20, maxLength: 80, size: 'max' },
)
