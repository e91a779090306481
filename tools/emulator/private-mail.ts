import type { ChatMessage, InlineButton, ReceivedMessage } from './chat.ts'
import { chatMessage } from './chat-view.ts'
import { cleanText } from './clean-text.ts'
import { withDetectedEntities } from './detect-entities.ts'
import type { PersonState } from './state.ts'
import { findMessage, findPerson, toSeconds, type World } from './world.ts'

export type PrivateMail = ReturnType<typeof createPrivateMail>

/** Messages between people outside of their chats with the bot, which gets no update about them. */
export function createPrivateMail(world: World) {
  function keep(person: PersonState, received: ReceivedMessage[]): void {
    if (received.length > 0) person.received = received
    else delete person.received
    world.changed()
    world.publish(person.id, { type: 'received', data: received })
  }

  function deliver(toId: number, sender: string, content: Content): void {
    const to = findPerson(world, toId)
    if (!to) throw new Error('nobody has this id')
    const id = ++world.state.counters.message
    const date = toSeconds(world.now()) * 1000
    keep(to, [...(to.received ?? []), { id, date, sender, ...content }])
  }

  return {
    /** Sends a copy of a message to another person; of its buttons only the links are kept. */
    forward(person: PersonState, messageId: number, to: number): void {
      const message = findMessage(world, person.id, messageId)?.message
      if (!message) throw new Error('only a message of the own chat can be forwarded')
      const { id: _, date: __, from, editDate: ___, replyTo: ____, ...shown } = chatMessage(message)
      const { protected: isProtected, inlineKeyboard, ...content } = shown
      if (isProtected) throw new Error('a protected message cannot be forwarded')
      const links = linksOf(inlineKeyboard)
      deliver(to, person.firstName, {
        ...content,
        ...(links.length > 0 ? { inlineKeyboard: links } : {}),
        ...(from === 'bot' ? { origin: world.state.bot.name } : {}),
      })
    },
    /** Sends a text of the person's own, such as a share link prepares. */
    share(person: PersonState, text: string, to: number): void {
      const { text: cleaned, entities } = withDetectedEntities(cleanText({ text, entities: [] }))
      deliver(to, person.firstName, { text: cleaned, ...(entities.length > 0 ? { entities } : {}) })
    },
    dismiss(person: PersonState, id: number): void {
      const left = (person.received ?? []).filter((received) => received.id !== id)
      keep(person, left)
    },
  }
}

type Content = Omit<ReceivedMessage, 'id' | 'date' | 'sender'>

function linksOf(keyboard: ChatMessage['inlineKeyboard']): InlineButton[][] {
  const rows = (keyboard ?? []).map((row) => row.filter(({ url }) => url !== undefined))
  return rows.filter((row) => row.length > 0)
}
