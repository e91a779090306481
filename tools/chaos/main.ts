import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findRedisServer } from '../bench/redis-server.ts'
import { createChance } from '../simulate/chance.ts'
import { buildFormer } from '../simulate/versions.ts'
import type { Programs } from './machines.ts'
import { drawPlan, isStoreKind, isVersions, type StoreKind, storeKinds, versionKinds } from './plan.ts'
import { chaosPlantNames } from './plants.ts'
import { oneLine, sumUp } from './report.ts'
import { live, type WorldReport } from './world.ts'

/** Upper limit of the worlds in which a planted fault has to be found. */
const MOST_WORLDS = 4

const HELP = `npm run chaos -- [--seed N] [--minutes N] [--kills N] [--store redis|embedded|sentinel] [--versions this|beside|upgrade] [--jobs N]
npm run chaos -- --plant NAME|all [--seed N]

  --seed N     the first world; the next ones have N + 1, N + 2 … (by chance when absent)
  --minutes N  worlds follow each other until then (5); the last one is finished
  --kills N    or until so many processes were killed
  --jobs N     so many worlds side by side (2): they mostly wait
  --store      worlds on this store only
  --versions   with these versions only: beside a former one, to and fro, or upgraded from the last release
  --story      keeps what happened in each world, not only where something was broken
  --plant NAME a known fault is planted, and has to be found within ${MOST_WORLDS} worlds:
               ${chaosPlantNames.join(', ')}`

const SIZE = { kills: 40, people: 10 }
const SIZE_OF_PLANT = { kills: 10, people: 4 }

/** `npm run chaos`: real processes under faults, one world after the other. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      minutes: { type: 'string' },
      kills: { type: 'string' },
      store: { type: 'string' },
      versions: { type: 'string' },
      jobs: { type: 'string', default: '2' },
      plant: { type: 'string' },
      story: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const { store, versions, plant, help } = values
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1e6))
  const kills = Number(values.kills ?? Number.POSITIVE_INFINITY)
  const minutes = Number(values.minutes ?? (values.kills === undefined ? 5 : Number.POSITIVE_INFINITY))
  const jobs = Number(values.jobs)
  const isWrong =
    !Number.isSafeInteger(seed) || !(kills > 0) || !(minutes > 0) || !(jobs >= 1) || !isPlant(plant)
  const isUnknown =
    (store !== undefined && !isStoreKind(store)) || (versions !== undefined && !isVersions(versions))
  if (help || isWrong || isUnknown) return say(HELP, help ? 0 : 1)

  const redis = findRedisServer()
  const all: readonly StoreKind[] = store === undefined ? storeKinds : [store]
  const stores = redis ? all : (['embedded'] as const)
  const bot = fileURLToPath(new URL('bot.js', import.meta.url))
  if (plant !== undefined) return search(plant, { seed, stores, programs: { bot, redis } })
  const former =
    versions === 'this' ? {} : await buildFormer(fileURLToPath(new URL('../..', import.meta.url)))
  const can = versionKinds.filter((kind) => kind === 'this' || former[kind] !== undefined)
  const among = versions === undefined ? can : can.filter((kind) => kind === versions)
  if (among.length === 0) return 0
  const until = Date.now() + minutes * 60_000
  const reports: WorldReport[] = []
  const killed = () => reports.reduce((sum, report) => sum + report.killed, 0)
  let next = seed
  async function work(): Promise<void> {
    while (killed() < kills && Date.now() < until) {
      const own = next++
      const plan = drawPlan(createChance(own), { seed: own, stores, versions: among, size: SIZE })
      const report = await live(plan, { bot, redis, former })
      reports.push(report)
      console.log(oneLine(report))
      if (values.story || report.broken.length > 0) keep(report)
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))
  return say(sumUp(reports), reports.every(({ broken }) => broken.length === 0) ? 0 : 1)
}

const isPlant = (name: string | undefined): boolean =>
  name === undefined || name === 'all' || chaosPlantNames.includes(name)

type Where = { seed: number; stores: readonly StoreKind[]; programs: Programs }

/** Looks for planted faults, each in one world after the other until it is found. */
async function search(plant: string, { seed, stores, programs }: Where): Promise<number> {
  let missed = 0
  for (const name of chaosPlantNames) {
    if (plant !== 'all' && plant !== name) continue
    let found: WorldReport | undefined
    for (let own = seed; own < seed + MOST_WORLDS && !found; own += 1) {
      const plan = drawPlan(createChance(own), { seed: own, stores, versions: ['this'], size: SIZE_OF_PLANT })
      const report = await live(plan, { ...programs, plant: name }, 'small')
      console.log(oneLine(report))
      if (report.broken.length > 0) found = report
    }
    if (!found) missed += 1
    const [first] = found?.broken ?? []
    console.log(
      found
        ? `${name}: found by seed ${found.plan.seed} (${first?.kind}: ${first?.what})`
        : `${name}: not found`,
    )
  }
  return missed > 0 ? 1 : 0
}

/** Writes the story of a world into a file. */
function keep({ plan, story }: WorldReport): void {
  const file = join(tmpdir(), `porsa-chaos-${plan.seed}-${Date.now()}.txt`)
  writeFileSync(file, story)
  console.log(
    `  its story: ${file}; npm run chaos -- --seed ${plan.seed} --kills 1 does the same to the same people`,
  )
}

function say(text: string, code: number): number {
  console.log(text)
  return code
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
process.exitCode = await main()
