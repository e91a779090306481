import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { isFine, readable, sumUpNoise } from './report.ts'
import { createRunners } from './runs.ts'

const HELP = `npm run fuzz -- [--updates N] [--seed N] [--jobs N] [--trace]

  --updates N  the number of generated updates (10000), 500 in each world
  --seed N     the seed of the first world; the next ones have N + 1, N + 2 … (1)
  --jobs N     the number of processes (one per processor)
  --trace      prints the trace of each world`

const IN_ONE = 500

/** `npm run fuzz`: sends updates of all kinds, valid and forged, between those of people who answer a test. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      updates: { type: 'string', default: '10000' },
      seed: { type: 'string', default: '1' },
      jobs: { type: 'string', default: String(availableParallelism()) },
      trace: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const [updates, first, jobs] = [Number(values.updates), Number(values.seed), Number(values.jobs)]
  const isRight = updates > 0 && Number.isSafeInteger(first) && jobs >= 1
  if (values.help || !isRight) {
    console.log(HELP)
    return values.help ? 0 : 1
  }
  const seeds = Array.from({ length: Math.ceil(updates / IN_ONE) }, (_, index) => first + index)
  const runners = createRunners(Math.min(jobs, seeds.length))
  const order = { seeds, size: 'usual', isTraced: values.trace, noise: Math.min(updates, IN_ONE) } as const
  const reports = await runners.run(order, (report) => {
    if (values.trace || !isFine(report)) console.log(readable(report, values.trace))
    return true
  })
  runners.end()
  console.log(sumUpNoise(reports))
  return reports.every(isFine) ? 0 : 1
}

process.exitCode = await main()
