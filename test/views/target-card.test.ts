import { expect, test } from 'vitest'
import { type TargetCard, targetCardView } from '../../src/views/target-card.ts'
import { MESSAGE_LIMIT, visibleLength } from '../../src/views/view.ts'
import { texts } from '../words.ts'

const t = texts.for('fa')
const TOKEN = '0f8fad5b-d9cb-469f-a165-70867728950e'

/** A roadmap with this many roles to invite and to release, and everything else that a card can have. */
const cardOf = (invited: number, released: number): TargetCard => ({
  ...{ kind: 'roadmap', token: TOKEN, title: 'خانواده', status: 2, needsProfile: false, isFinished: false },
  ...{ roles: [], claim: { kind: 'free' }, waits: undefined, owed: undefined },
  invitations: [{ code: 'abcdefghijkl', closed: undefined }],
  ...{ canNudge: true, canInvite: true, release: 'wholeone', send: 'send:wholeone' },
  inviteRoles: Array.from({ length: invited }, (_, id) => ({ id, title: `نقش ${id}` })),
  releaseRoles: Array.from({ length: released }, (_, id) => ({ s: `role${id}xxx`, title: `نقش ${id}` })),
})

const dataOf = (card: TargetCard, screen?: number) =>
  targetCardView(t, card, screen)
    .keyboard?.flat()
    .map((each) => ('callback_data' in each ? each.callback_data : '')) ?? []

test.each([
  [8, 0],
  [9, 9],
  [0, 23],
])(
  'of %i roles to invite and %i to release each has its button on some screen of twelve',
  (invited, released) => {
    const card = cardOf(invited, released)
    const seen = new Set<string>()
    for (let screen: number | undefined = 1; screen !== undefined; ) {
      const data = dataOf(card, screen)
      expect(data.length).toBeLessThanOrEqual(12)
      expect(data.at(-1)).toBe(`card:m:${TOKEN}`)
      for (const each of data) seen.add(each)
      screen = data.includes(`card:m:${TOKEN}:${screen + 1}`) ? screen + 1 : undefined
    }
    for (const { id } of card.inviteRoles) expect(seen).toContain(`invite:m:${TOKEN}:${id}`)
    for (const { s } of card.releaseRoles) expect(seen).toContain(`release:${s}`)
  },
)

test('roles that fit leave the remaining buttons to open invitations', () => {
  expect(dataOf(cardOf(3, 3))).toContain('made:abcdefghijkl')
  expect(dataOf(cardOf(4, 3))).not.toContain('made:abcdefghijkl')
  expect(dataOf(cardOf(4, 3))).toHaveLength(12)
})

test.each(['fa', 'en'] as const)('the text of a card of many tests fits into messages, in %s', (language) => {
  const tests = Array.from({ length: 25 }, (_, test) => ({
    ...{ title: `سنجش سبک‌های فرزندپروری ${test}`, status: 2, needsProfile: false, isFinished: false },
  }))
  const roles = Array.from({ length: 4 }, (_, id) => ({ id, title: `نقش ${id}`, tests }))
  const { before = [], text } = targetCardView(texts.for(language), { ...cardOf(4, 4), roles })
  expect([...before, text].filter((message) => visibleLength(message) > MESSAGE_LIMIT)).toEqual([])
  expect([...before, text].join('').split('فرزندپروری')).toHaveLength(101)
})
