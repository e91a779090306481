import type { Claim, Commit, Post, Store, Write } from '../../src/storage/store.ts'
import { keys, LEASE_MS, type Operation, type PostShape, type WriteShape } from './model-operations.ts'
import { attemptOf, moveOf, owner } from './moves.ts'
import { hour } from './worlds.ts'

const SITTING = 's:abcdefgh'

/** One store of the model: runs the operations, with the claims and versions that it has given itself. */
export function createSide(store: Store, now: () => number) {
  const claims: Claim[] = []
  const commits: { claim: Claim; commit: Commit }[] = []
  const versions = new Map([...keys, SITTING].map((key) => [key, [null] as (string | null)[]]))
  const version = (key: string, back: number) => versions.get(key)?.at(-1 - back) ?? null

  async function read() {
    const entries = await store.read([...versions.keys()])
    for (const [at, seen] of [...versions.values()].entries()) seen.push(entries[at]?.version ?? null)
    return entries.map((entry) => entry?.value.toString('latin1'))
  }

  async function claim(kinds: readonly string[]) {
    const claim = await store.claim(LEASE_MS, kinds)
    if (!claim) return undefined
    claims.push(claim)
    return { actor: claim.actor, ...claim.message, body: claim.message.body.toString() }
  }

  async function answer(step: Parameters<typeof moveOf>[0]) {
    const [entry] = await store.read([SITTING])
    if (!entry) return store.answer(SITTING, { kind: 'pause', owner })
    return store.answer(SITTING, moveOf(step, entry.value))
  }

  /** The reply to an operation, without its random parts. `step` is the number of the operation. */
  return async function run(operation: Operation, step: number): Promise<unknown> {
    switch (operation.name) {
      case 'post':
        return store.post(postOf(operation.post, step, now()))
      case 'claim':
        return claim(operation.kinds)
      case 'read':
        return read()
      case 'backlog':
        return store.backlog(['chat', 'job', 'late'])
      case 'put': {
        const { write, back } = operation
        return store.put(writeOf(write, step, now()), version(write.key, back))
      }
      case 'sit': {
        const value = attemptOf(1 + operation.questions)
        return store.put(
          { key: SITTING, value, expiresAt: now() + 25 * hour },
          version(SITTING, operation.back),
        )
      }
      case 'answer':
        return answer(operation.step)
      case 'repeat': {
        const again = commits.at(-1 - operation.back)
        return again && store.commit(again.claim, again.commit)
      }
      case 'renew':
      case 'begin': {
        const held = claims.at(-1 - operation.back)
        return held && store[operation.name](held, LEASE_MS)
      }
      case 'commit': {
        const held = claims.at(-1 - operation.back)
        if (!held) return undefined
        const { expects } = operation
        const seen = expects && [{ key: expects.key, version: version(expects.key, expects.back) }]
        const commit = { ...commitOf(operation, step, now()), ...(seen && { expects: seen }) }
        commits.push({ claim: held, commit })
        return store.commit(held, commit)
      }
    }
  }
}

const postOf = ({ actor, id, once, replace, dueInMs }: PostShape, step: number, now: number): Post => ({
  actor,
  id,
  body: Buffer.from(`body ${step}`),
  once,
  replace,
  ...(dueInMs !== undefined && { dueAt: now + dueInMs }),
})

const writeOf = ({ key, text, leavesInMs }: WriteShape, step: number, now: number): Write => ({
  key,
  value: text === undefined ? null : Buffer.from(text && `${text} ${step}`),
  ...(leavesInMs !== undefined && { expiresAt: now + leavesInMs }),
})

function commitOf(
  { end, writes, posts }: Extract<Operation, { name: 'commit' }>,
  step: number,
  now: number,
): Commit {
  const { retryInMs, hasNewBody, countsAsRetry, staysBegun } = end
  return {
    id: `commit ${step}`,
    writes: writes.map((write) => writeOf(write, step, now)),
    posts: posts.map((post) => postOf(post, step, now)),
    ...(retryInMs !== undefined && { retryAt: now + retryInMs, countsAsRetry, staysBegun }),
    ...(hasNewBody && { retryBody: Buffer.from(`new body ${step}`) }),
  }
}
