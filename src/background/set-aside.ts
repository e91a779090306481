import { randomBytes } from 'node:crypto'
import type { Config } from '../config.ts'
import { DAY_MS } from '../domain/durations.ts'
import type { Log } from '../observe/logger.ts'
import { documentKind } from '../store/documents.ts'
import type { Texts } from '../texts/texts.ts'
import { actorKind, type ChatMessage, chatActor, type OnBehalf } from './actors.ts'
import { postEvent } from './post-event.ts'
import { postNotice } from './send-notice.ts'
import type { Job } from './worker.ts'

/** Messages that failed for good, kept for the operator; of what a person typed nothing, since /forget finds no way here. */
const setAsideMessages = documentKind<{ actor: string; body?: unknown; at: number }>('d')

const KEPT_DAYS = 30

/** Keeps a message that failed for good out of the way, tells the participant, and alarms the organizers. */
export function createSetAside(deps: { config: Config; texts: Texts; now: () => number; log: Log }) {
  const { config, texts, now, log } = deps

  return ({ actor, body, work }: Job, err: unknown): void => {
    const kind = actorKind(actor)
    log.error({ err, actor: kind }, 'message set aside')
    work.put(
      setAsideMessages,
      randomBytes(9).toString('base64url'),
      { actor, at: now(), ...(kind === 'chat' || kind === 'call' ? {} : { body }) },
      now() + KEPT_DAYS * DAY_MS,
    )
    if (kind !== 'notice') postNotice({ config, texts }, work, 'notice-trouble', undefined)
    const concerned = concernedChat(actor, body)
    if (concerned) postEvent(work, concerned, concerned.s, { kind: 'trouble' })
  }
}

/** Nobody is known where the message cannot even be opened. */
function concernedChat(actor: string, body: unknown): { who: string; chatId: number; s: string } | undefined {
  if (body === undefined) return undefined
  if (actorKind(actor) === 'chat') {
    const message = body as ChatMessage
    if (message.type === 'event' && message.event.kind === 'trouble') return undefined
    return {
      who: actor.slice(chatActor('').length),
      chatId: message.chatId,
      s: message.type === 'update' ? '' : message.s,
    }
  }
  const { onBehalf, s } = body as { onBehalf?: OnBehalf; s?: string }
  return onBehalf && { who: onBehalf.who, chatId: onBehalf.chatId, s: s ?? '' }
}
