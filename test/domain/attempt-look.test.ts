import { expect, test } from 'vitest'
import { type AttemptMove, applyMove, justChanged, newAttempt } from '../../src/domain/attempt.ts'
import { ATTEMPT_HEADER_BYTES, openAttempt } from '../../src/domain/attempt-layout.ts'

const owner = Buffer.from('owner-01')
const begun = newAttempt({
  ...{ owner, id: Buffer.from('attempt1'), contentHash: Buffer.alloc(32, 7), questions: 4 },
  ...{ language: 'fa', dataKey: 3, retentionSeconds: 86_400, at: 0 },
})
const after = (value: Buffer, move: object) => applyMove(value, { owner, ...move } as AttemptMove, 1)

test('a new attempt is its header alone', () => {
  expect(begun).toHaveLength(ATTEMPT_HEADER_BYTES)
})

test.each([
  [1, 1, 2, 7],
  [1, 2, 3, 7],
  [2, 1, 3, undefined],
])(
  'with changes at %d and %d the newest was just made at revision %d: %s',
  (first, second, revision, question) => {
    const changes = [first, second].map((at) => ({ question: at === second ? 7 : 8, revision: at, byte: 0 }))
    expect(justChanged({ changes, revision })).toBe(question)
  },
)

test('without a change there is no newest one', () => {
  expect(justChanged({ changes: [], revision: 1 })).toBeUndefined()
})

test('a changed look is kept; the same look again changes nothing', () => {
  const large = after(begun, { kind: 'language', language: 'fa', isLarge: true })
  expect(large.reply).toMatchObject({ status: 'accepted', isLarge: true, language: 'fa' })
  expect(after(begun, { kind: 'language', language: 'fa' }).changed).toBeUndefined()
  const kept = large.changed?.value ?? begun
  expect(after(kept, { kind: 'language', language: 'fa', isLarge: true }).changed).toBeUndefined()
  const english = after(kept, { kind: 'language', language: 'en' })
  expect(openAttempt(english.changed?.value ?? begun)).toMatchObject({ language: 'en', isLarge: false })
})

test.each([true, false])('whether the test is named is kept beside the large type (%s)', (isLarge) => {
  const look = { kind: 'language', language: 'en', isLarge }
  const named = after(begun, { ...look, isNamed: true })
  expect(named.reply).toMatchObject({ isNamed: true, isLarge, language: 'en' })
  const value = named.changed?.value ?? begun
  expect(after(value, look).changed).toBeUndefined()
  const alone = after(value, { ...look, isNamed: false }).changed?.value ?? begun
  expect(openAttempt(alone)).toMatchObject({ isNamed: false, isLarge, language: 'en' })
})

test.each([
  [0xffff_ffff, 'accepted'],
  [0x1_0000_0000, 'stale'],
])('an answer by message %d is %s', (messageId, status) => {
  const answer = { kind: 'answer', question: 0, revision: 1, first: 1, change: 1, allowBack: true, messageId }
  expect(after(begun, answer).reply.status).toBe(status)
})
