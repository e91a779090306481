import type { InputFile, StorageAdapter } from 'grammy'
import { type Account, languageOf, newAccount } from '../domain/account.ts'
import { MINUTE_MS } from '../domain/durations.ts'
import { tehranToday } from '../domain/persian/calendar.ts'
import type { RecordFile } from '../domain/record/record.ts'
import type { JobDeps } from '../jobs/deps.ts'
import { timerIds, watchJobs } from '../jobs/watch-jobs.ts'
import type { Part } from '../observe/health.ts'
import type { CardRenderer } from '../pictures/card-renderer.ts'
import type { ChatMessage } from '../queue/chat-message.ts'
import { epochOf, type Task } from '../queue/job.ts'
import { newCode } from '../storage/documents/invitations.ts'
import { accounts } from '../storage/documents/kinds.ts'
import type { Contents } from '../storage/documents/questions.ts'
import type { ForgottenList } from '../storage/forgotten-list.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import type { Download } from '../telegram/client.ts'
import { isBlocked } from '../telegram/errors.ts'
import type { Edited, OnDated, Sender } from '../telegram/sender.ts'
import type { Language, Translate } from '../texts/texts.ts'
import { unfolded, type View } from '../views/view.ts'
import { noteSent } from './asked-last.ts'
import type { Due } from './due.ts'
import type { OrganizerState } from './organizer-state.ts'
import type { Rendered } from './rendered.ts'

export type ContextDeps = Pick<JobDeps, 'store' | 'vault' | 'sender' | 'texts' | 'config' | 'log' | 'now'> & {
  /** The bot's, for links to it. */
  username: string
  /** Whether @BotFather has switched inline mode on. */
  isInline: boolean
  /** Fetches a document that was sent. */
  download: Download
  /** Draws the pictures of the board. */
  cards: Pick<CardRenderer, 'board'>
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

/** What an update does in its chat; somebody who has blocked the bot is noted, and hears nothing. */
type Voice = {
  /** The messages that were sent so far in this update. */
  readonly sent: readonly number[]
  /** Sends a message; `undefined` when the participant has blocked the bot. */
  send(view: View, onDated?: OnDated): Promise<number | undefined>
  /** Sends a message whose buttons from now on are the only ones of the dialog that count. */
  ask(view: View): Promise<void>
  /** Puts what was answered in the place of the question: it asks no more. */
  close(text: string): Promise<void>
  /** Puts a view in the place of a message, or sends it anew where that cannot be. Returns its message id. */
  show(messageId: number | undefined, view: View, onDated?: OnDated): Promise<number | undefined>
  /** Puts a view in the place of a message; one that cannot be changed stays as it is. */
  revise(messageId: number, view: View): Promise<void>
  /** Takes the buttons off a message, where there is one. */
  disarm(messageId: number | undefined): Promise<void>
  /** Deletes messages, later where Telegram fails now. */
  deleteMessages(messageIds: readonly number[]): Promise<void>
  /** Removes a message of ours; one that is too old to be deleted keeps a word in the place of what it said. */
  takeAway(messageId: number): Promise<void>
  /** Sends a picture; nobody hears of it who has blocked the bot. */
  sendPhoto(file: InputFile, caption: string, how?: { protect?: true }): Promise<number | undefined>
  /** A chat action that tells the person that work is going on. */
  typing(): Promise<void>
  /** Deletes what was said: this message is going to be handled once more. */
  unsend(): Promise<void>
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

const DELETED_AGAIN_MS = 5 * MINUTE_MS

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
    ...createVoice(sender, account, () => texts.for(language()), deleteLater),
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

function createVoice(
  sender: Sender,
  account: Account,
  t: () => Translate,
  deleteLater: (left: number[]) => Promise<void>,
): Voice {
  const { chatId } = account
  const sent: number[] = []

  async function heard(sending: Promise<number>): Promise<number | undefined> {
    try {
      return await sending
    } catch (error) {
      if (!isBlocked(error)) throw error
      account.blocked = true
      return undefined
    }
  }
  function isThere(edited: Edited): boolean {
    if (edited === 'blocked') account.blocked = true
    return edited !== 'gone'
  }

  const shaped = (view: View): View => (account.isLarge ? { ...view, text: unfolded(view.text) } : view)

  const voice: Voice = {
    sent,
    async send(given, onDated) {
      let view = shaped(given)
      // The keyboard goes with a message that has no buttons of its own: such a message can never be edited.
      if (account.contactKeyboard && !view.contactButton && !view.keyboard)
        view = { ...view, removeKeyboard: true }
      const sending = sender.send(chatId, view, (id) => sent.push(id), onDated)
      const messageId = await heard(sending)
      if (messageId !== undefined) noteSent(account, messageId, view)
      if (view.contactButton && messageId !== undefined) account.contactKeyboard = true
      if (view.removeKeyboard) delete account.contactKeyboard
      return messageId
    },
    async ask(view) {
      await voice.disarm(account.asked)
      const asked = await voice.send(view)
      // A message with a reply keyboard has no buttons of its own, and Telegram refuses to edit it.
      if (asked !== undefined && view.keyboard) account.asked = asked
      else delete account.asked
    },
    async close(text) {
      const { asked } = account
      delete account.asked
      if (asked !== undefined) await voice.show(asked, { text })
    },
    async show(messageId, view, onDated) {
      if (messageId !== undefined && !view.before?.length) {
        if (isThere(await sender.edit(chatId, messageId, shaped(view), onDated))) return messageId
      } else await voice.disarm(messageId)
      return voice.send(view, onDated)
    },
    revise: async (messageId, view) => void isThere(await sender.edit(chatId, messageId, shaped(view))),
    async disarm(messageId) {
      if (messageId !== undefined) await sender.disarm(chatId, messageId)
    },
    async deleteMessages(messageIds) {
      if (account.asked !== undefined && messageIds.includes(account.asked)) delete account.asked
      const left = await sender.remove(chatId, messageIds)
      if (left.length > 0) await deleteLater(left)
    },
    takeAway: async (messageId) => void isThere(await sender.replace(chatId, messageId, t()('moved-below'))),
    async sendPhoto(file, caption, how) {
      const messageId = await heard(sender.photo(chatId, file, caption, how))
      if (messageId === undefined) return undefined
      sent.push(messageId)
      account.latest = messageId
      return messageId
    },
    typing: () => sender.typing(chatId),
    unsend: async () => void (await sender.remove(chatId, sent)),
  }
  return voice
}

/** The same update, of which nothing is said or changed in the chat. */
export function silently(ctx: UpdateContext): UpdateContext {
  const nothing = async () => undefined
  const mute: Omit<Voice, 'sent' | 'typing' | 'unsend'> = {
    ...{ send: nothing, ask: nothing, close: nothing, show: nothing, revise: nothing, sendPhoto: nothing },
    ...{ disarm: nothing, deleteMessages: nothing, takeAway: nothing },
  }
  return { ...ctx, ...mute }
}

/** Leads to the place where a record stands, when all else of this update is done. */
export function leadTo(ctx: UpdateContext, file: RecordFile): void {
  ctx.due = { show: 'place', file }
}

/** What was asked last counts no more. */
export async function leaveAsked({ account, disarm }: UpdateContext): Promise<void> {
  const { asked } = account
  delete account.asked
  await disarm(asked)
}
