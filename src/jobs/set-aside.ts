import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { UnreadableError } from '../domain/unreadable.ts'
import type { Log } from '../observe/logger.ts'
import { type ActorKind, actorId, actorKind } from '../queue/actors.ts'
import { chatMessage, postEvent } from '../queue/chat-message.ts'
import type { EventKind, EventOf } from '../queue/events.ts'
import type { Task } from '../queue/task.ts'
import { accounts, recordFiles, setAsideMessages } from '../storage/documents/kinds.ts'
import { onBehalf } from '../storage/documents/owed-result.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import { type NoticeDeps, noticeJob, postNotice } from './notices.ts'

/** What the bodies of most jobs have in common; `id` is that of a call, `unclear` that of answers that may have arrived. */
const anyJob = z.object({
  onBehalf,
  s: z.string().optional(),
  id: z.string().optional(),
  unclear: z.boolean().optional(),
})

/** What tells how work on a record or roadmap goes on, or ends: without it the chat would wait for ever. */
const WORDS_WAITED_FOR: readonly EventKind[] = [
  'generating',
  'submitted',
  'submitted-elsewhere',
  'submit-refused',
  'generated',
  'generation-refused',
  'generation-failed',
]

/** Keeps a message that failed for good out of the way, tells the participant, and alarms the organizers. */
export function createSetAside(deps: NoticeDeps & { log: Log }) {
  const { config, texts, now, log } = deps

  return async ({ actor, body, work, begun }: Task<unknown>, err: unknown): Promise<void> => {
    const kind = actorKind(actor)
    log.error({ err, actor: kind }, 'message set aside')
    work.put(setAsideMessages, randomId(), { actor, at: now() })
    if (kind !== 'notice') await postNotice(deps, work, { key: 'notice-trouble', of: actor }, undefined)
    const concerned = kind === 'chat' ? chatOf(actor, body) : participantOf(kind, body, begun)
    if (!(err instanceof UnreadableError)) {
      if (!concerned) return
      const { s, ended } = concerned
      return postEvent(work, concerned, s, { kind: 'trouble', ...ended })
    }
    // A turn of the chat might meet the same harmed value, so the word is sent as it is.
    const chatId = concerned?.chatId ?? (await chatByFile(work, actor))
    const text = texts.for(config.locale)('trouble')
    if (chatId !== undefined) noticeJob.post(work, randomId(), { chatId, text })
  }
}

const randomId = () => randomBytes(9).toString('base64url')

/** The chat of a message whose body cannot be read, as far as it is known elsewhere. */
async function chatByFile(work: UnitOfWork, actor: string): Promise<number | undefined> {
  const id = actorId(actor)
  const [s = ''] = id.split(':')
  try {
    return actorKind(actor) === 'chat'
      ? (await work.get(accounts, id))?.chatId
      : (await work.get(recordFiles, s))?.chatId
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error
    return undefined
  }
}

/** Whom the message was for, and what has ended with it. */
type Concerned = { who: string; chatId: number; s: string; ended: Omit<EventOf<'trouble'>, 'kind'> }

/** Nobody is known where the message cannot be read; who cannot be told of trouble is not told of that. */
function chatOf(actor: string, body: unknown): Concerned | undefined {
  const { data: message } = chatMessage.safeParse(body)
  if (!message) return undefined
  const known = { who: actorId(actor), chatId: message.chatId }
  if (message.type === 'update') return { ...known, s: '', ended: {} }
  const { s } = message
  if (message.type === 'outcome') return { ...known, s, ended: { call: message.id } }
  if (message.event.kind === 'trouble') return undefined
  if (!WORDS_WAITED_FOR.includes(message.event.kind)) return { ...known, s, ended: {} }
  const isAttempted = message.event.kind === 'submitted' && !message.event.isUncertain
  return { ...known, s, ended: stalledAt(isAttempted) }
}

function participantOf(kind: ActorKind | undefined, body: unknown, begun: boolean): Concerned | undefined {
  const { data: job } = anyJob.safeParse(body)
  if (!job) return undefined
  const { onBehalf, s = '', id: call, unclear = false } = job
  return { who: onBehalf.who, chatId: onBehalf.chatId, s, ended: endedWith(kind, call, begun || unclear) }
}

function endedWith(
  kind: ActorKind | undefined,
  call: string | undefined,
  isAttempted: boolean,
): Concerned['ended'] {
  if (kind === 'call' || kind === 'visit') return { call }
  return kind === 'submit' || kind === 'generation' ? stalledAt(isAttempted) : {}
}

const stalledAt = (isAttempted: boolean): Concerned['ended'] => ({
  isStalled: true,
  ...(isAttempted && { isAttempted }),
})
