import { describe, expect, test } from 'vitest'
import { type AttemptMove, type AttemptReply, applyMove, newAttempt } from '../../src/domain/attempt.ts'
import { type Attempt, encodeAttempt, openAttempt } from '../../src/domain/attempt-layout.ts'

const start = Date.UTC(2026, 0, 5, 9)
const minute = 60_000
const day = 86_400_000
const owner = Buffer.from('owner-01')

function attemptWith({ questions = 4, retentionSeconds = 30 * 86_400 } = {}) {
  let at = start
  let value = newAttempt({
    owner,
    id: Buffer.from('attempt1'),
    contentHash: Buffer.alloc(32, 7),
    questions,
    language: 'fa',
    dataKey: 3,
    retentionSeconds,
    at,
  })
  let expiresAt: number | undefined
  let said: AttemptReply | undefined
  type Given = AttemptMove extends infer Move
    ? Move extends AttemptMove
      ? Omit<Move, 'owner'>
      : never
    : never
  const move = (given: Given, from = owner) => {
    const { changed, reply } = applyMove(value, { ...given, owner: from } as AttemptMove, at)
    if (changed) {
      value = changed.value
      expiresAt = changed.expiresAt
    }
    said = reply
    return reply.status
  }
  const becomes = (changes: Partial<Attempt>) => {
    value = encodeAttempt({ ...openAttempt(value), ...changes })
  }
  return {
    move,
    becomes,
    lock: () => becomes({ state: 'locked' }),
    /** A tap on the question shown, unless told otherwise. */
    answer(
      given: { question?: number; revision?: number; messageId?: number; allowBack?: boolean } = {},
      from = owner,
    ) {
      const { view: question, revision } = openAttempt(value)
      return move(
        { kind: 'answer', question, revision, first: 0xf0, change: 0xc0, allowBack: true, ...given },
        from,
      )
    },
    go: (question: number, allowBack = true) => move({ kind: 'go', question, allowBack }),
    wait: (ms: number) => {
      at += ms
    },
    kept: () => openAttempt(value),
    /** The reply to the last move. */
    said: () => said,
    bytes: () => value,
    expiresAfter: () => (expiresAt ?? 0) - at,
  }
}

test('a new attempt is open at its first question and keeps what it was made with', () => {
  expect(attemptWith().kept()).toEqual({
    owner,
    id: Buffer.from('attempt1'),
    contentHash: Buffer.alloc(32, 7),
    mac: Buffer.alloc(16),
    layout: 4,
    state: 'open',
    language: 'fa',
    isLarge: false,
    isNamed: false,
    questions: 4,
    view: 0,
    answered: 0,
    revision: 1,
    activeMs: 0,
    lastActivityAt: start,
    shownAt: start,
    dataKey: 3,
    retentionSeconds: 30 * 86_400,
    lastMessageId: 0,
    fastAnswers: 0,
    pauses: 0,
    resumes: 0,
    macRevision: 0,
    firsts: Buffer.alloc(0),
    changes: [],
  })
})

test('567 answers fit in 750 bytes', () => {
  const { answer, kept, bytes } = attemptWith({ questions: 567 })
  while (kept().answered < 567) expect(answer()).toBe('accepted')
  expect(bytes().length).toBeLessThanOrEqual(750)
})

test('a doubled tap, or a tap for another question or revision, changes nothing', () => {
  const { answer, bytes, kept } = attemptWith()
  expect(answer()).toBe('accepted')
  const before = bytes()
  expect(answer({ question: 0, revision: 1 })).toBe('stale')
  expect(answer({ question: 0 })).toBe('stale')
  expect(answer({ revision: kept().revision - 1 })).toBe('stale')
  expect(answer({ question: 2 })).toBe('stale')
  expect(answer({ question: -1 })).toBe('stale')
  expect(answer({ question: 0.5 })).toBe('stale')
  expect(answer({ question: Number.NaN })).toBe('stale')
  expect(bytes()).toBe(before)
})

test('a batch that is delivered again after a crash changes nothing', () => {
  const { answer, go, kept, bytes } = attemptWith({ questions: 9 })
  for (let count = 0; count < 4; count++) answer()
  const revision = kept().revision
  const batch = () => [
    answer({ question: 4, revision }),
    go(4),
    answer({ question: 4, revision: revision + 2 }),
    go(4),
  ]
  expect(batch()).toEqual(['accepted', 'accepted', 'accepted', 'accepted'])
  const before = bytes()
  expect(batch()).toEqual(['stale', 'stale', 'stale', 'stale'])
  expect(bytes()).toBe(before)
})

test('an attempt is gone for every account but its owner', () => {
  const { answer, kept } = attemptWith()
  expect(answer({}, Buffer.from('owner-02'))).toBe('gone')
  expect(kept().answered).toBe(0)
  expect(applyMove(Buffer.from('something else'), { kind: 'pause', owner }, start).reply).toEqual({
    status: 'gone',
  })
})

test('a changed answer is appended with its revision, and the first open question comes next', () => {
  const { answer, go, kept } = attemptWith()
  answer()
  answer()
  answer()
  expect(go(1)).toBe('accepted')
  expect(kept().view).toBe(1)
  const { revision } = kept()
  expect(answer()).toBe('accepted')
  expect(kept()).toMatchObject({ answered: 3, view: 3, changes: [{ question: 1, revision, byte: 0xc0 }] })
  expect(kept().firsts).toEqual(Buffer.alloc(3, 0xf0))
})

test('in the review no question can be answered, and every question can be shown again', () => {
  const { answer, go, kept } = attemptWith({ questions: 2 })
  answer()
  answer()
  expect(kept()).toMatchObject({ view: 2, answered: 2 })
  expect(answer()).toBe('stale')
  expect(go(2)).toBe('stale')
  expect(go(3)).toBe('stale')
  expect(go(0)).toBe('accepted')
  expect(go(2)).toBe('accepted')
  expect(kept().view).toBe(2)
})

test('without the way back only the first open question can be shown', () => {
  const { answer, go } = attemptWith()
  answer()
  answer()
  expect(go(1, false)).toBe('stale')
  expect(go(1)).toBe('accepted')
  expect(answer({ allowBack: false })).toBe('stale')
  expect(go(2, false)).toBe('accepted')
  expect(go(3)).toBe('stale')
})

test('an attempt takes 2,000 changes at most', () => {
  const { answer, go, kept } = attemptWith({ questions: 2 })
  answer()
  for (let count = 0; count < 2_000; count++) {
    go(0)
    expect(answer()).toBe('accepted')
  }
  go(0)
  expect(answer()).toBe('stale')
  expect(kept().changes).toHaveLength(2_000)
  go(1)
  expect(answer()).toBe('accepted')
})

test('a typed answer counts only if its message is newer than the last one taken', () => {
  const { answer } = attemptWith()
  expect(answer({ messageId: 70 })).toBe('accepted')
  expect(answer({ messageId: 70 })).toBe('stale')
  expect(answer({ messageId: 69 })).toBe('stale')
  expect(answer()).toBe('accepted')
  expect(answer({ messageId: 71 })).toBe('accepted')
})

test('active time counts at most five minutes a gap, and nothing while the test is paused', () => {
  const { answer, wait, move, kept } = attemptWith({ questions: 9 })
  const activeMinutes = () => kept().activeMs / minute
  wait(2 * minute)
  answer()
  expect(activeMinutes()).toBe(2)
  wait(60 * minute)
  answer()
  expect(activeMinutes()).toBe(7)
  wait(1 * minute)
  move({ kind: 'pause' })
  expect(activeMinutes()).toBe(8)
  wait(3 * minute)
  move({ kind: 'resume' })
  wait(1 * minute)
  answer()
  expect(activeMinutes()).toBe(9)
  wait(-2 * minute)
  answer()
  wait(2 * minute)
  answer()
  expect(activeMinutes()).toBe(9)
})

test('answers in under a second are counted as fast, and the reply says so', () => {
  const { answer, go, wait, kept, said } = attemptWith()
  answer()
  expect(said()).toMatchObject({ isFast: true, activeSeconds: 0 })
  wait(999)
  answer()
  expect(said()).toMatchObject({ isFast: true, activeSeconds: 0 })
  wait(1_000)
  answer()
  expect(said()).toMatchObject({ isFast: false, activeSeconds: 1 })
  expect(go(0)).toBe('accepted')
  expect(said()).toMatchObject({ isFast: false })
  answer({ revision: 1 })
  expect(said()).toMatchObject({ status: 'stale', isFast: false })
  expect(kept()).toMatchObject({ fastAnswers: 2 })
})

test('a gap counts as a pause if it is longer than an hour', () => {
  const { answer, wait, kept } = attemptWith()
  wait(60 * minute)
  answer()
  expect(kept()).toMatchObject({ pauses: 0 })
  wait(60 * minute + 1)
  answer()
  expect(kept()).toMatchObject({ pauses: 1 })
})

test('an answer to a question that another clock has dated later is not fast', () => {
  const { answer, wait, kept } = attemptWith()
  wait(-37_000)
  answer()
  expect(kept()).toMatchObject({ fastAnswers: 0 })
})

test('a paused attempt takes no answer until it is resumed, and then only by new buttons', () => {
  const { answer, move, go, kept } = attemptWith()
  const { revision } = kept()
  expect(move({ kind: 'resume' })).toBe('stale')
  expect(move({ kind: 'pause' })).toBe('accepted')
  expect(move({ kind: 'pause' })).toBe('stale')
  expect(answer()).toBe('stale')
  expect(go(0)).toBe('stale')
  expect(move({ kind: 'resume' })).toBe('accepted')
  expect(answer({ revision })).toBe('stale')
  expect(answer()).toBe('accepted')
  expect(kept()).toMatchObject({ pauses: 0, resumes: 1 })
})

test('a locked attempt takes no move', () => {
  const { answer, move, go, lock, bytes } = attemptWith({ questions: 2 })
  answer()
  answer()
  lock()
  const before = bytes()
  const moves = [answer(), go(0), move({ kind: 'pause' }), move({ kind: 'resume' })]
  expect([...moves, move({ kind: 'language', language: 'en' })]).toEqual(Array(5).fill('stale'))
  expect(bytes()).toBe(before)
})

test('an attempt read in another language needs a new code', () => {
  const { answer, move, kept, becomes } = attemptWith({ questions: 1 })
  answer()
  becomes({ mac: Buffer.alloc(16, 9), macRevision: 2 })
  expect(move({ kind: 'language', language: 'en' })).toBe('accepted')
  expect(kept()).toMatchObject({ language: 'en', macRevision: 0, revision: 2 })
})

test('every accepted move keeps an unfinished attempt for its retention, a complete one for 90 days', () => {
  const { answer, wait, expiresAfter } = attemptWith({ questions: 2, retentionSeconds: 10 * 86_400 })
  wait(3 * day)
  answer()
  expect(expiresAfter()).toBe(10 * day)
  answer()
  expect(expiresAfter()).toBe(90 * day)
})

test.each([0, 65_535, 1.5])('an attempt of %d questions is refused', (questions) => {
  expect(() => attemptWith({ questions })).toThrow(RangeError)
})

function attemptAfter(answers: number) {
  const attempt = attemptWith()
  for (let answered = 0; answered < answers; answered++) attempt.answer()
  return attempt
}

/** Attempts of four questions, each at a place. */
const places = {
  'the first question': () => attemptWith(),
  'the third question': () => attemptAfter(2),
  'back at the first of two answered': () => {
    const attempt = attemptAfter(2)
    attempt.go(0)
    return attempt
  },
  'the review': () => attemptAfter(4),
  paused: () => {
    const attempt = attemptAfter(2)
    attempt.move({ kind: 'pause' })
    return attempt
  },
  sent: () => {
    const attempt = attemptAfter(4)
    attempt.lock()
    return attempt
  },
}

const another = Buffer.from('owner-02')

describe('a tap on an attempt', () => {
  test.each<[keyof typeof places, string, (r: number) => object, typeof owner, string, number]>([
    ['the first question', 'on what is shown', () => ({}), owner, 'accepted', 1],
    ['the first question', 'of somebody else', () => ({}), another, 'gone', 0],
    ['the first question', 'on the next question', () => ({ question: 1 }), owner, 'stale', 0],
    ['the third question', 'on what is shown', () => ({}), owner, 'accepted', 3],
    ['the third question', 'on the question before', () => ({ question: 1 }), owner, 'stale', 2],
    ['the third question', 'of an older screen', (r) => ({ revision: r - 1 }), owner, 'stale', 2],
    ['the third question', 'of a screen to come', (r) => ({ revision: r + 1 }), owner, 'stale', 2],
    ['back at the first of two answered', 'on what is shown', () => ({}), owner, 'accepted', 2],
    ['back at the first of two answered', 'on the open question', () => ({ question: 2 }), owner, 'stale', 0],
    [
      'back at the first of two answered',
      'with no way back',
      () => ({ allowBack: false }),
      owner,
      'stale',
      0,
    ],
    ['the review', 'on the last question', () => ({ question: 3 }), owner, 'stale', 4],
    ['the review', 'on no question', () => ({}), owner, 'stale', 4],
    ['paused', 'on what was shown', (r) => ({ revision: r - 1 }), owner, 'stale', 2],
    ['paused', 'with the revision of the pause', () => ({}), owner, 'stale', 2],
    ['sent', 'on the last question', () => ({ question: 3 }), owner, 'stale', 4],
    ['sent', 'of somebody else', () => ({}), another, 'gone', 4],
  ])('%s: a tap %s', (place, _, tap, from, status, view) => {
    const { answer, kept, bytes } = places[place]()
    const before = bytes()
    expect(answer(tap(kept().revision), from)).toBe(status)
    expect(kept().view).toBe(view)
    if (status !== 'accepted') expect(bytes()).toBe(before)
  })
})
