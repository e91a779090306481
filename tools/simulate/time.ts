/** The time of the simulated people: virtual or real. */
export type Days = {
  elapsed: () => number
  /** Runs a function after this time. */
  after: (ms: number, run: () => void) => void
}

/** Whether at least this much of the calendar was skipped between two moments. */
export type HasSkipped = (least: number, since: number, until: number) => boolean

/** A machine: the world around the bot, or one life of one replica. */
export type Host = {
  readonly name: string
  /** When it was killed, in virtual milliseconds; its events after that are dropped. */
  diedAt?: number
  /** It is frozen until then; events that were due run afterwards, in order. */
  frozenUntil: number
  /** How far its clock is ahead of the world's. */
  skewMs: number
}

type Event = { at: number; due: number; number: number; host: Host; run: () => void; isCancelled: boolean }

export type Time = ReturnType<typeof createTime>

/** Lets everything run that the previous event has started. */
const realImmediate = globalThis.setImmediate

export const createHost = (name: string): Host => ({ name, frozenUntil: 0, skewMs: 0 })

/**
 * Virtual time: one queue of events, each of one host. Everything that an event starts runs to its end before the next
 * event, so any call for the time, a timer or a connection comes from the host of the current event.
 */
export function createTime({ startsAt }: { startsAt: number }) {
  const world = createHost('world')
  const heap = createHeap()
  let passedMs = 0
  let skippedMs = 0
  const skips: { at: number; ms: number }[] = []
  let events = 0
  let current = world
  let awaited = 0
  let allCame: (() => void) | undefined

  return {
    world,
    get current() {
      return current
    },
    /** The time since the start, without skips; timers use it. */
    elapsed: () => passedMs,
    /** The date by the clock of the current host. */
    now: () => startsAt + Math.floor(passedMs) + skippedMs + current.skewMs,
    /** The date by the world's clock. */
    worldNow: () => startsAt + Math.floor(passedMs) + skippedMs,
    /** Moves the calendar forward for all hosts at once, as if all machines had slept. */
    skip(ms: number) {
      skippedMs += ms
      skips.push({ at: passedMs, ms })
    },
    hasSkipped: ((least, since, until) =>
      skips.filter(({ at }) => at >= since && at <= until).reduce((sum, { ms }) => sum + ms, 0) >=
      least) satisfies HasSkipped,
    add(host: Host, afterMs: number, run: () => void): Event {
      const at = passedMs + Math.max(0, afterMs)
      const event = { at, due: at, number: events++, host, run, isCancelled: false }
      heap.push(event)
      return event
    },
    /** Stops the virtual time until this reply of a real store arrives. */
    waitFor(reply: Promise<unknown>) {
      awaited += 1
      const came = () => {
        awaited -= 1
        if (awaited === 0) allCame?.()
      }
      reply.then(came, came)
    },
    /** Runs events until `isOver`, or until there are none. */
    async run(isOver: () => boolean): Promise<void> {
      while (!isOver()) {
        const event = heap.pop()
        if (!event) return
        const { host } = event
        if (event.isCancelled || host.diedAt !== undefined) continue
        if (host.frozenUntil > event.at) {
          event.at = host.frozenUntil
          heap.push(event)
          continue
        }
        passedMs = Math.max(passedMs, event.at)
        current = host
        event.run()
        do {
          if (awaited > 0) await new Promise<void>((resolve) => (allCame = resolve))
          await new Promise((resolve) => realImmediate(resolve))
        } while (awaited > 0)
      }
      current = world
    },
  }
}

const isBefore = (one: Event, other: Event) =>
  one.at !== other.at
    ? one.at < other.at
    : one.due !== other.due
      ? one.due < other.due
      : one.number < other.number

/** A heap with the earliest event first. */
function createHeap() {
  const heap: Event[] = []
  const at = (index: number) => heap[index] as Event
  const swap = (one: number, other: number) => {
    const kept = at(one)
    heap[one] = at(other)
    heap[other] = kept
  }
  return {
    push(event: Event): void {
      heap.push(event)
      for (let index = heap.length - 1; index > 0; ) {
        const parent = (index - 1) >> 1
        if (!isBefore(at(index), at(parent))) break
        swap(index, parent)
        index = parent
      }
    },
    pop(): Event | undefined {
      const first = heap[0]
      const last = heap.pop()
      if (!first || !last || heap.length === 0) return first
      heap[0] = last
      for (let index = 0; ; ) {
        const [left, right] = [2 * index + 1, 2 * index + 2]
        let least = index
        if (left < heap.length && isBefore(at(left), at(least))) least = left
        if (right < heap.length && isBefore(at(right), at(least))) least = right
        if (least === index) break
        swap(index, least)
        index = least
      }
      return first
    },
  }
}
