/** How far the people of one test came: how many answered all of it, and how many stand before each question. */
export type DropOff = { title: string; questions: number; finished: number; standing: number[] }

/** Some questions in a row: how many came to the first of them, and how many stand at one of them. */
type DropRow = { from: number; to: number; reached: number; stopped: number }

/** The questions of a test in at most so many rows, counted from 1. Who has answered everything has passed them all. */
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

/** Adds somebody; `at`: how many questions are answered; `undefined` when all of them are and the answers were sent. */
export function addTo(test: DropOff, { questions = 0, at }: Came): void {
  test.questions = Math.max(test.questions, questions)
  if (at === undefined) test.finished += 1
  else test.standing[at] = (test.standing[at] ?? 0) + 1
}
