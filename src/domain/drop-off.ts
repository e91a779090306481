/** How far a test's participants came: how many answered all of it, and how many are at each question. */
export type DropOff = { title: string; questions: number; finished: number; standing: number[] }

/** Some questions in a row: how many participants reached the first, and how many are at one of them. */
type DropRow = { from: number; to: number; reached: number; stopped: number }

/** Groups questions, counted from 1, into at most `most` rows. Finished participants passed all of them. */
export function dropRows({ questions, finished, standing }: DropOff, most: number): DropRow[] {
  const each = Math.max(1, Math.ceil(questions / most))
  const rows: DropRow[] = []
  let reached = finished + standing.reduce((sum, count) => sum + count, 0)
  for (let from = 0; from < questions; from += each) {
    const to = Math.min(from + each, questions)
    const stopped = standing.slice(from, to).reduce((sum, count) => sum + count, 0)
    rows.push({ from: from + 1, to, reached, stopped })
    reached -= stopped
  }
  return rows
}

type Came = { questions: number | undefined; at: number | undefined }

/** Adds a participant. `at`: the number of answered questions; `undefined` when all answers were sent. */
export function addTo(test: DropOff, { questions = 0, at }: Came): void {
  test.questions = Math.max(test.questions, questions)
  if (at === undefined) test.finished += 1
  else test.standing[at] = (test.standing[at] ?? 0) + 1
}
