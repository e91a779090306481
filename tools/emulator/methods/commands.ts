import type { Arguments } from '../arguments.ts'
import type { Command } from '../chat.ts'
import { commandsFor } from '../chat-view.ts'
import type { MethodTable, Parts } from '../parts.ts'
import { badRequest } from '../refusal.ts'

const SCOPES = new Set([
  'default',
  'all_private_chats',
  'all_group_chats',
  'all_chat_administrators',
  'chat',
  'chat_administrators',
  'chat_member',
])

/** setMyCommands, getMyCommands, deleteMyCommands. */
export function commandMethods({ world }: Parts): MethodTable {
  const { state } = world

  function changed(): true {
    world.changed()
    for (const person of state.people) {
      world.publish(person.id, { type: 'commands', data: commandsFor(state, person) })
    }
    return true
  }

  return {
    setMyCommands(args) {
      const commands = args.object('commands')
      if (!Array.isArray(commands)) throw badRequest("can't parse commands: Expected an Array of BotCommand")
      if (commands.length > 100) throw badRequest('BOT_COMMANDS_TOO_MUCH')
      state.commands[listKey(args)] = commands.map(readCommand)
      return changed()
    },
    getMyCommands: (args) => state.commands[listKey(args)] ?? [],
    deleteMyCommands(args) {
      delete state.commands[listKey(args)]
      return changed()
    },
  }
}

function listKey(args: Arguments): string {
  const scope = (args.object('scope') ?? { type: 'default' }) as { type?: unknown; chat_id?: unknown }
  const language = args.text('language_code')
  if (typeof scope.type !== 'string' || !SCOPES.has(scope.type)) {
    throw badRequest("can't parse BotCommandScope: unsupported type specified")
  }
  if (language !== '' && !/^[a-z]{2}$/.test(language)) throw badRequest('invalid language code specified')
  const name = scope.type.startsWith('chat') ? `${scope.type}:${String(scope.chat_id)}` : scope.type
  return `${name}:${language}`
}

function readCommand(source: unknown): Command {
  const { command, description } = (source ?? {}) as { command?: unknown; description?: unknown }
  if (typeof command !== 'string' || !/^\/?[a-z0-9_]{1,32}$/.test(command))
    throw badRequest('BOT_COMMAND_INVALID')
  if (typeof description !== 'string' || description === '' || [...description].length > 256) {
    throw badRequest('BOT_COMMAND_DESCRIPTION_INVALID')
  }
  return { command: command.replace('/', ''), description }
}
