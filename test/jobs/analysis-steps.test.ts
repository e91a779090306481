import { describe, expect, test } from 'vitest'
import { type Answer, next, type Watch } from '../../src/jobs/analysis-steps.ts'
import { serviceErrorCodes } from '../../src/service/errors.ts'
import { otherCodes, refused } from './refusal.ts'

const watch: Watch = { tries: 0, isSlow: false }
const slow: Watch = { ...watch, isSlow: true }
const done = { is_finished: true, status: 1 }
const open = { is_finished: false, status: 2 }
const roadmap = { is_finished: false, status: 3, auth_required: false, test_records: [done] }

const generated = { end: { kind: 'generated' } }
const refusal = (code: string) => ({ end: { kind: 'generation-refused', code } })
const failed = (errors: string[]) => ({ end: { kind: 'generation-failed', errors } })
const later = { again: 'later' }
const quietly = { goOn: 'quietly' }

test.each<[string, Answer, object]>([
  [
    'is there at once',
    { to: 'begin', value: { status: 'completed', estimated_wait_minutes: null } },
    generated,
  ],
  [
    'is begun',
    { to: 'begin', value: { status: 'processing', estimated_wait_minutes: '5-10' } },
    { begun: { kind: 'generating', expectedMinutes: '5-10' } },
  ],
  [
    'is begun, nobody knows for how long',
    { to: 'begin', value: { status: 'processing', estimated_wait_minutes: null } },
    { begun: { kind: 'generating' } },
  ],
  [
    'has failed before, and is begun',
    { to: 'begin', value: { status: 'failed', estimated_wait_minutes: '' } },
    { begun: { kind: 'generating' } },
  ],
  ['is not paid for', { to: 'begin', ...refused('billing', { status: 402 }) }, refusal('billing')],
  [
    'is asked for with a wrong key',
    { to: 'begin', ...refused('key_invalid', { status: 401 }) },
    refusal('key'),
  ],
  [
    'is of a roadmap that is gone',
    { to: 'begin', ...refused('not_found', { status: 404 }) },
    refusal('gone'),
  ],
  ['is forbidden', { to: 'begin', ...refused('forbidden', { status: 403 }) }, { ask: 'why-forbidden' }],
  [
    'is forbidden in words',
    { to: 'begin', ...refused('belongs_to_roadmap', { status: 403 }) },
    { ask: 'why-forbidden' },
  ],
  [
    'cannot be made yet',
    { to: 'begin', ...refused('not_ready_to_generate', { status: 409 }) },
    { ask: 'why-not-ready' },
  ],
  ['is malformed', { to: 'begin', ...refused('bad_request', { status: 400 }) }, refusal('key')],
  ['is perhaps malformed', { to: 'begin', ...refused('bad_request', { reached: 'unclear' }) }, later],
])('an analysis that %s', (_, answer, expected) => {
  expect(next(watch, answer)).toEqual(expected)
  expect(next({ tries: 99, isSlow: true }, answer)).toEqual(expected)
})

test('whatever else keeps it from beginning passes by itself', () => {
  for (const code of otherCodes('billing', 'key_invalid', 'not_found', 'bad_request')) {
    expect(next(watch, { to: 'begin', ...refused(code, { status: 503 }) }), code).toEqual(later)
    expect(next(watch, { to: 'begin', ...refused(code, { reached: 'unclear' }) }), code).toEqual(later)
  }
})

describe('forbidden', () => {
  test('on this call alone is about billing', () => {
    expect(next(watch, { to: 'why-forbidden', value: roadmap })).toEqual(refusal('billing'))
  })

  test.each([401, 403])('on everything (%d) is about the key', (status) => {
    expect(next(watch, { to: 'why-forbidden', ...refused('forbidden', { status }) })).toEqual(refusal('key'))
  })

  test.each([404, 429, 500, undefined])('and not to be found out why (%s): later', (status) => {
    expect(next(watch, { to: 'why-forbidden', ...refused('unavailable', { status }) })).toEqual(later)
  })
})

describe('not ready', () => {
  const unfinished = { ...roadmap, test_records: [done, open] }
  const after = (value: typeof roadmap, tries = 0) =>
    next({ ...watch, tries }, { to: 'why-not-ready', value })

  test('although finished means that the report is there', () => {
    expect(after({ ...roadmap, is_finished: true })).toEqual(generated)
    expect(after({ ...roadmap, status: 1, auth_required: true })).toEqual(generated)
  })

  test('for want of the profiles', () => {
    expect(after({ ...roadmap, auth_required: true })).toEqual(refusal('unfinished'))
  })

  test.each([
    ['a test is under way there', unfinished, 12],
    ['all are finished and being scored', roadmap, 60],
    ['there are no tests at all', { ...roadmap, test_records: [] }, 60],
    [
      'all have the status of finished ones',
      { ...roadmap, test_records: [{ is_finished: false, status: 1 }] },
      60,
    ],
  ])('while %s is waited for, not for ever', (_, value, most) => {
    expect(after(value, most - 1)).toEqual(later)
    expect(after(value, most)).toEqual(refusal('unfinished'))
    expect(after(value, most + 1)).toEqual(refusal('unfinished'))
  })

  test('because it is gone; everything else passes', () => {
    for (const code of serviceErrorCodes) {
      const expected = code === 'not_found' ? refusal('gone') : later
      expect(next({ ...watch, tries: 99 }, { to: 'why-not-ready', ...refused(code) }), code).toEqual(expected)
    }
  })
})

describe.each<[string, Watch, object]>([
  ['a look', watch, quietly],
  ['a look at what takes very long', slow, { goOn: 'told-slow' }],
])('%s', (_, known, goOn) => {
  test.each<[string, Answer, object]>([
    ['finds it under way', { to: 'look', value: { status: 'processing', errors: ['odd'] } }, goOn],
    ['finds it completed', { to: 'look', value: { status: 'completed', errors: ['odd'] } }, generated],
    ['finds it failed', { to: 'look', value: { status: 'failed', errors: ['why'] } }, failed(['why'])],
    ['does not find it', { to: 'look', ...refused('not_found', { status: 404 }) }, { ask: 'why-not-found' }],
    ['is refused', { to: 'look', ...refused('not_finished', { status: 409 }) }, { ask: 'why-not-found' }],
    ['has no answer', { to: 'look', ...refused('unavailable', { reached: 'unclear' }) }, goOn],
    ['is forbidden', { to: 'look', ...refused('forbidden', { status: 403 }) }, goOn],
    ['is stopped', { to: 'look', ...refused('no_slot', { reached: 'no' }) }, goOn],
    ['finds the roadmap finished', { to: 'why-not-found', value: { ...roadmap, ...done } }, generated],
    ['finds it begun anew', { to: 'why-not-found', value: { ...roadmap, status: 4 } }, goOn],
    ['finds none under way', { to: 'why-not-found', value: roadmap }, failed([])],
    ['finds the roadmap gone', { to: 'why-not-found', ...refused('not_found') }, refusal('gone')],
    ['cannot find out', { to: 'why-not-found', ...refused('unavailable') }, goOn],
  ])('%s', (__, answer, expected) => {
    expect(next(known, answer)).toEqual(expected)
  })
})

test('a status in words that nobody knows makes the roadmap itself be looked at', () => {
  const look = next(watch, { to: 'look', value: { status: 'unknown', errors: [] } })
  expect(look).toEqual({ ask: 'what-instead' })
  expect(next(watch, { to: 'what-instead', value: { ...roadmap, ...done } })).toEqual(generated)
  expect(next(watch, { to: 'what-instead', value: roadmap })).toEqual(quietly)
  expect(next(watch, { to: 'begin', value: { status: 'unknown', estimated_wait_minutes: null } })).toEqual({
    begun: { kind: 'generating' },
  })
})
