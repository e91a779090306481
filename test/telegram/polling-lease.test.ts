import { rm } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createPolling } from '../../src/jobs/polling.ts'
import { createLog } from '../../src/observe/logger.ts'
import { createSqliteStore } from '../../src/storage/sqlite.ts'
import type { Claim, Store } from '../../src/storage/store.ts'
import { createTelegramClient } from '../../src/telegram/client.ts'
import { createPoller } from '../../src/telegram/poller.ts'
import { createClock, temporaryFolder } from '../storage/worlds.ts'
import { until } from '../until.ts'
import { type Scripted, startFakeTelegram } from './fake-telegram.ts'

const STEP_MS = 100
const log = createLog('silent', { write: () => undefined })
const done: Scripted = { result: true }

/** How the store of one replica fails, and the calls that hang until the end of the test. */
type Broken = { store: 'fails' | 'hangs' | undefined; hanging: (() => void)[] }
type Sleeper = { at: number; wake: () => void }

/** One store and one clock, moved step by step, for all replicas. */
async function world() {
  const clock = createClock()
  const dir = await temporaryFolder()
  const store = await createSqliteStore({ dir, now: clock.now })
  const replicas: { wake(): void }[] = []

  /** Waits for everything that happens without the passing of time. */
  async function settle() {
    for (let turn = 0; turn < 20; turn += 1) await setImmediate()
  }
  async function pass(ms: number) {
    await settle()
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      clock.wait(STEP_MS)
      for (const replica of replicas) replica.wake()
      await settle()
    }
  }

  /** A replica with its own Bot API, whose polls hang, so that it shows which replica polls. */
  async function replica(
    script: Scripted[] = Array.from({ length: 20 }, () => [done, 'hang' as const]).flat(),
  ) {
    const telegram = await startFakeTelegram(...script)
    const api = createTelegramClient({ token: '1:t', apiRoot: telegram.apiRoot, now: Date.now })
    const sleepers = new Set<Sleeper>()
    const broken: Broken = { store: undefined, hanging: [] }
    const errors: unknown[] = []
    let isFrozen = false
    let asking = 0
    let claimed: Claim | undefined

    const sleep = (ms: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        const wake = () => {
          sleepers.delete(sleeper)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        const sleeper = { at: clock.now() + ms, wake }
        sleepers.add(sleeper)
        signal.addEventListener('abort', wake)
        if (signal.aborted) wake()
      })
    const reach = async <T>(operation: () => Promise<T>): Promise<T> => {
      if (broken.store === 'hangs') await new Promise<void>((resolve) => broken.hanging.push(resolve))
      if (broken.store === 'fails') throw new Error('store is down')
      return operation()
    }
    const every = (ms: number, act: () => void) => {
      const ended = new AbortController()
      const next = () =>
        sleep(ms, ended.signal).then(() => {
          if (ended.signal.aborted) return
          act()
          void next()
        })
      void next()
      return () => ended.abort()
    }
    const own: Pick<Store, 'backlog' | 'post' | 'claim' | 'renew' | 'begin' | 'commit'> = {
      ...store,
      backlog: (kinds) => reach(() => store.backlog(kinds)),
      post: (post) => reach(() => store.post(post)),
      claim: (leaseMs, kinds) => reach(async () => (claimed = await store.claim(leaseMs, kinds))),
      renew: (claim, leaseMs) => reach(() => store.renew(claim, leaseMs)),
      commit: (claim, commit) => reach(() => store.commit(claim, commit)),
    }
    const onError = (error: unknown) => errors.push(error)
    const receiver = createPolling({
      store: own,
      now: clock.now,
      time: { sleep, every, elapsed: clock.now },
      log,
      onError,
      open(mayAsk) {
        const poller = createPoller({
          api,
          allowedUpdates: [],
          handle: async () => {},
          onError,
          sleep,
          now: clock.now,
          mayAsk,
        })
        return {
          ...poller,
          async run() {
            asking += 1
            await poller.run().finally(() => {
              asking -= 1
            })
          },
        }
      },
    })
    replicas.push({
      wake() {
        if (!isFrozen) for (const { at, wake } of [...sleepers]) if (at <= clock.now()) wake()
      },
    })
    onTestFinished(async () => {
      broken.store = 'fails'
      for (const answer of broken.hanging) answer()
      await receiver.stop()
    })
    return {
      telegram,
      errors,
      broken,
      run: () => receiver.run(),
      stop: () => receiver.stop(),
      isAsking: () => asking > 0,
      claimed: () => claimed,
      polls: () => telegram.methods().filter((method) => method === 'getUpdates').length,
      /** Freezes the process as SIGSTOP does; a process that died is never thawed. */
      freeze() {
        isFrozen = true
      },
      thaw() {
        isFrozen = false
      },
    }
  }
  onTestFinished(async () => {
    await store.close()
    await rm(dir, { recursive: true })
  })
  return { pass, settle, replica, store }
}

/** Two replicas; the first one polls. */
async function two() {
  const { replica, ...rest } = await world()
  const [first, second] = [await replica(), await replica()]
  void first.run()
  await until(() => first.polls() === 1)
  void second.run()
  await rest.pass(60_000)
  expect([first.isAsking(), second.isAsking()]).toEqual([true, false])
  return { ...rest, first, second }
}

test('of two replicas one keeps polling; the other one waits and sends no call', async () => {
  const { first, second } = await two()
  expect(first.polls()).toBe(1)
  expect(second.telegram.received).toEqual([])
})

test('when the lease holder dies the other one takes over within 10 s, but not before the lease expires', async () => {
  const { first, second, pass } = await two()
  first.freeze()
  await pass(1_500)
  expect(second.isAsking()).toBe(false)
  await pass(8_500)
  expect(second.isAsking()).toBe(true)
})

test('when the lease holder stops the other one takes over at its next check', async () => {
  const { first, second, pass } = await two()
  await first.stop()
  expect(first.isAsking()).toBe(false)
  await pass(500)
  expect(second.isAsking()).toBe(true)
})

test('a waiting replica stops without touching the lease', async () => {
  const { first, second, pass } = await two()
  await second.stop()
  await pass(10_000)
  expect([first.isAsking(), second.isAsking()]).toEqual([true, false])
})

test('a holder that was frozen beyond its lease ends its poll when it wakes up, and waits', async () => {
  const { first, second, pass } = await two()
  first.freeze()
  await pass(10_000)
  first.thaw()
  await pass(100)
  await until(() => !first.isAsking())
  await pass(60_000)
  expect([first.isAsking(), second.isAsking()]).toEqual([false, true])
  expect(first.polls()).toBe(1)
})

test('a single holder that slept takes its lease again', async () => {
  const { replica, pass } = await world()
  const alone = await replica()
  void alone.run()
  await until(() => alone.polls() === 1)
  alone.freeze()
  await pass(60_000)
  alone.thaw()
  await pass(2_000)
  await until(() => alone.polls() === 2)
  expect(alone.isAsking()).toBe(true)
})

test.each(['fails', 'hangs'] as const)(
  'a holder whose store %s ends its poll before another one may begin',
  async (how) => {
    const { first, second, pass } = await two()
    first.broken.store = how
    await pass(3_000)
    await until(() => !first.isAsking())
    expect(second.isAsking()).toBe(false)
    await pass(3_000)
    expect(second.isAsking()).toBe(true)
  },
)

test('a store that has lost the lease gives it to one replica', async () => {
  const { first, second, pass, store } = await two()
  const claim = first.claimed()
  if (claim) await store.commit(claim, {})
  await pass(10_000)
  await until(() => Number(first.isAsking()) + Number(second.isAsking()) === 1)
})

test('a token that Telegram refuses ends the holder, and leaves the lease', async () => {
  const { replica, store } = await world()
  const refused = await replica([{ error: 401, description: 'Unauthorized' }])
  await expect(refused.run()).rejects.toMatchObject({ error_code: 401 })
  expect(await store.claim(1, ['poll'])).toBeDefined()
})
