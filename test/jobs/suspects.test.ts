import { expect, onTestFinished, test, vi } from 'vitest'
import { createLog } from '../../src/observe/logger.ts'
import { createSuspects, KillsError } from '../../src/queue/suspects.ts'
import { sealBody } from '../../src/storage/documents.ts'
import type { Claim } from '../../src/storage/store.ts'
import { createClock, minute } from '../storage/worlds.ts'
import { eventually } from '../until.ts'
import { newStore, startWorker } from './world.ts'

const log = createLog('silent', { write: () => undefined })

/** Jobs that were in work at two crashes, and their world. */
async function afterTwoCrashes(ids: readonly string[]) {
  const clock = createClock()
  const world = await newStore(clock.now)
  const { store, vault } = world
  for (const id of ids) await store.post({ actor: `call:${id}`, id, body: sealBody(vault, `call:${id}`, {}) })
  for (const _ of ['first', 'second']) {
    for (const _ of ids) await store.claim(minute, ['call'])
    clock.wait(minute)
  }
  return { ...world, now: clock.now, wait: clock.wait }
}

/** Doors that open each waiting job by its id. */
function createDoors() {
  const doors = new Map<string, () => void>()
  return {
    doors,
    open: (id: string) => doors.get(id)?.(),
    wait: (id: string) => new Promise<void>((resolve) => void doors.set(id, resolve)),
  }
}

test('jobs that died twice are handled one at a time, before all others', async () => {
  const world = await afterTwoCrashes(['one', 'two'])
  const { store, vault } = world
  const { doors, open, wait } = createDoors()
  const inWork = new Set<string>()
  const company: number[] = []
  startWorker({
    ...world,
    handlers: {
      call: async ({ id }) => {
        inWork.add(id)
        company.push(inWork.size)
        await wait(id)
        inWork.delete(id)
        return undefined
      },
    },
  })
  for (const id of ['one', 'two', 'zoe']) {
    await eventually(() => expect(doors.has(id)).toBe(true))
    expect([...inWork]).toEqual([id])
    if (id === 'one')
      await store.post({ actor: 'call:zoe', id: 'zoe', body: sealBody(vault, 'call:zoe', {}) })
    open(id)
  }
  expect(company).toEqual([1, 1, 1])
})

test('a job that waits in line lets others in, and is alone again in its turn', async () => {
  const world = await afterTwoCrashes(['waits'])
  const { store, vault } = world
  const suspects = createSuspects({ store, log })
  const { doors, open, wait } = createDoors()
  const done: string[] = []
  startWorker({
    ...world,
    suspects,
    handlers: {
      call: async ({ id }) => {
        if (id === 'waits') await suspects.inLine(() => wait('slot'))
        await wait(id)
        done.push(id)
        return undefined
      },
    },
  })
  await eventually(() => expect(doors.has('slot')).toBe(true))
  await store.post({ actor: 'call:zoe', id: 'zoe', body: sealBody(vault, 'call:zoe', {}) })
  await eventually(() => expect(doors.has('zoe')).toBe(true))
  open('slot')
  await store.post({ actor: 'call:later', id: 'later', body: sealBody(vault, 'call:later', {}) })
  open('zoe')
  await eventually(() => expect(doors.has('waits')).toBe(true))
  expect(doors.has('later')).toBe(false)
  open('waits')
  await eventually(() => expect(doors.has('later')).toBe(true))
  open('later')
  await eventually(() => expect(done).toEqual(['zoe', 'waits', 'later']))
})

test('a job that died alone as well is set aside without being handled', async () => {
  const world = await afterTwoCrashes(['kills'])
  const { store } = world
  const claim = await store.claim(minute, ['call'])
  if (claim) await store.suspect(claim, true)
  world.wait(minute)
  const aside: unknown[] = []
  let handled = 0
  const worker = startWorker({
    ...world,
    handlers: { call: async () => void handled++ },
    setAside: (_, error) => void aside.push(error),
  })
  onTestFinished(() => worker.stop())
  await eventually(() => expect(aside).toEqual([expect.any(KillsError)]))
  // The commit that takes it out of the queue comes after that.
  await eventually(async () => expect(await store.backlog(['call'])).toMatchObject([{ waiting: 0 }]))
  expect(handled).toBe(0)
})

test('a call with a slot waits for the job that is alone, though another waiting one has left', async () => {
  const { store } = await afterTwoCrashes(['one', 'two'])
  const suspects = createSuspects({ store, log })
  const { open, wait } = createDoors()
  const heard: string[] = []
  const slot = suspects.inLine(() => wait('slot')).then(() => heard.push('slot'))
  const [one, two] = [await store.claim(minute, ['call']), await store.claim(minute, ['call'])]
  if (!one || !two) throw new Error('nothing to claim')
  const alone = suspects.of(one)
  await alone.begin()
  suspects.of(two).end()
  open('slot')
  await new Promise(setImmediate)
  heard.push('alone')
  alone.end()
  await slot
  expect(heard).toEqual(['alone', 'slot'])
})

/** Suspects among this many jobs in work. Returns what is noted of each, and the wakes. */
function inRoom(working = () => 1) {
  const noted: [string, boolean][] = []
  const suspect = async ({ actor }: Claim, isAlone: boolean) => void noted.push([actor, isAlone])
  const suspects = createSuspects({ store: { suspect }, log })
  const wake = vi.fn()
  suspects.watch({ working, wake })
  const of = (actor: string, lost = 2) =>
    suspects.of({ actor, fence: '', message: { id: '', body: Buffer.of(), retries: 0, begun: false, lost } })
  return { suspects, noted, wake, of }
}

test('a job that never died, or once, waits for no other', async () => {
  const { suspects, noted, of } = inRoom(() => 9)
  await of('call:1', 1).begin()
  expect([suspects.isBusy(), noted]).toEqual([false, []])
})

test('a job that is alone is noted so, not while it waits in line, and again after that', async () => {
  const { suspects, noted, wake, of } = inRoom()
  const { open, wait } = createDoors()
  const one = of('call:1')
  expect(suspects.isBusy()).toBe(true)
  await one.begin()
  expect(noted).toEqual([['call:1', true]])
  const slot = suspects.inLine(() => wait('slot'))
  await new Promise(setImmediate)
  expect([noted.length, noted[1], suspects.isBusy()]).toEqual([2, ['call:1', false], false])
  expect(wake).toHaveBeenCalledTimes(1)
  open('slot')
  await slot
  expect([noted[2], suspects.isBusy()]).toEqual([['call:1', true], true])
  one.end()
  one.end()
  expect(suspects.isBusy()).toBe(false)
  expect(wake).toHaveBeenCalledTimes(2)
  // The job is not alone any more: the next to wait in line is another.
  await suspects.inLine(async () => undefined)
  expect([noted.length, suspects.isBusy()]).toEqual([3, false])
})

test('a job that left before its turn is not alone then, and the one before it stays alone', async () => {
  const { suspects, noted, of } = inRoom()
  const [one, two] = [of('call:1'), of('call:2')]
  await one.begin()
  two.end()
  await suspects.inLine(async () => undefined)
  one.end()
  await two.begin()
  expect(noted.map(([actor]) => actor)).toEqual(['call:1', 'call:1', 'call:1'])
})

test('a job that has to be alone waits until the others are done', async () => {
  let working = 2
  const { noted, of } = inRoom(() => working)
  const one = of('call:1')
  let isIn = false
  const begun = one.begin().then(() => {
    isIn = true
  })
  await new Promise((resolve) => setTimeout(resolve, 60))
  expect([isIn, noted]).toEqual([false, []])
  working = 1
  await begun
  expect(noted).toEqual([['call:1', true]])
})

test('a job is alone for ten seconds at most, and one that has left notes nothing', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { suspects, noted, of } = inRoom()
  await of('call:1').begin()
  await vi.advanceTimersByTimeAsync(10_000)
  expect([noted[1], suspects.isBusy()]).toEqual([['call:1', false], false])
  const two = of('call:2')
  await two.begin()
  two.end()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(noted.slice(2)).toEqual([['call:2', true]])
})
