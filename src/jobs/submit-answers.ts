import { z } from 'zod'
import { move, submissionNoted } from '../domain/record/transitions.ts'
import { postEvent } from '../queue/chat-message.ts'
import { guardCurrent, isCurrent } from '../queue/current.ts'
import { job } from '../queue/job.ts'
import { type Handler, handler, type JobEnd, type Task } from '../queue/task.ts'
import type { ServiceClient } from '../service/client.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import { onBehalf } from '../storage/documents/owed-result.ts'
import type { Store } from '../storage/store.ts'
import type { Vault } from '../storage/vault.ts'
import { answered } from './answered.ts'
import { type Answers, readAnswers } from './read-answers.ts'
import { type Answer, first, type Next, next, nextTryMs, refusal, type Step } from './submission-steps.ts'

const submitBody = z.object({
  s: z.string(),
  onBehalf,
  /** An attempt of ours may have reached the service: look before the next one. */
  unclear: z.boolean().optional(),
  /** The first form of the answers was refused as malformed: the other one is tried. */
  otherForm: z.boolean().optional(),
  /** The participant has been told that it takes longer. */
  told: z.boolean().optional(),
  tries: z.number().optional(),
})
type SubmitBody = z.infer<typeof submitBody>

/** Finished answers on their way to the service. By record id. */
export const submitJob = job('submit', submitBody)

/** So long after this process stopped the next one takes a submission up; so long a release may take. */
const HAND_OVER_MS = 1_000

/**
 * Brings finished answers to the service exactly once: it never gives up while the service is away, and after an
 * unclear answer it looks at the record before it tries again.
 */
export function createSubmitHandler(deps: {
  service: ServiceClient
  store: Store
  vault: Vault
  now: () => number
}): Handler {
  const { service, now } = deps

  async function ask(to: Answer['to'], { token, minutes, ...forms }: Answers, task: Task<SubmitBody>) {
    const { body, signal, begin, trace } = task
    const inLine = { signal, trace, account: body.onBehalf.who }
    if (to !== 'send') return { to, ...(await answered(service.record(token, inLine))) }
    const record = body.otherForm && forms.alternative ? forms.alternative : forms.record
    const isWanted = () => isCurrent(deps, body.onBehalf)
    const sent = service.submitAnswers(
      token,
      { record, doing_duration_in_minutes: minutes },
      { ...inLine, begin, isWanted },
    )
    return { to, ...(await answered<unknown>(sent)) }
  }

  /** What was begun by an earlier version knows no life of the store. */
  const isOlderSince = async (life: string | undefined) =>
    life !== undefined && life !== (await deps.store.life())

  async function submit(answers: Answers, task: Task<SubmitBody>, isUnclear: boolean): Promise<Step> {
    const { body } = task
    const hasOtherForm = answers.alternative !== undefined && !body.otherForm
    const attempt = { isUnclear, hasOtherForm, tries: body.tries ?? 0 }
    let step: Next = first({ isUnclear })
    while ('ask' in step) {
      const answer = await ask(step.ask, answers, task)
      const hasForgotten = step.ask === 'whose' && (await isOlderSince(answers.life))
      step = next({ ...attempt, hasForgotten }, answer)
    }
    return step
  }

  /** What is known of an attempt stays with the record, whatever becomes of this job. */
  async function noteSubmission({ work, body: { s } }: Task<SubmitBody>): Promise<void> {
    const file = await work.get(recordFiles, s)
    if (file) move(file, submissionNoted)
  }

  return handler(submitJob, async (task): Promise<JobEnd<SubmitBody>> => {
    const { body, work, begun } = task
    const { s, onBehalf, tries = 0 } = body
    if (!(await guardCurrent(work, onBehalf))) return undefined
    const answers = await readAnswers(deps, work, s)
    const isNoted = typeof answers !== 'string' && answers.isAttempted
    const unclear = body.unclear === true || begun || isNoted
    if (answers === 'released') {
      if (unclear) await noteSubmission(task)
      return undefined
    }
    const comeAgain = (afterMs: number, changes: Partial<SubmitBody>) => ({
      retryAt: now() + afterMs,
      retryBody: { ...body, unclear, ...changes },
    })
    const step = typeof answers === 'string' ? refusal(answers) : await submit(answers, task, unclear)
    if ('end' in step) {
      const { end } = step
      // The word of it may come too late for whose it was: whoever takes it over looks at the service first.
      const isOurs = end.kind === 'submitted' && !end.isUncertain
      if (isOurs || (unclear && end.kind === 'submit-refused')) await noteSubmission(task)
      postEvent(work, onBehalf, s, end)
      return undefined
    }
    if (step.again === 'in-other-form') return comeAgain(0, { otherForm: true })
    if (step.again === 'elsewhere') return comeAgain(HAND_OVER_MS, {})
    if (!body.told) postEvent(work, onBehalf, s, { kind: 'submit-delayed' })
    return comeAgain(nextTryMs(tries + 1), { unclear: step.isUnclear, told: true, tries: tries + 1 })
  })
}
