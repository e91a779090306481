import { durationInMinutes, inOrder } from '../domain/questionnaire.ts'
import { openSitting } from '../domain/sitting.ts'
import type { ServiceClient } from '../service/client.ts'
import { ServiceError } from '../service/errors.ts'
import { answersBody } from '../service/questionnaire-wire.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'
import type { ChatEvent, OnBehalf, SubmitRefusal } from './actors.ts'
import { backOffMs } from './back-off.ts'
import { questionnaires, recordFiles, sittingKey } from './kinds.ts'
import { guardCurrent } from './on-behalf.ts'
import { postEvent } from './post-event.ts'
import type { JobEnd, JobHandler } from './worker.ts'

export type SubmitJob = {
  s: string
  onBehalf: OnBehalf
  /** An attempt of ours may have reached the service: look before the next one. */
  unclear?: boolean
  /** The first form of the answers was refused as malformed: the other one is tried. */
  otherForm?: boolean
  /** The participant has been told that it takes longer. */
  told?: boolean
  tries?: number
}

const BACK_OFF_MS = [2_000, 4_000, 8_000, 15_000, 30_000, 60_000]

/**
 * Brings finished answers to the service exactly once: it never gives up while the service is away, and after an
 * unclear answer it looks at the record before it tries again (design, Calling the service).
 */
export function createSubmitHandler(deps: {
  service: ServiceClient
  store: Store
  vault: Vault
  now: () => number
}): JobHandler {
  const { service, store, vault, now } = deps

  return async ({ body, work, interrupted }) => {
    const job = body as SubmitJob
    const { s, onBehalf } = job
    if (!(await guardCurrent(work, onBehalf))) return
    const tell = (event: ChatEvent) => postEvent(work, onBehalf, s, event)
    const unclear = job.unclear === true || interrupted

    const again = (changes: Partial<SubmitJob>): JobEnd => {
      const tries = (job.tries ?? 0) + 1
      if (!job.told) tell({ kind: 'submit-delayed' })
      return {
        retryAt: now() + backOffMs(BACK_OFF_MS, tries),
        retryBody: { ...job, unclear, ...changes, told: true, tries },
        countsAsRetry: false,
      }
    }
    const refuse = (code: SubmitRefusal, reason?: string): JobEnd => {
      tell({ kind: 'submit-refused', code, ...(reason ? { reason } : {}) })
      return undefined
    }

    const file = await work.get(recordFiles, s)
    const [entry] = await store.read([sittingKey(s)])
    const questionnaire = file?.questions && (await work.get(questionnaires, file.questions.content))
    if (!file || !entry || !questionnaire) return refuse('gone')
    const sitting = openSitting(entry.value)
    if (vault.sittingCipher.verify(sitting) !== 'sound') return refuse('damaged')
    const chosen = vault.sittingCipher.decryptAnswers(sitting)
    if (chosen.length !== inOrder(questionnaire).length) return refuse('damaged')
    const minutes = durationInMinutes(sitting.activeMs / 1_000)

    /** Sorts out a refusal by what the record says (spec: key blocked, or a prerequisite not met). */
    const whyForbidden = async (): Promise<JobEnd> => {
      const record = await service.record(file.token)
      return refuse(record.auth_required ? 'profile' : 'billing')
    }

    try {
      if (unclear) {
        const record = await service.record(file.token)
        if (record.is_finished || record.status === 1) {
          tell({ kind: 'submitted' })
          return undefined
        }
      }
      const bodies = answersBody(questionnaire, chosen)
      const record = job.otherForm && bodies.alternative ? bodies.alternative : bodies.record
      try {
        await service.submitAnswers(file.token, { record, doing_duration_in_minutes: minutes })
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        if (error.code === 'already_finished') {
          // A 409 after an attempt of our own means that it was accepted.
          if (!unclear) return refuse('elsewhere')
        } else if (error.code === 'bad_request' && bodies.alternative && !job.otherForm) {
          // A refused request recorded nothing, so the other form of the same answers may be tried once.
          return {
            retryAt: now(),
            retryBody: { ...job, unclear: false, otherForm: true },
            countsAsRetry: false,
          }
        } else if (error.code === 'forbidden') return await whyForbidden()
        else throw error
      }
      tell({ kind: 'submitted' })
      return undefined
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (error.code === 'billing') return refuse('billing')
      if (error.code === 'key_invalid' || error.code === 'forbidden') return refuse('key')
      if (error.code === 'not_found') return refuse('gone')
      if (error.code === 'bad_request') return refuse('bad_request', error.messages[0])
      // This process stops: the next one takes it up with what is known.
      if (error.code === 'no_slot')
        return { retryAt: now() + 1_000, retryBody: { ...job, unclear }, countsAsRetry: false }
      return again({ unclear: unclear || error.reached === 'unclear' })
    }
  }
}
