import type { Arguments } from './arguments.ts'
import { badRequest, forbidden } from './refusal.ts'
import type { WireChat } from './wire.ts'
import { findPerson, privateChat, type World } from './world.ts'

/** The chat that a call names, if the bot can see it. */
export function visibleChat(world: World, args: Arguments): WireChat {
  if (args.text('chat_id') === '') throw badRequest('chat_id is empty')
  const id = args.integer('chat_id')
  const group = world.state.groups.find((chat) => chat.id === id)
  if (group) return group
  const person = id === undefined ? undefined : findPerson(world, id)
  if (!person || !(person.started || person.seenInGroup)) throw badRequest('chat not found')
  return privateChat(person)
}

/** The same chat, if the bot may write into it now. */
export function writableChat(world: World, args: Arguments): WireChat {
  const chat = visibleChat(world, args)
  const person = findPerson(world, chat.id)
  if (!person) return chat
  if (person.deactivated) throw forbidden('user is deactivated')
  if (person.blocked) throw forbidden('bot was blocked by the user')
  if (!person.started) throw forbidden("bot can't initiate conversation with a user")
  return chat
}
