import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { lock, seal } from '../../src/dialog/attempt.ts'
import type { UpdateContext } from '../../src/dialog/update-context.ts'
import { newAttempt } from '../../src/domain/attempt.ts'
import { type Attempt, encodeAttempt, openAttempt } from '../../src/domain/attempt-layout.ts'
import { attemptKey, attemptOwner } from '../../src/storage/documents/attempts.ts'
import { newStore } from '../jobs/world.ts'

const s = 'abcdefgh'
const key = attemptKey(s)
const at = Date.UTC(2026, 0, 5)

/** An attempt whose one question is answered, and a change right before the next write. */
async function answered(changes: Partial<Attempt> = {}) {
  const { store, vault } = await newStore(() => at)
  const id = randomBytes(8)
  const owner = attemptOwner(vault, { who: 'sara', s }, { id })
  const begun = { owner, id, contentHash: randomBytes(32), questions: 1, dataKey: vault.dataKey, at } as const
  const fresh = openAttempt(newAttempt({ ...begun, language: 'fa', retentionSeconds: 86_400 }))
  const attempt = { ...fresh, answered: 1, view: 1, revision: 2, firsts: Buffer.of(7), ...changes }
  const put = async (value: Attempt) => {
    const [entry] = await store.read([key])
    await store.put({ key, value: encodeAttempt(value) }, entry?.version ?? null)
  }
  await put(attempt)
  let before: (() => Promise<void>) | undefined
  const racing: typeof store = {
    ...store,
    async put(write, version) {
      const act = before
      before = undefined
      await act?.()
      return store.put(write, version)
    },
  }
  // The parts of an update context that are needed here.
  const ctx = { who: 'sara', deps: { store: racing, vault, now: () => at } } as unknown as UpdateContext
  const kept = async () => {
    const [entry] = await store.read([key])
    if (!entry) throw new Error('the attempt is gone')
    const stands = openAttempt(entry.value)
    return { ...stands, proof: vault.attemptCipher.verify(s, stands) }
  }
  return {
    ctx,
    attempt,
    kept,
    /** Changes the attempt before the next write. */
    meanwhile: (other: Partial<Attempt>) => {
      before = () => put({ ...attempt, ...other })
    },
  }
}

describe('the code over complete answers', () => {
  test('is made once all answers are there', async () => {
    const { ctx, attempt, kept } = await answered()
    await seal(ctx, s, attempt)
    expect(await kept()).toMatchObject({ proof: 'sound', state: 'open', macRevision: 2 })
  })

  test('is made of the stored attempt, even if an older store came to the same revision differently', async () => {
    const { ctx, attempt, kept, meanwhile } = await answered()
    meanwhile({ lastActivityAt: at + 330 })
    await seal(ctx, s, attempt)
    expect(await kept()).toMatchObject({ proof: 'sound', lastActivityAt: at + 330 })
  })

  test.each<[string, Partial<Attempt>]>([
    ['has gone on', { revision: 3 }],
    ['is not complete', { questions: 2 }],
    ['is locked', { state: 'locked' }],
  ])('is not made of an attempt that %s meanwhile', async (_, other) => {
    const { ctx, attempt, kept, meanwhile } = await answered()
    meanwhile(other)
    await seal(ctx, s, attempt)
    expect(await kept()).toMatchObject({ macRevision: 0, ...other })
  })
})

describe('complete answers are locked', () => {
  const sealed = async () => {
    const made = await answered()
    await seal(made.ctx, s, made.attempt)
    return { ...made, attempt: await made.kept() }
  }

  test('for good, and the code covers that, too', async () => {
    const { ctx, attempt, kept } = await sealed()
    expect(await lock(ctx, s, attempt)).toBe('locked')
    expect(await kept()).toMatchObject({ state: 'locked', proof: 'sound' })
    expect(await lock(ctx, s, attempt)).toBe('locked')
  })

  test('only at the revision that was shown', async () => {
    const { ctx, attempt, kept, meanwhile } = await sealed()
    meanwhile({ revision: 3 })
    expect(await lock(ctx, s, attempt)).toBe('changed')
    expect(await kept()).toMatchObject({ state: 'open', revision: 3 })
  })

  test('only as they were shown: other answers of the same revision are shown first', async () => {
    const { ctx, attempt, kept, meanwhile } = await sealed()
    meanwhile({ lastActivityAt: at + 330 })
    expect(await lock(ctx, s, attempt)).toBe('changed')
    expect(await kept()).toMatchObject({ state: 'open', proof: 'unsealed' })
  })

  test('even if they are damaged', async () => {
    const { ctx, attempt, kept } = await answered({ mac: Buffer.alloc(16, 9), macRevision: 2 })
    expect(await lock(ctx, s, attempt)).toBe('locked')
    expect(await kept()).toMatchObject({ state: 'locked', proof: 'harmed' })
  })
})
