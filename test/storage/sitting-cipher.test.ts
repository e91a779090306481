import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyMove, newSitting, openSitting, type SittingMove } from '../../src/domain/sitting.ts'
import { encodeSitting, sittingLayout } from '../../src/domain/sitting-layout.ts'
import { createSittingCipher, type SittingCipher } from '../../src/storage/sitting-cipher.ts'
import { printedSeed } from '../random.ts'

const owner = Buffer.from('owner-01')
const dataKeys = [randomBytes(32), randomBytes(32)]
const keyOf = (number: number) => dataKeys[number] ?? Buffer.alloc(32)
const at = Date.UTC(2026, 0, 5)
const s = 'abcdefgh'

/** A sitting that is answered through its cipher, as the questionnaire does it. */
function answering(questions: number, { dataKey = 0, id = randomBytes(8), layout = 2 } = {}) {
  const cipher = createSittingCipher(keyOf)
  const begun = { owner, id, contentHash: randomBytes(32), questions, language: 'fa', dataKey } as const
  let value = newSitting({ ...begun, retentionSeconds: 60, at })
  value[0] = layout
  const move = (given: SittingMove) => {
    const { changed, reply } = applyMove(value, given, at)
    value = changed?.value ?? value
    return reply.status
  }
  return {
    cipher,
    sitting: () => openSitting(value),
    value: () => value,
    answer(question: number, option: number) {
      move({ kind: 'go', question, allowBack: true, owner })
      const sitting = openSitting(value)
      const { revision } = sitting
      const bytes = cipher.encryptAnswer(sitting, { question, revision, option })
      return move({ kind: 'answer', question, revision, ...bytes, allowBack: true, owner })
    },
    look: (question: number) => move({ kind: 'go', question, allowBack: true, owner }),
    seal() {
      const sitting = openSitting(value)
      value = encodeSitting({ ...sitting, mac: cipher.mac(s, sitting), macRevision: sitting.revision })
    },
    harm(offsetFromEnd: number) {
      value = Buffer.from(value)
      const place = value.length - offsetFromEnd
      value[place] = (value[place] ?? 0) ^ 1
    },
  }
}

test('whatever is answered and changed is read back, the latest change winning', () => {
  const options = fc.nat(255)
  fc.assert(
    fc.property(
      fc.array(options, { minLength: 1, maxLength: 60 }),
      fc.array(fc.tuple(fc.nat(), options), { maxLength: 20 }),
      (first, changes) => {
        const { answer, sitting, cipher } = answering(first.length)
        const expected = [...first]
        for (const [question, option] of first.entries()) expect(answer(question, option)).toBe('accepted')
        for (const [place, option] of changes) {
          expect(answer(place % first.length, option)).toBe('accepted')
          expected[place % first.length] = option
        }
        expect(cipher.decryptAnswers(sitting())).toEqual(expected)
      },
    ),
    { numRuns: 40, seed: printedSeed('answers of a sitting') },
  )
})

test('another process with the same keys reads the answers', () => {
  const { answer, sitting } = answering(40, { dataKey: 1 })
  for (let question = 0; question < 40; question++) answer(question, question)
  expect(createSittingCipher(keyOf).decryptAnswers(sitting())).toEqual(
    Array.from({ length: 40 }, (_, n) => n),
  )
})

test('the same answer is another byte at every question, revision, stream and sitting', () => {
  const cipher = createSittingCipher(keyOf)
  const [one, two] = [randomBytes(8), randomBytes(8)]
  const run = (id: Buffer, stream: 'first' | 'change', dataKey = 0) =>
    Buffer.from(
      Array.from({ length: 64 }, (_, place) => {
        const answer = { question: place, revision: place, option: 0 }
        return cipher.encryptAnswer({ id, dataKey }, answer)[stream]
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
})

test.each([-1, 256, 1.5])('option %d is refused', (option) => {
  const place = { question: 0, revision: 1 }
  const cipher = createSittingCipher(keyOf)
  expect(() => cipher.encryptAnswer({ id: randomBytes(8), dataKey: 0 }, { ...place, option })).toThrow(
    RangeError,
  )
})

test.each([-1, 0.5, 2 ** 40, Number.NaN])(
  'a forged position %d costs nothing but a stale reply',
  (forged) => {
    const { cipher, sitting } = answering(3)
    const bytes = cipher.encryptAnswer(sitting(), { question: forged, revision: forged, option: 1 })
    expect(bytes).toEqual({ first: expect.any(Number), change: expect.any(Number) })
  },
)

describe.each([1, 2])('the code over a sitting of layout %d', (layout) => {
  function complete() {
    const made = answering(3, { layout })
    for (const question of [0, 1, 2]) made.answer(question, question)
    return made
  }

  test('is missing before it is made, sound after, and again with every answer', () => {
    const { seal, sitting, cipher, answer } = complete()
    expect(cipher.verify(s, sitting())).toBe('unsealed')
    seal()
    expect(cipher.verify(s, sitting())).toBe('sound')
    answer(1, 3)
    expect(cipher.verify(s, sitting())).toBe('unsealed')
    seal()
    expect(cipher.verify(s, sitting())).toBe('sound')
  })

  test('shows harm to any answer, first or changed', () => {
    const { seal, sitting, cipher, answer, harm } = complete()
    answer(0, 2)
    seal()
    expect(cipher.verify(s, sitting())).toBe('sound')
    harm(1)
    expect(cipher.verify(s, sitting())).toBe('harmed')
    harm(1)
    expect(cipher.verify(s, sitting())).toBe('sound')
    harm(8)
    expect(cipher.verify(s, sitting())).toBe('harmed')
  })

  test('belongs to these questions and this sitting', () => {
    const { seal, sitting, cipher } = complete()
    seal()
    expect(cipher.verify(s, { ...sitting(), contentHash: randomBytes(32) })).toBe('harmed')
    expect(cipher.verify(s, { ...sitting(), id: randomBytes(8) })).toBe('harmed')
    expect(cipher.verify(s, { ...sitting(), questions: 4 })).toBe('harmed')
  })

  test('outlives a look at an earlier question in the first layout only', () => {
    const { seal, sitting, cipher, look } = complete()
    seal()
    look(1)
    look(3)
    expect(cipher.verify(s, sitting())).toBe(layout === 1 ? 'sound' : 'unsealed')
  })
})

describe('what somebody with write access does to a sealed sitting', () => {
  const sealed = () => {
    const made = answering(3)
    for (const question of [0, 1, 2]) made.answer(question, question)
    made.answer(1, 2)
    made.seal()
    return made
  }

  const fields: [name: string, width: number][] = [
    ...Object.entries(sittingLayout.bytes),
    ...Object.entries(sittingLayout.numbers),
  ]
  test.each(fields)('shows: %s', (name) => {
    let offset = 1
    for (const [field, width] of fields) {
      for (let byte = 0; byte < width; byte++, offset++) {
        if (field !== name) continue
        const { cipher, sitting, value } = sealed()
        const flipped = Buffer.from(value())
        flipped[offset] = (flipped[offset] ?? 0) ^ 1
        expect(cipher.verify(s, sitting())).toBe('sound')
        expect(verdict(cipher, flipped), `byte ${byte}`).not.toBe('sound')
      }
    }
  })

  function verdict(cipher: SittingCipher, value: Buffer) {
    try {
      return cipher.verify(s, openSitting(value))
    } catch {
      return 'unreadable'
    }
  }

  test('another record’s', () => {
    const { cipher, sitting } = sealed()
    expect(cipher.verify('ijklmnop', sitting())).toBe('harmed')
  })

  test('a code that was made before the sitting was locked', () => {
    const { cipher, sitting } = sealed()
    expect(cipher.verify(s, { ...sitting(), state: 'locked' })).toBe('harmed')
  })
})
