import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AttemptMove, applyMove } from '../../src/domain/attempt.ts'
import { attemptLayout, encodeAttempt, openAttempt } from '../../src/domain/attempt-layout.ts'
import type { Store } from '../../src/storage/store.ts'
import { printedSeed } from '../random.ts'
import { attemptOf, moveOf, owner, rarely, step } from './moves.ts'
import { createClock, KINDS, minute, type OpenStore, post, start } from './worlds.ts'

const key = 's:abcdefgh'
const steps = fc.array(step, { minLength: 20, maxLength: 60, size: 'max' })
const layouts = fc.constantFrom(...attemptLayout.versions)

export function describeAnswers(open: OpenStore) {
  async function replace(store: Store, value: Buffer | null, expiresAt?: number) {
    const [entry] = await store.read([key])
    await store.put({ key, value, ...(expiresAt && { expiresAt }) }, entry?.version ?? null)
  }

  test('any sequence of moves has the replies and the bytes of the rules', async () => {
    const clock = createClock()
    const store = await open(clock)
    const accepted: Record<string, number> = {}
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        steps,
        layouts,
        rarely(false, fc.constant(true)),
        async (questions, sequence, layout, isLocked) => {
          let value = attemptOf(questions)
          if (isLocked) value = encodeAttempt({ ...openAttempt(value), state: 'locked' })
          value[0] = layout
          await replace(store, value)
          for (const step of sequence) {
            clock.wait(step.gapMs)
            const move = moveOf(step, value)
            const { changed, reply } = applyMove(value, move, clock.now())
            expect(await store.answer(key, move)).toEqual(reply)
            if (changed) {
              value = changed.value
              accepted[move.kind] = (accepted[move.kind] ?? 0) + 1
            }
            const [kept] = await store.read([key])
            expect(kept?.value.toString('hex')).toBe(value.toString('hex'))
          }
        },
      ),
      { numRuns: 60, seed: printedSeed('moves') },
    )
    for (const kind of ['answer', 'go', 'pause', 'resume', 'language'])
      expect(accepted[kind], kind).toBeGreaterThan(5)
  })

  test('a change beyond the limit is stale, as in the rules', async () => {
    const store = await open(createClock())
    let value = attemptOf(2)
    const move = (
      given: { kind: 'answer'; change: number } | { kind: 'go'; question: number },
    ): AttemptMove => {
      const { view: question, revision } = openAttempt(value)
      return { question, revision, first: 1, allowBack: true, owner, ...given } as AttemptMove
    }
    const step = (given: Parameters<typeof move>[0]) => {
      const { changed, reply } = applyMove(value, move(given), start)
      value = changed?.value ?? value
      return reply
    }
    step({ kind: 'answer', change: 1 })
    for (let count = 0; count < 2_000; count++) {
      step({ kind: 'go', question: 0 })
      step({ kind: 'answer', change: count % 256 })
    }
    step({ kind: 'go', question: 0 })
    await replace(store, value)
    const last = move({ kind: 'answer', change: 1 })
    expect(await store.answer(key, last)).toMatchObject({ status: 'stale', answered: 1 })
    expect(await store.answer(key, last)).toEqual(applyMove(value, last, start).reply)
  })

  test('of several taps on one question one counts', async () => {
    const store = await open(createClock())
    await replace(store, attemptOf(3))
    const tap = {
      kind: 'answer',
      owner,
      question: 0,
      revision: 1,
      change: 0,
      allowBack: true,
    } as const
    const replies = await Promise.all([1, 2, 3, 4].map((first) => store.answer(key, { ...tap, first })))
    expect(replies.map(({ status }) => status).sort()).toEqual(['accepted', 'stale', 'stale', 'stale'])
  })

  test('moves of several kinds made at the same time all count', async () => {
    const store = await open(createClock())
    await replace(store, attemptOf(3))
    const tap = { kind: 'answer', question: 0, revision: 1, first: 0, change: 0, allowBack: true } as const
    const moves = [tap, { kind: 'language', language: 'fa' } as const, { kind: 'pause' } as const]
    const replies = await Promise.all(moves.map((move) => store.answer(key, { ...move, owner })))
    const [kept] = await store.read([key])
    const attempt = openAttempt(kept?.value ?? Buffer.alloc(0))
    expect(attempt).toMatchObject({ language: 'fa', state: 'paused' })
    // The pause may have been the first.
    expect(replies.map(({ status }) => status)).toEqual([
      attempt.answered === 1 ? 'accepted' : 'stale',
      'accepted',
      'accepted',
    ])
  })

  test('an attempt is kept for the term of its last accepted move', async () => {
    const clock = createClock()
    const store = await open(clock)
    const day = 86_400_000
    await replace(store, attemptOf(3, 2 * 86_400), clock.now() + 2 * day)
    const tap = { kind: 'answer', owner, first: 0, change: 0, allowBack: true } as const
    clock.wait(2 * day - 1)
    expect(await store.answer(key, { ...tap, question: 0, revision: 1 })).toMatchObject({
      status: 'accepted',
    })
    clock.wait(2 * day - 1)
    expect(await store.read([key])).not.toEqual([undefined])
    expect(await store.answer(key, { ...tap, question: 0, revision: 1 })).toMatchObject({
      status: 'stale',
    })
    clock.wait(1)
    expect(await store.answer(key, { ...tap, question: 1, revision: 2 })).toEqual({
      status: 'gone',
    })
    expect(await store.read([key])).toEqual([undefined])
  })

  test('complete answers are kept for 90 days, however short the term of incomplete ones is', async () => {
    const clock = createClock()
    const store = await open(clock)
    const day = 86_400_000
    await replace(store, attemptOf(1, 2 * 86_400), clock.now() + 2 * day)
    const tap = { kind: 'answer', owner, question: 0, revision: 1, first: 0, change: 0 } as const
    expect(await store.answer(key, { ...tap, allowBack: true })).toMatchObject({ status: 'accepted' })
    clock.wait(90 * day - 1)
    expect(await store.read([key])).not.toEqual([undefined])
    clock.wait(1)
    expect(await store.read([key])).toEqual([undefined])
  })

  test('an absent attempt, or a value that is not one, is gone', async () => {
    const store = await open(createClock())
    const pause = { kind: 'pause', owner } as const
    expect(await store.answer(key, pause)).toEqual({ status: 'gone' })
    await replace(store, Buffer.alloc(400, 9))
    expect(await store.answer(key, pause)).toEqual({ status: 'gone' })
    await replace(store, Buffer.from('short'))
    expect(await store.answer(key, pause)).toEqual({ status: 'gone' })
  })

  test('an answer in between is a conflict for a commit that saw the attempt before', async () => {
    const store = await open(createClock())
    await replace(store, attemptOf(3))
    const [seen] = await store.read([key])
    await store.post(post('chat:1', 'forget'))
    const claim = await store.claim(minute, KINDS)
    if (!claim || !seen) throw new Error('nothing to claim')
    await store.answer(key, { kind: 'pause', owner })
    const forget = (version: string) =>
      store.commit(claim, { expects: [{ key, version }], writes: [{ key, value: null }] })
    expect(await forget(seen.version)).toBe('conflict')
    const [now] = await store.read([key])
    expect(await forget(now?.version ?? '')).toBe('ok')
    expect(await store.answer(key, { kind: 'resume', owner })).toEqual({ status: 'gone' })
  })
}
