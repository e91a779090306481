import { describe, expect, test } from 'vitest'
import type { Entry } from '../../src/dialog/due.ts'
import { isFitting, stepOf } from '../../src/dialog/steps.ts'
import { newDraft, type Person } from '../../src/domain/profile.ts'
import { newRecordFile, type RecordFile, type RecordState } from '../../src/domain/record/record.ts'

const TODAY = '2026-11-22'
const limits = { minAge: null, maxAge: null, gender: 'both' } as const
const known = { name: 'زهرا محمدی', birth: '1996-08-02', gender: 'female' } as const
const child = { birth: '2015-01-01' } as const
const mobile = '09123456789'

const fileWith = (state: RecordState): RecordFile => ({
  ...newRecordFile({ s: 'abc', token: 'token', seenAt: 1 }, 'record'),
  isBegun: true,
  state,
})

/** A record whose people have given these details. */
function profile(people: readonly Partial<Person>[], more: { mobile?: string } = {}): RecordFile {
  const draft = newDraft(people.map(() => ({ limits })))
  const filled = draft.people.map((person, index) => ({ ...person, ...people[index] }))
  return fileWith({ stage: 'profile', draft: { people: filled, ...more } })
}

describe('the first thing missing is asked', () => {
  test.each<[string, RecordFile, string, number]>([
    ['nothing is known', profile([{}]), 'name', 0],
    ['the name', profile([{ name: known.name }]), 'birth', 0],
    ['name and birth', profile([{ name: known.name, birth: known.birth }]), 'gender', 0],
    ['a child', profile([{ name: known.name, ...child }]), 'guardian', 0],
    ['a child, the guardian agrees', profile([{ name: known.name, ...child, guardian: true }]), 'gender', 0],
    ['a gender that the limits leave no choice in', profile([{ ...known, gender: 'male' }]), 'mobile', 0],
    ['all but the mobile', profile([known]), 'mobile', 0],
    ['everything', profile([known], { mobile }), 'summary', 0],
    ['the first of two people', profile([known, {}]), 'name', 1],
    ['the first, and a mobile', profile([known, { name: known.name }], { mobile }), 'birth', 1],
    ['the second of two people', profile([{}, known]), 'name', 0],
    ['both', profile([known, known]), 'mobile', 0],
  ])('known: %s', (_, file, ask, person) => {
    expect(stepOf(file, TODAY)).toEqual({ ask, person })
  })

  test('a birthday that has passed meanwhile makes the guardian needless', () => {
    const file = profile([{ name: known.name, birth: '2008-11-23' }])
    expect(stepOf(file, TODAY)?.ask).toBe('guardian')
    expect(stepOf(file, '2026-11-23')?.ask).toBe('gender')
  })

  test('the code is asked for in its stage, and in no other', () => {
    const draft = newDraft([{ limits }])
    const sms = { draftToken: 'draft', mobile, expiresAt: 1 }
    expect(stepOf(fileWith({ stage: 'code', draft, sms }), TODAY)).toEqual({ ask: 'code', person: 0 })
    expect(stepOf(fileWith({ stage: 'loading' }), TODAY)).toBeUndefined()
  })
})

describe('a waiting conversation goes on only where it still belongs', () => {
  const ended = fileWith({ stage: 'loading' })
  test.each<[string, Entry | undefined, RecordFile, boolean]>([
    ['the step that is missing', { ask: 'birth', person: 0 }, profile([{ name: known.name }]), true],
    ['with a doubt', { ask: 'birth', person: 0, doubt: {} }, profile([{ name: known.name }]), true],
    ['an earlier step', { ask: 'name', person: 0 }, profile([{ name: known.name }]), false],
    ['the same step of another person', { ask: 'name', person: 0 }, profile([known, {}]), false],
    ['a correction', { ask: 'name', person: 0, isCorrection: true }, profile([known], { mobile }), true],
    [
      'a correction of a step that does not exist any more',
      { ask: 'age', person: 0, isCorrection: true },
      profile([known]),
      false,
    ],
    ['a correction after the profile was made', { ask: 'name', person: 0, isCorrection: true }, ended, false],
    ['nothing', undefined, profile([{}]), false],
  ])('%s', (_, waiting, file, fits) => {
    expect(isFitting(waiting, file, TODAY)).toBe(fits)
  })
})
