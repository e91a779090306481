import { describe, expect, test } from 'vitest'
import {
  type Assignee,
  type AssigneeState,
  accountOf,
  agreed,
  agreementsOf,
  answered,
  begun,
  consentOf,
  isOthers,
  left,
  missed,
  parted,
  rejoined,
  released,
  releasedAnew,
  takenOver,
  triesOf,
} from '../../src/domain/assignee.ts'

const consent = { at: 1, language: 'fa', version: 3 } as const
const before = ['zahra']

/** Each state with Sara as the account, after Zahra had it before. */
const states: { [S in AssigneeState]: Extract<Assignee, { is: S }> } = {
  free: { is: 'free', before },
  invited: { is: 'invited', before },
  taken: { is: 'taken', who: 'sara', consent, before },
  released: { is: 'released', tries: 2, consent, before },
  left: { is: 'left', who: 'sara', before },
  over: { is: 'over', who: 'sara', consent, before },
}
const both = ['zahra', 'sara']

/** The state that each event leads to from each state; the event does not happen in a state not named. */
const table: {
  [event: string]: [(from: Assignee) => Assignee | undefined, { [S in AssigneeState]?: Partial<Assignee> }]
} = {
  'Reza begins by the link': [
    (from) => begun(from, { who: 'reza', consent }, { isInvited: false }),
    { free: { is: 'taken', who: 'reza', before } },
  ],
  'Reza begins by an invitation': [
    (from) => begun(from, { who: 'reza', consent }, { isInvited: true }),
    { free: { is: 'taken', who: 'reza', before }, invited: { is: 'taken', who: 'reza', before } },
  ],
  'Sara begins by the link': [
    (from) => begun(from, { who: 'sara', consent }, { isInvited: false }),
    {
      free: { is: 'taken', who: 'sara' },
      taken: { is: 'taken', who: 'sara' },
      over: { is: 'taken', who: 'sara' },
    },
  ],
  'Zahra, who had it before, begins by an invitation': [
    (from) => begun(from, { who: 'zahra', consent }, { isInvited: true }),
    {},
  ],
  'it is released for the same person': [
    (from) => released(from),
    {
      taken: { is: 'released', tries: 3, consent, before: both },
      released: { is: 'released', tries: 3, consent, before },
      left: { is: 'released', tries: 3, before },
      over: { is: 'released', tries: 3, consent, before: both },
    },
  ],
  'it is released to begin again, for the same person': [
    (from) => releasedAnew(from, 'same'),
    {
      free: { is: 'invited', before },
      invited: { is: 'invited', before },
      taken: { is: 'invited', before: both },
      released: { is: 'invited', before },
      left: { is: 'invited', before },
      over: { is: 'invited', before: both },
    },
  ],
  'it is released for another person': [
    (from) => releasedAnew(from, 'other'),
    {
      free: { is: 'free', before },
      invited: { is: 'free', before },
      taken: { is: 'free', before: both },
      released: { is: 'free', before },
      left: { is: 'free', before },
      over: { is: 'free', before: both },
    },
  ],
  'a wrong mobile': [missed, { released: { is: 'released', tries: 1, consent, before } }],
  'Reza knows the mobile': [
    (from) => takenOver(from, { who: 'reza', chatId: 7 }),
    { released: { is: 'taken', who: 'reza', chatId: 7, consent, before } },
  ],
  'Zahra, who had it before, knows the mobile': [(from) => takenOver(from, { who: 'zahra' }), {}],
  'the guardian agrees': [
    (from) => agreed(from, { by: 'guardian', consent }),
    {
      taken: { is: 'taken', who: 'sara', agreements: [{ by: 'guardian', consent }] },
      over: { is: 'over', who: 'sara', agreements: [{ by: 'guardian', consent }] },
    },
  ],
  'the service has all answers': [answered, { taken: { is: 'over', who: 'sara', consent, before } }],
  'Sara has it deleted': [
    (from) => left(from, 'sara'),
    {
      free: { is: 'left', who: 'sara' },
      taken: { is: 'left', who: 'sara' },
      over: { is: 'left', who: 'sara' },
    },
  ],
  'Reza has it deleted': [(from) => left(from, 'reza'), { free: { is: 'left', who: 'reza' } }],
  'its roles are invited one by one': [
    parted,
    { free: { is: 'left', before }, invited: { is: 'left', before } },
  ],
  'the last invitation to a role is revoked': [rejoined, {}],
}

describe.each(Object.entries(table))('%s', (_, [happens, becomes]) => {
  test.each(Object.values(states))('where the state is $is', (from) => {
    const expected = becomes[from.is]
    const next = happens(from)
    if (expected) expect(next).toMatchObject(expected)
    else expect(next).toBeUndefined()
  })
})

test('a roadmap invited role by role has no account of its own until the last invitation is revoked', () => {
  const roles = parted({ is: 'free' })
  expect(roles).toEqual({ is: 'left', before: undefined })
  expect(roles && isOthers(roles, 'sara')).toBe(true)
  expect(roles && parted(roles)).toBe(roles)
  expect(roles && rejoined(roles)).toMatchObject({ is: 'free' })
  expect(roles && left(roles, 'sara')).toBeUndefined()
})

test('the tries count for the release, whoever makes them', () => {
  let state: Assignee = { is: 'released', tries: 3 }
  for (const tries of [2, 1, 0]) {
    state = missed(state) ?? state
    expect(state).toMatchObject({ tries })
  }
  expect(missed(state)).toBeUndefined()
  expect(takenOver(state, { who: 'sara' })).toBeUndefined()
  expect(released(state)).toMatchObject({ tries: 3 })
})

test.each<[AssigneeState, string, boolean]>([
  ['free', 'sara', false],
  ['free', 'zahra', true],
  ['invited', 'sara', false],
  ['taken', 'sara', false],
  ['taken', 'reza', true],
  ['released', 'reza', false],
  ['released', 'zahra', true],
  ['left', 'sara', false],
  ['left', 'reza', true],
  ['over', 'sara', false],
  ['over', 'reza', true],
])("a test in the state %s is another person's to %s: %s", (is, who, expected) => {
  expect(isOthers(states[is], who)).toBe(expected)
})

test('only a taken test, or one that is over, has an account', () => {
  const own = Object.values(states).filter((state) => accountOf(state) !== undefined)
  expect(own.map(({ is }) => is)).toEqual(['taken', 'over'])
})

test('a taken test tells its agreements, a released one its tries, a free one neither', () => {
  const agreements = [{ by: 'guardian', consent }] as const
  const own: Assignee = { is: 'taken', who: 'sara', consent, agreements: [...agreements] }
  expect([consentOf(own), agreementsOf(own), triesOf(own)]).toEqual([consent, agreements, undefined])
  expect(triesOf(states.released)).toBe(2)
  for (const nobody of [undefined, states.free])
    expect([consentOf(nobody), agreementsOf(nobody), triesOf(nobody)]).toEqual([undefined, [], undefined])
})

test('a release keeps the agreements, and whose mobile it asks for until another is named', () => {
  const agreements = [{ by: 'guardian' as const, consent }]
  const first = released({ is: 'taken', who: 'sara', consent, agreements }, 'one')
  expect(first).toEqual({ is: 'released', tries: 3, consent, agreements, mobileOf: 'one', before: ['sara'] })
  expect(first && released(first)).toMatchObject({ mobileOf: 'one', agreements })
  expect(first && released(first, 'other')).toMatchObject({ mobileOf: 'other' })
  expect(released({ is: 'left' })).toEqual({
    is: 'released',
    tries: 3,
    mobileOf: undefined,
    before: undefined,
  })
})
