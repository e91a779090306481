import fc from 'fast-check'
import { type AttemptMove, newAttempt } from '../../src/domain/attempt.ts'
import { openAttempt } from '../../src/domain/attempt-layout.ts'
import { minute, start } from './worlds.ts'

export const owner = Buffer.from('owner-01')
const stranger = Buffer.from('owner-02')

/** A new attempt. */
export const attemptOf = (questions: number, retentionSeconds = 30 * 86_400) =>
  newAttempt({
    owner,
    id: Buffer.from('attempt1'),
    contentHash: Buffer.alloc(32, 7),
    questions,
    language: 'en',
    dataKey: 3,
    retentionSeconds,
    at: start,
  })

/** A move relative to the state of the attempt: with zeros it is a tap on the question shown. */
export type Step = {
  kind: AttemptMove['kind']
  question: number
  revision: number
  byte: number
  messageId: number | undefined
  allowBack: boolean
  isStranger: boolean
  gapMs: number
}

/** A value that is nearly always the usual one. */
export const rarely = <T>(usual: T, rare: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: rare })

/** Any step, mostly one that is accepted. */
export const step = fc.record<Step>({
  kind: fc.oneof(
    { weight: 8, arbitrary: fc.constant('answer' as const) },
    { weight: 4, arbitrary: fc.constant('go' as const) },
    {
      weight: 6,
      arbitrary: fc.constantFrom('pause', 'language', ...Array(4).fill('resume')),
    },
  ),
  question: rarely(0, fc.constantFrom(-1, 1, 0.5, 70_000, Number.NaN)),
  revision: rarely(0, fc.constantFrom(-1, 1, 2 ** 40)),
  byte: fc.nat(255),
  messageId: rarely(undefined, fc.constantFrom(0, 1, 5, 6, 2 ** 32, 2 ** 31)),
  allowBack: fc.oneof(fc.constant(true), fc.constant(true), fc.constant(false)),
  isStranger: rarely(false, fc.constant(true)),
  gapMs: fc.oneof(
    fc.nat(3_000),
    fc.constantFrom(-5_000, 0, 999, 1_000, 4 * minute, 6 * minute),
    rarely(1, fc.constant(86_400_000)),
  ),
})

/** The move of a step, relative to the state of the attempt. */
export function moveOf(step: Step, value: Buffer): AttemptMove {
  const { kind, byte, allowBack } = step
  const { view, answered, revision: standing } = openAttempt(value)
  const base = { owner: step.isStranger ? stranger : owner }
  const revision = standing + step.revision
  const question = (kind === 'go' ? byte % (answered + 2) : view) + step.question
  switch (kind) {
    case 'answer': {
      const typed = step.messageId === undefined ? {} : { messageId: step.messageId }
      return { ...base, kind, question, revision, first: byte, change: 255 - byte, allowBack, ...typed }
    }
    case 'go':
      return { ...base, kind, question, allowBack }
    case 'language':
      return {
        ...{ ...base, kind, language: byte % 2 === 0 ? 'fa' : 'en' },
        ...{ isLarge: byte % 4 < 2, isNamed: byte % 8 < 4 },
      }
    case 'pause':
    case 'resume':
      return { ...base, kind }
  }
}
