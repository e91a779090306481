import type { InputFile } from 'grammy'
import type { Account } from '../domain/account.ts'
import { isBlocked } from '../telegram/errors.ts'
import type { Edited, OnDated, Sender } from '../telegram/sender.ts'
import type { Translate } from '../texts/texts.ts'
import { unfolded, type View } from '../views/view.ts'
import { noteSent } from './asked-last.ts'
import { type Alongside, createAlongside } from './calls-under-way.ts'

/** What an update does in its chat; an account that has blocked the bot is noted, and gets nothing. */
export type Outgoing = {
  /** The messages sent so far in this update. */
  readonly sent: readonly number[]
  /** Sends a message; `undefined` when the participant has blocked the bot. */
  send(view: View, onDated?: OnDated): Promise<number | undefined>
  /** Sends a message whose buttons become the only valid ones of the dialog. */
  ask(view: View): Promise<void>
  /** Puts the answer in place of the question; if that is gone, sends it at the end and calls `onSent`. */
  close(text: string, onSent?: OnSent): void
  /** Puts a view in place of a message, or sends it if that is impossible. Returns its message id. */
  show(messageId: number | undefined, view: View, onDated?: OnDated): Promise<number | undefined>
  /** Puts a view in place of a message; a message that cannot be edited stays as it is. */
  revise(messageId: number, view: View): void
  /** Removes the buttons of a message, if there is one. */
  removeButtons(messageId: number | undefined): void
  /** Deletes messages; if Telegram fails now, later. */
  deleteMessages(messageIds: readonly number[]): void
  /** Deletes a message of the bot; one that is too old shows a short notice instead. */
  takeAway(messageId: number): void
  /** Sends a picture; `undefined` when the participant has blocked the bot. */
  sendPhoto(file: InputFile, caption: string, how?: { protect?: true }): Promise<number | undefined>
  /** Shows the chat action for work in progress. */
  typing(): void
  /** Starts an act that nothing else here depends on, while the update goes on. */
  alongside(act: () => Promise<unknown>): void
  /** Waits for the calls alongside: changes, deletions, chat actions. */
  settled(): Promise<void>
  /** The same after a success: then sends the texts whose question was gone. */
  concluded(): Promise<void>
  /** Deletes the messages of a run that failed. */
  unsend(messageIds: readonly number[]): Promise<void>
}

type OnSent = (messageId: number) => void
type Closing = { text: string; onSent: OnSent | undefined }

type Parts = {
  sender: Sender
  account: Account
  t: () => Translate
  /** Schedules messages that Telegram has not deleted now. */
  deleteLater: (left: number[]) => Promise<void>
}

/** Creates the outgoing side of an update. */
export function createOutgoing(parts: Parts): Outgoing {
  const { sender, account } = parts
  const { chatId } = account
  const sent: number[] = []
  const alongside = createAlongside()
  /** Texts that found no question to replace. */
  const unplaced: Closing[] = []

  async function unlessBlocked(sending: Promise<number>): Promise<number | undefined> {
    try {
      return await sending
    } catch (error) {
      if (!isBlocked(error)) throw error
      account.blocked = true
      return undefined
    }
  }

  const outgoing: Outgoing = {
    sent,
    ...tidying(parts, alongside, unplaced),
    async send(given, onDated) {
      let view = shaped(account, given)
      // A message without buttons removes the reply keyboard: such a message can never be edited.
      if (account.contactKeyboard && !view.contactButton && !view.keyboard)
        view = { ...view, removeKeyboard: true }
      const sending = sender.send(chatId, view, (id) => sent.push(id), onDated)
      const messageId = await unlessBlocked(sending)
      if (messageId !== undefined) noteSent(account, messageId, view)
      if (view.contactButton && messageId !== undefined) account.contactKeyboard = true
      if (view.removeKeyboard) delete account.contactKeyboard
      return messageId
    },
    async ask(view) {
      outgoing.removeButtons(account.asked)
      const asked = await outgoing.send(view)
      // A message with a reply keyboard has no other buttons, and Telegram refuses to edit it.
      if (asked !== undefined && view.keyboard) account.asked = asked
      else delete account.asked
    },
    async show(messageId, view, onDated) {
      if (messageId !== undefined && !view.before?.length) {
        await alongside.until(messageId)
        const edited = await sender.edit(chatId, messageId, shaped(account, view), onDated)
        if (isThere(account, edited)) return messageId
      } else outgoing.removeButtons(messageId)
      return outgoing.send(view, onDated)
    },
    async sendPhoto(file, caption, how) {
      const messageId = await unlessBlocked(sender.photo(chatId, file, caption, how))
      if (messageId === undefined) return undefined
      sent.push(messageId)
      account.latest = messageId
      return messageId
    },
    settled: alongside.ended,
    async concluded() {
      await alongside.ended()
      for (const { text, onSent } of unplaced) {
        // The reply keyboard that came with the question below stays.
        const view = shaped(account, { text })
        const messageId = await unlessBlocked(sender.send(chatId, view, (id) => sent.push(id)))
        if (messageId === undefined) continue
        noteSent(account, messageId, view)
        onSent?.(messageId)
      }
    },
    unsend: async (messageIds) => void (await sender.remove(chatId, messageIds)),
  }
  return outgoing
}

type Tidying = Pick<
  Outgoing,
  'close' | 'revise' | 'removeButtons' | 'deleteMessages' | 'takeAway' | 'typing' | 'alongside'
>

/** The changes in the chat that run alongside. */
function tidying(
  { sender, account, t, deleteLater }: Parts,
  alongside: Alongside,
  unplaced: Closing[],
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
        () => unplaced.push({ text, onSent }),
      )
    },
    revise: (messageId, view) =>
      changes(messageId, () => sender.edit(chatId, messageId, shaped(account, view))),
    removeButtons(messageId) {
      if (messageId !== undefined) alongside.changes(messageId, () => sender.removeButtons(chatId, messageId))
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

/** A view in the size that the participant has chosen. */
const shaped = ({ isLarge }: Account, view: View): View =>
  isLarge ? { ...view, text: unfolded(view.text) } : view

/** Whether a message still exists; `false` if its view must be sent again. */
function isThere(account: Account, edited: Edited): boolean {
  if (edited === 'blocked') account.blocked = true
  return edited !== 'gone'
}

/** The outgoing side of an update that sends and changes nothing. */
export const mute = () => {
  const silence = async () => undefined
  const nothing = () => undefined
  return {
    ...{ send: silence, ask: silence, show: silence, sendPhoto: silence },
    ...{
      close: nothing,
      revise: nothing,
      removeButtons: nothing,
      deleteMessages: nothing,
      takeAway: nothing,
    },
  } satisfies Omit<Outgoing, 'sent' | 'typing' | 'alongside' | 'settled' | 'concluded' | 'unsend'>
}
