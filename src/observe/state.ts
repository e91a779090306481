import type { Registry } from 'prom-client'
import { type Figure, show } from './tally.ts'

/** What the store, the budget and the breaker say when they are asked; times are milliseconds. */
export type Sources = {
  /** What waits, by the kind of actor. */
  queues(): Promise<readonly QueueState[]>
  /** What is kept, counted now and then. */
  kept(): Promise<KeptState>
  budget(): Promise<BudgetState>
  isBreakerOpen(): boolean
  /** How far the clock is ahead, and how old the newest copy is, as far as that is known. */
  clockAheadMs(): number | undefined
  backupAgeMs(): number | undefined
}

type QueueState = { class: string; kind: string; waiting: number; due: number; oldestMs: number }
type Counts = Readonly<Record<string, number>>
type KeptState = { documents: Counts; attempts: Counts; oldestSendingMs: number }
type Window = { used: number; limit: number }
type BudgetState = { minute: Window; hour: Window; waiting: Counts; pausedMs: number }

/** Each gauge by its name: what it says, and its figures in what a source has said. */
type Gauges<T> = Readonly<Record<string, readonly [help: string, figures: (said: T) => Figure[]]>>

const single = (value: number): Figure[] => [{ labels: {}, value }]
const by = (label: string, counts: Counts): Figure[] =>
  Object.entries(counts).map(([name, value]) => ({ labels: { [label]: name }, value }))
const byActor = (of: (queue: QueueState) => number) => (queues: readonly QueueState[]) =>
  queues.map((queue) => ({ labels: { class: queue.class, kind: queue.kind }, value: of(queue) }))

const ofQueues: Gauges<readonly QueueState[]> = {
  porsa_queue_waiting: ['Actors with messages, due or not', byActor(({ waiting }) => waiting)],
  porsa_queue_due: ['Actors whose first message is due and not in hand', byActor(({ due }) => due)],
  porsa_queue_oldest_seconds: [
    'How long the oldest due message has waited',
    byActor(({ oldestMs }) => oldestMs / 1000),
  ],
}

const ofKept: Gauges<KeptState> = {
  porsa_sittings: ['Attempts that are kept, by state', ({ attempts }) => by('state', attempts)],
  porsa_oldest_unsent_submission_seconds: [
    'Since the last answer of the oldest attempt that the service has not accepted',
    ({ oldestSendingMs }) => single(oldestSendingMs / 1000),
  ],
  porsa_kept: ['Documents that are kept, by kind', ({ documents }) => by('kind', documents)],
}

const ofBudget: Gauges<BudgetState> = {
  porsa_budget_used: [
    'Calls that count in a window of the API budget',
    ({ minute, hour }) => by('window', { minute: minute.used, hour: hour.used }),
  ],
  porsa_budget_left: [
    'Calls that a window of the API budget still allows',
    ({ minute, hour }) => by('window', { minute: left(minute), hour: left(hour) }),
  ],
  porsa_budget_waiting: [
    'Calls that wait for a slot of the API budget',
    ({ waiting }) => by('lane', waiting),
  ],
  porsa_budget_paused_seconds: [
    'How long no call may begin after a 429',
    ({ pausedMs }) => single(pausedMs / 1000),
  ],
}

const left = ({ used, limit }: Window): number => Math.max(0, limit - used)

/** Whoever looks is answered, although the storage stands still. */
const ANSWERS_WITHIN_MS = 1_000

/** Gauges that are filled when they are asked for, so that nobody's answer pays for them. */
export function createState(register: Registry) {
  let isBreakerOpen = false
  let [clockAheadMs, backupAgeMs]: (number | undefined)[] = []
  const isKnown: Record<string, number> = {}

  /** A source that does not answer leaves its last figures, and says that they are old. */
  function ofSource<T>(source: string, gauges: Gauges<T>): (asked: Promise<T>) => Promise<void> {
    let last: { said: T } | undefined
    for (const [name, [help, figures]] of Object.entries(gauges))
      show(register, { name, help, type: 'gauge' }, () => (last ? figures(last.said) : []))
    return async (asked) => {
      // What comes late counts all the same, the next time.
      const heard = asked.then(
        (said) => {
          last = { said }
          return 1
        },
        () => 0,
      )
      const tooLate = new Promise<number>((resolve) => setTimeout(resolve, ANSWERS_WITHIN_MS, 0).unref())
      isKnown[source] = await Promise.race([heard, tooLate])
    }
  }

  const queues = ofSource('queues', ofQueues)
  const kept = ofSource('kept', ofKept)
  const budget = ofSource('budget', ofBudget)
  const gauge = (name: string, help: string, figures: () => Figure[]) =>
    show(register, { name, help, type: 'gauge' }, figures)
  gauge('porsa_breaker_open', 'Whether calls to the service fail at once: 1 or 0', () =>
    single(Number(isBreakerOpen)),
  )
  const inSeconds = (ms: number | undefined) => (ms === undefined ? [] : single(ms / 1000))
  gauge('porsa_clock_ahead_seconds', 'How far the clock is ahead of those that answer', () =>
    inSeconds(clockAheadMs),
  )
  gauge('porsa_backup_age_seconds', 'How old the newest copy is', () => inSeconds(backupAgeMs))
  gauge('porsa_state_known', 'Whether the figures of a source are from now: 1 or 0', () =>
    by('source', isKnown),
  )

  return {
    async refresh(sources: Sources): Promise<void> {
      isBreakerOpen = sources.isBreakerOpen()
      clockAheadMs = sources.clockAheadMs()
      backupAgeMs = sources.backupAgeMs()
      await Promise.all([queues(sources.queues()), kept(sources.kept()), budget(sources.budget())])
    },
  }
}
