import type { Broken } from './promises.ts'
import type { Visits } from './visits.ts'

/** The outcome of a run. */
export type Report = {
  seed: number
  /** The hash of the whole trace: equal runs have equal hashes. */
  hash: string
  replicas: number
  crashes: number
  people: number
  answers: number
  /** The number of generated updates, which came between those of the people. */
  updates: number
  /** The duration in simulated time. */
  seconds: number
  broken: Broken[]
  visits: Visits
  trace: readonly string[]
  /** The content of the chats at the end. */
  chats: string
}

/** Sums up worlds with noise in one line. */
export function sumUpNoise(reports: readonly Report[]): string {
  const sum = (of: (report: Report) => number) => reports.reduce((total, report) => total + of(report), 0)
  return (
    `${reports.length} runs, ${sum(({ updates }) => updates)} generated updates, ${sum(({ people }) => people)} people, ` +
    `${sum(({ answers }) => answers)} answers: ${countBroken(reports.flatMap(({ broken }) => broken))}`
  )
}

export const isFine = ({ broken }: Report): boolean => broken.length === 0

/** The run of a seed on Redis, with its differences from the run on the embedded store. */
export function compared(embedded: Report, onRedis: Report): Report {
  const unlike = (what: string, lines: readonly string[], others: readonly string[]): Report['broken'] => {
    const at = others.findIndex((line, index) => line !== lines[index])
    const pair = `“${others[at]}” on Redis, “${lines[at]}” on SQLite`
    return [{ kind: 'unlike', what: `${what}${at < 0 ? '' : `, line ${at + 1}: ${pair}`}` }]
  }
  const broken = [...onRedis.broken]
  if (onRedis.chats !== embedded.chats)
    broken.push(...unlike('people saw something else', embedded.chats.split('\n'), onRedis.chats.split('\n')))
  if (onRedis.hash !== embedded.hash) broken.push(...unlike('another trace', embedded.trace, onRedis.trace))
  return { ...onRedis, broken }
}

/** A run as text, with its trace if wanted. */
export function readable(report: Report, isTraced: boolean): string {
  const { seed, hash, replicas, crashes, people, answers, seconds, broken, trace, chats } = report
  return [
    ...(isTraced ? [...trace, chats] : []),
    `seed ${seed}: ${replicas} replicas, ${crashes} crashes, ${people} people, ${answers} answers in ${seconds} s; ${hash}`,
    ...broken.map(({ kind, what }) => `  ${kind}: ${what}`),
  ].join('\n')
}

const OTHERS = ['strayed', 'above budget', 'in clear', 'error', 'unlike'] as const

/** Sums up all runs in one line. */
export function sumUp(reports: readonly Report[]): string {
  const sum = (of: (report: Report) => number) => reports.reduce((total, report) => total + of(report), 0)
  return (
    `${reports.length} runs, ${sum(({ crashes }) => crashes)} crashes, ${sum(({ people }) => people)} people, ` +
    `${sum(({ answers }) => answers)} answers: ${countBroken(reports.flatMap(({ broken }) => broken))}`
  )
}

/** Counts the broken promises by kind. */
export function countBroken(broken: readonly Broken[]): string {
  const of = (wanted: Broken['kind']) => broken.filter(({ kind }) => kind === wanted).length
  const others = OTHERS.filter((kind) => of(kind) > 0).map((kind) => `, ${of(kind)} ${kind}`)
  return `${of('lost')} lost, ${of('shifted')} shifted, ${of('doubled')} doubled, ${of('stuck')} stuck${others.join('')}`
}
