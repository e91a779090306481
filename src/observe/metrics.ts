import { version as nodeVersion } from 'node:process'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { createState, type Sources } from './state.ts'
import { show, tally, timeTally } from './tally.ts'

/** The counters of this process. */
export type Metrics = ReturnType<typeof createMetrics>

/** What an operator counts, and looks for in the log: each is told once, when what it stands for is kept. */
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

/** What the process counts. Labels are kinds, never ids, so that neither people nor memory are at risk. */
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
  let sources: Sources | undefined

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
    /** By the field of the update: `message`, `callback_query` … */
    update: (kind: string) => counted.updates(kind),
    answer: (status: 'accepted' | 'stale' | 'gone') => counted.answers(status),
    /** `actor` is the kind of the actor (`chat`, `submit` …), never its id. */
    job: (actor: string, outcome: string) => counted.jobs(actor, outcome),
    milestone: (milestone: Milestone) => counted.milestones(milestone),
    /** Where the figures come from that are asked for only when somebody looks. */
    watch(given: Sources) {
      sources = given
    },
    part: (part: string, isOk: boolean) => void parts.set(part, isOk),
    contentType: shown.contentType,
    async text(): Promise<string> {
      if (sources) await state.refresh(sources)
      return shown.metrics()
    },
  }
}

/** What Prometheus is shown, name by name. */
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
      // A rate needs to begin somewhere, also of what is first counted many at once.
      seen: actors.map((actor) => `${actor}\nlost`),
    }),
    milestones: tally(register, {
      name: 'porsa_milestones_total',
      help: 'Tests begun, submitted, delivered; SMS codes sent, refused; reminders; messages set aside; withdrawals',
      labels: ['milestone'],
      // The same.
      seen: milestones,
    }),
  }
}
