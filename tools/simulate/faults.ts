import type { Chance } from './chance.ts'
import type { World } from './sizes.ts'

/** The systems that a replica sends requests to. */
export type Asked = 'store' | 'telegram' | 'service' | 'budget' | 'webhook' | 'office'

/** The fate of one request of a replica. */
export type Fate = {
  requestMs: number
  replyMs: number
  /** `unasked`: it failed before it was carried out. `unheard`: its reply was lost. `refused`: 429, 5xx and the like. */
  becomes: 'answered' | 'unasked' | 'unheard' | 'refused'
  /** The replica is killed, stopped, or frozen for this many ms: when its request leaves, or once it is carried out. */
  host?: { meets: 'crash' | 'stop' | number; when: 'asking' | 'asked' }
}

/** The probability of each fault per request of a replica … */
type Way = { crash: number; freeze: number; slow: number; unasked: number; unheard: number; refused: number }
/** … and per second. `jump`: a clock jumps; `putBacks`: the store returns to its state of a moment ago. */
type Second = {
  jump: number
  putBacks: number
  restarts: number
  doubled: number
  shuffled: number
  days: number
}
export type Weather = Way & Second

const LATENCY_MS: Record<Asked, readonly [number, number]> = {
  store: [0, 2],
  telegram: [4, 60],
  service: [10, 150],
  budget: [0, 2],
  webhook: [1, 20],
  office: [10, 150],
}
const SLOW_MS: Record<Asked, readonly [number, number]> = {
  store: [50, 1_500],
  telegram: [300, 17_000],
  service: [300, 22_000],
  budget: [20, 200],
  webhook: [50, 3_000],
  office: [300, 22_000],
}
/** Both below and above the lease of 10 s. */
const FROZEN_MS = [2_000, 30_000] as const

/** Faults are this much more frequent at the organizer's software, because it gets few requests. */
const WORSE_AT_OFFICE = 20

const FINE: Way = { crash: 0, freeze: 0, slow: 0, unasked: 0, unheard: 0, refused: 0 }

/** Nothing goes wrong. */
export const CALM: Weather = { ...FINE, jump: 0, putBacks: 0, restarts: 0, doubled: 0, shuffled: 0, days: 0 }

/** The faults of a run: all runs have crashes; each other fault is absent in half of them, so that it also comes alone. */
export function weatherOf(chance: Chance, { crash, isHasty }: Pick<World, 'crash' | 'isHasty'>): Weather {
  const maybe = (part: number) => (chance.is(0.5) ? part * (0.3 + chance.next()) : 0)
  return {
    crash: crash * (0.3 + chance.next()),
    freeze: maybe(0.0006),
    slow: maybe(0.02),
    unasked: maybe(0.01),
    unheard: maybe(0.01),
    refused: maybe(0.01),
    jump: maybe(0.02) || (isHasty ? 0.02 : 0),
    putBacks: maybe(0.1),
    restarts: maybe(0.03),
    doubled: maybe(0.1),
    shuffled: maybe(0.05),
    days: maybe(0.02),
  }
}

/** Decides the fate of one request. */
export function decide(chance: Chance, weather: Weather, asked: Asked): Fate {
  const [least, most] = LATENCY_MS[asked]
  const wait = () => least + chance.next() * (most - least)
  const fate: Fate = { requestMs: wait(), replyMs: wait(), becomes: 'answered' }
  if (weather === CALM) return fate
  const worse = asked === 'office' ? WORSE_AT_OFFICE : 1
  if (chance.is(weather.slow * worse))
    fate[chance.is(0.5) ? 'requestMs' : 'replyMs'] += chance.between(...SLOW_MS[asked])
  if (asked !== 'budget') {
    if (chance.is(weather.unasked * worse)) fate.becomes = 'unasked'
    else if (chance.is(weather.unheard * worse)) fate.becomes = 'unheard'
    else if (chance.is(weather.refused * worse) && asked !== 'store') fate.becomes = 'refused'
  }
  const when = chance.is(0.4) ? 'asking' : 'asked'
  if (chance.is(weather.crash)) fate.host = { meets: 'crash', when }
  else if (chance.is(weather.freeze)) fate.host = { meets: chance.between(...FROZEN_MS), when }
  return fate
}
