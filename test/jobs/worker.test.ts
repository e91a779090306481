import type { UserFromGetMe } from 'grammy/types'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type AppDeps, createApp } from '../../src/app.ts'
import { createLog } from '../../src/observe/logger.ts'
import type { Handler } from '../../src/queue/job.ts'
import { createSuspects } from '../../src/queue/suspects.ts'
import { createWorker } from '../../src/queue/worker.ts'
import { sealBody } from '../../src/storage/documents.ts'
import type { Claim, Store } from '../../src/storage/store.ts'
import { createClock } from '../storage/worlds.ts'
import { eventually } from '../until.ts'
import { newStore, startWorker } from './world.ts'

const soon = () => new Promise(setImmediate)

/** A worker whose store answers when the test lets it. */
function waitingForStore(isBusy = () => false) {
  const asked: ((claim?: Claim) => void)[] = []
  const lines: string[] = []
  const log = createLog('info', { write: (line: string) => void lines.push(line) })
  const store = {
    claim: () => new Promise<Claim | undefined>((resolve) => void asked.push(resolve)),
  } as unknown as Store
  const watch = vi.fn()
  const suspects = { ...createSuspects({ store, log }), isBusy, watch }
  const deps = { store, log, suspects } as unknown as Parameters<typeof createWorker>[0]
  const worker = createWorker(deps)
  onTestFinished(() => {
    for (const answer of asked) answer()
    return worker.stop()
  })
  return { worker, asked, lines, watch }
}

test('a bot that starts again after a failure of the store keeps its one worker', async () => {
  const asked: (() => void)[] = []
  const { store, vault } = await newStore(Date.now)
  const deps = {
    config: { webhookUrl: 'https://e.org/t', webhookSecret: 's', organizers: [5] },
    vault,
    isIntroduced: true,
    texts: { for: () => undefined },
    metrics: {},
    server: { on: () => undefined },
    api: { setWebhook: async () => true },
    suspects: { isBusy: () => false, watch: () => undefined },
    now: Date.now,
    store: {
      ...store,
      claim: () => new Promise<undefined>((resolve) => void asked.push(() => resolve(undefined))),
      post: vi.fn(async () => undefined).mockRejectedValueOnce(new Error('full')),
    },
  } as unknown as AppDeps
  const app = createApp(deps)
  const me = { id: 1, username: 'porsa_bot' } as UserFromGetMe
  await expect(app.run(me)).rejects.toThrow('full')
  await app.run(me)
  await soon()
  expect(asked).toHaveLength(1)
  for (const answer of asked) answer()
  await app.stop()
})

test('a claim counts as work; the worker is idle once it has found nothing', async () => {
  const { worker, asked, lines } = waitingForStore()
  let isIdle = false
  const idle = worker.idle().then(() => {
    isIdle = true
  })
  await soon()
  expect([asked.length, worker.busy(), isIdle]).toEqual([1, 1, false])
  asked[0]?.()
  await idle
  expect(worker.busy()).toBe(0)
  await worker.idle()
  expect(lines).toEqual([])
})

test('a worker that is woken during a claim claims once more after it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { worker, asked } = waitingForStore()
  await soon()
  worker.wake()
  worker.wake()
  await soon()
  expect(asked).toHaveLength(1)
  asked[0]?.()
  // At once, and not by a timer: none runs here.
  await soon()
  expect(asked).toHaveLength(2)
  asked[1]?.()
  await worker.idle()
  expect(asked).toHaveLength(2)
})

test('nothing is claimed while a job has to be alone; the job that ends wakes the others', async () => {
  let isBusy = true
  const { worker, asked, watch } = waitingForStore(() => isBusy)
  await worker.idle()
  expect(asked).toEqual([])
  isBusy = false
  const [[watched]] = watch.mock.calls as [[{ working: () => number; wake: () => void }]]
  expect(watched.working()).toBe(0)
  watched.wake()
  await eventually(() => expect(asked).toHaveLength(1))
})

test('at the stop the message in work is finished, and no new one is claimed', async () => {
  const world = await newStore(createClock().now)
  const { store, vault } = world
  let open = () => {}
  const doors = new Promise<void>((resolve) => {
    open = resolve
  })
  const aborted: boolean[] = []
  const call: Handler = async ({ signal }) => {
    await doors
    aborted.push(signal.aborted)
    return undefined
  }
  const post = (id: string) =>
    store.post({ actor: `call:${id}`, id, body: sealBody(vault, `call:${id}`, {}) })
  await post('1')
  const worker = startWorker({ ...world, now: createClock().now, handlers: { call } })
  await eventually(() => expect(worker.busy()).toBe(1))
  const stopped = worker.stop()
  await post('2')
  worker.wake()
  await new Promise((resolve) => setTimeout(resolve, 30))
  open()
  await stopped
  expect(aborted).toEqual([false])
  worker.wake()
  await worker.idle()
  expect(aborted).toEqual([false])
})

/** A worker that is stopped during a message that never ends, on a store with this commit. */
async function stoppedInTheMiddle(commit?: Store['commit']) {
  const lines: string[] = []
  const { now } = createClock()
  const { store, vault } = await newStore(now)
  await store.post({ actor: 'call:1', id: '1', body: sealBody(vault, 'call:1', {}) })
  const ends: string[] = []
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const worker = startWorker({
    ...{ store: { ...store, ...(commit && { commit }) }, vault, now },
    log: createLog('info', { write: (line: string) => void lines.push(line) }),
    handlers: {
      call() {
        begin()
        return new Promise(() => undefined)
      },
    },
    onEnd: (_, outcome) => void ends.push(outcome),
  })
  await begun
  await worker.stop()
  return {
    ends,
    isLate: lines.join().includes('stopped in the middle'),
    claim: () => store.claim(9, ['call']),
  }
}

test('a message that is not done four seconds after the stop is put back, or left to its lease', async () => {
  let answer = (_: 'lost') => {}
  const hangs = new Promise<'lost'>((resolve) => {
    answer = resolve
  })
  const [back, left] = await Promise.all([stoppedInTheMiddle(), stoppedInTheMiddle(() => hangs)])
  expect([back.ends, back.isLate]).toEqual([['put back'], false])
  expect((await back.claim())?.message).toMatchObject({ retries: 0, lost: 0 })
  expect([left.ends, left.isLate]).toEqual([[], true])
  answer('lost')
})

test('a worker that has stopped leaves no timer', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { worker, asked } = waitingForStore()
  await soon()
  asked[0]?.()
  await worker.stop()
  expect(vi.getTimerCount()).toBe(0)
})
