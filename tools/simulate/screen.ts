import { dataOf, placeOf } from '../../test/places.ts'
import type { WireMessage } from '../emulator/emulator.ts'

/** The number of messages in sight. */
const IN_SIGHT = 10

const inSight = (messages: readonly WireMessage[]) =>
  messages.filter(({ from }) => from.is_bot).slice(-IN_SIGHT)
const isQuestion = (message: WireMessage): boolean => placeOf(message) === 'question'
const testOf = (message: WireMessage): string | undefined =>
  dataOf(message)
    .find((data) => data.startsWith('a:'))
    ?.split(':')[1]
const dateOf = ({ date, edit_date: edited }: WireMessage): number => edited ?? date

/** The question of another test that is in sight above a message. */
export const questionAbove = (
  messages: readonly WireMessage[],
  below: WireMessage,
): WireMessage | undefined =>
  inSight(messages).findLast((each) => isQuestion(each) && testOf(each) !== testOf(below))

/**
 * The message that a person looks at: the newest one. A person who switches between two tests looks at the question in
 * sight that has changed last.
 */
export function createScreen(messages: () => readonly WireMessage[], isByTurns: boolean) {
  /** The last form of each message, and the look at which it was first seen. */
  const seen = new Map<number, { form: string; look: number }>()
  let looks = 0

  return (): WireMessage | undefined => {
    if (!isByTurns) return messages().findLast(({ from }) => from.is_bot)
    const shown = inSight(messages())
    looks += 1
    for (const { message_id: id, text, reply_markup: buttons } of shown) {
      const form = JSON.stringify([text, buttons])
      if (seen.get(id)?.form !== form) seen.set(id, { form, look: looks })
    }
    const lookOf = ({ message_id: id }: WireMessage) => seen.get(id)?.look ?? 0
    const isLater = (one: WireMessage, other: WireMessage) =>
      (lookOf(one) - lookOf(other) || dateOf(one) - dateOf(other)) > 0
    const [newest, ...above] = shown.toReversed()
    return newest && above.filter(isQuestion).reduce((one, each) => (isLater(each, one) ? each : one), newest)
  }
}
