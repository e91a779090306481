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
  /** Carries the request out, in the world. */
  act: () => Promise<T>
  /** The error for the caller; `isDone` if the request was carried out. */
  failure: (isDone: boolean) => Error
  refusal?: (() => T) | undefined
  /** The extra time that this request takes. */
  lastsMs?: number
  /** The step that the request belongs to, if worlds aim at it. */
  step?: Step | undefined
  /** Called when the reply reaches the host. */
  onAnswer?: ((value: T) => void) | undefined
}

export type Ask = <T>(host: Host, question: Question<T>) => Promise<T>

/** Every request of a replica to the store, Telegram, the service and the budget; the seed decides its fate. */
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
      const reply = (how: () => void) => time.add(host, replyMs, how)
      time.add(time.world, requestMs + lastsMs, () => {
        if (becomes === 'unasked') return void reply(() => reject(failure(false)))
        if (isRefused) return void reply(() => resolve(refusal()))
        return void act().then(
          (value) => {
            meet(host, fate, 'asked')
            if (becomes === 'unheard') return reply(() => reject(failure(true)))
            return reply(() => {
              question.onAnswer?.(value)
              resolve(value)
            })
          },
          (error: unknown) => reply(() => reject(error)),
        )
      })
    })
}
