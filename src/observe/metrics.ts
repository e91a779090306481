import { version as nodeVersion } from 'node:process'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { type Figure, show, tally, timeTally } from './tally.ts'
import { within } from './within.ts'

/** The sources of gauges: the store, the budget and the breaker; times are milliseconds. */
export type Sources = {
  /** The queues that wait, by the kind of actor. */
  queues(): Promise<readonly QueueState[]>
  /** The kept documents, counted now and then. */
  kept(): Promise<KeptState>
  budget(): Promise<BudgetState>
  isBreakerOpen(): boolean
  /** How far the clock is ahead, and how old the newest copy is; `undefined` if unknown. */
  clockAheadMs(): number | undefined
  backupAgeMs(): number | undefined
}

type QueueState = { class: string; kind: string; waiting: number; due: number; oldestMs: number }
type Counts = Readonly<Record<string, number>>
type KeptState = { documents: Counts; attempts: Counts; oldestSendingMs: number }
type Window = { used: number; limit: number }
type BudgetState = { minute: Window; hour: Window; waiting: Counts; pausedMs: number }

/** Each gauge by its name: its help text, and how its figures are read from a source. */
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

/** How long a reader waits for a source, such as a storage that hangs. */
const ANSWERS_WITHIN_MS = 1_000

/** Gauges that are computed only when they are read, so that no answer is slower for them. */
function createState(register: Registry) {
  let sources: Sources | undefined
  const isKnown: Record<string, number> = {}

  /** A source that does not answer keeps its last figures; `porsa_state_known` shows that they are old. */
  function ofSource<T>(source: string, gauges: Gauges<T>): (asked: Promise<T>) => Promise<void> {
    let last: { said: T } | undefined
    for (const [name, [help, figures]] of Object.entries(gauges))
      show(register, { name, help, type: 'gauge' }, () => (last ? figures(last.said) : []))
    return async (asked) => {
      // A late answer counts at the next reading.
      const heard = asked.then((said) => {
        last = { said }
      })
      isKnown[source] = Number(await within(ANSWERS_WITHIN_MS, heard).catch(() => false))
    }
  }

  const queues = ofSource('queues', ofQueues)
  const kept = ofSource('kept', ofKept)
  const budget = ofSource('budget', ofBudget)
  const gauge = (name: string, help: string, figures: () => Figure[]) =>
    show(register, { name, help, type: 'gauge' }, figures)
  gauge('porsa_breaker_open', 'Whether calls to the service fail at once: 1 or 0', () =>
    single(Number(sources?.isBreakerOpen() ?? false)),
  )
  const inSeconds = (ms: number | undefined) => (ms === undefined ? [] : single(ms / 1000))
  gauge('porsa_clock_ahead_seconds', 'How far the clock is ahead of those that answer', () =>
    inSeconds(sources?.clockAheadMs()),
  )
  gauge('porsa_backup_age_seconds', 'How old the newest copy is', () => inSeconds(sources?.backupAgeMs()))
  gauge('porsa_state_known', 'Whether the figures of a source are from now: 1 or 0', () =>
    by('source', isKnown),
  )

  return {
    watch(given: Sources): void {
      sources = given
    },
    async refresh(): Promise<void> {
      if (!sources) return
      await Promise.all([queues(sources.queues()), kept(sources.kept()), budget(sources.budget())])
    },
  }
}

/** The counters of this process. */
export type Metrics = ReturnType<typeof createMetrics>

/** What an operator counts and looks for in the log: each is noted once, after its commit. */
export const milestones = [
  'begun',
  'submitted',
  'delivered',
  'sms-sent',
  'sms-refused',
  'reminded',
  'set-aside',
  'withdrawn',
] as const
export type Milestone = (typeof milestones)[number]

const CALL_SECONDS = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20]
const WAIT_SECONDS = [0.05, 0.2, 0.5, 1, 3, 10, 30, 60, 120]

let ofProcess: Registry | undefined

/** Memory, event loop and garbage collection: watched once, however many bots run in this process. */
function processMetrics(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess, prefix: 'porsa_' })
  }
  return ofProcess
}

/** The metrics of a bot. Labels are kinds, never ids, so that neither people nor memory are at risk. */
export function createMetrics({
  version = 'unknown',
  commit = 'unknown',
  store = 'none',
  actors = [] as readonly string[],
} = {}) {
  const register = new Registry()
  const counted = createInstruments(register, actors)
  const parts = new Map<string, boolean>()
  show(register, { name: 'porsa_build_info', help: 'The version that runs, always 1', type: 'gauge' }, () => [
    { labels: { version, commit, node: nodeVersion, store }, value: 1 },
  ])
  show(
    register,
    { name: 'porsa_part_ok', help: 'Whether a part of what the bot needs works: 1 or 0', type: 'gauge' },
    () => [...parts].map(([part, isOk]) => ({ labels: { part }, value: Number(isOk) })),
  )
  const state = createState(register)
  const shown = Registry.merge([processMetrics(), register])

  return {
    /** Without `code` the call succeeded, without `status` there was no answer. */
    serviceCall(call: { endpoint: string; status?: number; code?: string; ms: number }) {
      const { endpoint, status, code = 'ok', ms } = call
      counted.serviceCalls(endpoint, String(status ?? 'none'), code)
      counted.serviceSeconds(endpoint, ms / 1000)
    },
    /** Time that a call spent in its lane before it was allowed to go. */
    slotWait(lane: 'participant' | 'background', ms: number) {
      counted.slotWait(lane, ms / 1000)
    },
    telegramCall({ method, outcome, ms }: { method: string; outcome: string; ms: number }) {
      counted.telegramCalls(method, outcome)
      if (method !== 'getUpdates') counted.telegramSeconds(method, ms / 1000)
    },
    /** Counted by the field of the update: `message`, `callback_query` … */
    update: (kind: string) => counted.updates(kind),
    answer: (status: 'accepted' | 'stale' | 'gone') => counted.answers(status),
    /** `actor` is the kind of the actor (`chat`, `submit` …), never its id. */
    job: (actor: string, outcome: string) => counted.jobs(actor, outcome),
    milestone: (milestone: Milestone) => counted.milestones(milestone),
    /** Sets the sources of the gauges, which are asked only when the metrics are read. */
    watch: state.watch,
    part: (part: string, isOk: boolean) => void parts.set(part, isOk),
    contentType: shown.contentType,
    async text(): Promise<string> {
      await state.refresh()
      return shown.metrics()
    },
  }
}

/** The counters and histograms, by the names that Prometheus shows. */
function createInstruments(register: Registry, actors: readonly string[]) {
  const count = (name: string, help: string, ...labels: string[]) => tally(register, { name, help, labels })
  const time = (name: string, help: string, label: string, buckets: readonly number[]) =>
    timeTally(register, { name, help, label, buckets })
  return {
    serviceCalls: count(
      'porsa_service_calls_total',
      'Calls to the testing service, every attempt counted',
      ...['endpoint', 'status', 'code'],
    ),
    serviceSeconds: time(
      'porsa_service_call_seconds',
      'Time from request to answer of the testing service',
      'endpoint',
      CALL_SECONDS,
    ),
    slotWait: time(
      'porsa_service_queue_wait_seconds',
      'Time a call waited for a slot of the API budget',
      'lane',
      WAIT_SECONDS,
    ),
    telegramCalls: count(
      'porsa_telegram_calls_total',
      'Calls to the Bot API, every attempt counted',
      ...['method', 'outcome'],
    ),
    telegramSeconds: time(
      'porsa_telegram_call_seconds',
      'Time from request to answer of the Bot API, without long polls',
      'method',
      CALL_SECONDS,
    ),
    updates: count('porsa_updates_total', 'Updates received from Telegram', 'kind'),
    answers: count('porsa_answers_total', 'Answers to questions by what became of them', 'status'),
    jobs: tally(register, {
      name: 'porsa_jobs_total',
      help: 'Messages handled by actors and jobs',
      labels: ['actor', 'outcome'],
      // A rate needs a first value, even if the first count is many at once.
      seen: actors.map((actor) => `${actor}\nlost`),
    }),
    milestones: tally(register, {
      name: 'porsa_milestones_total',
      help: 'Tests begun, submitted, delivered; SMS codes sent, refused; reminders; messages set aside; withdrawals',
      labels: ['milestone'],
      // For the same reason.
      seen: milestones,
    }),
  }
}
