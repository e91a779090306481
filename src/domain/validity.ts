import type { Attempt } from './attempt.ts'

/** How somebody answered, never what: for whoever has to judge how far a result can be relied on. */
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

/** What was given is read here and nowhere kept: the answers, and the changes that made one another. */
export function validityOf(
  attempt: Omit<Attempt, 'changes'>,
  { answers, changes }: { answers: readonly number[]; changes: readonly unknown[] },
): Validity {
  return {
    questions: attempt.questions,
    // Of one that was changed as quickly the former answer is counted, too: "10 of 9" says nothing.
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

/** What hardly anybody exceeds who reads each question and answers it with thought. */
export const usual = ({ questions }: Pick<Validity, 'questions'>) => ({
  fast: Math.max(1, Math.ceil(questions * 0.05)),
  run: Math.max(4, Math.min(12, Math.ceil(questions * 0.3))),
  changes: Math.max(2, Math.ceil(questions * 0.1)),
  pauses: 1,
  resumes: 2,
})

/** Whether it was answered too quickly, or along one column: what the result says of somebody may not hold. */
export function isFlagged(validity: Validity): boolean {
  const most = usual(validity)
  return validity.fast > most.fast || validity.run > most.run
}
