import { createCipheriv, createHmac, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AttemptMove, applyMove, newAttempt } from '../../src/domain/attempt.ts'
import { attemptLayout, encodeAttempt, openAttempt } from '../../src/domain/attempt-layout.ts'
import { createAttemptCipher } from '../../src/storage/attempt-cipher.ts'
import { printedSeed } from '../random.ts'

const owner = Buffer.from('owner-01')
const dataKeys = [randomBytes(32), randomBytes(32)]
const keyOf = (number: number) => dataKeys[number] ?? Buffer.alloc(32)
const at = Date.UTC(2026, 0, 5)
const s = 'abcdefgh'

/** An attempt that is answered through its cipher, as in the questionnaire. */
function answering(questions: number, { dataKey = 0, id = randomBytes(8), layout = 4 } = {}) {
  const cipher = createAttemptCipher(keyOf)
  const begun = { owner, id, contentHash: randomBytes(32), questions, language: 'fa', dataKey } as const
  let value = newAttempt({ ...begun, retentionSeconds: 60, at })
  value[0] = layout
  const move = (given: AttemptMove) => {
    const { changed, reply } = applyMove(value, given, at)
    value = changed?.value ?? value
    return reply.status
  }
  return {
    cipher,
    attempt: () => openAttempt(value),
    value: () => value,
    answer(question: number, option: number) {
      move({ kind: 'go', question, allowBack: true, owner })
      const attempt = openAttempt(value)
      const { revision } = attempt
      const bytes = cipher.encryptAnswer(attempt, { question, revision, option })
      return move({ kind: 'answer', question, revision, ...bytes, allowBack: true, owner })
    },
    look: (question: number) => move({ kind: 'go', question, allowBack: true, owner }),
    seal() {
      const attempt = openAttempt(value)
      value = encodeAttempt({ ...attempt, mac: cipher.mac(s, attempt), macRevision: attempt.revision })
    },
    harm(offsetFromEnd: number) {
      value = Buffer.from(value)
      const place = value.length - offsetFromEnd
      value[place] = (value[place] ?? 0) ^ 1
    },
  }
}

test.each([2, 4])('answers in layout %d are read back, the latest change first', (layout) => {
  const options = fc.nat(255)
  fc.assert(
    fc.property(
      fc.array(options, { minLength: 1, maxLength: 60 }),
      fc.array(fc.tuple(fc.nat(), options), { maxLength: 20 }),
      (first, changes) => {
        const { answer, attempt, cipher } = answering(first.length, { layout })
        const expected = [...first]
        for (const [question, option] of first.entries()) expect(answer(question, option)).toBe('accepted')
        for (const [place, option] of changes) {
          expect(answer(place % first.length, option)).toBe('accepted')
          expected[place % first.length] = option
        }
        expect(cipher.decryptAnswers(attempt())).toEqual(expected)
      },
    ),
    { numRuns: 40, seed: printedSeed('answers of an attempt') },
  )
})

test('two copies of a store show of an answer only whether it changed', () => {
  const pairs = [
    [0, 1],
    [1, 3],
    [2, 0],
  ] as const
  /** What a thief reads in both copies: the two bytes kept at one place. */
  const copies = ([one, other]: (typeof pairs)[number], stream: 'first' | 'change') => {
    const cipher = createAttemptCipher(keyOf)
    const attempt = { id: randomBytes(8), dataKey: 0, layout: 4 }
    const byte = (option: number) =>
      cipher.encryptAnswer(attempt, { question: 5, revision: 9, option })[stream]
    return [byte(one), byte(other)] as const
  }
  for (const stream of ['first', 'change'] as const) {
    for (const pair of pairs) {
      const differences = new Set<number>()
      for (let attempt = 0; attempt < 300; attempt++) {
        const [one, other] = copies(pair, stream)
        expect(one).not.toBe(other)
        differences.add(one ^ other)
      }
      // A keystream would give the same difference each time; 300 random draws of 255 values give some 176.
      expect(differences.size).toBeGreaterThan(130)
    }
  }
})

test('another process with the same keys reads the answers', () => {
  const { answer, attempt } = answering(40, { dataKey: 1 })
  for (let question = 0; question < 40; question++) answer(question, question)
  expect(createAttemptCipher(keyOf).decryptAnswers(attempt())).toEqual(
    Array.from({ length: 40 }, (_, n) => n),
  )
})

test('in layout 2 an answer is xored with AES in counter mode, at any position', () => {
  const id = randomBytes(8)
  const key = createHmac('sha256', keyOf(0)).update('porsa sitting first').update(id).digest()
  const stream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(1_000))
  const cipher = createAttemptCipher(keyOf)
  for (const question of [0, 127, 128, 999, 300]) {
    const { first } = cipher.encryptAnswer(
      { id, dataKey: 0, layout: 2 },
      { question, revision: 1, option: 3 },
    )
    expect(first).toBe(3 ^ (stream[question] ?? 0))
  }
})

test.each([2, 4])(
  'in layout %d the same answer is another byte at every question, revision, stream and attempt',
  (layout) => {
    const cipher = createAttemptCipher(keyOf)
    const [one, two] = [randomBytes(8), randomBytes(8)]
    const run = (id: Buffer, stream: 'first' | 'change', dataKey = 0) =>
      Buffer.from(
        Array.from({ length: 64 }, (_, place) => {
          const answer = { question: place, revision: place, option: 0 }
          return cipher.encryptAnswer({ id, dataKey, layout }, answer)[stream]
        }),
      ).toString('hex')
    const runs = [
      run(one, 'first'),
      run(one, 'change'),
      run(two, 'first'),
      run(two, 'change'),
      run(one, 'first', 1),
    ]
    expect(new Set(runs).size).toBe(runs.length)
    // 64 random bytes repeat some values, but never most of them.
    for (const hex of runs) expect(new Set(hex.match(/../g)).size).toBeGreaterThan(40)
    expect(run(one, 'first')).toBe(runs[0])
  },
)

test.each([-1, 256, 1.5])('option %d is refused', (option) => {
  const place = { question: 0, revision: 1 }
  const cipher = createAttemptCipher(keyOf)
  expect(() =>
    cipher.encryptAnswer({ id: randomBytes(8), dataKey: 0, layout: 4 }, { ...place, option }),
  ).toThrow(RangeError)
})

test.each([-1, 0.5, 2 ** 40, Number.NaN])('a forged position %d costs only a stale reply', (forged) => {
  const { cipher, attempt } = answering(3)
  const bytes = cipher.encryptAnswer(attempt(), { question: forged, revision: forged, option: 1 })
  expect(bytes).toEqual({ first: expect.any(Number), change: expect.any(Number) })
})

describe.each([2, 4])('the code over an attempt of layout %d', (layout) => {
  function complete() {
    const made = answering(3, { layout })
    for (const question of [0, 1, 2]) made.answer(question, question)
    return made
  }

  test('is missing until it is made, valid then, and missing again after every answer', () => {
    const { seal, attempt, cipher, answer } = complete()
    expect(cipher.verify(s, attempt())).toBe('unsealed')
    seal()
    expect(cipher.verify(s, attempt())).toBe('sound')
    answer(1, 3)
    expect(cipher.verify(s, attempt())).toBe('unsealed')
    seal()
    expect(cipher.verify(s, attempt())).toBe('sound')
  })

  test('shows damage to any answer, first or changed', () => {
    const { seal, attempt, cipher, answer, harm } = complete()
    answer(0, 2)
    seal()
    expect(cipher.verify(s, attempt())).toBe('sound')
    harm(1)
    expect(cipher.verify(s, attempt())).toBe('harmed')
    harm(1)
    expect(cipher.verify(s, attempt())).toBe('sound')
    harm(8)
    expect(cipher.verify(s, attempt())).toBe('harmed')
  })

  test('is bound to these questions and this attempt', () => {
    const { seal, attempt, cipher } = complete()
    seal()
    expect(cipher.verify(s, { ...attempt(), contentHash: randomBytes(32) })).toBe('harmed')
    expect(cipher.verify(s, { ...attempt(), id: randomBytes(8) })).toBe('harmed')
    expect(cipher.verify(s, { ...attempt(), questions: 4 })).toBe('harmed')
  })

  test('is void after an earlier question was shown', () => {
    const { seal, attempt, cipher, look } = complete()
    seal()
    look(1)
    look(3)
    expect(cipher.verify(s, attempt())).toBe('unsealed')
  })
})

describe('changes by an attacker with write access to a sealed attempt', () => {
  const sealed = () => {
    const made = answering(3)
    for (const question of [0, 1, 2]) made.answer(question, question)
    made.answer(1, 2)
    made.seal()
    return made
  }

  const fields: [name: string, width: number][] = [
    ...Object.entries(attemptLayout.bytes),
    ...Object.entries(attemptLayout.numbers),
  ]
  test.each(fields)('a changed field is found: %s', (name) => {
    let offset = 1
    for (const [field, width] of fields) {
      for (let byte = 0; byte < width; byte++, offset++) {
        if (field !== name) continue
        const { cipher, attempt, value } = sealed()
        const flipped = Buffer.from(value())
        flipped[offset] = (flipped[offset] ?? 0) ^ 1
        expect(cipher.verify(s, attempt())).toBe('sound')
        expect(verdict(cipher, flipped), `byte ${byte}`).not.toBe('sound')
      }
    }
  })

  function verdict(cipher: ReturnType<typeof createAttemptCipher>, value: Buffer) {
    try {
      return cipher.verify(s, openAttempt(value))
    } catch {
      return 'unreadable'
    }
  }

  test('an attempt of another record is found', () => {
    const { cipher, attempt } = sealed()
    expect(cipher.verify('ijklmnop', attempt())).toBe('harmed')
  })

  test('a code made before the attempt was locked is found', () => {
    const { cipher, attempt } = sealed()
    expect(cipher.verify(s, { ...attempt(), state: 'locked' })).toBe('harmed')
  })
})
