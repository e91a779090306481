import type { ServiceClient } from '../service/client.ts'
import { type Answer, type Next, next, type Step } from './analysis-steps.ts'
import { answered } from './answered.ts'

export type AnalysisService = Pick<ServiceClient, 'generate' | 'generationStatus' | 'roadmap'>

/** What is known of an analysis; how long it takes already is asked when the service has answered. */
type Known = { tries: number; isSlow: () => boolean; trace: string }

/** Begins an analysis or looks at it: asks the service until it is clear what becomes of it. */
export async function askAnalysis(
  service: AnalysisService,
  to: 'begin' | 'look',
  token: string,
  { tries, isSlow, trace }: Known,
): Promise<Step> {
  let step: Next = { ask: to }
  while ('ask' in step) {
    const answer = await ask(service, step.ask, token, trace)
    step = next({ tries, isSlow: isSlow() }, answer)
  }
  return step
}

async function ask(
  service: AnalysisService,
  to: Answer['to'],
  token: string,
  trace: string,
): Promise<Answer> {
  if (to === 'begin') return { to, ...(await answered(service.generate(token, { trace }))) }
  if (to === 'look') {
    const how = { lane: 'background', retries: false, trace } as const
    return { to, ...(await answered(service.generationStatus(token, how))) }
  }
  const how = to === 'why-not-found' || to === 'what-instead' ? ({ lane: 'background' } as const) : {}
  return { to, ...(await answered(service.roadmap(token, { ...how, trace }))) }
}
