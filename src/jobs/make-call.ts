import type { ServiceClient } from '../service/client.ts'
import { ServiceError, UnwantedCall } from '../service/errors.ts'
import type { CallHow, Failure } from './call-table.ts'
import { type Call, type CallKind, type CallOf, callTable, type OutcomeOf } from './call-table.ts'

/**
 * Makes a call. If it may have reached the service and a repeat does harm, the record is checked instead
 * (spec, Errors). It is not made after its deadline. Throws `no_slot` when this process stops (`unclear`: the
 * next process has to check), and all errors that are no failure of the service.
 */
export function makeCall(
  { service, now }: { service: ServiceClient; now: () => number },
  call: Call,
  mayHaveHappened: boolean,
  { begin, looksFirst, earlier, ...how }: CallHow,
): Promise<OutcomeOf<CallKind>> {
  return makeOne<CallKind>(call.kind, call)

  async function makeOne<K extends CallKind>(kind: K, request: CallOf<K>): Promise<OutcomeOf<K>> {
    const { make, endsAt, look: lookOnce, sendsSms } = callTable[kind]
    const deadline = endsAt?.(request)
    const isLate = () => deadline !== undefined && now() >= deadline
    const isWanted = async () => !isLate() && ((await how.isWanted?.()) ?? true)
    // The check found no effect. If an SMS may be on its way, only the participant asks for another.
    const notSeen: Failure = { ok: false, code: sendsSms?.(request) ? 'sms_unclear' : 'unavailable' }
    const find =
      lookOnce &&
      (async (): Promise<OutcomeOf<K> | undefined> => {
        const value = await lookOnce(service, request, how)
        if (value !== 'of another') return value && { ok: true, value }
        for (let sent = earlier; sent; sent = sent.before) {
          const before = await lookOnce(service, { ...request, ...sent }, how)
          if (before && before !== 'of another') return { ok: true, value: before, isEarlier: true }
        }
        return { ok: false, code: 'registered_elsewhere' }
      })
    const look = find && (async () => (await find()) ?? notSeen)
    try {
      if (mayHaveHappened && look) return await look()
      const found = looksFirst && (await find?.())
      if (found) return found
      // Only a call that must not be repeated is noted as begun.
      const begun = look && begin ? { begin } : {}
      return { ok: true, value: await make(service, request, { ...how, ...begun, isWanted, deadline }) }
    } catch (error) {
      if (error instanceof UnwantedCall && isLate()) return TOO_LATE
      if (error instanceof ServiceError && error.code === 'too_late') return TOO_LATE
      if (!(error instanceof ServiceError) || error.code === 'no_slot') throw error
      // A 409 also means that the profile exists (spec, Errors), and a draft also ends when an earlier try,
      // whose reply was lost, took effect: the record shows which.
      const isUnclear = error.reached === 'unclear'
      const mayBeDone =
        error.code === 'belongs_to_roadmap' || error.code === 'draft_expired' || error.status === 409
      if (!look || !(isUnclear || mayBeDone))
        return { ...failure(error), ...(look && (mayHaveHappened || looksFirst) && { isUnclear: true }) }
      try {
        const seen = await look()
        return seen.ok || isUnclear || seen.code === 'registered_elsewhere' ? seen : failure(error)
      } catch (lookError) {
        if (!(lookError instanceof ServiceError)) throw lookError
        // This process stops; the next one checks.
        if (lookError.code === 'no_slot')
          throw isUnclear ? new ServiceError('no_slot', { reached: 'unclear' }) : lookError
        // The outcome, or the reason of the refusal, is unknown, so the record stays open.
        if (isUnclear) return { ...notSeen, isUnclear }
        return error.code === 'draft_expired' ? failure(error) : { ok: false, code: 'unavailable' }
      }
    }
  }
}

/** The draft ended before the call could be made. */
const TOO_LATE: Failure = { ok: false, code: 'draft_expired' }

/** Describes a refusal as plain data. */
function failure(error: ServiceError): Failure {
  const reason = error.messages.find((message) => /\p{Script=Arabic}/u.test(message))
  return {
    ok: false,
    code: error.code,
    ...(reason ? { reason } : {}),
    ...(error.unshown && { unshown: error.unshown }),
  }
}
