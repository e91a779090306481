import { expect, test } from 'vitest'
import { withinBounds } from '../../src/domain/result-bounds.ts'

const scales = (count: number) =>
  Array.from({ length: count }, (_, score) => ({ id: `s${score}`, title: 'Warmth', score, percentile: 50 }))

test('a result that fits a chat is kept as it is', () => {
  const result = { summary: 'Calm. '.repeat(500).trim(), scales: scales(100), other: [1, null, { a: ['b'] }] }
  expect(withinBounds(result)).toEqual({ value: result, isCut: false })
  for (const value of [null, undefined, 'text', 7, []])
    expect(withinBounds(value)).toEqual({ value, isCut: false })
})

test('of eight megabytes ten messages of whole sentences are kept', () => {
  const { value, isCut } = withinBounds({ summary: 'This is calm. '.repeat(600_000) })
  const { summary } = value as { summary: string }
  expect(isCut).toBe(true)
  expect(summary.length).toBeGreaterThan(40_000)
  expect(summary.length).toBeLessThanOrEqual(41_000)
  expect(summary.endsWith('calm.')).toBe(true)
})

test('of 40,000 scales no more are read than are kept, and the fields after them are not lost', () => {
  let looked = 0
  const counted = new Proxy(scales(40_000), {
    get(all, name) {
      if (/^\d+$/.test(String(name))) looked += 1
      return Reflect.get(all, name)
    },
  })
  const { value, isCut } = withinBounds({ scales: counted, summary: 'Calm.' })
  expect(isCut).toBe(true)
  expect(value).toMatchObject({ summary: 'Calm.' })
  expect((value as { scales: unknown[] }).scales.length).toBeGreaterThan(700)
  expect(looked).toBeLessThanOrEqual(4_000)
  expect(JSON.stringify(value).length).toBeLessThan(100_000)
})

test('endless nesting is cut', () => {
  let nested: unknown = 'deep'
  for (let depth = 0; depth < 5_000; depth += 1) nested = { nested }
  expect(withinBounds(nested)).toMatchObject({ isCut: true })
})

test('several results share the limit', () => {
  const list = (count: number) => Array.from({ length: count }, () => 1)
  expect(withinBounds(list(1_000), 4)).toEqual({ value: list(1_000), isCut: false })
  expect(withinBounds(list(1_001), 4)).toEqual({ value: list(1_000), isCut: true })
  expect(withinBounds('x'.repeat(41_000), 4)).toEqual({ value: 'x'.repeat(30_000), isCut: true })
})

test('all texts together have a limit', () => {
  const { value } = withinBounds(Array.from({ length: 9 }, () => 'x'.repeat(40_000)))
  expect((value as string[]).join('')).toHaveLength(120_000)
})

test.each([
  ['lists', (inner: unknown) => [inner]],
  ['fields', (inner: unknown) => ({ inner })],
])('%s nested twelve deep are kept, the thirteenth is not', (_, around) => {
  const nested = (depth: number): unknown => (depth === 0 ? 'deep' : around(nested(depth - 1)))
  expect(withinBounds(nested(12))).toEqual({ value: nested(12), isCut: false })
  expect(JSON.stringify(withinBounds(nested(13)))).not.toContain('deep')
})

test('text beside lists is counted once', () => {
  const fields = { one: 'x'.repeat(40_000), other: 'x'.repeat(40_000), list: [1] }
  expect(withinBounds(fields)).toEqual({ value: fields, isCut: false })
})
