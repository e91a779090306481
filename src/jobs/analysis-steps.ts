import type { ChatEvent, GenerationRefusal } from '../mail/events.ts'
import { isFinished, type Roadmap } from '../service/wire.ts'
import type { Answered, Refusal } from './answered.ts'

/** What is known of an analysis that is begun or looked at. */
export type Watch = {
  /** How often it was tried in a row to begin it. */
  tries: number
  /** It takes very long, and that has not been told yet. */
  isSlow: boolean
}

type Seen = Pick<Roadmap, 'is_finished' | 'status' | 'auth_required'> & {
  test_records: Pick<Roadmap['test_records'][number], 'is_finished' | 'status'>[]
}
type Progress = { status: 'processing' | 'completed' | 'failed' | 'unknown' }

/** `begin` and `look` are about the analysis; the others ask the roadmap why one of the two was refused or not understood. */
export type Answer =
  | ({ to: 'begin' } & Answered<Progress & { estimated_wait_minutes: string | null }>)
  | ({ to: 'look' } & Answered<Progress & { errors: string[] }>)
  | ({ to: 'why-forbidden' | 'why-not-ready' | 'why-not-found' | 'what-instead' } & Answered<Seen>)

type Ask = { ask: Answer['to'] }
/** How a look or a beginning ends. */
export type Step =
  | { end: ChatEvent }
  /** It is under way: looked at from now on. */
  | { begun: ChatEvent }
  | { goOn: 'quietly' | 'told-slow' }
  | { again: 'later' }
export type Next = Ask | Step

/** How often a record's submission may be found under way at the service although we know it as finished. */
const UNFINISHED_TRIES = 12
/** The same where the service itself says that all are finished: it is still scoring. */
const SCORING_TRIES = 60

/** What comes next in having an analysis made. */
export function next(watch: Watch, answer: Answer): Next {
  switch (answer.to) {
    case 'begin':
      return 'error' in answer ? notBegun(answer.error) : begun(answer.value)
    case 'look':
      return 'error' in answer ? notSeen(watch, answer.error) : seen(watch, answer.value)
    case 'why-forbidden':
      return 'error' in answer ? whyForbidden(answer.error) : refusal('billing')
    case 'why-not-ready':
      return 'error' in answer ? goneOr(LATER, answer.error) : whyNotReady(watch, answer.value)
    case 'why-not-found':
      return 'error' in answer ? goneOr(goOn(watch), answer.error) : whereabouts(watch, answer.value)
    case 'what-instead':
      if ('error' in answer) return goneOr(goOn(watch), answer.error)
      return isFinished(answer.value) ? GENERATED : goOn(watch)
  }
}

const LATER: Step = { again: 'later' }
const GENERATED: Step = { end: { kind: 'generated' } }

const refusal = (code: GenerationRefusal): Step => ({ end: { kind: 'generation-refused', code } })
const goOn = ({ isSlow }: Watch): Step => ({ goOn: isSlow ? 'told-slow' : 'quietly' })
const goneOr = (other: Step, { code }: Refusal): Step => (code === 'not_found' ? refusal('gone') : other)

function begun({
  status,
  estimated_wait_minutes: minutes,
}: Progress & { estimated_wait_minutes: string | null }): Step {
  if (status === 'completed') return GENERATED
  return { begun: { kind: 'generating', ...(minutes && { expectedMinutes: minutes }) } }
}

function notBegun({ code, status, reached }: Refusal): Next {
  if (code === 'billing') return refusal('billing')
  if (code === 'key_invalid') return refusal('key')
  if (code === 'not_found') return refusal('gone')
  if (status === 403) return { ask: 'why-forbidden' }
  if (status === 409) return { ask: 'why-not-ready' }
  // Refused in words that no waiting changes.
  return reached === 'yes' && code === 'bad_request' ? refusal('key') : LATER
}

/** A 403 that the roadmap itself does not share is about billing (spec, generate). */
const whyForbidden = ({ status }: Refusal): Step =>
  status === 403 || status === 401 ? refusal('key') : LATER

/** A 409 while the last submission is still under way there: wait for it, then go on. */
function whyNotReady({ tries }: Watch, roadmap: Seen): Step {
  if (isFinished(roadmap)) return GENERATED
  if (roadmap.auth_required) return refusal('unfinished')
  const isReady = roadmap.test_records.every(isFinished)
  return tries < (isReady ? SCORING_TRIES : UNFINISHED_TRIES) ? LATER : refusal('unfinished')
}

function seen(watch: Watch, { status, errors }: Progress & { errors: string[] }): Next {
  // In a word that nobody knows: the roadmap itself tells whether it is finished.
  if (status === 'unknown') return { ask: 'what-instead' }
  if (status === 'completed') return GENERATED
  return status === 'failed' ? { end: { kind: 'generation-failed', errors } } : goOn(watch)
}

const notSeen = (watch: Watch, { status }: Refusal): Next =>
  status === 404 || status === 409 ? { ask: 'why-not-found' } : goOn(watch)

/** The analysis is not found: the roadmap tells whether it is finished, begun anew or gone. */
function whereabouts(watch: Watch, roadmap: Seen): Step {
  if (isFinished(roadmap)) return GENERATED
  return roadmap.status === 4 ? goOn(watch) : { end: { kind: 'generation-failed', errors: [] } }
}
