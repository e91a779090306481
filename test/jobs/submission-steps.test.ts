import { describe, expect, test } from 'vitest'
import { type Answer, first, next, type Sending } from '../../src/jobs/submit-answers.ts'
import { otherCodes, refused } from './refusal.ts'

const sure: Sending = { isUnclear: false, hasForgotten: false, hasOtherForm: false, tries: 0 }
const unclear: Sending = { ...sure, isUnclear: true }
const twoForms: Sending = { ...sure, hasOtherForm: true }
const unclearTwoForms: Sending = { ...twoForms, isUnclear: true }

const record = { is_finished: false, status: 2, auth_required: false }
const end = (code: string) => ({ end: { kind: 'submit-refused', code } })
const submitted = { end: { kind: 'submitted' } }
const later = (isUnclear: boolean) => ({ again: 'later', isUnclear })

const refusedTo = (to: Answer['to'], ...error: Parameters<typeof refused>): Answer =>
  to === 'send' ? { to, ...refused(...error) } : { to, ...refused(...error) }

test('answers are sent at once, or looked up first where they may have been accepted', () => {
  expect([sure, twoForms].map(first)).toEqual([{ ask: 'send' }, { ask: 'send' }])
  expect([unclear, unclearTwoForms].map(first)).toEqual([{ ask: 'look' }, { ask: 'look' }])
})

describe.each<[string, Sending]>([
  ['a first attempt', sure],
  ['an attempt after an unclear one', unclear],
  ['an attempt with two forms', twoForms],
  ['an unclear one with two forms', unclearTwoForms],
])('with every attempt: %s', (_, attempt) => {
  const { isUnclear } = attempt
  test.each<[string, Answer, object]>([
    ['sent', { to: 'send', value: undefined }, submitted],
    ['seen finished', { to: 'look', value: { ...record, is_finished: true } }, submitted],
    ['seen with the status of a finished one', { to: 'look', value: { ...record, status: 1 } }, submitted],
    ['seen open', { to: 'look', value: record }, { ask: 'send' }],
    ['seen without a profile', { to: 'look', value: { ...record, auth_required: true } }, { ask: 'send' }],
    ['seen waiting for the organizer', { to: 'look', value: { ...record, status: 0 } }, { ask: 'send' }],
    ['forbidden for a profile', { to: 'why', value: { ...record, auth_required: true } }, end('profile')],
    ['forbidden for no other reason', { to: 'why', value: record }, end('billing')],
    ['sending forbidden', { to: 'send', ...refused('forbidden') }, { ask: 'why' }],
  ])('%s', (__, answer, expected) => {
    expect(next(attempt, answer)).toEqual(expected)
  })

  test.each(['look', 'why', 'whose', 'send'] as const)('refusals of %s', (to) => {
    const after = (...error: Parameters<typeof refused>) => next(attempt, refusedTo(to, ...error))
    expect(after('billing')).toEqual(end('billing'))
    expect(after('key_invalid')).toEqual(end('key'))
    expect(after('not_found')).toEqual(end('gone'))
    expect(after('no_slot', { reached: 'no' })).toEqual({ again: 'elsewhere' })
    const named = ['billing', 'key_invalid', 'forbidden', 'not_found', 'bad_request', 'no_slot'] as const
    for (const code of otherCodes(...named, 'already_finished')) {
      expect(after(code, { reached: 'no' }), code).toEqual(later(isUnclear))
      expect(after(code, { reached: 'unclear' }), code).toEqual(later(true))
    }
  })

  test.each(['look', 'why', 'whose'] as const)('refused as finished, forbidden or malformed: %s', (to) => {
    expect(next(attempt, { to, ...refused('already_finished') })).toEqual(later(isUnclear))
    expect(next(attempt, { to, ...refused('forbidden') })).toEqual(end('key'))
    const malformed = refused('bad_request', { messages: ['first', 'second'] })
    expect(next(attempt, { to, ...malformed })).toEqual(end('bad_request'))
    expect(next(attempt, { to, ...refused('bad_request') })).toEqual(end('bad_request'))
  })
})

test.each<[string, Sending, object]>([
  ['the record is read', sure, { ask: 'whose' }],
  ['accepted, if they may have arrived', unclear, submitted],
  ['the record is read, whatever their form', twoForms, { ask: 'whose' }],
  ['accepted, whatever their form', unclearTwoForms, submitted],
])('answers to a record that takes none any more: %s', (_, attempt, expected) => {
  expect(next(attempt, { to: 'send', ...refused('already_finished') })).toEqual(expected)
})

const done = { is_finished: true }
const elsewhere = { end: { kind: 'submitted-elsewhere' } }
const perhaps = { end: { kind: 'submitted', isUncertain: true } }
test.each<[string, Sending, Partial<typeof record>, object]>([
  ['not sent from here: finished elsewhere', sure, done, elsewhere],
  ['not sent from here, and being scored', { ...sure, tries: 9 }, { status: 1 }, elsewhere],
  ['not sent from here, another form left', twoForms, done, elsewhere],
  ['the store may have forgotten an attempt', { ...sure, hasForgotten: true }, done, perhaps],
])('a finished record that takes no answers: %s', (_, attempt, seen, expected) => {
  expect(next(attempt, { to: 'whose', value: { ...record, ...seen } })).toEqual(expected)
})

test('an attempt that was noted counts more than a store that may have forgotten others', () => {
  const attempt = { ...unclear, hasForgotten: true }
  expect(next(attempt, { to: 'send', ...refused('already_finished') })).toEqual(submitted)
})

test.each<[string, Partial<typeof record>, number, object]>([
  ['not finished: it is tried again later', {}, 5, later(false)],
  ['still not finished: the organizer has to act', {}, 6, end('bad_request')],
])('a record that takes no answers and is %s', (_, seen, tries, expected) => {
  expect(next({ ...sure, tries }, { to: 'whose', value: { ...record, ...seen } })).toEqual(expected)
})

test.each<[string, Sending, object]>([
  ['are refused', sure, end('bad_request')],
  ['are refused, also after an unclear attempt', unclear, end('bad_request')],
  ['are sent in their other form', twoForms, { again: 'in-other-form' }],
  ['are sent in their other form, also if unclear', unclearTwoForms, { again: 'in-other-form' }],
])('malformed answers %s', (_, attempt, expected) => {
  expect(next(attempt, { to: 'send', ...refused('bad_request', { messages: ['why'] }) })).toEqual(expected)
})
