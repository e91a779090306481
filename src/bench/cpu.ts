import type { HotPath, Person } from './hot-path.ts'
import { median } from './table.ts'

/** So many people answer at the same time, each so many questions in a row. */
const PEOPLE = 32
const ANSWERS = 30
const ROUNDS = 7

export type Contender = {
  name: string
  /** People before a question, fresh in every round. */
  people: (count: number) => Promise<Person[]>
  answer: (person: Person) => Promise<void>
}

/** CPU time of this process per answer in µs, the median of rounds in which all contenders take turns. */
export async function compareCpu(contenders: readonly Contender[]): Promise<Map<string, number>> {
  const measured = new Map(contenders.map(({ name }) => [name, [] as number[]]))
  // The first rounds only make the code warm.
  for (let round = -2; round < ROUNDS; round += 1) {
    for (const { name, people, answer } of contenders) {
      const crowd = await people(PEOPLE)
      // The first answer that a process sees of a sitting reads what the others need no more.
      await Promise.all(crowd.map(answer))
      const before = process.cpuUsage()
      await Promise.all(crowd.map((person) => answerInARow(person, answer)))
      const { user, system } = process.cpuUsage(before)
      if (round >= 0) measured.get(name)?.push((user + system) / (PEOPLE * ANSWERS))
    }
  }
  return new Map([...measured].map(([name, values]) => [name, median(values)]))
}

async function answerInARow(person: Person, answer: Contender['answer']): Promise<void> {
  for (let answers = 0; answers < ANSWERS; answers += 1) await answer(person)
}

export const hotPathAt = (hotPath: HotPath, question: number, name: string): Contender => ({
  name,
  people: (count) => hotPath.people(count, question),
  answer: hotPath.answer,
})
