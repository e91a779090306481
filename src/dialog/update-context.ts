import type { StorageAdapter } from 'grammy'
import { type Account, languageOf, newAccount } from '../domain/account.ts'
import { tehranToday } from '../domain/persian/calendar.ts'
import type { RecordFile } from '../domain/record/record.ts'
import type { JobDeps } from '../jobs/deps.ts'
import { DELETED_AGAIN_MS, timerIds, watchJobs } from '../jobs/watch-jobs.ts'
import type { Part } from '../observe/health.ts'
import type { CardRenderer } from '../pictures/card-renderer.ts'
import type { ChatMessage } from '../queue/chat-message.ts'
import { epochOf, type Task } from '../queue/job.ts'
import { newCode } from '../storage/documents/invitations.ts'
import { accounts } from '../storage/documents/kinds.ts'
import type { OrganizerState } from '../storage/documents/organizer-state.ts'
import type { Contents } from '../storage/documents/questions.ts'
import type { ForgottenList } from '../storage/forgotten-list.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import type { Download } from '../telegram/client.ts'
import type { Language, Translate } from '../texts/texts.ts'
import type { View } from '../views/view.ts'
import type { Due } from './due.ts'
import { createOutgoing, mute, type Outgoing } from './outgoing.ts'
import type { Rendered } from './rendered.ts'

export type ContextDeps = Pick<JobDeps, 'store' | 'vault' | 'sender' | 'texts' | 'config' | 'log' | 'now'> & {
  /** The username of the bot, for links to it. */
  username: string
  /** Whether @BotFather has switched inline mode on. */
  isInline: boolean
  /** Fetches a document that was sent. */
  download: Download
  /** Draws the pictures of the board. */
  cards: Pick<CardRenderer, 'bars'>
  /** How many calls to the service count in this hour. */
  used: () => Promise<number>
  /** The parts of the bot that do not work now. */
  failing: () => readonly Part[]
  /** The state of each organizer. */
  sessions: StorageAdapter<OrganizerState>
  /** What this process has rendered of attempts. */
  rendered: Rendered
  /** The questions that this process has read. */
  contents: Contents
  /** The list of forgotten accounts, outside of the store. */
  forgotten: Pick<ForgottenList, 'add'>
}

/**
 * The handling of one message of a chat: the account, what may be sent, and the unit of work that commits
 * everything at the end.
 */
export type UpdateContext = Outgoing & {
  readonly deps: ContextDeps
  readonly work: UnitOfWork
  readonly who: string
  readonly account: Account
  readonly now: number
  /** When the update arrived, by this process's running time; `undefined` if another process received it. */
  readonly arrivedAt: number | undefined
  /** Whether an earlier run may have sent something that is not sent again. */
  readonly hasSent: boolean
  /** The date in Tehran. */
  readonly today: string
  readonly t: Translate
  readonly language: Language
  /** What is shown or asked at the end of this update. */
  due: Due | undefined
  /** The code of an invitation; a repeated run gets the same one, as the chat may already have it. */
  newCode(about: string): string
  /** Whether a message showed exactly this until now; from now on it does, if it still exists. */
  shows(messageId: number, view: View): Promise<boolean>
  useLanguage(language: Language): void
}

type Begun = Pick<Task<unknown>, 'work' | 'begun' | 'begin' | 'hasSent'> & {
  who: string
  message: ChatMessage
  arrivedAt: number | undefined
}

/** Begins the handling of one message of a chat. */
export async function createContext(deps: ContextDeps, task: Begun): Promise<UpdateContext> {
  const { work, who, message, arrivedAt, begun, begin, hasSent } = task
  const { texts, config, sender } = deps
  const account = (await work.get(accounts, who)) ?? work.put(accounts, who, newAccount(message.chatId))
  const language = (): Language => languageOf(account, config)
  const now = deps.now()
  async function deleteLater(left: number[]): Promise<void> {
    const onBehalf = { who, chatId: account.chatId, epoch: await epochOf(work, who), language: language() }
    const job = { s: who, onBehalf, event: { kind: 'typed-old', left } } as const
    watchJobs.timer.post(work, timerIds.left(who), job, { dueAt: now + DELETED_AGAIN_MS })
  }
  return {
    deps,
    work,
    who,
    account,
    now,
    arrivedAt,
    hasSent,
    today: tehranToday(now),
    get t() {
      return texts.for(language())
    },
    get language() {
      return language()
    },
    due: undefined,
    ...createOutgoing({ sender, account, t: () => texts.for(language()), deleteLater }),
    // Two events of a job may be equal, and each needs its own code.
    newCode: (about) =>
      newCode(
        message.type === 'event' ? undefined : deps.vault.digest('code', JSON.stringify([about, message])),
      ),
    async shows(messageId, view) {
      // An unfinished earlier run may have put this view there.
      if (begun) return false
      await begin()
      return sender.shows(account.chatId, messageId, view)
    },
    useLanguage(chosen) {
      account.language = chosen
    },
  }
}

/** The same update, but it sends and changes nothing in the chat. */
export const silently = (ctx: UpdateContext): UpdateContext => ({ ...ctx, ...mute() })

/** Leads to the place of a record at the end of this update. */
export function leadTo(ctx: UpdateContext, file: RecordFile): void {
  ctx.due = { show: 'place', file }
}

/** Ends the last question: its buttons no longer count. */
export function leaveAsked({ account, removeButtons }: UpdateContext): void {
  const { asked } = account
  delete account.asked
  removeButtons(asked)
}
