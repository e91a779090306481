import { Gauge, type Registry } from 'prom-client'

/** What the store, the budget and the breaker say when they are asked; times are milliseconds. */
export type Sources = {
  /** What waits, by the kind of actor. */
  queues(): Promise<readonly QueueState[]>
  /** What is kept, counted now and then. */
  kept(): Promise<KeptState>
  budget(): Promise<BudgetState>
  isBreakerOpen(): boolean
}

type QueueState = { class: string; kind: string; waiting: number; due: number; oldestMs: number }
type KeptState = {
  documents: Readonly<Record<string, number>>
  attempts: Readonly<Record<string, number>>
  oldestSendingMs: number
}
type Window = { used: number; limit: number }
type BudgetState = {
  minute: Window
  hour: Window
  waiting: Readonly<Record<string, number>>
  pausedMs: number
}

/** Gauges that are filled when they are asked for, so that nobody's answer pays for them. */
export function createState(register: Registry) {
  const gauges = createGauges(register)

  /** A source that does not answer leaves its last figures, and says that they are old. */
  async function ask<T>(
    source: string,
    asked: Promise<T>,
    show: (gauges: Gauges, state: T) => void,
  ): Promise<void> {
    try {
      show(gauges, await asked)
      gauges.known.set({ source }, 1)
    } catch {
      gauges.known.set({ source }, 0)
    }
  }

  return {
    async refresh(sources: Sources): Promise<void> {
      gauges.breaker.set(sources.isBreakerOpen() ? 1 : 0)
      await Promise.all([
        ask('queues', sources.queues(), showQueues),
        ask('kept', sources.kept(), showKept),
        ask('budget', sources.budget(), showBudget),
      ])
    },
  }
}

type Gauges = ReturnType<typeof createGauges>

function createGauges(register: Registry) {
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Gauge({ name, help, labelNames, registers: [register] })
  return {
    waiting: gauge('porsa_queue_waiting', 'Actors with messages, due or not', ['class', 'kind']),
    due: gauge('porsa_queue_due', 'Actors whose first message is due and not in hand', ['class', 'kind']),
    oldest: gauge('porsa_queue_oldest_seconds', 'How long the oldest due message has waited', [
      'class',
      'kind',
    ]),
    attempts: gauge('porsa_sittings', 'Attempts that are kept, by state', ['state']),
    unsent: gauge(
      'porsa_oldest_unsent_submission_seconds',
      'Since the last answer of the oldest attempt that the service has not accepted',
      [],
    ),
    kept: gauge('porsa_kept', 'Documents that are kept, by kind', ['kind']),
    used: gauge('porsa_budget_used', 'Calls that count in a window of the API budget', ['window']),
    left: gauge('porsa_budget_left', 'Calls that a window of the API budget still allows', ['window']),
    inLine: gauge('porsa_budget_waiting', 'Calls that wait for a slot of the API budget', ['lane']),
    paused: gauge('porsa_budget_paused_seconds', 'How long no call may begin after a 429', []),
    breaker: gauge('porsa_breaker_open', 'Whether calls to the service fail at once: 1 or 0', []),
    known: gauge('porsa_state_known', 'Whether the figures of a source are from now: 1 or 0', ['source']),
  }
}

function showQueues({ waiting, due, oldest }: Gauges, queues: readonly QueueState[]): void {
  for (const { class: name, kind, ...state } of queues) {
    const labels = { class: name, kind }
    waiting.set(labels, state.waiting)
    due.set(labels, state.due)
    oldest.set(labels, state.oldestMs / 1000)
  }
}

function showKept({ kept, attempts, unsent }: Gauges, state: KeptState): void {
  for (const [kind, count] of Object.entries(state.documents)) kept.set({ kind }, count)
  for (const [name, count] of Object.entries(state.attempts)) attempts.set({ state: name }, count)
  unsent.set(state.oldestSendingMs / 1000)
}

function showBudget(
  { used, left, inLine, paused }: Gauges,
  { minute, hour, waiting, pausedMs }: BudgetState,
): void {
  for (const [window, { used: calls, limit }] of Object.entries({ minute, hour })) {
    used.set({ window }, calls)
    left.set({ window }, Math.max(0, limit - calls))
  }
  for (const [lane, count] of Object.entries(waiting)) inLine.set({ lane }, count)
  paused.set(pausedMs / 1000)
}
