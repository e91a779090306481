import type { PersonDriver, WireMessage } from '../tools/emulator/emulator.ts'
import { dataOf, type Place, placeOf } from './places.ts'
import { readQuestion, type ShownQuestion } from './question.ts'

export type Account = ReturnType<typeof createAccount>

type Bot = {
  /** Waits until the bot has done all it does about what has happened. */
  settled: () => Promise<void>
  /** Lets time pass, where that can be done. */
  pass?: (ms: number) => void
}

/** One account and its chat with the bot. Every action ends when the bot is settled. */
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
      // What is said to a question is written once that was read: Telegram dates by the second.
      if (place() === 'question') pass?.(1_000)
      person.say(text)
    })
  /** Taps the button with this label or data, on the newest message that has one or on a given one. */
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
    /** Sends callback data that need not stand on any button. */
    forges: (data: string, message = person.last) => acts(() => person.rawTap(message, data)),

    /** The message up to which the chat had been read before the last action. */
    get readUpTo(): number {
      return readUpTo
    },
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
    get place(): Place | undefined {
      return place()
    },
    /** The question of the newest message that has one. Throws when there is none. */
    get question(): ShownQuestion {
      return readQuestion(person.lastWith('a:'), person.transcript)
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
