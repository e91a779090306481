import type { Update } from 'grammy/types'
import { LRUCache } from 'lru-cache'
import type { Sender } from '../telegram/sender.ts'
import type { Translate } from '../texts/texts.ts'

const GROUPS_KNOWN = 1_000
/** So many groups are answered at once; what comes meanwhile is not worth a queue. */
const AT_ONCE = 5
const DAY_SECONDS = 86_400

/** In a group nothing is kept and nothing is said, but once a day where to go, to whoever calls the bot by its name. */
export function createGroupRefusal({
  sender,
  t,
  username,
}: {
  sender: Pick<Sender, 'answer' | 'send'>
  t: Translate
  username: () => string
}): (update: Update) => Promise<void> {
  /** On which of Telegram's days each was answered last. */
  const answered = new LRUCache<number, number>({ max: GROUPS_KNOWN })
  let underWay = 0

  async function answer(chatId: number, text: string): Promise<void> {
    underWay += 1
    try {
      await sender.send(chatId, { text })
    } finally {
      underWay -= 1
    }
  }

  return async ({ message, callback_query: query }) => {
    if (query) await sender.answer(query.id)
    if (!message || message.from?.is_bot || !isCalled(message.text, username())) return
    const { chat, date } = message
    const day = Math.floor(date / DAY_SECONDS)
    if (answered.get(chat.id) === day || underWay >= AT_ONCE) return
    answered.set(chat.id, day)
    await answer(chat.id, t('only-private', { link: `https://t.me/${username()}` }))
  }
}

/** Whether a text is a command that names this bot (`/start@name`). */
function isCalled(text: string | undefined, username: string): boolean {
  const [, name] = /^\/\w+@(\w+)(?:\s|$)/.exec(text ?? '') ?? []
  return name !== undefined && name.toLowerCase() === username.toLowerCase()
}
