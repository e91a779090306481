import { DAY_MS } from '../../src/domain/durations.ts'
import type { Emulator } from '../emulator/emulator.ts'
import type { Chance } from './chance.ts'
import type { Weather } from './faults.ts'
import { CLOCK_MS, type Machines } from './machines.ts'
import type { Participant } from './person.ts'
import type { SharedStore } from './shared-store.ts'
import type { Time } from './time.ts'
import type { Trace } from './trace.ts'

const EVERY_MS = 1_000
const CLOCK_JUMP_MS = 20_000
/** The share of worlds with skipped days in which months pass before complete answers are sent; how many days that is. */
const MONTHS = 0.25
const MONTHS_DAYS = [31, 80] as const

/** Injects faults that no request causes, once a second while the weather is rough. */
export function createFaultInjector({
  time,
  chance,
  trace,
  weather,
  machines,
  store,
  emulator,
  people,
}: {
  time: Time
  chance: Chance
  trace: Trace
  weather: Weather
  machines: Machines
  store: SharedStore
  emulator: Emulator
  people: readonly Participant[]
}) {
  let isOver = false
  let areMonthsToPass = weather.days > 0 && chance.is(MONTHS)
  const note = (what: string) => trace.note('world', what)

  function moveClocks(): void {
    for (const host of machines.hosts()) {
      if (!chance.is(weather.jump)) continue
      const skewMs = host.skewMs + chance.between(-CLOCK_JUMP_MS, CLOCK_JUMP_MS)
      host.skewMs = Math.min(Math.max(skewMs, -CLOCK_MS), CLOCK_MS)
    }
  }

  /** A failover or a power cut loses the last writes. */
  function putStoreBack(): void {
    store.keep()
    note('the store is remembered')
    time.add(time.world, chance.between(200, 1_500), () => {
      note('THE STORE IS PUT BACK')
      store.putBack()
      machines.reconnect()
    })
  }

  /** The calendar skips days. Before that, some people put their phones away. */
  function letDaysPass(): void {
    for (const participant of people) participant.leave(chance.is(0.5))
    const days = chance.between(1, 8)
    time.add(time.world, chance.between(1_000, 20_000), () => {
      note(`${days} days pass`)
      time.skip(days * DAY_MS)
      for (const participant of people) participant.leave(false)
    })
  }

  /** Longer than unfinished answers are kept, but shorter than complete ones. */
  function letMonthsPass(): void {
    areMonthsToPass = false
    const days = chance.between(...MONTHS_DAYS)
    note(`${days} days pass`)
    time.skip(days * DAY_MS)
  }

  function look(): void {
    if (isOver) return
    if (areMonthsToPass && people.some(({ place }) => place === 'review')) letMonthsPass()
    moveClocks()
    if (chance.is(weather.putBacks)) putStoreBack()
    if (chance.is(weather.restarts)) machines.stop()
    if (chance.is(weather.doubled)) emulator.fault({ kind: 'duplicate', times: chance.between(1, 20) })
    if (chance.is(weather.shuffled)) emulator.fault({ kind: 'shuffle', times: chance.between(1, 20) })
    if (chance.is(weather.days)) letDaysPass()
    time.add(time.world, EVERY_MS, look)
  }

  return {
    begin: () => void time.add(time.world, EVERY_MS, look),
    end(): void {
      isOver = true
      for (const host of machines.hosts()) host.skewMs = 0
      for (const participant of people) participant.leave(false)
    },
  }
}
