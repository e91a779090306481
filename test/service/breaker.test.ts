import { expect, test } from 'vitest'
import { createBreaker } from '../../src/service/breaker.ts'
import { ServiceError } from '../../src/service/errors.ts'
import { fakeClock } from './fake-clock.ts'

const down = new ServiceError('unavailable', { reached: 'unclear' })
const refused = new ServiceError('not_found', { reached: 'yes' })

function world() {
  const { now, leap } = fakeClock()
  const changes: boolean[] = []
  let made = 0
  const breaker = createBreaker({
    failures: 3,
    openMs: 1_000,
    awaitedMs: 100,
    now,
    onChange: (isOpen) => changes.push(isOpen),
  })
  /** Makes attempts one after another, each with this end, and tells how they ended. */
  async function run(...ends: (Error | string)[]) {
    const seen: unknown[] = []
    for (const end of ends) seen.push(await one(async () => end).catch((error: unknown) => error))
    return seen
  }
  const one = (attempt: () => Promise<Error | string>, isAwaited?: boolean) =>
    breaker.run(async () => {
      made += 1
      const end = await attempt()
      if (end instanceof Error) throw end
      return end
    }, isAwaited)
  /** An attempt under way, which the test ends. */
  function begin(isAwaited?: boolean) {
    const { promise, resolve } = withResolvers<Error | string>()
    return { result: one(() => promise, isAwaited).catch((error: unknown) => error), end: resolve }
  }
  return { breaker, leap, run, begin, changes, made: () => made }
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

const spared = { code: 'unavailable', reached: 'no' }

test('failures in a row open it, and then nothing is tried', async () => {
  const { breaker, run, changes, made } = world()
  expect(await run(down, down, down)).toEqual([down, down, down])
  expect([breaker.isOpen(), made()]).toEqual([true, 3])
  expect(await run('fine', 'fine')).toMatchObject([spared, spared])
  expect([changes, made()]).toEqual([[true], 3])
})

test.each([
  ['an answer', 'fine'],
  ['a refusal, which is an answer', refused],
])('%s between them begins the row anew', async (_what, between) => {
  const { breaker, run } = world()
  await run(down, down, between, down, down)
  expect(breaker.isOpen()).toBe(false)
  await run(down)
  expect(breaker.isOpen()).toBe(true)
})

test('what says nothing about the service neither counts nor ends the row', async () => {
  const { breaker, run } = world()
  const ours = new TypeError('a mistake of ours')
  expect(await run(down, down, ours)).toEqual([down, down, ours])
  expect(breaker.isOpen()).toBe(false)
  await run(down)
  expect(breaker.isOpen()).toBe(true)
})

test.each([['fine'], [refused]])('after the pause one is tried, and %s closes it', async (end) => {
  const { breaker, leap, run, changes } = world()
  await run(down, down, down)
  leap(999)
  expect(await run('fine')).toMatchObject([spared])
  leap(1)
  expect(await run(end, down, down, 'fine')).toEqual([end, down, down, 'fine'])
  expect([breaker.isOpen(), changes]).toEqual([false, [true, false]])
})

test('when that one fails too, the pause begins anew', async () => {
  const { leap, run, changes } = world()
  await run(down, down, down)
  leap(1_000)
  expect(await run(down, 'fine')).toMatchObject([down, spared])
  leap(1_000)
  expect(await run('fine')).toEqual(['fine'])
  expect(changes).toEqual([true, false])
})

test('whoever comes while one is tried waits for what becomes of it', async () => {
  const { leap, run, begin, made } = world()
  await run(down, down, down)
  leap(1_000)
  const [first, second, third] = [begin(), begin(), begin()]
  second.end('second')
  third.end('third')
  await new Promise(setImmediate)
  expect(made()).toBe(4)
  first.end('first')
  expect(await Promise.all([first.result, second.result, third.result])).toEqual(['first', 'second', 'third'])
})

test('whoever waited is spared when it fails', async () => {
  const { leap, run, begin, made } = world()
  await run(down, down, down)
  leap(1_000)
  const [first, second] = [begin(), begin()]
  first.end(down)
  expect(await Promise.all([first.result, second.result])).toMatchObject([down, spared])
  expect(made()).toBe(4)
})

test('what somebody waits for is tried sooner, and closes it for all', async () => {
  const { breaker, leap, run, begin, changes, made } = world()
  await run(down, down, down)
  leap(99)
  expect([breaker.isOpen(true), await begin(true).result]).toMatchObject([true, spared])
  leap(1)
  expect([breaker.isOpen(true), breaker.isOpen()]).toEqual([false, true])
  const [first, second] = [begin(true), begin(true)]
  first.end('first')
  second.end('second')
  expect(await Promise.all([first.result, second.result])).toEqual(['first', 'second'])
  expect(await run('fine')).toEqual(['fine'])
  expect([made(), changes]).toEqual([6, [true, false]])
})

test('one of those is tried at a time, and when it fails the pause begins anew', async () => {
  const { leap, run, begin, changes, made } = world()
  await run(down, down, down)
  leap(950)
  const [first, second] = [begin(true), begin(true)]
  leap(200)
  first.end(down)
  expect(await Promise.all([first.result, second.result])).toMatchObject([down, spared])
  leap(999)
  expect(await run('fine')).toMatchObject([spared])
  expect([made(), changes]).toEqual([4, [true]])
})

test('when it is given up, the next one is tried', async () => {
  const { leap, run, begin, changes } = world()
  await run(down, down, down)
  leap(1_000)
  const [first, second] = [begin(), begin()]
  first.end(new Error('given up'))
  second.end('second')
  expect(await second.result).toBe('second')
  expect(changes).toEqual([true, false])
})

test('what began before it opened changes nothing when it ends', async () => {
  const { breaker, run, begin, changes } = world()
  const [late, later] = [begin(), begin()]
  await run(down, down, down)
  late.end('fine')
  later.end(down)
  expect(await Promise.all([late.result, later.result])).toEqual(['fine', down])
  expect([breaker.isOpen(), changes]).toEqual([true, [true]])
})
