import type { Api } from 'grammy'
import { isAskable } from '../domain/questionnaire.ts'
import type { CallOptions, ServiceClient } from '../service/client.ts'
import { ServiceError } from '../service/errors.ts'
import { readQuestions } from '../service/questionnaire-wire.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'
import type { Texts } from '../texts/texts.ts'
import { type Call, type CallJob, chatActor, type Failure, type Outcome } from './actors.ts'
import { guardCurrent, isCurrent } from './on-behalf.ts'
import type { JobHandler } from './worker.ts'

/** After so long without a slot of the budget the participant is told the place in line. */
const TELL_PLACE_AFTER_MS = 3_000

/**
 * Makes one call that a participant waits for and posts its outcome to the chat, which stays free meanwhile.
 * A call that may have reached the service is not repeated: the record is looked at instead (spec, Errors).
 */
export function createCallHandler(deps: {
  service: ServiceClient
  store: Store
  vault: Vault
  api: Api
  texts: Texts
  now: () => number
}): JobHandler {
  const { service, texts, api, now } = deps

  return async ({ body, work, interrupted }) => {
    const job = body as CallJob
    const { s, id, call, onBehalf } = job
    if (!(await guardCurrent(work, onBehalf))) return
    const mayHaveHappened = interrupted || job.wasInterrupted === true
    const line = tellPlace(async (place, seconds) => {
      if (!(await isCurrent(deps, onBehalf))) return
      const text = texts.for(onBehalf.language)('place-in-line', { place, seconds })
      await api.sendMessage(onBehalf.chatId, text, { parse_mode: 'HTML' })
    })
    const how = { lane: 'participant', onQueued: line.onQueued } as const
    const outcome = await perform(service, call, mayHaveHappened, how)
      .catch((error: unknown) => {
        if (!(error instanceof ServiceError) || error.code !== 'no_slot') throw error
        return 'stopping' as const
      })
      .finally(line.end)
    if (outcome === 'stopping') {
      // This process gives up its place in line: the next one makes the call, with what is known of it.
      const retryBody: CallJob = { ...job, ...(mayHaveHappened && { wasInterrupted: true }) }
      return { retryAt: now() + 1_000, retryBody, countsAsRetry: false }
    }
    work.post(chatActor(onBehalf.who), {
      type: 'outcome',
      chatId: onBehalf.chatId,
      s,
      id,
      kind: call.kind,
      outcome,
    })
    return
  }
}

async function perform(
  service: ServiceClient,
  call: Call,
  interrupted: boolean,
  options: CallOptions,
): Promise<Outcome<unknown>> {
  try {
    if (interrupted && isOnce(call)) return await look(service, call, options)
    return { ok: true, value: await run(service, call, options) }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'no_slot') throw error
    // A 409 without words also stands for a profile that is there already (spec, Errors): the record tells.
    const isDoubtful = error.reached === 'unclear' || error.code === 'belongs_to_roadmap'
    if (!isDoubtful || !isOnce(call)) return failure(error)
    const seen = await look(service, call, options).catch((lookError: unknown) => {
      if (!(lookError instanceof ServiceError)) throw lookError
      return unclear(call)
    })
    return seen.ok || error.reached === 'unclear' ? seen : failure(error)
  }
}

async function run(service: ServiceClient, call: Call, options: CallOptions): Promise<unknown> {
  switch (call.kind) {
    case 'open':
      return service.record(call.token, options)
    case 'auth':
      return service.authRecord(call.token, call.profile, options)
    case 'verify':
      return service.verifyRecord(call.token, { draft_token: call.draftToken, vcode: call.code }, options)
    case 'questions': {
      const questionnaire = readQuestions(await service.questions(call.token, options))
      if (!isAskable(questionnaire)) throw new ServiceError('questions_unreadable', { reached: 'yes' })
      return questionnaire
    }
    case 'openRoadmap':
      return service.roadmap(call.token, options)
    case 'authRoadmap':
      return service.authRoadmap(call.token, call.roles, options)
    case 'verifyRoadmap':
      return service.verifyRoadmap(call.token, { draft_token: call.draftToken, vcode: call.code }, options)
  }
}

/** Calls that a repeat would harm: an auth sends an SMS, a verify spends a code. */
type OnceCall = Extract<Call, { kind: `${'auth' | 'verify'}${'' | 'Roadmap'}` }>

function isOnce(call: Call): call is OnceCall {
  return call.kind.startsWith('auth') || call.kind.startsWith('verify')
}

/** Sees from the record or roadmap whether an auth or verify, whose answer was lost, has made the profile. */
async function look(service: ServiceClient, call: OnceCall, options: CallOptions): Promise<Outcome<unknown>> {
  if (call.kind === 'authRoadmap' || call.kind === 'verifyRoadmap') {
    const { auth_required: isRequired } = await service.roadmap(call.token, options)
    return isRequired ? unclear(call) : { ok: true, value: { tests_auth_required: false, roles: [] } }
  }
  const record = await service.record(call.token, options)
  if (record.auth_required) return unclear(call)
  return { ok: true, value: { tests_auth_required: false, profile: record.profile } }
}

/** Not done, as far as can be seen; where an SMS may be on its way, only the participant asks for another. */
function unclear(call: OnceCall): Failure {
  return { ok: false, code: 'sms' in call && call.sms ? 'sms_unclear' : 'unavailable' }
}

function failure(error: ServiceError): Failure {
  const reason = error.messages.find((message) => /\p{Script=Arabic}/u.test(message))
  return { ok: false, code: error.code, ...(reason ? { reason } : {}) }
}

function tellPlace(tell: (place: number, seconds: number) => Promise<void>) {
  let timer: NodeJS.Timeout | undefined
  return {
    onQueued({ place, etaMs }: { place: number; etaMs: number }) {
      timer ??= setTimeout(() => {
        tell(place, Math.ceil(etaMs / 1_000)).catch(() => undefined)
      }, TELL_PLACE_AFTER_MS)
    },
    end: () => clearTimeout(timer),
  }
}
