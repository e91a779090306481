import type { HttpAnswer, HttpRequest } from './carry.ts'
import type { Chance } from './chance.ts'
import { decide, type Weather } from './faults.ts'
import { failure } from './network.ts'
import type { Replica } from './replica.ts'
import { createHost, type Host, type Time } from './time.ts'
import type { Trace } from './trace.ts'

/** So far the clock of a replica is from the world's, at most. */
export const CLOCK_MS = 60_000

type Machine = {
  number: number
  lives: number
  host: Host
  replica: Replica | undefined
  /** Requests that it has taken and not answered. */
  taken: Set<(error: Error) => void>
}

export type Machines = ReturnType<typeof createMachines>

/** The machines that the replicas live on: one that dies is started again, and a balancer stands before them. */
export function createMachines({
  time,
  chance,
  trace,
  weather,
  count,
  deadMs,
  start,
  onCrash,
  onUpdate,
}: {
  time: Time
  chance: Chance
  trace: Trace
  weather: () => Weather
  count: number
  /** So long after the end of a life the next one begins. */
  deadMs: readonly [number, number]
  /** Begins one life of a replica. */
  start: (host: Host) => Promise<Replica>
  onCrash: () => void
  /** A replica begins with an update; the function that is returned hears that it was confirmed. */
  onUpdate: (host: Host) => () => void
}) {
  /** How often the connections to the store were ended. */
  let reconnects = 0
  const machines = Array.from({ length: count }, (_, number): Machine => {
    const machine = { number, lives: 0, host: time.world, replica: undefined, taken: new Set<() => void>() }
    boot(machine)
    return machine
  })

  /** Begins the next life of a machine. */
  function boot(machine: Machine): void {
    const { number } = machine
    machine.lives += 1
    const host = createHost(`r${number + 1}.${machine.lives}`)
    if (chance.is(weather().jump * 5)) host.skewMs = chance.between(-CLOCK_MS, CLOCK_MS)
    machine.host = host
    time.add(host, 1, () => {
      const met = reconnects
      start(host).then(
        (replica) => {
          machine.replica = replica
          // As by a connection of its own, which it hears of from the first.
          if (met !== reconnects) replica.meetsStoreAgain()
          trace.note(host.name, 'works')
          void replica.failed.then(
            (error) => gone(machine, host, `gives up: ${error.message}`),
            (error: Error) => gone(machine, host, `ends: ${error.message}`),
          )
        },
        (error: Error) => gone(machine, host, `does not start: ${error.message}`),
      )
    })
  }

  /** Nothing of this life happens any more; after a while the next one begins. */
  function gone(machine: Machine, host: Host, why: string): void {
    if (host.diedAt !== undefined) return
    trace.note(host.name, why)
    host.diedAt = time.elapsed()
    machine.replica = undefined
    for (const fail of machine.taken) time.add(time.world, 1, () => fail(failure('ECONNRESET')))
    machine.taken.clear()
    time.add(time.world, chance.between(...deadMs), () => boot(machine))
  }

  return {
    hosts: () => machines.map(({ host }) => host),
    crash(host: Host): void {
      const machine = machines.find((each) => each.host === host)
      if (!machine || host.diedAt !== undefined) return
      onCrash()
      gone(machine, host, 'is dead')
    },
    /** Ends one after SIGTERM, and starts it again. */
    stop(host = chance.pick(machines).host): void {
      const machine = machines.find((each) => each.host === host)
      const { replica } = machine ?? {}
      if (!machine || !replica) return
      trace.note(host.name, 'is stopped')
      time.add(host, 1, () => {
        replica.stop().then(
          () => gone(machine, host, 'has stopped'),
          (error: Error) => gone(machine, host, `stops with ${error.message}`),
        )
      })
    },
    /** A failover ends the connections of all to the store; they notice as they connect again. */
    reconnect(): void {
      reconnects += 1
      for (const { host, replica } of machines) time.add(host, 0, () => replica?.meetsStoreAgain())
    },
    /** Hands a request to one that works. */
    take(request: HttpRequest): Promise<HttpAnswer> {
      return new Promise((resolve, reject) => {
        const fate = decide(chance, weather(), 'webhook')
        const machine = chance.pick(machines)
        const { host } = machine
        trace.note(host.name, `is handed an update${fate.becomes === 'answered' ? '' : `: ${fate.becomes}`}`)
        time.add(time.world, fate.requestMs, () => {
          const { replica } = machine
          if (machine.host !== host || !replica || fate.becomes === 'unasked')
            return reject(failure('ECONNREFUSED'))
          machine.taken.add(reject)
          time.add(host, 0, () => {
            const back = (answer: () => void) =>
              time.add(time.world, fate.replyMs, () => {
                machine.taken.delete(reject)
                if (fate.becomes === 'unheard') reject(failure('ECONNRESET'))
                else answer()
              })
            const confirmed = onUpdate(host)
            replica.take(request).then(
              (answer) => {
                if (answer.status === 200) confirmed()
                trace.note(host.name, `answers the webhook with ${answer.status}`, answer.body.toString())
                back(() => resolve(answer))
              },
              (error: Error) => back(() => reject(error)),
            )
          })
        })
      })
    },
  }
}
