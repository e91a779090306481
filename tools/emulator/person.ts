import type { Callbacks } from './callbacks.ts'
import type { CallbackAnswer, FileKind } from './chat.ts'
import type { MessageOptions, OwnDocument, People } from './people.ts'
import type { PrivateMail } from './private-mail.ts'
import type { PersonState } from './state.ts'
import { transcript } from './transcript.ts'
import type { WireInlineButton, WireMessage } from './wire.ts'
import { findMessage, messagesOf, type World } from './world.ts'

/** A message or its id. */
export type MessageRef = number | { message_id: number }

export type Contact = {
  /** `false` sends the contact of another person. */
  own?: boolean | undefined
  phone?: string | undefined
  firstName?: string | undefined
  /** The keyboard message it answers; the default is the one that requests the contact. */
  replyTo?: number | undefined
}

type Deps = {
  world: World
  people: People
  mail: PrivateMail
  callbacks: Callbacks
  toasts: (id: number) => readonly CallbackAnswer[]
}

export type PersonDriver = ReturnType<typeof createPersonDriver>

/**
 * Acts and reads for one person. Every action returns when its update is queued; `settled()` of the emulator
 * waits for the bot's reaction.
 */
export function createPersonDriver(person: PersonState, deps: Deps) {
  const { world, toasts } = deps
  const all = (): WireMessage[] => messagesOf(world, person.id).map(({ message }) => message)
  const fromBot = () => all().filter(({ from }) => from.is_bot)
  const fail = (what: string) => new Error(`${what}\n${transcript(world, person, toasts(person.id))}`)

  return {
    id: person.id,
    ...writingHands(person, deps),
    ...tappingHands(person, deps, { fromBot, fail }),
    ...leavingHands(person, deps),
    /** The person as the emulator stores them. */
    get state(): Readonly<PersonState> {
      return person
    },
    /** The messages of both sides in their present form, oldest first. */
    get messages(): WireMessage[] {
      return all()
    },
    /** The bot's newest message; throws when there is none. */
    get last(): WireMessage {
      const message = fromBot().at(-1)
      if (!message) throw fail('the bot has said nothing')
      return message
    },
    /** The bot's newest message with a button whose callback data starts with this prefix. */
    lastWith: (prefix: string): WireMessage | undefined =>
      fromBot().findLast((message) =>
        buttonsOf(message).some((button) => button.callback_data?.startsWith(prefix)),
      ),
    /** The labels of the newest message that has buttons. */
    get buttons(): string[] {
      const message = fromBot().findLast((each) => each.reply_markup)
      return message ? buttonsOf(message).map(({ text }) => text) : []
    },
    /** Texts of the answers to this person's taps, oldest first. */
    get toasts(): string[] {
      return toasts(person.id).flatMap(({ text }) => text ?? [])
    },
    /** All answers to the taps of this person. */
    get answers(): readonly CallbackAnswer[] {
      return toasts(person.id)
    },
    transcript: () => transcript(world, person, toasts(person.id)),
  }
}

function writingHands(person: PersonState, { people, mail }: Deps) {
  return {
    /** Presses START, or follows a deep link with this payload. */
    start: (payload?: string) => people.start(person, payload),
    say: (text: string, options?: MessageOptions) => people.say(person, text, options),
    edit: (message: MessageRef, text: string) => people.edit(person, idOf(message), text),
    /** Shares the own contact, or with `own: false` another one; mostly without `+`, as in Telegram. */
    shareContact({ own = true, phone, firstName, replyTo }: Contact = {}): WireMessage {
      const number = phone ?? (own ? person.phone.replace('+', '') : '989351234567')
      const name = firstName ?? (own ? person.firstName : 'دوست')
      const contact = { phone_number: number, first_name: name, ...(own ? { user_id: person.id } : {}) }
      const asks = person.replyKeyboard?.rows.flat().some(({ requestContact }) => requestContact)
      return people.contact(person, contact, {
        replyTo: replyTo ?? (asks ? person.replyKeyboard?.messageId : undefined),
      })
    },
    sendFile: (kind: FileKind = 'document') => people.file(person, kind),
    sendDocument: (document: OwnDocument) => people.document(person, document),
    sendSticker: () => people.file(person, 'sticker'),
    sendLocation: () => people.file(person, 'location'),
    /** Sends a copy of a message to another person, outside of the bot's chat. */
    forward: (message: MessageRef, to: { id: number }) => mail.forward(person, idOf(message), to.id),
    /** Sends another person a text, outside of the bot's chat. */
    share: (text: string, to: { id: number }) => mail.share(person, text, to.id),
    /** Dismisses a message that another person has sent. */
    dismiss: (receivedId: number) => mail.dismiss(person, receivedId),
    /** Writes into a group of which the bot is a member. */
    inGroup: (text: string) => people.sayInGroup(person, text),
  }
}

function tappingHands(
  person: PersonState,
  { world, callbacks }: Deps,
  { fromBot, fail }: { fromBot: () => WireMessage[]; fail: (what: string) => Error },
) {
  function rawTap(message: MessageRef, data: string): string {
    return callbacks.tap(person, idOf(message), data)
  }

  return {
    /**
     * Taps the inline button whose label or callback data is, or matches, `wanted`: on `message`, or on the
     * newest message that has one. Throws with the transcript if there is none. Returns the query's id.
     */
    tap(wanted: string | RegExp, message?: MessageRef): string {
      const only = message === undefined ? undefined : findMessage(world, person.id, idOf(message))?.message
      const candidates = message === undefined ? fromBot().reverse() : only ? [only] : []
      for (const candidate of candidates) {
        const button = buttonsOf(candidate).find((each) => fits(each, wanted))
        if (button?.callback_data !== undefined) return rawTap(candidate, button.callback_data)
        if (button) throw fail(`the button ${wanted} is not one that calls the bot`)
      }
      throw fail(`no button ${wanted}`)
    },
    /** Sends callback data as a forged or outdated app could: the message and the button need not exist. */
    rawTap,
  }
}

function leavingHands(person: PersonState, { world, people }: Deps) {
  return {
    block: () => people.block(person),
    unblock: () => people.unblock(person),
    /** The account is deleted: every call to this chat gets 403. */
    deactivate() {
      person.deactivated = true
      world.changed()
    },
  }
}

const idOf = (message: MessageRef) => (typeof message === 'number' ? message : message.message_id)

function buttonsOf(message: WireMessage): WireInlineButton[] {
  return message.reply_markup?.inline_keyboard.flat() ?? []
}

function fits({ text, callback_data = '' }: WireInlineButton, wanted: string | RegExp): boolean {
  if (typeof wanted === 'string') return text === wanted || callback_data === wanted
  return wanted.test(text) || wanted.test(callback_data)
}
