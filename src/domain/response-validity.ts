import type { Attempt } from './attempt-layout.ts'

/** How a participant answered, never what: for judging how far a result can be relied on. */
export type Validity = {
  questions: number
  /** Answers in under a second. */
  fast: number
  /** The longest run of one option. */
  run: number
  changes: number
  /** Pauses of more than an hour. */
  pauses: number
  resumes: number
  activeMinutes: number
}

/** Reads the answers and changes, and stores neither. */
export function validityOf(
  attempt: Omit<Attempt, 'changes'>,
  { answers, changes }: { answers: readonly number[]; changes: readonly unknown[] },
): Validity {
  return {
    questions: attempt.questions,
    // If an answer and its change were both fast, both are counted, so "10 of 9" has to be avoided.
    fast: Math.min(attempt.fastAnswers, attempt.questions),
    run: longestRun(answers),
    changes: changes.length,
    pauses: attempt.pauses,
    resumes: attempt.resumes,
    activeMinutes: Math.max(1, Math.round(attempt.activeMs / 60_000)),
  }
}

function longestRun(answers: readonly number[]): number {
  let longest = 0
  let run = 0
  for (const [index, answer] of answers.entries()) {
    run = answers[index - 1] === answer ? run + 1 : 1
    longest = Math.max(longest, run)
  }
  return longest
}

/** Limits that people who read each question and think about it hardly ever exceed. */
export const usual = ({ questions }: Pick<Validity, 'questions'>) => ({
  fast: Math.max(1, Math.ceil(questions * 0.05)),
  run: Math.max(4, Math.min(12, Math.ceil(questions * 0.3))),
  changes: Math.max(2, Math.ceil(questions * 0.1)),
  pauses: 1,
  resumes: 2,
})

/** Whether the answers were too fast, or along one column, so that the result may not be reliable. */
export function isFlagged(validity: Validity): boolean {
  const most = usual(validity)
  return validity.fast > most.fast || validity.run > most.run
}
