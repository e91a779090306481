import type { ChatEvent, EventOf, GenerationRefusal } from '../queue/events.ts'
import type { ServiceClient } from '../service/client.ts'
import { isFinished, type Roadmap } from '../service/wire.ts'
import { type Answered, answered } from './answered.ts'

/** The calls that an analysis takes. */
export type AnalysisService = Pick<ServiceClient, 'generate' | 'generationStatus' | 'roadmap'>

type Seen = Answered<Pick<Roadmap, 'is_finished' | 'status' | 'auth_required' | 'test_records'>>

/** How often a record's submission may be found under way at the service although we know it as finished. */
const UNFINISHED_TRIES = 12
/** The same where the service itself says that all are finished: it is still scoring. */
const SCORING_TRIES = 60

const GENERATED: ChatEvent = { kind: 'generated' }
const refusal = (code: GenerationRefusal): EventOf<'generation-refused'> => ({
  kind: 'generation-refused',
  code,
})

/** Begins an analysis: it is under way (`generating`), has ended, or has to be begun later. */
export async function beginAnalysis(
  service: AnalysisService,
  token: string,
  { tries, trace }: { tries: number; trace: string },
): Promise<ChatEvent | 'later'> {
  const reply = await answered(service.generate(token, { trace }))
  if ('value' in reply) {
    const { status, estimated_wait_minutes: minutes } = reply.value
    if (status === 'completed') return GENERATED
    return { kind: 'generating', ...(minutes && { expectedMinutes: minutes }) }
  }
  const { code, status, reached } = reply.error
  if (code === 'billing') return refusal('billing')
  if (code === 'key_invalid') return refusal('key')
  if (code === 'not_found') return refusal('gone')
  if (status === 403) return whyForbidden(await answered(service.roadmap(token, { trace })))
  if (status === 409) return whyNotReady(await answered(service.roadmap(token, { trace })), tries)
  // Refused in words that no waiting changes.
  return reached === 'yes' && code === 'bad_request' ? refusal('key') : 'later'
}

/** A 403 that the roadmap itself does not share is about billing (spec, generate). */
function whyForbidden(roadmap: Seen): ChatEvent | 'later' {
  if ('value' in roadmap) return refusal('billing')
  return roadmap.error.status === 403 || roadmap.error.status === 401 ? refusal('key') : 'later'
}

/** A 409 while the last submission is still under way there: wait for it, then go on. */
function whyNotReady(roadmap: Seen, tries: number): ChatEvent | 'later' {
  if ('error' in roadmap) return roadmap.error.code === 'not_found' ? refusal('gone') : 'later'
  if (isFinished(roadmap.value)) return GENERATED
  const { auth_required: lacksProfile, test_records: records } = roadmap.value
  const most = records.every(isFinished) ? SCORING_TRIES : UNFINISHED_TRIES
  return !lacksProfile && tries < most ? 'later' : refusal('unfinished')
}

/** How an analysis has ended; `undefined` while it is under way, and while nobody can tell. */
export async function checkAnalysis(
  service: AnalysisService,
  token: string,
  trace: string,
): Promise<ChatEvent | undefined> {
  const how = { lane: 'background', trace } as const
  const reply = await answered(service.generationStatus(token, { ...how, retries: false }))
  const isLost = 'error' in reply
  if (isLost && reply.error.status !== 404 && reply.error.status !== 409) return undefined
  const { status, errors } = isLost ? { status: 'unknown', errors: [] } : reply.value
  if (status === 'completed') return GENERATED
  if (status === 'failed') return { kind: 'generation-failed', errors }
  if (status !== 'unknown') return undefined
  // Not found, or in a word that nobody knows: the roadmap tells whether it is finished, begun anew or gone.
  const roadmap = await answered(service.roadmap(token, how))
  if ('error' in roadmap) return roadmap.error.code === 'not_found' ? refusal('gone') : undefined
  if (isFinished(roadmap.value)) return GENERATED
  return isLost && roadmap.value.status !== 4 ? { kind: 'generation-failed', errors: [] } : undefined
}
