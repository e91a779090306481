import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { setAsideMessages } from '../kept/documents.ts'
import { onBehalf } from '../kept/owed-result.ts'
import { actorId, actorKind } from '../mail/actors.ts'
import { chatMessage, postEvent } from '../mail/chat-message.ts'
import type { Log } from '../observe/logger.ts'
import type { Texts } from '../texts/texts.ts'
import { postNotice } from './notices.ts'
import type { Task } from './task.ts'

/** What the bodies of most jobs have in common. */
const anyJob = z.object({ onBehalf, s: z.string().optional() })

/** Keeps a message that failed for good out of the way, tells the participant, and alarms the organizers. */
export function createSetAside(deps: { config: Config; texts: Texts; now: () => number; log: Log }) {
  const { now, log } = deps

  return ({ actor, body, work }: Task<unknown>, err: unknown): void => {
    const kind = actorKind(actor)
    log.error({ err, actor: kind }, 'message set aside')
    const isTyped = kind === 'chat' || kind === 'call'
    const id = randomBytes(9).toString('base64url')
    work.put(setAsideMessages, id, { actor, at: now(), ...(isTyped ? {} : { body }) })
    if (kind !== 'notice') postNotice(deps, work, 'notice-trouble', undefined)
    const concerned = kind === 'chat' ? chatOf(actor, body) : participantOf(body)
    if (concerned) postEvent(work, concerned, concerned.s, { kind: 'trouble' })
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
