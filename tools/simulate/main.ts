import { mkdtemp } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findRedisServer, startRedis } from '../bench/redis-server.ts'
import { knownSeeds } from './plants.ts'
import { isFine, type Report, readable, sumUp } from './report.ts'
import { createRunners, type Stores } from './runs.ts'
import { isSize, type Mixed } from './sizes.ts'
import { buildFormerReplica } from './versions.ts'
import { tableOf } from './visits.ts'

const HELP = `npm run simulate -- [--seed N | --seeds A..B | --count N] [--size mixed|small|usual|long|storm|office|hasty] [--jobs N] [--each] [--trace]
                    [--store sqlite|redis|both] [--former]
npm run simulate -- --plant NAME|all [--seeds A..B]

  --seed N      repeats one run exactly; prints its trace if a promise was broken, or with --trace
  --seeds A..B  many runs (1..100)      --count N  N runs, from seed 1
  --size        small: one or two people; long: long tests with many answers; storm: many crashes; office: organizers
                in every world; hasty: organizers too, and people act while the bot is in the middle of something;
                mixed: some of each
  --jobs N      the number of processes (one per processor)
  --store       redis: on a real Redis, which has to be installed; both: on SQLite too, and both must be equal
  --former      replicas of a former version and of this one, in turns, on the same store
  --each        prints a line for every run, not only the total
  --plant NAME  plants a known fault, which must be found: by its known seed, or else by one of seeds 1..200:
                ${[...knownSeeds.keys()].join(', ')}`

const WHY_LETTERS = 120
/** With at least this many worlds, every cell of the table has to be met. */
const ENOUGH = 100

type Wanted = {
  seeds: number[] | undefined
  size: Mixed
  jobs: number
  isOne: boolean
  isEach: boolean
  isTraced: boolean
  stores: Stores | undefined
  former?: string
}

/** `npm run simulate`: runs the whole bot in virtual time; the seed decides everything. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      seeds: { type: 'string' },
      count: { type: 'string' },
      size: { type: 'string', default: 'usual' },
      jobs: { type: 'string', default: String(availableParallelism()) },
      plant: { type: 'string' },
      each: { type: 'boolean', default: false },
      former: { type: 'boolean', default: false },
      store: { type: 'string', default: 'sqlite' },
      trace: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const { seed, count, plant, size } = values
  const given = seed ?? values.seeds ?? (count === undefined ? undefined : `1..${count}`)
  const seeds = given === undefined ? undefined : range(given)
  const jobs = Number(values.jobs)
  const isStore = ['sqlite', 'redis', 'both'].includes(values.store)
  const isKnown = plant === undefined || plant === 'all' || knownSeeds.has(plant)
  const isWrong = (given !== undefined && !seeds) || !isSize(size) || !(jobs >= 1) || !isKnown || !isStore
  if (values.help || isWrong) return say(HELP, values.help ? 0 : 1)
  const isOne = seed !== undefined
  const former = values.former
    ? await buildFormerReplica(fileURLToPath(new URL('../..', import.meta.url)))
    : undefined
  // The build has printed the reason.
  if (values.former && former === undefined) return 0
  const wanted = {
    ...{ seeds, size, jobs, isOne, isEach: isOne || values.each, isTraced: values.trace },
    ...(former !== undefined && { former }),
  }
  const act = (stores?: Stores) =>
    plant === undefined ? run({ ...wanted, stores }) : search(plant, { ...wanted, stores })
  if (values.store === 'sqlite') return act()
  return onRedis(Math.ceil(jobs), (redisUrl) => act({ redisUrl, areCompared: values.store === 'both' }))
}

/** Starts a Redis for the time of one action, with a database for each process and nothing on the disk. */
async function onRedis(databases: number, act: (redisUrl: string) => Promise<number>): Promise<number> {
  const program = findRedisServer()
  if (!program)
    return say('--store redis and both need redis-server: install it, or set REDIS_SERVER_PATH', 1)
  const dir = await mkdtemp(join(tmpdir(), 'porsa-simulation-redis-'))
  const redis = await startRedis(program, dir, ['--save', '', '--databases', String(databases)])
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => void redis.remove().finally(() => process.exit(1)))
  try {
    return await act(redis.url)
  } finally {
    await redis.remove()
  }
}

async function run({
  seeds = range('1..100') ?? [],
  size,
  jobs,
  isOne,
  isEach,
  isTraced,
  stores,
  former,
}: Wanted): Promise<number> {
  const runners = createRunners(Math.min(jobs, seeds.length), stores)
  const order = { seeds, size, isTraced: isOne, ...(former !== undefined && { former }) }
  const reports = await runners.run(order, (report) => {
    const isBroken = !isFine(report)
    if (isEach || isBroken) console.log(readable(report, isOne && (isTraced || isBroken)))
    return true
  })
  runners.end()
  console.log(sumUp(reports))
  const isJudged = ['usual', 'mixed'].includes(size) && reports.length >= ENOUGH
  return reports.every(isFine) && (!isJudged || isMet(reports)) ? 0 : 1
}

/** Whether every pair of step and fate, and every state, was met in enough worlds. */
function isMet(reports: readonly Report[]): boolean {
  const { table, missed } = tableOf(reports.map(({ visits }) => visits))
  console.log(table)
  if (missed.length > 0) console.log(`met too rarely: ${missed.join(', ')}`)
  return missed.length === 0
}

/** A change of the bot changes the worlds of all seeds. If the known seed no longer finds a fault, these are tried. */
const SEARCH = range('1..200') ?? []

/** Plants each chosen fault and runs worlds until one finds it. */
async function search(plant: string, { seeds, size, jobs, isTraced, stores }: Wanted): Promise<number> {
  const runners = createRunners(Math.min(jobs, (seeds ?? SEARCH).length), stores)
  let missed = 0
  for (const [name, known] of knownSeeds) {
    if (plant !== 'all' && plant !== name) continue
    const find = async (where: { seeds: number[]; size: Mixed }) =>
      (await runners.run({ ...where, plant: name, isTraced }, isFine)).find((report) => !isFine(report))
    const found = seeds
      ? await find({ seeds, size })
      : ((await find({ seeds: [known.seed], size: known.size })) ??
        (await find({ seeds: SEARCH, size: known.size })))
    if (!found) missed += 1
    const [first] = found?.broken ?? []
    const why = `${first?.kind}: ${first?.what}`.split('\n')[0]?.slice(0, WHY_LETTERS)
    console.log(`${name}: ${found ? `found by seed ${found.seed} (${why})` : 'not found'}`)
    if (found && isTraced) console.log(readable(found, true))
  }
  runners.end()
  return missed > 0 ? 1 : 0
}

function range(text: string): number[] | undefined {
  const [from = Number.NaN, to = from] = text.split('..').map(Number)
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || to < from) return undefined
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

function say(text: string, code: number): number {
  console.log(text)
  return code
}

process.exitCode = await main()
