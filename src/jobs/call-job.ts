import { z } from 'zod'
import { sentDetails } from '../domain/profile.ts'
import type { Questionnaire } from '../domain/questionnaire.ts'
import { actorKind } from '../queue/actors.ts'
import { postToChat } from '../queue/chat-message.ts'
import { guardCurrent, type Handler, handler, isCurrent, job } from '../queue/job.ts'
import { NEXT_REPLICA_MS, ServiceError, UnwantedCall } from '../service/errors.ts'
import { accounts, onBehalfSchema, recordFiles } from '../storage/documents/kinds.ts'
import { documentKey, readDocument } from '../storage/documents.ts'
import { callSchema, isUnrepeatable, laneOf } from './call-table.ts'
import type { JobDeps, With } from './deps.ts'
import { keepPictures } from './keep-pictures.ts'
import { makeCall } from './make-call.ts'
import { placeInLine } from './place-in-line.ts'

const callBody = z.object({
  s: z.string(),
  id: z.string(),
  call: callSchema,
  onBehalf: onBehalfSchema,
  /** An earlier process stopped during the call, which may have happened. */
  wasInterrupted: z.literal(true).optional(),
  looksFirst: z.literal(true).optional(),
  earlier: sentDetails.optional(),
  /** The message in which an earlier process showed the place in line. */
  told: z.number().optional(),
})
type CallBody = z.infer<typeof callBody>

/** A call that a chat waits for. Keyed by record id and account. */
export const callJob = job('call', callBody)
/** The same for a record that no account has claimed: a flood of made-up links must delay no participant. */
export const visitJob = job('visit', callBody)

/** Makes a call for a chat and posts its outcome there; the chat handles other messages meanwhile. */
export function createCallHandler(
  deps: Pick<JobDeps, 'service' | 'store' | 'vault' | 'sender' | 'texts' | 'now' | 'fetchPicture'> &
    With<'retentionDays'>,
): Handler {
  const { service, now } = deps

  /**
   * Whether the chat still waits for the call. A release, withdrawn details or the end of their term end the
   * waiting, and the next account must not find a profile.
   */
  async function isAwaited({ s, id, call, onBehalf }: CallBody): Promise<boolean> {
    const account = await readDocument(deps, accounts, onBehalf.who)
    if (account?.pending[s]?.id !== id) return false
    if (isUnrepeatable(call.kind) && !(await deps.store.read([documentKey(recordFiles, s)]))[0]) return false
    return isCurrent(deps, onBehalf)
  }

  return handler(callJob, async ({ actor, body, work, begun, begin, signal, trace }) => {
    const { s, id, call, looksFirst, earlier, onBehalf } = body
    if (!(await guardCurrent(work, onBehalf))) return undefined
    const mayHaveHappened = begun || body.wasInterrupted === true
    const place = placeInLine(deps, onBehalf, {
      who: laneOf(call) === 'participant' ? 'participant' : 'organizer',
      told: body.told,
      isAwaited: () => isAwaited(body),
    })
    const unwanted = watchWanted(() => isAwaited(body))
    try {
      const isWanted = async () => {
        unwanted.end()
        const isStillAwaited = await isAwaited(body)
        if (isStillAwaited) place.reached()
        return isStillAwaited
      }
      const rank = actorKind(actor) === 'visit' ? 'unclaimed' : 'underWay'
      const inLine = { lane: laneOf(call), account: onBehalf.who, rank, onQueued: place.onQueued } as const
      const keep = (read: Questionnaire) => keepPictures(deps, read)
      const waits = { signal: AbortSignal.any([signal, unwanted.signal]), isWanted }
      const how = { ...inLine, ...waits, isAwaited: true as const, trace, begin, keep, looksFirst, earlier }
      const outcome = await makeCall({ service, now }, call, mayHaveHappened, how)
      const { who, chatId } = onBehalf
      postToChat(work, who, { type: 'outcome', chatId, s, id, kind: call.kind, outcome })
      return undefined
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'no_slot') throw error
      // This process gives up its place in line; the next one makes the call, with what is known so far.
      const told = await place.end()
      const isUnclear = mayHaveHappened || error.reached === 'unclear'
      const retryBody = { ...body, told, ...(isUnclear && { wasInterrupted: true as const }) }
      return { retryAt: now() + NEXT_REPLICA_MS, retryBody }
    } finally {
      unwanted.end()
      await place.end()
    }
  })
}

/** How often a waiting call checks whether its chat still waits for it. */
const WANTED_CHECK_MS = 15_000

/** Takes an unwanted call out of the line: its details are not kept longer, and it delays no other call. */
function watchWanted(isAwaited: () => Promise<boolean>) {
  const unwanted = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  function checkLater(): void {
    if (!isOver) timer = setTimeout(() => void check().catch(checkLater), WANTED_CHECK_MS).unref()
  }
  async function check(): Promise<void> {
    if (await isAwaited()) checkLater()
    else if (!isOver) unwanted.abort(new UnwantedCall('nobody waits for it any more'))
  }
  checkLater()
  return {
    signal: unwanted.signal,
    end(): void {
      isOver = true
      clearTimeout(timer)
    },
  }
}
