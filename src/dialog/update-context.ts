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
import type { Rendered } from './rendered.ts'
import { createVoice, mute, type Voice } from './voice.ts'

export type ContextDeps = Pick<JobDeps, 'store' | 'vault' | 'sender' | 'texts' | 'config' | 'log' | 'now'> & {
  /** The bot's, for links to it. */
  username: string
  /** Whether @BotFather has switched inline mode on. */
  isInline: boolean
  /** Fetches a document that was sent. */
  download: Download
  /** Draws the pictures of the board. */
  cards: Pick<CardRenderer, 'bars'>
  /** How many calls to the service count in this hour. */
  used: () => Promise<number>
  /** Parts of the bot that do not work now. */
  failing: () => readonly Part[]
  /** What organizers have open. */
  sessions: StorageAdapter<OrganizerState>
  /** What this process has rendered of attempts. */
  rendered: Rendered
  /** The questions that this process has read. */
  contents: Contents
  /** Who was forgotten, outside of the store. */
  forgotten: Pick<ForgottenList, 'add'>
}

/**
 * One message of one chat being handled: what is known about the account, what may be said, and the unit of work
 * that keeps all of it in one step at the end.
 */
export type UpdateContext = Voice & {
  readonly deps: ContextDeps
  readonly work: UnitOfWork
  readonly who: string
  readonly account: Account
  readonly now: number
  /** When the update came that is handled, by what this process has run; `undefined` where another one has met it. */
  readonly arrivedAt: number | undefined
  /** Something may stand in the chat already that is not said again. */
  readonly hasSent: boolean
  /** The date in Tehran. */
  readonly today: string
  readonly t: Translate
  readonly language: Language
  /** What is shown or asked when all else of this update is done. */
  due: Due | undefined
  /** The code of an invitation: the same one where this message is handled once more, since the chat may have it already. */
  newCode(about: string): string
  /** Whether a message has shown exactly this so far; from now on it does, where it is still there. */
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
    ...createVoice({ sender, account, t: () => texts.for(language()), deleteLater }),
    // Two events of a job may be equal, and each needs a code of its own.
    newCode: (about) =>
      newCode(
        message.type === 'event' ? undefined : deps.vault.digest('code', JSON.stringify([about, message])),
      ),
    async shows(messageId, view) {
      // An attempt that came to no end may have put there what is asked for.
      if (begun) return false
      await begin()
      return sender.shows(account.chatId, messageId, view)
    },
    useLanguage(chosen) {
      account.language = chosen
    },
  }
}

/** The same update, of which nothing is said or changed in the chat. */
export const silently = (ctx: UpdateContext): UpdateContext => ({ ...ctx, ...mute() })

/** Leads to the place where a record stands, when all else of this update is done. */
export function leadTo(ctx: UpdateContext, file: RecordFile): void {
  ctx.due = { show: 'place', file }
}

/** What was asked last counts no more. */
export function leaveAsked({ account, disarm }: UpdateContext): void {
  const { asked } = account
  delete account.asked
  disarm(asked)
}
