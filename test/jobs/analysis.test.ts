import { describe, expect, test } from 'vitest'
import { beginAnalysis, checkAnalysis } from '../../src/jobs/analysis.ts'
import type { Answered } from '../../src/service/errors.ts'
import { serviceErrorCodes } from '../../src/service/errors.ts'
import type { Roadmap } from '../../src/service/wire.ts'
import { otherCodes, refused } from './refusal.ts'

type Seen = Answered<object>

const done = { is_finished: true, status: 1 }
const open = { token: 'known', is_finished: false, status: 2 }
const added = { ...open, token: 'added' }
const roadmap = { is_finished: false, status: 3, auth_required: false, test_records: [done] }

const generated = { kind: 'generated' }
const refusal = (code: string) => ({ kind: 'generation-refused', code })
const failed = (errors: string[]) => ({ kind: 'generation-failed', errors })

async function said<T>(answer: Answered<T> | undefined): Promise<T> {
  if (!answer) throw new Error('nobody asked for that')
  if ('error' in answer) throw answer.error
  return answer.value
}

/** A service with these answers; any other call is a mistake of the test. */
const service = (answer: Seen, seen?: Seen) => ({
  generate: () => said(answer as Answered<{ status: 'unknown'; estimated_wait_minutes: null }>),
  generationStatus: () => said(answer as Answered<{ status: 'unknown'; errors: string[] }>),
  roadmap: () => said(seen as Answered<Roadmap> | undefined),
})

const begin = (answer: Seen, seen?: Seen, tries = 0) =>
  beginAnalysis(service(answer, seen), 'token', { tries, trace: '', finished: ['known'] })
const check = (answer: Seen, seen?: Seen) => checkAnalysis(service(answer, seen), 'token', '')

test.each<[string, Seen, object | 'later']>([
  ['is there at once', { value: { status: 'completed', estimated_wait_minutes: null } }, generated],
  [
    'is begun',
    { value: { status: 'processing', estimated_wait_minutes: '5-10' } },
    { kind: 'generating', expectedMinutes: '5-10' },
  ],
  [
    'is begun, without a duration',
    { value: { status: 'processing', estimated_wait_minutes: null } },
    { kind: 'generating' },
  ],
  [
    'is begun with an unknown status',
    { value: { status: 'unknown', estimated_wait_minutes: null } },
    { kind: 'generating' },
  ],
  [
    'has failed before, and is begun',
    { value: { status: 'failed', estimated_wait_minutes: '' } },
    { kind: 'generating' },
  ],
  ['is not paid for', refused('billing', { status: 402 }), refusal('billing')],
  ['is asked for with a wrong key', refused('key_invalid', { status: 401 }), refusal('key')],
  ['is of a roadmap that is gone', refused('not_found', { status: 404 }), refusal('gone')],
  ['is malformed', refused('bad_request', { status: 400 }), refusal('gone')],
  ['is perhaps malformed', refused('bad_request', { reached: 'unclear' }), 'later'],
])('an analysis that %s', async (_, answer, expected) => {
  expect(await begin(answer)).toEqual(expected)
  expect(await begin(answer, undefined, 99)).toEqual(expected)
})

test('any other failure to begin is retried later', async () => {
  for (const code of otherCodes('billing', 'key_invalid', 'not_found', 'bad_request')) {
    expect(await begin(refused(code, { status: 503 })), code).toBe('later')
    expect(await begin(refused(code, { reached: 'unclear' })), code).toBe('later')
  }
})

describe.each(['forbidden', 'belongs_to_roadmap'] as const)('forbidden (%s)', (code) => {
  const forbidden = refused(code, { status: 403 })

  test('on this call only is about billing', async () => {
    expect(await begin(forbidden, { value: roadmap })).toEqual(refusal('billing'))
  })

  test.each([401, 403])('on every call (%d) is about the key', async (status) => {
    expect(await begin(forbidden, refused('forbidden', { status }))).toEqual(refusal('key'))
  })

  test.each([404, 429, 500, undefined])('with an unknown reason (%s) is retried later', async (status) => {
    expect(await begin(forbidden, refused('unavailable', { status }))).toBe('later')
  })
})

describe('not ready', () => {
  const unfinished = { ...roadmap, test_records: [done, open] }
  const after = (seen: Seen, tries = 0) =>
    begin(refused('not_ready_to_generate', { status: 409 }), seen, tries)

  test('although finished means that the report is ready', async () => {
    expect(await after({ value: { ...roadmap, is_finished: true } })).toEqual(generated)
    expect(await after({ value: { ...roadmap, status: 1, auth_required: true } })).toEqual(generated)
  })

  test('because the profiles are missing is final', async () => {
    expect(await after({ value: { ...roadmap, auth_required: true } })).toEqual(refusal('unfinished'))
  })

  test.each([
    ['an unfinished test', unfinished, 12],
    ['the scoring of finished tests', roadmap, 60],
    ['a roadmap without tests', { ...roadmap, test_records: [] }, 60],
    [
      'a test with the status of a finished one',
      { ...roadmap, test_records: [{ is_finished: false, status: 1 }] },
      60,
    ],
  ])('%s is waited for, but not for ever', async (_, value, most) => {
    expect(await after({ value }, most - 1)).toBe('later')
    expect(await after({ value }, most)).toEqual(refusal('unfinished'))
    expect(await after({ value }, most + 1)).toEqual(refusal('unfinished'))
  })

  test.each([
    ['only of a test that was added', [done, added], refusal('unfinished')],
    ['also of a test that is known as finished', [open, added], 'later'],
  ])('because %s', async (_, test_records, expected) => {
    expect(await after({ value: { ...roadmap, test_records } })).toEqual(expected)
  })

  test('because the roadmap is gone is final; any other reason is retried', async () => {
    for (const code of serviceErrorCodes) {
      const expected = code === 'not_found' ? refusal('gone') : 'later'
      expect(await after(refused(code), 99), code).toEqual(expected)
    }
  })
})

const lost = refused('not_found', { status: 404 })

test.each<[string, Seen, Seen | undefined, object | undefined]>([
  ['finds it under way', { value: { status: 'processing', errors: ['odd'] } }, undefined, undefined],
  ['finds it completed', { value: { status: 'completed', errors: ['odd'] } }, undefined, generated],
  ['finds it failed', { value: { status: 'failed', errors: ['why'] } }, undefined, failed(['why'])],
  ['is refused', refused('not_finished', { status: 409 }), { value: { ...roadmap, ...done } }, generated],
  ['has no answer', refused('unavailable', { reached: 'unclear' }), { value: roadmap }, undefined],
  ['is forbidden', refused('forbidden', { status: 403 }), { value: roadmap }, undefined],
  ['is refused with any code', refused('bad_request'), { value: { ...roadmap, ...done } }, generated],
  ['has an unreadable answer', refused('unreadable'), { value: { ...roadmap, ...done } }, generated],
  ['is stopped', refused('no_slot', { reached: 'no' }), undefined, undefined],
  ['finds the roadmap finished', lost, { value: { ...roadmap, ...done } }, generated],
  ['finds it begun again', lost, { value: { ...roadmap, status: 4 } }, undefined],
  ['finds none under way', lost, { value: roadmap }, failed([])],
  ['finds the roadmap gone', lost, refused('not_found'), refusal('gone')],
  ['cannot find out', lost, refused('unavailable'), undefined],
])('a check %s', async (_, answer, seen, expected) => {
  expect(await check(answer, seen)).toEqual(expected)
})

test('an unknown status makes the check read the roadmap', async () => {
  const unknown = { value: { status: 'unknown', errors: [] } }
  expect(await check(unknown, { value: { ...roadmap, ...done } })).toEqual(generated)
  expect(await check(unknown, { value: roadmap })).toBeUndefined()
})
