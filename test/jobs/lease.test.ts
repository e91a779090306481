import { getEventListeners } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import { createLog } from '../../src/observe/logger.ts'
import { unlessAborted } from '../../src/observe/within.ts'
import type { ActorKind } from '../../src/queue/actors.ts'
import { handleClaim } from '../../src/queue/handle-claim.ts'
import type { Handler } from '../../src/queue/job.ts'
import { keepLease, LEASE_MS, LeaseLostError } from '../../src/queue/lease.ts'
import { createSuspects } from '../../src/queue/suspects.ts'
import { sealBody } from '../../src/storage/documents.ts'
import type { Claim, Store } from '../../src/storage/store.ts'
import { createClock, KINDS } from '../storage/worlds.ts'
import { eventually } from '../until.ts'
import { newSender, newStore, startWorker, termAt } from './world.ts'

const log = createLog('silent', { write: () => undefined })
const claim: Claim = {
  actor: 'call:1',
  fence: 'f',
  message: { id: '1', body: Buffer.alloc(0), retries: 0, begun: false, lost: 0 },
}

describe('while a message is handled', () => {
  const renewing = async (renew: () => Promise<boolean>, forMs: number) => {
    vi.useFakeTimers()
    const abort = new AbortController()
    const store = { renew } as unknown as Store
    const lease = keepLease({ store, log }, claim, abort)
    await vi.advanceTimersByTimeAsync(forMs)
    lease.end()
    vi.useRealTimers()
    return lease
  }

  test('a lease that is renewed aborts nothing', async () => {
    expect((await renewing(async () => true, 10 * LEASE_MS)).signal.aborted).toBe(false)
  })

  test('a refused renewal aborts at once', async () => {
    const lease = await renewing(async () => false, LEASE_MS / 3 + 1)
    expect(lease.signal.reason).toBeInstanceOf(LeaseLostError)
  })

  test('a store that is away aborts when the lease may have expired, and not before', async () => {
    const away = () => Promise.reject(new Error('away'))
    expect((await renewing(away, LEASE_MS * 0.9)).signal.aborted).toBe(false)
    expect((await renewing(away, LEASE_MS * 1.1)).isLost()).toBe(true)
  })
})

test('a lease is held until it expires or its message is aborted', () => {
  let at = 0
  const store = { begin: async () => true, renew: async () => true }
  const abort = new AbortController()
  const lease = keepLease({ store, log, every: () => () => undefined, elapsed: () => at }, claim, abort)
  at = LEASE_MS - 1
  expect(lease.isHeld()).toBe(true)
  at = LEASE_MS
  expect(lease.isHeld()).toBe(false)
  at = 0
  abort.abort(new Error('no more'))
  expect(lease.isHeld()).toBe(false)
})

test('a handler that has lost its lease does not call begin on the store', async () => {
  const abort = new AbortController()
  const begin = vi.fn(async () => true)
  const lease = keepLease({ store: { begin, renew: async () => true }, log }, claim, abort)
  abort.abort(new LeaseLostError('lost'))
  await expect(lease.begin()).rejects.toThrow(LeaseLostError)
  lease.end()
  expect([begin.mock.calls.length, lease.hasBegun()]).toEqual([0, false])
})

test('an action that ignores its signal is abandoned on abort, and no listener is left', async () => {
  const abort = new AbortController()
  expect(await unlessAborted(abort.signal, async () => 'done')).toBe('done')
  expect(getEventListeners(abort.signal, 'abort')).toEqual([])
  const left = unlessAborted(abort.signal, () => new Promise<never>(() => undefined))
  abort.abort(new Error('no more'))
  await expect(left).rejects.toThrow('no more')
})

/** A process that handles one message freezes beyond its lease, right before what must not be repeated. */
async function frozenBefore(act: (begin: () => Promise<void>, thaw: () => Promise<void>) => Promise<void>) {
  const clock = createClock()
  const world = await newStore(clock.now)
  const { store, vault } = world
  await store.post({ actor: 'call:1', id: '1', body: sealBody(vault, 'call:1', {}) })
  const outcomes: string[] = []
  let next: Claim | undefined
  const undone: number[] = []
  const call: Handler = async ({ begin, onFailedRun, sender }) => {
    onFailedRun(async (ids) => void undone.push(...ids))
    await sender?.send(1, { text: 'hello' })
    await act(begin, async () => {
      clock.wait(LEASE_MS)
      next = await store.claim(LEASE_MS, ['call'])
    })
    return undefined
  }
  const attempts = {
    store,
    vault,
    now: clock.now,
    term: termAt(clock.now),
    log,
    handlers: { call } as unknown as Readonly<Record<ActorKind, Handler>>,
    temporaryFailureOf: () => undefined,
    setAside: () => undefined,
    onEnd: (_: string, outcome: string) => void outcomes.push(outcome),
    isStopped: () => false,
    suspects: createSuspects({ store, log }),
    sender: newSender().sender,
  }
  const first = await store.claim(LEASE_MS, ['call'])
  if (first) await handleClaim(attempts, first)
  return { outcomes, next, undone }
}

test('a process that lost its lease while frozen sends nothing', async () => {
  let sent = 0
  const { outcomes, next } = await frozenBefore(async (begin, freeze) => {
    await freeze()
    await begin()
    sent += 1
  })
  expect(sent).toBe(0)
  expect(outcomes).toEqual(['lost'])
  // Nothing was begun, so the next process has nothing to look up.
  expect(next?.message.begun).toBe(false)
})

test('the next process knows that a message was begun, and what was sent here is taken back', async () => {
  const { outcomes, next, undone } = await frozenBefore(async (begin, freeze) => {
    await begin()
    await freeze()
  })
  expect([outcomes, undone]).toEqual([['lost'], [1]])
  expect(next?.message.begun).toBe(true)
})

test('a message stays begun after its handler throws', async () => {
  const clock = createClock()
  const world = await newStore(clock.now)
  const { store, vault } = world
  await store.post({ actor: 'call:1', id: '1', body: sealBody(vault, 'call:1', {}) })
  const begun: boolean[] = []
  const worker = startWorker({
    ...world,
    now: clock.now,
    handlers: {
      async call(task) {
        begun.push(task.begun)
        if (begun.length > 1) return undefined
        await task.begin()
        throw new Error('in the middle')
      },
    },
  })
  await eventually(() => {
    clock.wait(500)
    worker.wake()
    expect(begun).toEqual([false, true])
  })
})

test('a crowd of one class does not keep another class from being handled', async () => {
  const clock = createClock()
  const world = await newStore(clock.now)
  const { store, vault } = world
  const handled: string[] = []
  let visits = 0
  let open = () => {}
  const doors = new Promise<void>((resolve) => {
    open = resolve
  })
  const post = (actor: string) => store.post({ actor, id: actor, body: sealBody(vault, actor, {}) })
  for (let number = 0; number < 50; number++) await post(`visit:${number}`)
  const noted: Handler = async ({ actor }) => {
    handled.push(actor)
    return undefined
  }
  const worker = startWorker({
    ...world,
    now: clock.now,
    room: { visits: 3 },
    handlers: {
      async visit() {
        visits += 1
        await doors
        return undefined
      },
      chat: noted,
      submit: noted,
      timer: noted,
    },
  })
  await eventually(() => expect(visits).toBe(3))
  for (const actor of ['chat:a', 'submit:b', 'timer:c']) await post(actor)
  worker.wake()
  await eventually(() => expect(handled.toSorted()).toEqual(['chat:a', 'submit:b', 'timer:c']))
  expect(visits).toBe(3)
  expect(await store.claim(LEASE_MS, KINDS)).toBeUndefined()
  open()
  await eventually(() => expect(visits).toBe(50))
})
