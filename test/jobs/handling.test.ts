import { expect, onTestFinished, test, vi } from 'vitest'
import { UnreadableError } from '../../src/domain/unreadable.ts'
import { createLog } from '../../src/observe/logger.ts'
import type { ActorKind } from '../../src/queue/actors.ts'
import { handleClaim } from '../../src/queue/handle-claim.ts'
import { currentFile, type Handler, type Task } from '../../src/queue/job.ts'
import { LEASE_MS, LeaseLostError, StoppingError } from '../../src/queue/lease.ts'
import { openBody, sealBody } from '../../src/storage/documents.ts'
import type { Store } from '../../src/storage/store.ts'
import type { UnitOfWork } from '../../src/storage/unit-of-work.ts'
import type { Sender, SentParts } from '../../src/telegram/sender.ts'
import { createClock } from '../storage/worlds.ts'
import { newSender, newStore, termAt } from './world.ts'

type More = Partial<
  Pick<
    Parameters<typeof handleClaim>[0],
    'suspects' | 'isStopped' | 'sender' | 'setAside' | 'temporaryFailureOf'
  >
> & {
  actor?: string
  abort?: AbortController
  body?: object
  changes?: (store: Store) => Partial<Store>
}

/** Handles one message with this handler. Returns all that can be seen of it. */
async function handled(act: Handler, { actor = 'call:1', body = {}, changes, ...more }: More = {}) {
  const clock = createClock()
  const { store, vault } = await newStore(clock.now)
  await store.post({ actor, id: '1', body: sealBody(vault, actor, body) })
  const kind = actor.slice(0, actor.indexOf(':'))
  const claim = await store.claim(LEASE_MS, [kind])
  if (!claim) throw new Error('nothing to claim')
  const lines: Record<string, unknown>[] = []
  const ends: [string, string][] = []
  const milestones: string[] = []
  const aside: Task<unknown>[] = []
  const abort = more.abort ?? new AbortController()
  const world = { clock, store, abort, claim: () => store.claim(LEASE_MS, [kind]) }
  const deps = {
    ...{ store: { ...store, ...changes?.(store) }, vault, now: clock.now, term: termAt(clock.now) },
    log: createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) }),
    handlers: { call: act, chat: act } as unknown as Readonly<Record<ActorKind, Handler>>,
    temporaryFailureOf: () => undefined,
    setAside: (task: Task<unknown>) => void aside.push(task),
    onEnd: (...end: [string, string]) => void ends.push(end),
    onMilestone: (milestone: string) => void milestones.push(milestone),
    isStopped: () => false,
    suspects: { of: () => ({ begin: async () => undefined, end: () => undefined }) },
    ...more,
  }
  const end = handleClaim(deps, claim, abort)
  const said = (msg: string) => lines.filter((line) => line.msg === msg)
  return { ...world, vault, end, ends, aside, milestones, said }
}

const done: Handler = async () => undefined

/** Sends one message, and notes what is taken back. */
function saying() {
  const undone: number[] = []
  const says = async ({ onFailedRun, sender }: Task<unknown>) => {
    onFailedRun(async (ids) => void undone.push(...ids))
    await sender?.send(1, { text: 'hello' })
  }
  return { undone, says, sender: newSender().sender }
}

test('a handled message makes one log line, with its trace, kind and outcome', async () => {
  const body = { type: 'event', event: { kind: 'remind' }, onBehalf: { who: 'sara' } }
  let trace: string | undefined
  const { end, ends, said } = await handled(
    async (task) => {
      trace = task.trace
      return undefined
    },
    { body },
  )
  await end
  expect(ends).toEqual([['call', 'ok']])
  expect(said('handled')).toMatchObject([{ actor: 'call', kind: 'remind', outcome: 'ok', ms: 0 }])
  expect(said('handled')[0]?.trace).toMatch(/^[a-z]{12}$/)
  expect(trace).toBe(said('handled')[0]?.trace)
})

test('an actor without a handler is a failure that says so', async () => {
  const { end, ends, said } = await handled(done, { actor: 'odd:1' })
  await end
  expect(ends).toEqual([['unknown', 'failed']])
  expect(said('message not handled')).toMatchObject([{ level: 'error', retries: 0 }])
})

test('a message is not handled before it may begin', async () => {
  let begin = () => {}
  const mayBegin = new Promise<void>((resolve) => {
    begin = resolve
  })
  let times = 0
  const suspects = { of: () => ({ begin: () => mayBegin, end: () => undefined }) }
  const { end } = await handled(async () => void times++, { suspects })
  await new Promise(setImmediate)
  expect(times).toBe(0)
  begin()
  await end
  expect(times).toBe(1)
})

test('a message that failed comes again at its time, with its body, and counts the failure', async () => {
  const { end, ends, said, clock, claim, vault } = await handled(
    async () => Promise.reject(new Error('no')),
    { body: ['a list'] },
  )
  await end
  expect(ends).toEqual([['call', 'failed']])
  expect(said('message not handled')).toHaveLength(1)
  clock.wait(499)
  expect(await claim()).toBeUndefined()
  clock.wait(1)
  const again = await claim()
  expect(again?.message.retries).toBe(1)
  expect(again && openBody(vault, 'call:1', again.message.body)).toEqual(['a list'])
})

test('a call that gives up its place as the process stops is no error', async () => {
  const { end, ends, said } = await handled(async () => Promise.reject(new Error('no')), {
    temporaryFailureOf: () => ({ kind: 'named', afterMs: 1_000, isStop: true }),
  })
  await end
  expect([ends, said('message not handled')]).toEqual([[['call', 'put back']], []])
})

test('the parts that were sent are kept with a failed message whose body has room for them', async () => {
  const sender = {
    onTask: ({ sent }: { sent: SentParts }) => ({ send: async () => sent.now.push({ key: 'k', id: 7 }) }),
  } as unknown as Sender
  const saysAndFails: Handler = async (task) => {
    await task.sender?.send(1, { text: 'hello' })
    throw new Error('no')
  }
  const bodyAfter = async (body: object) => {
    const { end, clock, claim, vault } = await handled(saysAndFails, { body, sender })
    await end
    clock.wait(500)
    const again = await claim()
    return again && openBody(vault, 'call:1', again.message.body)
  }
  expect(await bodyAfter({ a: 1 })).toMatchObject({ a: 1, attempts: { said: [{ key: 'k', id: 7 }] } })
  expect(await bodyAfter('words' as unknown as object)).toBe('words')
})

const saidBefore = { a: 1, attempts: { tries: 1, said: [{ key: 'k', id: 7 }] } }

test('parts that an earlier attempt sent stay noted when a later one fails before them', async () => {
  const fails: Handler = async () => Promise.reject(new Error('no'))
  const temporaryFailureOf = () => ({ kind: 'nothing-done' }) as const
  const { end, clock, claim, vault } = await handled(fails, { body: saidBefore, temporaryFailureOf })
  await end
  clock.wait(60_000)
  const again = await claim()
  const { said } = saidBefore.attempts
  expect(again && openBody(vault, 'call:1', again.message.body)).toMatchObject({ attempts: { said } })
})

test('parts that were sent stay noted after repeated conflicts', async () => {
  const sender = {
    onTask: ({ sent }: { sent: SentParts }) => ({
      send: async () => void sent.now.push(sent.before[sent.now.length] ?? { key: 'k', id: 7 }),
    }),
  } as unknown as Sender
  const says: Handler = async (task) => {
    await task.sender?.send(1, { text: 'hello' })
    return undefined
  }
  const { end, ends, clock, claim, vault } = await handled(says, {
    body: { a: 1 },
    sender,
    changes: (store) => ({
      commit: async (of, commit) => (commit.retryAt === undefined ? 'conflict' : store.commit(of, commit)),
    }),
  })
  await end
  expect(ends).toHaveLength(5)
  clock.wait(1_000)
  const again = await claim()
  const kept = again && openBody(vault, 'call:1', again.message.body)
  expect(kept).toEqual({ a: 1, attempts: { tries: 0, said: [{ key: 'k', id: 7 }] } })
})

test.each([
  ['at the stop', new StoppingError('stop'), 'put back'],
  ['without a lease', new LeaseLostError('lost'), 'lost'],
])(
  'a handler that is aborted %s makes no error; what it sent without a lease is taken back',
  async (_, reason, outcome) => {
    const { undone, says, sender } = saying()
    const { end, ends, said, abort } = await handled(
      async (task) => {
        await says(task)
        // The handler does not listen to the signal.
        await new Promise((resolve) =>
          task.signal.addEventListener('abort', () => setTimeout(resolve, 60_000).unref()),
        )
        return undefined
      },
      { sender },
    )
    await new Promise(setImmediate)
    abort.abort(reason)
    await end
    expect(ends).toEqual([['call', outcome]])
    expect(said('message not handled')).toEqual([])
    expect(undone).toEqual(outcome === 'lost' ? [1] : [])
  },
)

test.each(['put back', 'set aside'])(
  'a message that another worker has is not %s here, and what was sent is taken back',
  async (how) => {
    const { undone, says, sender } = saying()
    const { end, ends, aside } = await handled(
      async (task) => {
        await says(task)
        throw how === 'put back' ? new Error('no') : new UnreadableError('harmed')
      },
      { sender, changes: () => ({ commit: async () => 'lost' as const }) },
    )
    await end
    expect(ends).toEqual([['call', 'lost']])
    expect([undone, aside.length]).toEqual([[1], how === 'put back' ? 0 : 1])
  },
)

test.each([true, false])(
  'a message that is set aside is logged with its milestone and whether it was begun (%s), and is no error',
  async (begins) => {
    const { end, ends, aside, milestones, said, claim } = await handled(
      async ({ begin }) => {
        if (begins) await begin()
        throw new UnreadableError('harmed')
      },
      {
        setAside(task) {
          aside.push(task)
          task.work.note('set-aside')
        },
      },
    )
    await end
    expect(ends).toEqual([['call', 'set aside']])
    expect(aside.map(({ begun }) => begun)).toEqual([begins])
    expect(milestones).toEqual(['set-aside'])
    expect(said('set-aside')).toHaveLength(1)
    expect(said('message not handled')).toEqual([])
    expect(await claim()).toBeUndefined()
  },
)

test('what a handler sent before repeated conflicts is taken back, where that is possible', async () => {
  const { undone, says, sender } = saying()
  const { end, clock, claim, vault } = await handled(
    async (task) => {
      await says(task)
      return undefined
    },
    {
      sender,
      changes: (store) => ({
        commit: async (of, commit) => (commit.retryAt === undefined ? 'conflict' : store.commit(of, commit)),
      }),
    },
  )
  await end
  expect(undone).toEqual([1])
  clock.wait(1_000)
  const again = await claim()
  expect(again && openBody(vault, 'call:1', again.message.body)).toMatchObject({ attempts: { said: [] } })
})

test('a message that loses five conflicts comes again in a second, and counts no failure', async () => {
  const { end, ends, clock, claim } = await handled(
    async ({ begin }) => {
      await begin()
      return undefined
    },
    {
      changes: (store) => ({
        commit: async (of, commit) => (commit.retryAt === undefined ? 'conflict' : store.commit(of, commit)),
      }),
    },
  )
  await end
  expect(ends.map(([, outcome]) => outcome)).toEqual(Array(5).fill('conflict'))
  clock.wait(999)
  expect(await claim()).toBeUndefined()
  clock.wait(1)
  expect((await claim())?.message).toMatchObject({ retries: 0, begun: true })
})

test.each(['ok', 'lost'] as const)('a milestone is told only once it is committed: %s', async (outcome) => {
  const { end, milestones, said } = await handled(
    async ({ work }) => {
      work.note('begun')
      return undefined
    },
    outcome === 'ok' ? {} : { changes: () => ({ commit: async () => outcome }) },
  )
  await end
  expect([milestones, said('begun').length]).toEqual(outcome === 'ok' ? [['begun'], 1] : [[], 0])
})

test.each([true, false])(
  'a part of an earlier attempt is taken back where this one does not send it (but another: %s)',
  async (saysElse) => {
    const { undone, says, sender } = saying()
    const { end, ends } = await handled(
      async (task) => {
        task.onFailedRun(async (ids) => void undone.push(...ids))
        if (saysElse) await says(task)
        return undefined
      },
      { sender, body: saidBefore },
    )
    await end
    expect([ends, undone]).toEqual([[['call', 'ok']], [7]])
  },
)

test('a part of an earlier attempt stays where another worker goes on', async () => {
  const { undone, says, sender } = saying()
  const attempts = { tries: 1, said: [{ key: 'k', id: 7 }] }
  const abort = new AbortController()
  const { end, ends, said } = await handled(
    async (task) => {
      await says(task)
      abort.abort(new LeaseLostError('lost'))
      throw new Error('in vain')
    },
    { sender, abort, body: { attempts } },
  )
  await end
  expect([ends, undone]).toEqual([[['call', 'lost']], [1]])
  expect(said('lease lost')).toHaveLength(1)
})

test('a message that has ended has no timer for its lease', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { end } = await handled(done)
  await end
  expect(vi.getTimerCount()).toBe(0)
})

test('a stopping worker does not wait for a store that is away', async () => {
  const commit = vi.fn(async () => Promise.reject(new Error('away')))
  const { end, said } = await handled(done, { changes: () => ({ commit }), isStopped: () => true })
  await end
  expect(commit).toHaveBeenCalledTimes(1)
  expect(said('message not committed')).toMatchObject([{ actor: 'call' }])
})

test('the file of a job is not read once its account was forgotten', async () => {
  const work = { guard: async () => ({ epoch: 1 }), get: async () => 'the file' } as unknown as UnitOfWork
  const of = (epoch: number) =>
    currentFile(work, { s: 's', onBehalf: { who: 'w', chatId: 1, epoch, language: 'fa' } })
  expect([await of(0), await of(1)]).toEqual([undefined, 'the file'])
})
