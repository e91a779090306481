import type { Update } from 'grammy/types'
import { createBoundedMap } from '../storage/bounded-map.ts'
import type { Sender } from '../telegram/sender.ts'
import type { Translate } from '../texts/texts.ts'

type Deps = { sender: Pick<Sender, 'answer' | 'send'>; t: Translate; username: () => string }

const GROUPS_KNOWN = 1_000
/** The most groups answered at once; other groups meanwhile are not worth a queue. */
const AT_ONCE = 5
const DAY_SECONDS = 86_400

/** Stores nothing of a group; once a day it answers a command that names the bot with the way to it. */
export function createGroupRefusal({ sender, t, username }: Deps) {
  /** The day, by Telegram's clock, on which each group was last answered. */
  const answered = createBoundedMap<number, number>(GROUPS_KNOWN)
  let underWay = 0

  return async ({ message, callback_query: query }: Update): Promise<void> => {
    if (query) await sender.answer(query.id)
    if (!message || message.from?.is_bot || !isCalled(message.text, username())) return
    const { chat, date } = message
    const day = Math.floor(date / DAY_SECONDS)
    if (answered.get(chat.id) === day || underWay >= AT_ONCE) return
    answered.set(chat.id, day)
    underWay += 1
    const text = t('only-private', { link: `https://t.me/${username()}` })
    await sender.send(chat.id, { text }).finally(() => {
      underWay -= 1
    })
  }
}

/** Whether a text is a command that names this bot (`/start@name`). */
function isCalled(text: string | undefined, username: string): boolean {
  const [, name] = /^\/\w+@(\w+)(?:\s|$)/.exec(text ?? '') ?? []
  return name !== undefined && name.toLowerCase() === username.toLowerCase()
}
