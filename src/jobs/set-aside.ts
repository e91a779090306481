import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { UnreadableError } from '../domain/unreadable.ts'
import { accounts, recordFiles, setAsideMessages } from '../kept/documents.ts'
import { onBehalf } from '../kept/owed-result.ts'
import { actorId, actorKind } from '../mail/actors.ts'
import { chatMessage, postEvent } from '../mail/chat-message.ts'
import type { Log } from '../observe/logger.ts'
import type { UnitOfWork } from '../store/unit-of-work.ts'
import { type NoticeDeps, noticeJob, postNotice } from './notices.ts'
import type { Task } from './task.ts'

/** What the bodies of most jobs have in common. */
const anyJob = z.object({ onBehalf, s: z.string().optional() })

/** Keeps a message that failed for good out of the way, tells the participant, and alarms the organizers. */
export function createSetAside(deps: NoticeDeps & { log: Log }) {
  const { config, texts, now, log } = deps

  return async ({ actor, body, work }: Task<unknown>, err: unknown): Promise<void> => {
    const kind = actorKind(actor)
    log.error({ err, actor: kind }, 'message set aside')
    const isTyped = kind === 'chat' || kind === 'call' || kind === 'visit'
    work.put(setAsideMessages, randomId(), { actor, at: now(), ...(isTyped ? {} : { body }) })
    if (kind !== 'notice') await postNotice(deps, work, { key: 'notice-trouble', of: actor }, undefined)
    const concerned = kind === 'chat' ? chatOf(actor, body) : participantOf(body)
    if (!(err instanceof UnreadableError)) {
      if (concerned) postEvent(work, concerned, concerned.s, { kind: 'trouble' })
      return
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

type Concerned = { who: string; chatId: number; s: string }

/** Nobody is known where the message cannot be read; who cannot be told of trouble is not told of that. */
function chatOf(actor: string, body: unknown): Concerned | undefined {
  const { data: message } = chatMessage.safeParse(body)
  if (!message || (message.type === 'event' && message.event.kind === 'trouble')) return undefined
  const s = message.type === 'update' ? '' : message.s
  return { who: actorId(actor), chatId: message.chatId, s }
}

function participantOf(body: unknown): Concerned | undefined {
  const { data: job } = anyJob.safeParse(body)
  return job && { who: job.onBehalf.who, chatId: job.onBehalf.chatId, s: job.s ?? '' }
}
