import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { TestRunner } from 'vitest'
import { getFn } from 'vitest/suite'

type Task = Parameters<TestRunner['onBeforeRunTask']>[0]
type Test = Parameters<TestRunner['onAfterTryTask']>[0]

/** A test whose loops turn this much more often than without a mutant has an endless loop. */
const MOST_TURNS = { times: 20, more: 20_000 }
/** A test that takes this much longer than without a mutant waits for an event that will not come. */
const MOST_MS = { times: 5, more: 3_000 }
/** The real timers, even if a test replaces the global ones. */
const { setTimeout: after, clearTimeout: forget } = globalThis
const { MUTATE_REACHED: reachedFile = '', MUTATE_KILLED: killedFile = '', MUTATE_COUNT: count } = process.env
const isFirst = !existsSync(reachedFile)
/** For each test its time and the mutants that it reaches; the first run writes them, with the file. */
const reached = new Map<string, { ms: number; met: number[] }>(
  isFirst
    ? []
    : linesOf(reachedFile).map(([name, , ms, ...met]) => [
        String(name),
        { ms: Number(ms), met: met.map(Number) },
      ]),
)
const killed = new Set<number>()

let on = -1
let turned = 0
let mostTurns = Infinity
let begunAt = 0
/** A flag per mutant number: a test may reach a mutant millions of times. */
const met = new Uint8Array(Number(count))
Object.assign(globalThis, {
  mutation: {
    is(number: number): boolean {
      met[number] = 1
      return number === on
    },
    turns(): void {
      turned += 1
      if (on >= 0 && turned > mostTurns) throw new Error('a loop without an end')
    },
  },
})

/** A failure is enough; fast-check need not search for the smallest counterexample. */
fc.configureGlobal({ endOnFailure: true })

const numbersIn = (flags: Uint8Array): number[] => [...flags.keys()].filter((number) => flags[number])

function linesOf(file: string): unknown[][] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const msOf = (task: Task): number =>
  'tasks' in task ? task.tasks.reduce((sum, each) => sum + msOf(each), 0) : (reached.get(task.id)?.ms ?? 0)

/** Runs the tests in sequence, so that one mutant is on at a time, and the quick ones first. */
function oneByOne(tasks: readonly Task[]): void {
  for (const task of tasks) {
    delete task.concurrent
    if (!('tasks' in task)) continue
    oneByOne(task.tasks)
    task.tasks.sort((one, other) => msOf(one) - msOf(other))
  }
}

/** A mutant that is still on after a try was noticed, because the try did not finish. */
function countAsKilled(): void {
  if (on >= 0) killed.add(on)
  on = -1
}

/** Runs each test once to see which mutants it reaches; in the second run repeats it for each survivor. */
export default class MutationRunner extends TestRunner {
  private readonly left = new Map<string, number[]>()

  onCollected(files: readonly Task[]): void {
    oneByOne(files)
    if (!isFirst) return
    // A mutant that is reached before the tests begin cannot be tried with a single test.
    appendFileSync(reachedFile, `${JSON.stringify(['', '', 0, ...numbersIn(met)])}\n`)
    met.fill(0)
  }

  override async onBeforeRunTask(test: Task): Promise<void> {
    await super.onBeforeRunTask(test)
    if (isFirst || test.type !== 'test') return
    const left = (reached.get(test.id)?.met ?? []).filter((number) => !killed.has(number))
    this.left.set(test.id, left)
    test.repeats = left.length
  }

  override onBeforeTryTask(test: Task, { repeats = 0 }: { repeats?: number } = {}): void {
    super.onBeforeTryTask(test)
    countAsKilled()
    // The first try has no mutant, so that state which the test keeps is made as usual.
    on = isFirst || repeats === 0 ? -1 : (this.left.get(test.id)?.[repeats - 1] ?? -1)
    turned = 0
    begunAt = performance.now()
    met.fill(0)
  }

  async runTask(test: Test): Promise<void> {
    const run = Promise.resolve(getFn(test)())
    if (on < 0) return run
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = after(() => reject(new Error('too late')), msOf(test) * MOST_MS.times + MOST_MS.more)
    })
    await Promise.race([run, late]).finally(() => forget(timer))
  }

  override onAfterTryTask(test: Test): void {
    super.onAfterTryTask(test)
    if (isFirst)
      appendFileSync(
        reachedFile,
        `${JSON.stringify([test.id, test.file.filepath, performance.now() - begunAt, ...numbersIn(met)])}\n`,
      )
    if (on < 0) mostTurns = turned * MOST_TURNS.times + MOST_TURNS.more
    on = -1
  }

  override onAfterRunTask(test: Task): void {
    countAsKilled()
    super.onAfterRunTask(test)
    if (!isFirst) appendFileSync(killedFile, `${JSON.stringify([...killed])}\n`)
  }
}
