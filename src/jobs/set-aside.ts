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
import {
  accounts,
  type DeadLetter,
  deadLetters,
  onBehalfSchema,
  recordFiles,
} from '../storage/documents/kinds.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import type { JobDeps } from './deps.ts'
import { type NoticeDeps, noticeJob, postNotice } from './notices.ts'
import { noteSubmission } from './submit-answers.ts'

/** The common fields of most job bodies. `id`: of a call; `unclear`: answers may have reached the service. */
const anyJob = z.object({
  onBehalf: onBehalfSchema,
  s: z.string().optional(),
  id: z.string().optional(),
  unclear: z.boolean().optional(),
})

/** Events that continue or end work on a record or roadmap: without one the chat would wait for ever. */
const AWAITED_EVENTS: readonly EventKind[] = [
  'generating',
  'submitted',
  'submitted-elsewhere',
  'submit-refused',
  'generated',
  'generation-refused',
  'generation-failed',
]

/** Events by which an account loses something: without one it would not know why nothing opens. */
const LOSS_EVENTS: readonly EventKind[] = ['released', 'unhanded']

/** Keeps a message that failed for good as a dead letter, and notifies the participant and the organizers. */
export function createSetAside(deps: NoticeDeps & Pick<JobDeps, 'log'>) {
  const { config, texts, log } = deps

  return async (task: Task<unknown>, err: unknown): Promise<void> => {
    const { actor, body, work, begun } = task
    const kind = actorKind(actor)
    log.error({ err, actor: kind }, 'message set aside')
    const { data: job } = anyJob.safeParse(body)
    // For an account that was forgotten since, nothing is kept and no notice is sent.
    if (job && !(err instanceof UnreadableError) && !(await guardCurrent(work, job.onBehalf))) return
    const concerned = kind === 'chat' ? chatOf(actor, body) : participantOf(kind, body, begun)
    // A repetition of the same failure must not alert the operator again.
    if (await isNew(deps, task, err, concerned?.who)) work.note('set-aside')
    if (kind !== 'notice') await postNotice(deps, work, { key: 'notice-trouble', of: actor }, undefined)
    if (!(err instanceof UnreadableError)) {
      if (!concerned) return
      const { s, who, ended, isAttempted, again } = concerned
      if (again) return postToChat(work, who, again)
      // The assignee may change before this chat handles the event.
      if (isAttempted) await noteSubmission(work, s)
      return postEvent(work, concerned, s, { kind: 'trouble', epoch: await epochOf(work, who), ...ended })
    }
    // The handler of the chat might read the same damaged value, so the notice is sent directly.
    const chatId = concerned?.chatId ?? (await chatByFile(work, actor))
    const text = texts.for(config.locale)('trouble')
    if (chatId !== undefined) noticeJob.post(work, randomId(), { chatId, text })
  }
}

/** Keeps the message for the operator; returns whether it is the first that failed for this reason. */
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

/** Upper limit for the dead letters of one account. */
const MOST_LETTERS = 20

const randomId = () => randomBytes(9).toString('base64url')

/** The id that an operator passes to `porsa stuck`, where a leading dash would be an option. */
const letterId = () => randomId().replace(/^-+/, '').padEnd(6, '0').slice(0, 6)

/** The chat of a message whose body cannot be read, if another document has it. */
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

/** The account that a message concerns, and what has ended with it. */
type Concerned = {
  who: string
  chatId: number
  s: string
  ended: Omit<EventOf<'trouble'>, 'kind'>
  /** Answers of it may have reached the service. */
  isAttempted?: boolean
  /** The message that is posted once more. */
  again?: ChatMessage
}

/** `undefined` if the message cannot be read, or if it is itself a notice of trouble. */
function chatOf(actor: string, body: unknown): Concerned | undefined {
  const { data: message } = chatMessage.safeParse(body)
  if (!message) return undefined
  const known = { who: actorId(actor), chatId: message.chatId }
  if (message.type === 'update') return { ...known, s: '', ended: {} }
  const { s } = message
  if (message.type === 'outcome') return { ...known, s, ended: { call: message.id } }
  if (message.event.kind === 'trouble') return undefined
  if (LOSS_EVENTS.includes(message.event.kind) && !message.isAgain)
    return { ...known, s, ended: {}, again: { ...message, isAgain: true } }
  if (!AWAITED_EVENTS.includes(message.event.kind)) return { ...known, s, ended: {} }
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
