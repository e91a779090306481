import { expect, test } from 'vitest'
import { pageOf } from '../../tools/bench/page.ts'
import { markdown, median, middle, milliseconds, percent, quantile } from '../../tools/bench/table.ts'

test('a table shows each figure beside its goal', () => {
  const table = markdown({
    title: 'An answer',
    about: 'In short.',
    rows: [
      {
        what: 'fast',
        value: 8,
        spread: { from: 7, to: 9 },
        show: milliseconds,
        goal: { most: 10 },
        means: 'So.',
      },
      { what: 'used', value: 0.97, show: percent, goal: { least: 0.98 }, means: 'Of all.' },
      { what: 'plain', value: 1.5, means: 'Without a goal.' },
    ],
  })
  expect(table).toContain('| fast | 8.0 ms (7.0 ms – 9.0 ms) | ≤ 10.0 ms ✓ | So. |')
  expect(table).toContain('| used | 97.0 % | ≥ 98.0 % **missed** | Of all. |')
  expect(table).toContain('| plain | 1.50 × |  | Without a goal. |')
})

test('a part that cannot be measured here says why', () => {
  const table = markdown({
    title: 'The budget',
    about: 'Shared.',
    rows: [],
    skipped: 'it needs redis-server',
  })
  expect(table).toContain('Skipped: it needs redis-server.')
})

test('the page shows the figures with goals, and no other ones', () => {
  const page = pageOf([
    {
      title: 'An answer',
      about: 'At length.',
      rows: [
        { what: 'Redis ÷ F0', value: 1.156, spread: { from: 1, to: 2 }, goal: { most: 1.3 }, means: 'So.' },
        { what: 'F0', value: 130, means: 'Of this machine.' },
        { what: 'a second', value: 0.8, goal: { least: 0.75 }, means: 'So.' },
      ],
    },
    { title: 'The budget', about: 'At length.', rows: [], skipped: 'it needs redis-server' },
  ])
  const [, ...sections] = page.split('## ')
  expect(sections).toEqual([
    'An answer\n\n- Redis ÷ F0: 1.16 × (≤ 1.30 ×)\n- a second: 0.80 × (≥ 0.75 ×)\n\n',
    'The budget\n\nNot measured: it needs redis-server.\n',
  ])
})

test('the median and the middle half of the rounds count', () => {
  expect(median([9, 1, 2])).toBe(2)
  expect(quantile([5, 1, 4, 2, 3], 0.75)).toBe(4)
  expect(middle([1, 2, 3, 4, 100])).toEqual({ value: 3, spread: { from: 2, to: 4 } })
})
