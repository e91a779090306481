import { version as nodeVersion } from 'node:process'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type Milestone, milestones } from './milestones.ts'
import { createState, type Sources } from './state.ts'
import { tally, timeTally } from './tally.ts'

/** The counters of this process. */
export type Metrics = ReturnType<typeof createMetrics>

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
export function createMetrics({ version = 'unknown', store = 'none' } = {}) {
  const register = new Registry()
  const counted = createInstruments(register)
  const state = createState(register)
  const shown = Registry.merge([processMetrics(), register])
  let sources: Sources | undefined
  counted.build.set({ version, node: nodeVersion, store }, 1)
  // A rate needs to begin somewhere.
  for (const milestone of milestones) counted.milestones.inc({ milestone }, 0)

  return {
    /** Without `code` the call succeeded, without `status` there was no answer. */
    serviceCall(call: { endpoint: string; status?: number; code?: string; ms: number }) {
      const { endpoint, status, code = 'ok', ms } = call
      counted.serviceCalls.inc({ endpoint, status: status ?? 'none', code })
      counted.serviceSeconds.observe({ endpoint }, ms / 1000)
    },
    /** Time that a call spent in its lane before it was allowed to go. */
    slotWait(lane: 'participant' | 'background', ms: number) {
      counted.slotWait.observe({ lane }, ms / 1000)
    },
    telegramCall({ method, outcome, ms }: { method: string; outcome: string; ms: number }) {
      counted.telegramCalls(method, outcome)
      if (method !== 'getUpdates') counted.telegramSeconds(method, ms / 1000)
    },
    /** `kind` is the field of the update: `message`, `callback_query` … */
    update(kind: string) {
      counted.updates(kind)
    },
    answer(status: 'accepted' | 'stale' | 'gone') {
      counted.answers(status)
    },
    /** `actor` is the kind of the actor (`chat`, `submit` …), never its id. */
    job(actor: string, outcome: string) {
      counted.jobs.inc({ actor, outcome })
    },
    milestone(milestone: Milestone) {
      counted.milestones.inc({ milestone })
    },
    /** Where the figures come from that are asked for only when somebody looks. */
    watch(given: Sources) {
      sources = given
    },
    part(part: string, isOk: boolean) {
      counted.ready.set({ part }, isOk ? 1 : 0)
    },
    contentType: shown.contentType,
    async text(): Promise<string> {
      if (sources) await state.refresh(sources)
      return shown.metrics()
    },
  }
}

/** What Prometheus is shown, name by name. */
function createInstruments(register: Registry) {
  const registers = [register]
  return {
    serviceCalls: new Counter({
      name: 'porsa_service_calls_total',
      help: 'Calls to the testing service, every attempt counted',
      labelNames: ['endpoint', 'status', 'code'] as const,
      registers,
    }),
    serviceSeconds: new Histogram({
      name: 'porsa_service_call_seconds',
      help: 'Time from request to answer of the testing service',
      labelNames: ['endpoint'] as const,
      buckets: CALL_SECONDS,
      registers,
    }),
    slotWait: new Histogram({
      name: 'porsa_service_queue_wait_seconds',
      help: 'Time a call waited for a slot of the API budget',
      labelNames: ['lane'] as const,
      buckets: WAIT_SECONDS,
      registers,
    }),
    telegramCalls: tally(register, {
      name: 'porsa_telegram_calls_total',
      help: 'Calls to the Bot API, every attempt counted',
      labels: ['method', 'outcome'],
    }),
    telegramSeconds: timeTally(register, {
      name: 'porsa_telegram_call_seconds',
      help: 'Time from request to answer of the Bot API, without long polls',
      label: 'method',
      buckets: CALL_SECONDS,
    }),
    updates: tally(register, {
      name: 'porsa_updates_total',
      help: 'Updates received from Telegram',
      labels: ['kind'],
    }),
    answers: tally(register, {
      name: 'porsa_answers_total',
      help: 'Answers to questions by what became of them',
      labels: ['status'],
    }),
    jobs: new Counter({
      name: 'porsa_jobs_total',
      help: 'Messages handled by actors and jobs',
      labelNames: ['actor', 'outcome'] as const,
      registers,
    }),
    milestones: new Counter({
      name: 'porsa_milestones_total',
      help: 'Tests begun, submitted, delivered; SMS codes sent, refused; reminders; messages set aside',
      labelNames: ['milestone'] as const,
      registers,
    }),
    build: new Gauge({
      name: 'porsa_build_info',
      help: 'The version that runs, always 1',
      labelNames: ['version', 'node', 'store'] as const,
      registers,
    }),
    ready: new Gauge({
      name: 'porsa_part_ok',
      help: 'Whether storage, Telegram and the service work: 1 or 0',
      labelNames: ['part'] as const,
      registers,
    }),
  }
}
