import type { InputFile } from 'grammy'
import type { Account } from '../domain/account.ts'
import { isBlocked } from '../telegram/errors.ts'
import type { Edited, OnDated, Sender } from '../telegram/sender.ts'
import type { Translate } from '../texts/texts.ts'
import { unfolded, type View } from '../views/view.ts'
import { type Alongside, createAlongside } from './alongside.ts'
import { noteSent } from './asked-last.ts'

/** What an update does in its chat; somebody who has blocked the bot is noted, and hears nothing. */
export type Voice = {
  /** The messages that were sent so far in this update. */
  readonly sent: readonly number[]
  /** Sends a message; `undefined` when the participant has blocked the bot. */
  send(view: View, onDated?: OnDated): Promise<number | undefined>
  /** Sends a message whose buttons from now on are the only ones of the dialog that count. */
  ask(view: View): Promise<void>
  /** Puts what was answered in the place of the question, which asks no more, or says it last, and tells, where that is gone. */
  close(text: string, onSent?: OnSent): void
  /** Puts a view in the place of a message, or sends it anew where that cannot be. Returns its message id. */
  show(messageId: number | undefined, view: View, onDated?: OnDated): Promise<number | undefined>
  /** Puts a view in the place of a message; one that cannot be changed stays as it is. */
  revise(messageId: number, view: View): void
  /** Takes the buttons off a message, where there is one. */
  disarm(messageId: number | undefined): void
  /** Deletes messages, later where Telegram fails now. */
  deleteMessages(messageIds: readonly number[]): void
  /** Removes a message of ours; one that is too old to be deleted keeps a word in the place of what it said. */
  takeAway(messageId: number): void
  /** Sends a picture; nobody hears of it who has blocked the bot. */
  sendPhoto(file: InputFile, caption: string, how?: { protect?: true }): Promise<number | undefined>
  /** A chat action that tells the person that work is going on. */
  typing(): void
  /** Has something done that nothing here depends on, while the update goes on. */
  alongside(act: () => Promise<unknown>): void
  /** Waits for what Telegram does alongside: changes, deletions, what is only for the eye. */
  settled(): Promise<void>
  /** The same at a good end, where what had no place any more is said below. */
  concluded(): Promise<void>
  /** Deletes what an attempt has said in vain. */
  unsend(messageIds: readonly number[]): Promise<void>
}

type OnSent = (messageId: number) => void
type Closing = { text: string; onSent: OnSent | undefined }

type Parts = {
  sender: Sender
  account: Account
  t: () => Translate
  /** Has messages deleted that Telegram has not deleted now. */
  deleteLater: (left: number[]) => Promise<void>
}

/** Gives an update its voice. */
export function createVoice(parts: Parts): Voice {
  const { sender, account } = parts
  const { chatId } = account
  const sent: number[] = []
  const alongside = createAlongside()
  /** What was to stand in the place of a question that is gone. */
  const unsaid: Closing[] = []

  async function heard(sending: Promise<number>): Promise<number | undefined> {
    try {
      return await sending
    } catch (error) {
      if (!isBlocked(error)) throw error
      account.blocked = true
      return undefined
    }
  }

  const voice: Voice = {
    sent,
    ...tidying(parts, alongside, unsaid),
    async send(given, onDated) {
      let view = shaped(account, given)
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
      voice.disarm(account.asked)
      const asked = await voice.send(view)
      // A message with a reply keyboard has no buttons of its own, and Telegram refuses to edit it.
      if (asked !== undefined && view.keyboard) account.asked = asked
      else delete account.asked
    },
    async show(messageId, view, onDated) {
      if (messageId !== undefined && !view.before?.length) {
        await alongside.until(messageId)
        const edited = await sender.edit(chatId, messageId, shaped(account, view), onDated)
        if (isThere(account, edited)) return messageId
      } else voice.disarm(messageId)
      return voice.send(view, onDated)
    },
    async sendPhoto(file, caption, how) {
      const messageId = await heard(sender.photo(chatId, file, caption, how))
      if (messageId === undefined) return undefined
      sent.push(messageId)
      account.latest = messageId
      return messageId
    },
    settled: alongside.ended,
    async concluded() {
      await alongside.ended()
      for (const { text, onSent } of unsaid) {
        // The keyboard that the question below has brought stays.
        const view = shaped(account, { text })
        const messageId = await heard(sender.send(chatId, view, (id) => sent.push(id)))
        if (messageId === undefined) continue
        noteSent(account, messageId, view)
        onSent?.(messageId)
      }
    },
    unsend: async (messageIds) => void (await sender.remove(chatId, messageIds)),
  }
  return voice
}

type Tidying = Pick<
  Voice,
  'close' | 'revise' | 'disarm' | 'deleteMessages' | 'takeAway' | 'typing' | 'alongside'
>

/** What changes in the chat while the update goes on. */
function tidying(
  { sender, account, t, deleteLater }: Parts,
  alongside: Alongside,
  unsaid: Closing[],
): Tidying {
  const { chatId } = account
  const changes = (messageId: number, change: () => Promise<Edited>, onGone = () => {}) =>
    alongside.changes(messageId, async () => {
      if (!isThere(account, await change())) onGone()
    })

  return {
    close(text, onSent) {
      const { asked } = account
      delete account.asked
      if (asked === undefined) return
      const view = shaped(account, { text })
      changes(
        asked,
        () => sender.edit(chatId, asked, view),
        () => unsaid.push({ text, onSent }),
      )
    },
    revise: (messageId, view) =>
      changes(messageId, () => sender.edit(chatId, messageId, shaped(account, view))),
    disarm(messageId) {
      if (messageId !== undefined) alongside.changes(messageId, () => sender.disarm(chatId, messageId))
    },
    deleteMessages(messageIds) {
      if (account.asked !== undefined && messageIds.includes(account.asked)) delete account.asked
      alongside.deletes(messageIds, async () => {
        const left = await sender.remove(chatId, messageIds)
        if (left.length > 0) await deleteLater(left)
      })
    },
    takeAway(messageId) {
      const instead = t()('moved-below')
      changes(messageId, () => sender.replace(chatId, messageId, instead))
    },
    typing: () => sender.typing(chatId),
    alongside: alongside.does,
  }
}

/** In the form that the person has chosen. */
const shaped = ({ isLarge }: Account, view: View): View =>
  isLarge ? { ...view, text: unfolded(view.text) } : view

/** Whether a message is there still; `false` where it has to be said anew. */
function isThere(account: Account, edited: Edited): boolean {
  if (edited === 'blocked') account.blocked = true
  return edited !== 'gone'
}

/** Nothing is said or changed in the chat. */
export const mute = () => {
  const silence = async () => undefined
  const nothing = () => undefined
  return {
    ...{ send: silence, ask: silence, show: silence, sendPhoto: silence },
    ...{ close: nothing, revise: nothing, disarm: nothing, deleteMessages: nothing, takeAway: nothing },
  } satisfies Omit<Voice, 'sent' | 'typing' | 'alongside' | 'settled' | 'concluded' | 'unsend'>
}
