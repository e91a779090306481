import { z } from 'zod'
import { actorKind } from '../queue/actors.ts'
import { postToChat } from '../queue/chat-message.ts'
import { guardCurrent, isCurrent } from '../queue/current.ts'
import { job } from '../queue/job.ts'
import { type Handler, handler } from '../queue/task.ts'
import type { ServiceClient } from '../service/client.ts'
import type { Lane } from '../service/endpoints.ts'
import { ServiceError } from '../service/errors.ts'
import type { FetchPicture } from '../service/pictures.ts'
import { onBehalf } from '../storage/documents/owed-result.ts'
import type { Store } from '../storage/store.ts'
import type { Vault } from '../storage/vault.ts'
import type { Sender } from '../telegram/sender.ts'
import type { Texts } from '../texts/texts.ts'
import { placeInLineText } from '../views/wait.ts'
import { type Call, callSchema, callTable } from './call-table.ts'
import { withPictures } from './keep-pictures.ts'
import { makeCall } from './make-call.ts'
import { notifyPlace } from './notify-place.ts'

/** So long after this process gave up its place in line the next one takes it. */
const HAND_OVER_MS = 1_000

const callBody = z.object({
  s: z.string(),
  id: z.string(),
  call: callSchema,
  onBehalf,
  /** An earlier process died while it made the call, which may have happened. */
  wasInterrupted: z.literal(true).optional(),
  /** The message in which an earlier process has told the place in line. */
  told: z.number().optional(),
})
type CallBody = z.infer<typeof callBody>

/** A call that a chat waits for. By the record id and the account. */
export const callJob = job('call', callBody)
/** The same about what nobody has claimed yet: anybody can make up links, so a crowd of these stops nobody. */
export const visitJob = job('visit', callBody)

/** Makes one call that somebody waits for and posts its outcome to the chat, which stays free meanwhile. */
export function createCallHandler(deps: {
  service: ServiceClient
  store: Store
  vault: Vault
  sender: Sender
  texts: Texts
  now: () => number
  fetchPicture: FetchPicture
}): Handler {
  const { service, sender, texts, now, fetchPicture } = deps

  /** Says the place in line, or edits what was said; nothing of somebody who was forgotten meanwhile. */
  const placeOf = ({ onBehalf, call, told }: CallBody) =>
    notifyPlace(async (place, messageId) => {
      if (!(await isCurrent(deps, onBehalf))) return messageId
      const t = texts.for(onBehalf.language)
      const who = laneOf(call) === 'participant' ? 'participant' : 'organizer'
      const text = place === 'reached' ? t('place-reached') : placeInLineText(t, who, place)
      if (messageId === undefined) return sender.send(onBehalf.chatId, { text })
      await sender.edit(onBehalf.chatId, messageId, { text })
      return messageId
    }, told)

  return handler(callJob, async ({ actor, body, work, begun, begin, signal, trace }) => {
    const { s, id, call, onBehalf } = body
    if (!(await guardCurrent(work, onBehalf))) return undefined
    const mayHaveHappened = begun || body.wasInterrupted === true
    const place = placeOf(body)
    try {
      const isWanted = async () => {
        place.reached()
        return isCurrent(deps, onBehalf)
      }
      const rank = actorKind(actor) === 'visit' ? 'unclaimed' : 'underWay'
      const inLine = { lane: laneOf(call), account: onBehalf.who, rank, onQueued: place.onQueued } as const
      const how = { ...inLine, isAwaited: true as const, trace, begin, signal, isWanted }
      const made = await makeCall({ service, now }, call, mayHaveHappened, how)
      const outcome = await withPictures(work, fetchPicture, made)
      const { who, chatId } = onBehalf
      postToChat(work, who, { type: 'outcome', chatId, s, id, kind: call.kind, outcome })
      return undefined
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'no_slot') throw error
      // This process gives up its place in line: the next one makes the call, with what is known of it.
      const told = await place.end()
      const isUnclear = mayHaveHappened || error.reached === 'unclear'
      const retryBody = { ...body, told, ...(isUnclear && { wasInterrupted: true as const }) }
      return { retryAt: now() + HAND_OVER_MS, retryBody }
    } finally {
      await place.end()
    }
  })
}

function laneOf({ kind }: Call): Lane {
  const { lane = 'participant' } = callTable[kind]
  return lane
}
