import type { PersonDriver, WireMessage } from '../src/emulator/emulator.ts'
import { loadTexts } from '../src/texts/texts.ts'
import type { World } from './world.ts'

const texts = loadTexts()
/** A text as the person reads it. */
export const word = texts.for('fa').plain
export const wordInEnglish = texts.for('en').plain

export type Account = ReturnType<typeof createAccount>

/** One account and its chat with the bot. Every action ends when the bot has done all it does about it. */
export function createAccount({ settled }: World, person: PersonDriver, payload: string) {
  let readUpTo = 0
  const fromBot = () => person.messages.filter(({ from }) => from.is_bot)

  async function acts<T>(action: () => T): Promise<T> {
    readUpTo = fromBot().at(-1)?.message_id ?? 0
    const done = action()
    await settled()
    return done
  }

  return {
    person,
    payload,
    acts,
    fromBot,
    opens: (given = payload) => acts(() => person.start(given)),
    says: (text: string) => acts(() => person.say(text)),
    /** Taps the button with this label or data, on the newest message that has one or on a given one. */
    taps: (button: string | RegExp, message?: WireMessage) => acts(() => person.tap(button, message)),
    /** Sends callback data that need not stand on any button. */
    forges: (data: string, message = person.last) => acts(() => person.rawTap(message, data)),

    /** What the bot has said since the last action, as one text. */
    get heard(): string {
      return fromBot()
        .filter(({ message_id: id }) => id > readUpTo)
        .map(textOf)
        .join('\n\n')
    },
    /** The newest message of the bot, as it stands now. */
    get screen(): string {
      return textOf(person.last)
    },
    /** Everything that stands in the chat, of both sides. */
    get chat(): string {
      return person.messages.map(textOf).join('\n\n')
    },
    /** The data of the buttons of the newest message. */
    get data(): string[] {
      return dataOf(person.last)
    },
    /** The data of every button in the chat that can still be tapped. */
    get buttons(): string[] {
      return fromBot().flatMap(dataOf)
    },
  }
}

/** An account with more words of its own. What is read anew each time stays so; a spread would freeze it. */
export function withMore<More extends object>(account: Account, more: More): Account & More {
  return Object.defineProperties(more, Object.getOwnPropertyDescriptors(account)) as Account & More
}

const textOf = ({ text, caption }: WireMessage): string => text ?? caption ?? ''

/** The data of the buttons under a message. */
export const dataOf = ({ reply_markup }: WireMessage): string[] =>
  (reply_markup?.inline_keyboard.flat() ?? []).flatMap(({ callback_data }) => callback_data ?? [])
