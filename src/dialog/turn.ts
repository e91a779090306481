import { type Api, InlineKeyboard } from 'grammy'
import { accounts } from '../background/kinds.ts'
import type { Config } from '../config.ts'
import { type Account, newAccount } from '../domain/account.ts'
import { DAY_MS, OWED_DAYS } from '../domain/durations.ts'
import { tehranToday } from '../domain/persian/age.ts'
import type { Log } from '../observe/logger.ts'
import type { Store } from '../store/store.ts'
import type { UnitOfWork } from '../store/unit-of-work.ts'
import type { Vault } from '../store/vault.ts'
import type { Language, Texts, Translate } from '../texts/texts.ts'
import type { View } from '../views/view.ts'
import { createSender } from './sender.ts'

export type TurnDeps = {
  store: Store
  vault: Vault
  api: Api
  texts: Texts
  config: Config
  /** The bot's, for links to it. */
  username: string
  now: () => number
  log: Log
}

/**
 * One message of one chat being handled: what is known about the account, what may be said, and the unit of work
 * that keeps all of it in one step at the end.
 */
export type Turn = {
  readonly deps: TurnDeps
  readonly work: UnitOfWork
  readonly who: string
  readonly account: Account
  readonly now: number
  /** The date in Tehran. */
  readonly today: string
  readonly t: Translate
  readonly language: Language
  /** Sends a message; `undefined` when the participant has blocked the bot. */
  say(view: View): Promise<number | undefined>
  /** Sends a message whose buttons from now on are the only ones of the dialog that count. */
  ask(view: View): Promise<void>
  /** Puts what was answered in the place of the question: it asks no more. */
  close(text: string): Promise<void>
  /** Puts a view in the place of a message, or sends it anew where that cannot be. Returns its message id. */
  show(messageId: number | undefined, view: View): Promise<number | undefined>
  /** Takes the buttons off a message. */
  disarm(messageId: number): Promise<void>
  deleteMessages(messageIds: readonly number[]): Promise<void>
  /** Removes a message of ours; one that is too old to be deleted keeps a word in the place of what it said. */
  takeAway(messageId: number): Promise<void>
  /** A chat action that tells the person that work is going on. */
  typing(): Promise<void>
  useLanguage(language: Language): void
  /** Nothing of the account is kept, but for the language of the last words. */
  forgetAccount(): void
  /** Hands the account's state to the unit of work. */
  save(): void
  /** Deletes what was said: this message is going to be handled once more. */
  unsay(): Promise<void>
}

/** An account without activity is forgotten after all that it may have begun, so that /forget finds everything. */
const accountDays = ({ retentionDays }: Config) => Math.max(180, 2 * retentionDays + OWED_DAYS)

/** Begins the handling of one message of a chat. */
export async function createTurn(
  deps: TurnDeps,
  { work, who, chatId }: { work: UnitOfWork; who: string; chatId: number },
): Promise<Turn> {
  const { api, texts, config, log } = deps
  const account = structuredClone((await work.get(accounts, who)) ?? newAccount(chatId))
  const before = JSON.stringify(account)
  let language: Language = account.language ?? config.locale
  let forgotten = false
  const now = deps.now()
  const { send, attempt, tidy, sent } = createSender(api, account, log)

  const turn: Turn = {
    deps,
    work,
    who,
    account,
    now,
    today: tehranToday(now),
    get t() {
      return texts.for(language)
    },
    get language() {
      return language
    },
    async say(given) {
      let view = given
      if (account.contactKeyboard && !view.contactButton) {
        // The keyboard goes with a message that has no buttons of its own: such a message can never be edited.
        if (view.keyboard) await turn.say({ text: turn.t('keyboard-away'), removeKeyboard: true })
        else view = { ...view, removeKeyboard: true }
      }
      for (const text of view.before ?? []) {
        await send({ text, ...(view.protect ? { protect: true } : {}) })
      }
      const messageId = await send(view)
      if (messageId !== undefined) account.latest = messageId
      if (view.contactButton && messageId !== undefined) account.contactKeyboard = true
      if (view.removeKeyboard) delete account.contactKeyboard
      return messageId
    },
    async ask(view) {
      if (account.asked !== undefined) await turn.disarm(account.asked)
      const asked = await turn.say(view)
      // A message with a reply keyboard has no buttons of its own, and Telegram refuses to edit it.
      if (asked !== undefined && view.keyboard) account.asked = asked
      else delete account.asked
    },
    async close(text) {
      const { asked } = account
      delete account.asked
      if (asked !== undefined) await turn.show(asked, { text })
    },
    async show(messageId, view) {
      if (messageId !== undefined && !view.before?.length) {
        const edited = await attempt(() =>
          api.editMessageText(account.chatId, messageId, view.text, {
            parse_mode: 'HTML',
            link_preview_options: { is_disabled: true },
            ...(view.keyboard ? { reply_markup: new InlineKeyboard(view.keyboard) } : {}),
          }),
        )
        if (edited !== 'gone') return messageId
      } else if (messageId !== undefined) await turn.disarm(messageId)
      return turn.say(view)
    },
    async disarm(messageId) {
      await tidy(() => api.editMessageReplyMarkup(account.chatId, messageId))
    },
    async deleteMessages(messageIds) {
      if (messageIds.length === 0) return
      for (let at = 0; at < messageIds.length; at += 100) {
        await tidy(() => api.deleteMessages(account.chatId, messageIds.slice(at, at + 100)))
      }
    },
    async takeAway(messageId) {
      const deleted = await attempt(() => api.deleteMessage(account.chatId, messageId))
      if (deleted === 'gone') {
        await tidy(() => api.editMessageText(account.chatId, messageId, turn.t('moved-below')))
      }
    },
    async typing() {
      await api.sendChatAction(account.chatId, 'typing').catch(() => undefined)
    },
    useLanguage(chosen) {
      language = chosen
      account.language = chosen
    },
    forgetAccount() {
      forgotten = true
    },
    save() {
      if (forgotten) work.remove(accounts, who)
      else if (JSON.stringify(account) !== before)
        work.put(accounts, who, account, now + accountDays(config) * DAY_MS)
    },
    unsay: () => turn.deleteMessages(sent),
  }
  return turn
}
