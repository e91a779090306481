import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Report } from './report.ts'
import type { Mixed } from './sizes.ts'

/** The runs that a process is asked for. */
export type Order = {
  seeds: readonly number[]
  size: Mixed
  isTraced: boolean
  /** The embedded store if absent. */
  stores?: Stores
  /** The module of a former version whose replicas share the world. */
  former?: string
  plant?: string
  noise?: number
}

/** A real Redis with a database for each process, instead of the embedded store; or both, one after the other. */
export type Stores = { redisUrl: string; areCompared: boolean }

const WORKER = fileURLToPath(new URL('worker.js', import.meta.url))
const FLAGS = [
  // Most objects die with their world: a large young generation halves the work of the garbage collector.
  '--max-semi-space-size=64',
  // Most code runs a few times in each world; Node 20 spends a tenth of the time on optimising it all the same.
  ...(process.versions.node.startsWith('20.') ? ['--interrupt-budget=400000'] : []),
]
/** Runs that a process takes at a time. */
const SHARE = 5
/** A process is replaced after this many shares, because worlds leak some memory. */
const SHARES = 20
/** A world that takes longer never ends; even on a busy machine a long one takes only minutes. */
const MOST_MS = 15 * 60_000

/** Processes that simulate worlds; each takes a few seeds at a time. */
export function createRunners(jobs: number, stores?: Stores) {
  const start = () => fork(WORKER, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: FLAGS })
  const children = Array.from({ length: jobs }, start)

  return {
    /** Runs every seed. `onReport` gets each report; if it returns `false`, no more runs are started. */
    async run(
      { seeds, ...order }: Omit<Order, 'stores'>,
      onReport: (report: Report) => boolean = () => true,
    ): Promise<Report[]> {
      const waiting = [...seeds]
      const reports: Report[] = []
      const share = Math.max(1, Math.min(SHARE, Math.ceil(seeds.length / jobs)))
      const work = async (first: ChildProcess, number: number) => {
        const own = stores && { stores: { ...stores, redisUrl: `${stores.redisUrl}/${number}` } }
        let child = first
        for (let shares = 1; waiting.length > 0; shares += 1) {
          if (shares % SHARES === 0) {
            child.kill()
            child = start()
            children[number] = child
          }
          await runOn(child, { ...order, ...own, seeds: waiting.splice(0, share) }, (report) => {
            reports.push(report)
            if (!onReport(report)) waiting.length = 0
          })
        }
      }
      await Promise.all(children.map(work))
      return reports.toSorted((one, other) => one.seed - other.seed)
    },
    end(): void {
      for (const child of children) child.kill()
    },
  }
}

/** Lets one process run its seeds; resolves once all reports have arrived. */
function runOn(child: ChildProcess, order: Order, onReport: (report: Report) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let left = order.seeds.length
    const seed = () => order.seeds.at(-left)
    const die = (code: number | null) =>
      reject(new Error(`a process of the simulation ended with ${code}, at seed ${seed()}`))
    const watchdog = setTimeout(() => {
      reject(new Error(`the world of seed ${seed()} has no end`))
      child.kill('SIGKILL')
    }, MOST_MS).unref()
    const take = (report: Report) => {
      onReport(report)
      left -= 1
      watchdog.refresh()
      if (left > 0) return
      clearTimeout(watchdog)
      child.off('message', take)
      child.off('exit', die)
      resolve()
    }
    child.on('message', take)
    child.once('exit', die)
    child.send(order)
  })
}
