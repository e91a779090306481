import type { HttpAnswer, HttpRequest } from './carry.ts'
import type { Chance } from './chance.ts'
import { decide, type Weather } from './faults.ts'
import { failure } from './network.ts'
import type { Replica } from './replica.ts'
import { createHost, type Host, type Time } from './time.ts'
import type { Trace } from './trace.ts'

/** The greatest difference between a replica's clock and the world's. */
export const CLOCK_MS = 60_000

type Machine = {
  number: number
  lives: number
  host: Host
  replica: Replica | undefined
  /** Rejects each request that it has accepted and not answered. */
  taken: Set<(error: Error) => void>
}

export type Machines = ReturnType<typeof createMachines>

/** The machines of the replicas, behind a load balancer; a machine that dies is started again. */
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
  /** The time between the end of a life and the next start. */
  deadMs: readonly [number, number]
  /** Starts one life of a replica. */
  start: (host: Host) => Promise<Replica>
  onCrash: () => void
  /** A replica receives an update; the returned function is called when it is confirmed. */
  onUpdate: (host: Host) => () => void
}) {
  /** How often the connections to the store were closed. */
  let reconnects = 0
  const machines = Array.from({ length: count }, (_, number): Machine => {
    const machine = { number, lives: 0, host: time.world, replica: undefined, taken: new Set<() => void>() }
    boot(machine)
    return machine
  })

  /** Starts the next life of a machine. */
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
          // The connections were closed during the start: the replica hears of that at once.
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

  /** Ends this life of a machine; after a while the next one starts. */
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
    /** Stops a replica as SIGTERM does, and starts it again. */
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
    /** A failover closes all connections to the store; the replicas notice when they reconnect. */
    reconnect(): void {
      reconnects += 1
      for (const { host, replica } of machines) time.add(host, 0, () => replica?.meetsStoreAgain())
    },
    /** Hands a request to a random replica. */
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
