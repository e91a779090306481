import type { Person } from './questionnaire.ts'

const WARM_ROUNDS = 2

export type Contender = {
  name: string
  /** People in front of a question, new in every round. */
  people: (count: number) => Promise<Person[]>
  answer: (person: Person) => Promise<void>
}

/** Numbers of people who answer at once, of questions that each answers in a row, and of rounds. */
export type Load = { people: number; answers: number; rounds: number }

export type Comparison = {
  /** CPU time per answer in µs, round by round. */
  of(name: string): number[]
  /** The CPU time of `name` divided by that of `to`, round by round. */
  ratios(name: string, to: string): number[]
}

/**
 * CPU time of this process per answer. All contenders run in every round, and a ratio compares two runs of
 * the same round, so that a machine that is busy for a while does not decide.
 */
export async function compareCpu(contenders: readonly Contender[], load: Load): Promise<Comparison> {
  const measured = new Map(contenders.map(({ name }) => [name, [] as number[]]))
  // The first rounds only make the code warm.
  for (let round = -WARM_ROUNDS; round < load.rounds; round += 1) {
    for (const { name, answer, crowd } of await gathered(inTurn(contenders, round + WARM_ROUNDS), load)) {
      const before = process.cpuUsage()
      await Promise.all(crowd.map((person) => answerInARow(person, answer, load.answers)))
      const { user, system } = process.cpuUsage(before)
      if (round >= 0) measured.get(name)?.push((user + system) / (load.people * load.answers))
    }
  }
  const rounds = (name: string) => measured.get(name) ?? []
  return {
    of: rounds,
    ratios: (name, to) => rounds(name).map((value, round) => value / (rounds(to)[round] ?? Number.NaN)),
  }
}

/** Makes all people before a round begins, so that making them costs no contender anything. */
async function gathered(contenders: readonly Contender[], { people }: Load) {
  const ready = []
  for (const contender of contenders) {
    const crowd = await contender.people(people)
    // The first answer of an attempt reads things that the later ones find in memory.
    await Promise.all(crowd.map(contender.answer))
    ready.push({ ...contender, crowd })
  }
  return ready
}

/**
 * Another contender begins in every round, and every other round is reversed, because the garbage of one
 * contender is collected while the next one runs.
 */
function inTurn<T>(all: readonly T[], round: number): T[] {
  const first = round % all.length
  const turned = [...all.slice(first), ...all.slice(0, first)]
  return round % 2 === 0 ? turned : turned.toReversed()
}

async function answerInARow(person: Person, answer: Contender['answer'], answers: number): Promise<void> {
  for (let answered = 0; answered < answers; answered += 1) await answer(person)
}
