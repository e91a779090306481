import { expect, test } from 'vitest'
import { createBreaker } from '../../src/service/breaker.ts'
import { ServiceError } from '../../src/service/errors.ts'
import { fakeClock } from './fake-clock.ts'

const down = new ServiceError('unavailable', { reached: 'unclear' })
/** One less than opens the breaker. */
const fiveDowns = Array<Error>(5).fill(down)
const refused = new ServiceError('not_found', { reached: 'yes' })

function world() {
  const { now, leap } = fakeClock()
  let made = 0
  const breaker = createBreaker({ now })
  /** Makes attempts one after another, each with the given outcome, and returns the outcomes. */
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
  return { breaker, leap, run, begin, made: () => made }
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

const spared = { code: 'unavailable', reached: 'no' }

test('failures in a row open the breaker, and then no call is tried', async () => {
  const { breaker, run, made } = world()
  expect(await run(...fiveDowns, down)).toEqual([...fiveDowns, down])
  expect([breaker.isOpen(), made()]).toEqual([true, 6])
  expect(await run('fine', 'fine')).toMatchObject([spared, spared])
  expect([breaker.isOpen(), made()]).toEqual([true, 6])
})

test.each([
  ['an answer', 'fine'],
  ['a refusal, which is an answer', refused],
])('%s between failures restarts the count', async (_what, between) => {
  const { breaker, run } = world()
  await run(...fiveDowns, between, ...fiveDowns)
  expect(breaker.isOpen()).toBe(false)
  await run(down)
  expect(breaker.isOpen()).toBe(true)
})

test('an error of our own neither counts nor restarts the count', async () => {
  const { breaker, run } = world()
  const ours = new TypeError('a mistake of ours')
  expect(await run(...fiveDowns, ours)).toEqual([...fiveDowns, ours])
  expect(breaker.isOpen()).toBe(false)
  await run(down)
  expect(breaker.isOpen()).toBe(true)
})

test.each([['fine'], [refused]])('after the pause one call is tried, and %s closes it', async (end) => {
  const { breaker, leap, run } = world()
  await run(...fiveDowns, down)
  leap(9_999)
  expect(await run('fine')).toMatchObject([spared])
  leap(1)
  expect(await run(end, ...fiveDowns, 'fine')).toEqual([end, ...fiveDowns, 'fine'])
  expect(breaker.isOpen()).toBe(false)
})

test('a clock that is set back meanwhile does not make the pause longer', async () => {
  const { leap, run } = world()
  await run(...fiveDowns, down)
  leap(-240_000)
  expect(await run('fine')).toEqual(['fine'])
})

test('when that call fails too, the pause starts again', async () => {
  const { breaker, leap, run } = world()
  await run(...fiveDowns, down)
  leap(10_000)
  expect(await run(down, 'fine')).toMatchObject([down, spared])
  leap(10_000)
  expect(await run('fine')).toEqual(['fine'])
  expect(breaker.isOpen()).toBe(false)
})

test('calls made while one is tried wait for its outcome', async () => {
  const { leap, run, begin, made } = world()
  await run(...fiveDowns, down)
  leap(10_000)
  const [first, second, third] = [begin(), begin(), begin()]
  second.end('second')
  third.end('third')
  await new Promise(setImmediate)
  expect(made()).toBe(7)
  first.end('first')
  expect(await Promise.all([first.result, second.result, third.result])).toEqual(['first', 'second', 'third'])
})

test('waiting calls are spared when the tried one fails', async () => {
  const { leap, run, begin, made } = world()
  await run(...fiveDowns, down)
  leap(10_000)
  const [first, second] = [begin(), begin()]
  first.end(down)
  expect(await Promise.all([first.result, second.result])).toMatchObject([down, spared])
  expect(made()).toBe(7)
})

test('an awaited call is tried sooner, and closes the breaker for all', async () => {
  const { breaker, leap, run, begin, made } = world()
  await run(...fiveDowns, down)
  leap(999)
  expect([breaker.isOpen(true), await begin(true).result]).toMatchObject([true, spared])
  leap(1)
  expect([breaker.isOpen(true), breaker.isOpen()]).toEqual([false, true])
  const [first, second] = [begin(true), begin(true)]
  first.end('first')
  second.end('second')
  expect(await Promise.all([first.result, second.result])).toEqual(['first', 'second'])
  expect(await run('fine')).toEqual(['fine'])
  expect([made(), breaker.isOpen()]).toEqual([9, false])
})

test('one awaited call is tried at a time, and when it fails the pause starts again', async () => {
  const { breaker, leap, run, begin, made } = world()
  await run(...fiveDowns, down)
  leap(9_500)
  const [first, second] = [begin(true), begin(true)]
  leap(2_000)
  first.end(down)
  expect(await Promise.all([first.result, second.result])).toMatchObject([down, spared])
  leap(9_999)
  expect(await run('fine')).toMatchObject([spared])
  expect([made(), breaker.isOpen()]).toEqual([7, true])
})

test('when the tried call is aborted, the next one is tried', async () => {
  const { breaker, leap, run, begin } = world()
  await run(...fiveDowns, down)
  leap(10_000)
  const [first, second] = [begin(), begin()]
  first.end(new Error('given up'))
  second.end('second')
  expect(await second.result).toBe('second')
  expect(breaker.isOpen()).toBe(false)
})

test('a call begun before the breaker opened changes nothing when it ends', async () => {
  const { breaker, run, begin } = world()
  const [late, later] = [begin(), begin()]
  await run(...fiveDowns, down)
  late.end('fine')
  later.end(down)
  expect(await Promise.all([late.result, later.result])).toEqual(['fine', down])
  expect(breaker.isOpen()).toBe(true)
})
