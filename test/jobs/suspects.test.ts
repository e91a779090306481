import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '../../src/observe/logger.ts'
import { createSuspects, KillsError } from '../../src/queue/suspects.ts'
import { sealBody } from '../../src/storage/documents.ts'
import { createClock, minute } from '../storage/worlds.ts'
import { eventually } from '../until.ts'
import { newStore, startWorker } from './world.ts'

const log = createLog('silent', { write: () => undefined })

/** Jobs of which these have died in company twice; a worker that notes who is in work with whom. */
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

/** Lets somebody in whenever it is asked. */
function createDoors() {
  const doors = new Map<string, () => void>()
  return {
    doors,
    open: (id: string) => doors.get(id)?.(),
    wait: (id: string) => new Promise<void>((resolve) => void doors.set(id, resolve)),
  }
}

test('those who died twice are handled one at a time, and everybody else after them', async () => {
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

test('who waits in line lets others in, and is alone again when its turn has come', async () => {
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

test('what died alone as well is set aside without being handled', async () => {
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
  // It is out of the way with the commit, which comes after that.
  await eventually(async () => expect(await store.backlog(['call'])).toMatchObject([{ waiting: 0 }]))
  expect(handled).toBe(0)
})

test('who has a slot waits for the one that is alone, though another in line for that has left', async () => {
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
