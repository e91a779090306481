import type { PersonDriver, WireMessage } from '../tools/emulator/emulator.ts'
import { dataOf, type Place, placeOf } from './places.ts'
import { readQuestion, type ShownQuestion } from './question.ts'

export type Account = ReturnType<typeof createAccount>

type Bot = {
  /** Waits until the bot has reacted to everything that has happened. */
  settled: () => Promise<void>
  /** Lets time pass, if the world can do that. */
  pass?: (ms: number) => void
}

/** One account and its chat with the bot. Every action waits until the bot is settled. */
export function createAccount({ settled, pass }: Bot, person: PersonDriver, payload: string, read = 0) {
  let readUpTo = read
  const fromBot = () => person.messages.filter(({ from }) => from.is_bot)

  function place(): Place | undefined {
    const newest = fromBot().at(-1)
    return newest && placeOf(newest)
  }

  async function acts<T>(action: () => T): Promise<T> {
    readUpTo = fromBot().at(-1)?.message_id ?? 0
    const done = action()
    await settled()
    return done
  }

  const says = (text: string) =>
    acts(() => {
      // A person answers a question after reading it, and Telegram dates messages by the second.
      if (place() === 'question') pass?.(1_000)
      person.say(text)
    })
  /** Taps the button with this label or data, on a given message or on the newest one that has it. */
  const taps = (button: string | RegExp, message?: WireMessage) => acts(() => person.tap(button, message))

  return {
    person,
    payload,
    acts,
    fromBot,
    opens: (given = payload) => acts(() => person.start(given)),
    says,
    taps,
    async forgets() {
      await says('/forget')
      await taps('forget:yes')
    },
    /** Sends callback data that no button needs to have. */
    forges: (data: string, message = person.last) => acts(() => person.rawTap(message, data)),

    /** The last message of the chat that was read before the last action. */
    get readUpTo(): number {
      return readUpTo
    },
    /** The bot's messages since the last action, as one text. */
    get heard(): string {
      return fromBot()
        .filter(({ message_id: id }) => id > readUpTo)
        .map(textOf)
        .join('\n\n')
    },
    /** The newest message of the bot in its present form. */
    get screen(): string {
      return textOf(person.last)
    },
    get place(): Place | undefined {
      return place()
    },
    /** The question of the newest message that has one. Throws if there is none. */
    get question(): ShownQuestion {
      return readQuestion(person.lastWith('a:'), person.transcript)
    },
    /** All messages of the chat, from both sides. */
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

/** An account with more actions. The getters stay getters; a spread would freeze their values. */
export function withMore<More extends object>(account: Account, more: More): Account & More {
  return Object.defineProperties(more, Object.getOwnPropertyDescriptors(account)) as Account & More
}

const textOf = ({ text, caption }: WireMessage): string => text ?? caption ?? ''
