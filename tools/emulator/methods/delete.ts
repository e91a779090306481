import type { MethodTable, Parts } from '../parts.ts'
import { badRequest } from '../refusal.ts'
import { visibleChat } from '../target-chat.ts'
import { findMessage, findPerson, messagesOf, toSeconds } from '../world.ts'

const DELETABLE_SECONDS = 48 * 3600

/** deleteMessage and deleteMessages: in a private chat the messages of both sides, within 48 hours. */
export function deleteMethods({ world, input }: Parts): MethodTable {
  function isDeletable(chatId: number, messageId: number): boolean {
    const message = findMessage(world, chatId, messageId)?.message
    return message !== undefined && toSeconds(world.now()) - message.date < DELETABLE_SECONDS
  }

  function remove(chatId: number, messageIds: number[]): void {
    const messages = messagesOf(world, chatId)
    world.state.messages[chatId] = messages.filter(({ message }) => !messageIds.includes(message.message_id))
    world.changed()
    const person = findPerson(world, chatId)
    if (!person) return
    world.publish(chatId, { type: 'deleted', data: { messageIds } })
    for (const id of messageIds) input.messageDeleted(person, id)
  }

  return {
    deleteMessage(args) {
      const chat = visibleChat(world, args)
      const id = args.integer('message_id')
      if (id === undefined) throw badRequest('message identifier is not specified')
      if (!findMessage(world, chat.id, id)) throw badRequest('message to delete not found')
      if (!isDeletable(chat.id, id)) throw badRequest("message can't be deleted")
      remove(chat.id, [id])
      return true
    },
    /** Messages that are deleted already or too old are skipped silently. */
    deleteMessages(args) {
      const chat = visibleChat(world, args)
      const ids = args.object('message_ids')
      if (!Array.isArray(ids) || ids.length === 0) throw badRequest('message identifiers are not specified')
      if (ids.length > 100) throw badRequest('too many message identifiers specified')
      const found = ids.map(Number).filter((id) => isDeletable(chat.id, id))
      if (found.length > 0) remove(chat.id, found)
      return true
    },
  }
}
