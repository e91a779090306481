import type { Update } from 'grammy/types'
import type { ServiceErrorCode } from '../service/errors.ts'
import type { ProfileRequest, RolesRequest } from '../service/wire-exchanges.ts'

/** An actor's name is its kind and an id: `chat:<who>`, `call:<S>:<who>`, `submit:<S>` … */
export const chatActor = (who: string): string => `chat:${who}`
export const callActor = (s: string, who: string): string => `call:${s}:${who}`
export const submitActor = (s: string): string => `submit:${s}`
export const resultActor = (s: string): string => `result:${s}`
export const timerActor = (s: string): string => `timer:${s}`
export const generationActor = (s: string): string => `generation:${s}`
export const openingActor = (s: string): string => `opening:${s}`
export const screenActor = (s: string): string => `screen:${s}`
export const reminderActor = (who: string): string => `reminder:${who}`
export const expiryActor = (s: string): string => `expiry:${s}`
export const noticeActor = (id: string): string => `notice:${id}`

export const actorKind = (actor: string): string => actor.slice(0, actor.indexOf(':'))

/** What a call to the service came to, as plain data that can be kept and posted. */
export type Outcome<T> = { ok: true; value: T } | Failure
export type Failure = {
  ok: false
  code: ServiceErrorCode | 'sms_unclear' | 'questions_unreadable'
  reason?: string
}

/** The account a job works for, and the epoch it began in. */
export type OnBehalf = { who: string; chatId: number; epoch: number; language: 'fa' | 'en' }

/** A call to the service as data; the participant waits for it. */
export type Call =
  | { kind: 'open'; token: string }
  | { kind: 'auth'; token: string; profile: ProfileRequest; sms: boolean }
  | { kind: 'verify'; token: string; draftToken: string; code: string }
  | { kind: 'questions'; token: string }
  | { kind: 'openRoadmap'; token: string }
  | { kind: 'authRoadmap'; token: string; roles: RolesRequest; sms: boolean }
  | { kind: 'verifyRoadmap'; token: string; draftToken: string; code: string }

export type CallJob = {
  s: string
  id: string
  call: Call
  onBehalf: OnBehalf
  /** An earlier process died while it made the call, which may have happened. */
  wasInterrupted?: true
}

/** What waits in a chat's queue. */
export type ChatMessage = { chatId: number } & (
  | { type: 'update'; update: Update }
  | { type: 'outcome'; s: string; id: string; kind: Call['kind']; outcome: Outcome<unknown> }
  | { type: 'event'; s: string; event: ChatEvent }
)

export type ChatEvent =
  /** The questionnaire is to be shown where it stands: in place of this message, or anew. */
  | { kind: 'redraw'; messageId?: number }
  | { kind: 'code-expired'; draftToken: string }
  /** An organizer has put right what the profile was refused for. */
  | { kind: 'profile-again' }
  /** The organizer has opened what was waiting (status 0). */
  | { kind: 'opened' }
  /** Another account has done something that the board of this roadmap shows. */
  | { kind: 'board-changed' }
  /** The role was taken back before its tests were begun. */
  | { kind: 'unhanded' }
  | { kind: 'generating'; expectedMinutes?: string }
  | { kind: 'generation-slow' }
  | { kind: 'generation-refused'; code: GenerationRefusal }
  | { kind: 'generation-failed'; errors: string[] }
  | { kind: 'generated' }
  | { kind: 'remind' }
  | { kind: 'submit-delayed' }
  | { kind: 'submitted' }
  | { kind: 'submit-refused'; code: SubmitRefusal; reason?: string }
  | { kind: 'delivered'; to: 'participant' | 'organizer' | 'both' }
  | { kind: 'result-failed' }
  /** Everything was delivered but the report, which the service refuses. */
  | { kind: 'report-missing' }
  /** A message of this chat, or a job of it, failed for good and was set aside. */
  | { kind: 'trouble' }

/** Why the analysis does not begin, or is not to be found any more. */
export type GenerationRefusal = 'billing' | 'key' | 'gone' | 'unfinished'

/** Why finished answers were not accepted: what the participant or the organizer has to do next. */
export type SubmitRefusal = 'billing' | 'key' | 'profile' | 'elsewhere' | 'gone' | 'bad_request' | 'damaged'
