import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { amongOthers, type Draw, type Shown } from '../../src/answering/among-others.ts'
import type { CachedAttempt } from '../../src/answering/attempt-cache.ts'
import type { Tap } from '../../src/answering/read-tap.ts'
import { attemptKey } from '../../src/storage/documents/attempts.ts'
import { createSqliteStore } from '../../src/storage/sqlite.ts'
import type { Store } from '../../src/storage/store.ts'
import { randomNumbers } from '../random.ts'
import { attemptOf } from '../storage/moves.ts'
import { createClock, KINDS, minute, post, temporaryFolder } from '../storage/worlds.ts'

const clock = createClock()
const owner = Buffer.from('owner-01')
let dir: string
let store: Store
beforeAll(async () => {
  dir = await temporaryFolder()
  store = await createSqliteStore({ dir, now: clock.now })
})
afterAll(async () => {
  await store.close()
  await rm(dir, { recursive: true })
})

/** A chat whose screen is rendered over a slow network, and the replicas that render it. */
async function chat(s: string, latency: () => Promise<unknown>, replicas = 2) {
  await store.post(post('chat:1', s))
  const claim = await store.claim(minute, KINDS)
  if (!claim) throw new Error('nothing to claim')
  const value = attemptOf(9)
  await store.commit(claim, { writes: [{ key: attemptKey(s), value, expiresAt: clock.now() + 60 * minute }] })
  const landed: number[] = []
  const draw: Draw = async (_, __, { revision }) => {
    await latency()
    landed.push(revision)
    return 'in place'
  }
  const tap = { s, messageId: 7 } as Tap
  const cached = { owner, attempt: { id: Buffer.from('attempt1'), dataKey: 3 } } as CachedAttempt
  const draws = Array.from({ length: replicas }, () => amongOthers(draw, store, replicas > 1))
  /** A tap on the shown question, or one that comes too late for it. */
  const answers = async (replica: number, question: number): Promise<void> => {
    const move = { kind: 'answer', owner, at: clock.now(), question, revision: question + 1 } as const
    const reply = await store.answer(attemptKey(s), { ...move, first: 1, change: 1, allowBack: true })
    await draws[replica % replicas]?.(tap, cached, reply as Shown)
  }
  return { landed, answers }
}

test('after bursts of taps over two replicas every screen shows the newest question', async () => {
  const random = randomNumbers(48)
  const replica = randomNumbers(49)
  const bursts: Awaited<ReturnType<typeof chat>>[] = []
  for (let index = 0; index < 48; index += 1)
    bursts.push(await chat(`burst${index}`, () => sleep(random() * 300)))
  const rendered: Promise<void>[] = []
  for (let question = 0; question < 5; question += 1) {
    for (const { answers } of bursts) rendered.push(answers(Math.floor(replica() * 2), question))
    clock.wait(200)
  }
  await Promise.all(rendered)
  expect(bursts.map(({ landed }) => landed.at(-1))).toEqual(bursts.map(() => 6))
})

test('a late tap never leaves the older question on the screen', async () => {
  let arrive: () => void = () => undefined
  const late = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const latencies = [late, Promise.resolve(), Promise.resolve()]
  const { answers, landed } = await chat('late', async () => latencies.shift())
  clock.wait(5_000)
  await store.answer(attemptKey('late'), {
    ...{
      kind: 'answer',
      owner,
      at: clock.now(),
      question: 0,
      revision: 1,
      first: 1,
      change: 1,
      allowBack: true,
    },
  })
  const stale = answers(0, 0)
  clock.wait(5_000)
  await answers(1, 1)
  arrive()
  await stale
  expect(landed).toEqual([3, 2, 3])
})

test('a slow single process shows the question again to which the chat has gone back', async () => {
  const { answers, landed } = await chat('back', () => sleep(landed.length === 0 ? 1_100 : 0), 1)
  const slow = answers(0, 0)
  // One after the other, in the order of the taps.
  const back = { kind: 'go', owner, at: clock.now(), question: 0, allowBack: true } as const
  await store.answer(attemptKey('back'), back)
  await slow
  expect(landed).toEqual([2, 3])
})

test('answers at a reader’s pace are rendered once, without reading the store', async () => {
  const { answers, landed } = await chat('calm', async () => undefined)
  for (const question of [0, 1, 2]) {
    clock.wait(5_000)
    await answers(question, question)
  }
  expect(landed).toEqual([2, 3, 4])
})
