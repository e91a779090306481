import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { isFields } from '../domain/fields.ts'
import { UnreadableError } from '../domain/unreadable.ts'
import { scrubError } from '../observe/scrub.ts'
import { type ActorKind, actorId, actorKind } from '../queue/actors.ts'
import {
  type ChatMessage,
  chatMessage,
  type EventKind,
  type EventOf,
  postEvent,
  postToChat,
} from '../queue/chat-message.ts'
import { epochOf, guardCurrent, type Task } from '../queue/job.ts'
import { accounts, type DeadLetter, deadLetters, onBehalf, recordFiles } from '../storage/documents/kinds.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import type { JobDeps } from './deps.ts'
import { type NoticeDeps, noticeJob, postNotice } from './notices.ts'
import { noteSubmission } from './submit-answers.ts'

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

/** What tells that something is this account's no more: without it nobody would know why nothing of it opens. */
const WORDS_OF_LOSS: readonly EventKind[] = ['released', 'unhanded']

/** Keeps a message that failed for good out of the way, tells the participant, and alarms the organizers. */
export function createSetAside(deps: NoticeDeps & Pick<JobDeps, 'log'>) {
  const { config, texts, log } = deps

  return async (task: Task<unknown>, err: unknown): Promise<void> => {
    const { actor, body, work, begun } = task
    const kind = actorKind(actor)
    log.error({ err, actor: kind }, 'message set aside')
    const { data: job } = anyJob.safeParse(body)
    // Of somebody who was forgotten since nothing is kept, and nothing told.
    if (job && !(err instanceof UnreadableError) && !(await guardCurrent(work, job.onBehalf))) return
    const concerned = kind === 'chat' ? chatOf(actor, body) : participantOf(kind, body, begun)
    // Where the same fails in the same way again, nobody has to get up for it twice.
    if (await isNew(deps, task, err, concerned?.who)) work.note('set-aside')
    if (kind !== 'notice') await postNotice(deps, work, { key: 'notice-trouble', of: actor }, undefined)
    if (!(err instanceof UnreadableError)) {
      if (!concerned) return
      const { s, who, ended, isAttempted, again } = concerned
      if (again) return postToChat(work, who, again)
      // Whose it is may have changed before this chat hears of it.
      if (isAttempted) await noteSubmission(work, s)
      return postEvent(work, concerned, s, { kind: 'trouble', epoch: await epochOf(work, who), ...ended })
    }
    // A turn of the chat might meet the same harmed value, so the word is sent as it is.
    const chatId = concerned?.chatId ?? (await chatByFile(work, actor))
    const text = texts.for(config.locale)('trouble')
    if (chatId !== undefined) noticeJob.post(work, randomId(), { chatId, text })
  }
}

/** Keeps the message for the operator; whether it is the first that failed for this reason. */
async function isNew(
  { now }: Pick<NoticeDeps, 'now'>,
  { actor, body, work, trace }: Task<unknown>,
  err: unknown,
  who = actorKind(actor) === 'chat' ? actorId(actor) : work.vault.hash('actor', actor),
): Promise<boolean> {
  const { type, message } = scrubError(err)
  const why = `${type}: ${message}`
  const kept = (await work.get(deadLetters, who)) ?? work.put(deadLetters, who, { letters: [] })
  const same = kept.letters.find((letter) => letter.actor === actor && letter.why === why)
  const letter: DeadLetter = {
    ...{ id: letterId(), actor, at: now(), times: 1, why, trace },
    ...(isFields(body) && { body }),
  }
  if (same) same.times += 1
  if (!same || (letter.body && JSON.stringify(letter.body) !== JSON.stringify(same.body)))
    kept.letters = [...kept.letters, letter].slice(-MOST_LETTERS)
  return same === undefined
}

/** Of one account. */
const MOST_LETTERS = 20

const randomId = () => randomBytes(9).toString('base64url')

/** What an operator types behind `porsa stuck`: at the beginning a dash would be an option. */
const letterId = () => randomId().replace(/^-+/, '').padEnd(6, '0').slice(0, 6)

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
type Concerned = {
  who: string
  chatId: number
  s: string
  ended: Omit<EventOf<'trouble'>, 'kind'>
  /** Answers of it may have reached the service. */
  isAttempted?: boolean
  /** What is said once more. */
  again?: ChatMessage
}

/** Nobody is known where the message cannot be read; who cannot be told of trouble is not told of that. */
function chatOf(actor: string, body: unknown): Concerned | undefined {
  const { data: message } = chatMessage.safeParse(body)
  if (!message) return undefined
  const known = { who: actorId(actor), chatId: message.chatId }
  if (message.type === 'update') return { ...known, s: '', ended: {} }
  const { s } = message
  if (message.type === 'outcome') return { ...known, s, ended: { call: message.id } }
  if (message.event.kind === 'trouble') return undefined
  if (WORDS_OF_LOSS.includes(message.event.kind) && !message.isAgain)
    return { ...known, s, ended: {}, again: { ...message, isAgain: true } }
  if (!WORDS_WAITED_FOR.includes(message.event.kind)) return { ...known, s, ended: {} }
  const isAttempted = message.event.kind === 'submitted' && !message.event.isUncertain
  return { ...known, s, ended: { isStalled: true }, isAttempted }
}

function participantOf(kind: ActorKind | undefined, body: unknown, begun: boolean): Concerned | undefined {
  const { data: job } = anyJob.safeParse(body)
  if (!job) return undefined
  const { s = '', id: call, unclear = false } = job
  const { who, chatId } = job.onBehalf
  if (kind === 'call' || kind === 'visit') return { who, chatId, s, ended: { call } }
  if (kind !== 'submit' && kind !== 'generation') return { who, chatId, s, ended: {} }
  return { who, chatId, s, ended: { isStalled: true }, isAttempted: begun || unclear }
}
