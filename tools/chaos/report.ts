import { countBroken } from '../simulate/report.ts'
import type { WorldReport } from './world.ts'

/** A world and its broken promises in one line. */
export function oneLine(report: WorldReport): string {
  const { plan, guests, killed, stoodStill, stopped, people, answers, seconds, broken } = report
  const { seed, store, replicas, isPolled, versions } = plan
  const where = [
    store,
    replicas === 1 ? '1 process' : `${replicas} replicas`,
    isPolled ? 'polling' : 'webhook',
    ...(guests.isShared ? ['a family'] : []),
    ...(guests.organizers.length > 0 ? ['organizers'] : []),
    ...{ this: [], beside: ['beside a former version'], upgrade: ['from the last release'] }[versions],
  ].join(', ')
  return [
    `seed ${seed} (${where}): ${killed} kills, ${stoodStill} standstills, ${stopped} restarts, ` +
      `${people} people, ${answers} answers in ${seconds} s`,
    ...broken.map(({ kind, what }) => `  ${kind}: ${what}`),
  ].join('\n')
}

/** All worlds in one line. */
export function sumUp(reports: readonly WorldReport[]): string {
  const sum = (of: (report: WorldReport) => number) =>
    reports.reduce((total, report) => total + of(report), 0)
  return (
    `${reports.length} worlds, ${sum(({ killed }) => killed)} kills (${sum(({ ofStore }) => ofStore)} of the store), ` +
    `${sum(({ stoodStill }) => stoodStill)} standstills, ${sum(({ stopped }) => stopped)} restarts, ` +
    `${sum(({ people }) => people)} people, ${sum(({ answers }) => answers)} answers: ` +
    countBroken(reports.flatMap(({ broken }) => broken))
  )
}
