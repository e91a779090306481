import { type Aims, namedFate } from './aims.ts'
import type { Chance } from './chance.ts'
import { type Asked, decide, type Fate, type Weather } from './faults.ts'
import type { Host, Time } from './time.ts'
import type { Trace } from './trace.ts'
import type { Step } from './visits.ts'

export type Question<T> = {
  asked: Asked
  /** For the trace. */
  what: string
  detail?: string | undefined
  /** Carries it out, in the world. */
  act: () => Promise<T>
  /** With what it fails; `isDone` where it was carried out. */
  failure: (isDone: boolean) => Error
  refusal?: (() => T) | undefined
  /** So much longer it takes than others. */
  lastsMs?: number
  /** What it is a step of, where it is one that worlds aim at. */
  step?: Step | undefined
  /** Once it is answered, at the host. */
  onAnswer?: ((value: T) => void) | undefined
}

export type Ask = <T>(host: Host, question: Question<T>) => Promise<T>

/** Every way out of a replica, to the store, Telegram, the service and the budget: here the seed decides. */
export function createAsk({
  time,
  chance,
  trace,
  weather,
  crash,
  stop,
  aims,
}: {
  time: Time
  chance: Chance
  trace: Trace
  weather: () => Weather
  crash: (host: Host) => void
  stop: (host: Host) => void
  aims: Pick<Aims, 'aimedAt' | 'met'>
}): Ask {
  function meet(host: Host, { host: fault }: Fate, when: 'asking' | 'asked'): void {
    if (fault?.when !== when || host.diedAt !== undefined) return
    if (fault.meets === 'stop') return void stop(host)
    trace.note(host.name, fault.meets === 'crash' ? 'CRASHES' : `STANDS STILL for ${fault.meets} ms`)
    if (fault.meets === 'crash') crash(host)
    else host.frozenUntil = Math.max(host.frozenUntil, time.elapsed() + fault.meets)
  }

  function fateOf(asked: Asked, step: Step | undefined): Fate {
    const fate = decide(chance, weather(), asked)
    return step ? aims.aimedAt(step, fate) : fate
  }

  return (host, question) =>
    new Promise((resolve, reject) => {
      const { asked, what, act, failure, refusal, step, lastsMs = 0 } = question
      const fate =
        host === time.world ? { requestMs: 1, replyMs: 1, becomes: 'answered' as const } : fateOf(asked, step)
      const { requestMs, replyMs, becomes } = fate
      const isRefused = becomes === 'refused' && refusal !== undefined
      trace.note(
        host.name,
        `asks ${asked} ${what}${becomes === 'answered' ? '' : `: ${becomes}`}`,
        question.detail,
      )
      meet(host, fate, 'asking')
      const named = step && namedFate(fate)
      if (named) aims.met(step, named)
      const tell = (how: () => void) => time.add(host, replyMs, how)
      time.add(time.world, requestMs + lastsMs, () => {
        if (becomes === 'unasked') return void tell(() => reject(failure(false)))
        if (isRefused) return void tell(() => resolve(refusal()))
        return void act().then(
          (value) => {
            meet(host, fate, 'asked')
            if (becomes === 'unheard') return tell(() => reject(failure(true)))
            return tell(() => {
              question.onAnswer?.(value)
              resolve(value)
            })
          },
          (error: unknown) => tell(() => reject(error)),
        )
      })
    })
}
