import type { ServiceClient } from '../service/client.ts'
import { type Answer, type Next, next, type Step } from './analysis-steps.ts'
import { answered } from './answered.ts'

/** What is known of an analysis; how long it takes already is asked when the service has answered. */
type Known = { tries: number; isSlow: () => boolean; trace?: string | undefined }
/** One page of the roadmaps that are not finished. */
export type ListPage = Awaited<ReturnType<ServiceClient['listRoadmaps']>>
export type Analyst = ReturnType<typeof createAnalyst>

/** After a look has ended; a hold-up of all calls must not let out those that were due meanwhile at once. */
const LOOK_PAUSE_MS = 3_000
/** While another look is under way. */
const GATE_MS = 1_000

/** Asks the service until it is clear what becomes of an analysis. Looks go one at a time, with a pause between two. */
export function createAnalyst(deps: {
  service: Pick<ServiceClient, 'generate' | 'generationStatus' | 'roadmap' | 'listRoadmaps'>
  now: () => number
}) {
  const { service, now } = deps
  /** Shared by all looks of this process. */
  const gate = { isTaken: false, freeAt: 0 }

  async function ask(to: Answer['to'], token: string, trace: string | undefined): Promise<Answer> {
    if (to === 'begin') return { to, ...(await answered(service.generate(token, { trace }))) }
    if (to === 'look') {
      const how = { lane: 'background', retries: false, trace } as const
      return { to, ...(await answered(service.generationStatus(token, how))) }
    }
    const how = to === 'why-not-found' || to === 'what-instead' ? ({ lane: 'background' } as const) : {}
    return { to, ...(await answered(service.roadmap(token, { ...how, trace }))) }
  }

  async function askAll(to: 'begin' | 'look', token: string, { tries, isSlow, trace }: Known): Promise<Step> {
    let step: Next = { ask: to }
    while ('ask' in step) {
      const answer = await ask(step.ask, token, trace)
      step = next({ tries, isSlow: isSlow() }, answer)
    }
    return step
  }

  /** Has a look made; `heldUntil` when it may not be made before. */
  async function paced<T>(make: () => Promise<T>): Promise<T | { heldUntil: number }> {
    if (gate.isTaken) return { heldUntil: now() + GATE_MS }
    if (now() < gate.freeAt) return { heldUntil: gate.freeAt }
    gate.isTaken = true
    try {
      return await make()
    } finally {
      gate.isTaken = false
      gate.freeAt = now() + LOOK_PAUSE_MS
    }
  }

  return {
    begin: (token: string, known: Known): Promise<Step> => askAll('begin', token, known),

    /** One look. */
    look: (token: string, known: Known): Promise<Step | { heldUntil: number }> =>
      paced(() => askAll('look', token, known)),

    /** A look at a page of the list. */
    list: (page: number) =>
      paced(() =>
        answered(
          service.listRoadmaps({ filter__is_finished: false, page }, { lane: 'background', retries: false }),
        ),
      ),
  }
}
