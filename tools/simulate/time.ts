/** The time that people live in: simulated, or real. */
export type Days = {
  elapsed: () => number
  /** Does something so much later. */
  after: (ms: number, run: () => void) => void
}

/** Whether so much of the calendar was skipped between two moments. */
export type HasSkipped = (least: number, since: number, until: number) => boolean

/** A machine: the world around the bot, or one life of one replica. */
export type Host = {
  readonly name: string
  /** When it was killed, in virtual milliseconds: nothing of it happens any more. */
  diedAt?: number
  /** It stands still until then; what was due happens afterwards, in its order. */
  frozenUntil: number
  /** How far its clock is ahead of the world's. */
  skewMs: number
}

type Event = { at: number; due: number; number: number; host: Host; run: () => void; isCancelled: boolean }

export type Time = ReturnType<typeof createTime>

/** Gives way to everything that the event before has set going. */
const realImmediate = globalThis.setImmediate

export const createHost = (name: string): Host => ({ name, frozenUntil: 0, skewMs: 0 })

/**
 * Virtual time: one line of events, each of one host. Between two of them everything runs to its end that the first has
 * set going, so whoever asks for the time, a timer or a connection is the host of the event that runs now.
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
    /** Since the beginning, without what was skipped: what timers go by. */
    elapsed: () => passedMs,
    /** The date by the clock of the host that asks. */
    now: () => startsAt + Math.floor(passedMs) + skippedMs + current.skewMs,
    /** The date by the world's clock. */
    worldNow: () => startsAt + Math.floor(passedMs) + skippedMs,
    /** The calendar goes on for everybody at once, as over a night in which all machines slept. */
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
    /** No time passes until this has come from the real world: a reply of a real store. */
    waitFor(reply: Promise<unknown>) {
      awaited += 1
      const came = () => {
        awaited -= 1
        if (awaited === 0) allCame?.()
      }
      reply.then(came, came)
    },
    /** Runs until it is over, or nothing more can happen. */
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

/** The earliest event first. */
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
