import type { FileKind, NewPerson } from './chat.ts'
import type { ChatInput } from './chat-input.ts'
import { chatMessage, publicPerson } from './chat-view.ts'
import { cleanText, codePoints } from './clean-text.ts'
import { withDetectedEntities } from './detect-entities.ts'
import { type FileShelf, wireDocument } from './file-shelf.ts'
import { MAX_TEXT } from './formatted-text.ts'
import { sampleContent } from './sample-content.ts'
import type { PersonState } from './state.ts'
import type { UpdateQueue } from './update-queue.ts'
import type { WireContact, WireContent, WireMessage } from './wire.ts'
import { findMessage, messagesOf, personUser, privateChat, toSeconds, type World } from './world.ts'

export type People = ReturnType<typeof createPeople>

type Deps = { world: World; queue: UpdateQueue; files: FileShelf; input: ChatInput }

/** A person to be added; missing details get defaults. */
export type PersonOptions = { [K in keyof NewPerson]: NewPerson[K] | undefined }

export type MessageOptions = {
  /** When the message was written, in milliseconds; the default is now. */
  date?: number | undefined
  replyTo?: number | undefined
  /** Another person wrote it, and this one forwards it. */
  isForwarded?: true | undefined
}

/** A file that a person sends. */
export type OwnDocument = { fileName: string; bytes: Buffer; caption?: string }

/** The actions of people in their chats with the bot; each queues its update at once. */
export function createPeople(deps: Deps) {
  const outbox = createOutbox(deps)
  return {
    add: (options: PersonOptions, id?: number) => addPerson(deps.world, options, id),
    ...writing(deps, outbox),
    ...membership(outbox),
    ...files(deps, outbox),
    /** Sends a message to a group of which the bot is a member. */
    sayInGroup: (person: PersonState, text: string) => sayInGroup(deps, person, text),
  }
}

function addPerson(
  world: World,
  { firstName = 'سارا', lastName, phone, languageCode = 'fa' }: PersonOptions,
  id?: number,
): PersonState {
  const number = id ?? ++world.state.counters.person
  const person: PersonState = {
    id: number,
    firstName,
    ...(lastName ? { lastName } : {}),
    phone: phone ?? `+98912${String(number % 10_000_000).padStart(7, '0')}`,
    languageCode,
    started: false,
    blocked: false,
  }
  world.state.people.push(person)
  world.changed()
  return person
}

type Outbox = ReturnType<typeof createOutbox>

/** Puts the actions of a person into the chat and into the queue of updates. */
function createOutbox({ world, queue }: Pick<Deps, 'world' | 'queue'>) {
  const { state } = world

  function personChanged(person: PersonState): void {
    world.changed()
    world.publish(person.id, { type: 'person', data: publicPerson(person) })
  }

  return {
    send(person: PersonState, content: WireContent, options: MessageOptions = {}): WireMessage {
      if (person.blocked) throw new Error('the bot is blocked: nothing can be sent')
      const repliedTo =
        options.replyTo === undefined ? undefined : findMessage(world, person.id, options.replyTo)?.message
      const message: WireMessage = {
        message_id: ++state.counters.message,
        from: personUser(person),
        chat: privateChat(person),
        date: toSeconds(options.date ?? world.now()),
        ...(repliedTo ? { reply_to_message: repliedTo } : {}),
        ...(options.isForwarded && { forward_origin: originOf(options.date ?? world.now()) }),
        ...content,
      }
      // The first message to the bot opens the chat, whether or not it is START.
      if (!person.started) {
        person.started = true
        personChanged(person)
      }
      messagesOf(world, person.id).push({ message })
      world.publish(person.id, { type: 'message', data: chatMessage(message) })
      queue.add('message', message, `chat:${person.id}`)
      return message
    },
    member(person: PersonState, blocked: boolean): void {
      if (person.blocked === blocked) return
      person.blocked = blocked
      personChanged(person)
      const status = (isBlocked: boolean) => (isBlocked ? ('kicked' as const) : ('member' as const))
      const { id, name, username } = state.bot
      const user = { id, is_bot: true, first_name: name, username }
      const change = {
        chat: privateChat(person),
        from: personUser(person),
        date: toSeconds(world.now()),
        old_chat_member: { user, status: status(!blocked) },
        new_chat_member: { user, status: status(blocked) },
      }
      queue.add('my_chat_member', change, `member:${person.id}`)
    },
  }
}

const originOf = (at: number) =>
  ({ type: 'hidden_user', sender_user_name: 'دوست', date: toSeconds(at) }) as const

function writing({ world, queue, input }: Deps, { send }: Outbox) {
  return {
    /** A text as a person's app sends it: cleaned, and split into several messages above 4096 code points. */
    say(person: PersonState, text: string, options: MessageOptions = {}): WireMessage {
      const cleaned = cleanText({ text, entities: [] }).text
      const [first, ...others] = split(cleaned)
      if (cleaned === '' || first === undefined) throw new Error('an empty message cannot be sent')
      let last = send(person, textContent(first), options)
      for (const part of others) last = send(person, textContent(part), options)
      input.used(person, isKeyboardButton(person, cleaned))
      return last
    },
    edit(person: PersonState, messageId: number, text: string): WireMessage {
      const stored = findMessage(world, person.id, messageId)
      if (stored?.message.from.id !== person.id) throw new Error('only one’s own message can be edited')
      const { entities: _, ...rest } = stored.message
      stored.message = { ...rest, ...textContent(text), edit_date: toSeconds(world.now()) }
      world.publish(person.id, { type: 'edited', data: chatMessage(stored.message) })
      queue.add('edited_message', stored.message, `chat:${person.id}`)
      return stored.message
    },
    contact(person: PersonState, contact: WireContact, options: MessageOptions = {}): WireMessage {
      const message = send(person, { contact }, options)
      input.used(person, options.replyTo !== undefined)
      return message
    },
  }
}

function membership({ send, member }: Outbox) {
  return {
    /** START, or the payload of a deep link; this also unblocks the bot. */
    start(person: PersonState, payload = ''): WireMessage {
      member(person, false)
      return send(person, textContent(payload === '' ? '/start' : `/start ${payload}`))
    },
    block: (person: PersonState) => member(person, true),
    unblock: (person: PersonState) => member(person, false),
  }
}

function files({ files: shelf }: Deps, { send }: Outbox) {
  return {
    file: (person: PersonState, kind: FileKind) => send(person, sampleContent(shelf, kind)),
    /** A document of the person's own, optionally with a caption. */
    document(person: PersonState, { fileName, bytes, caption }: OwnDocument): WireMessage {
      const file = shelf.add({ kind: 'document', fileName, bytes })
      const { text, entities } = textContent(caption ?? '')
      const said = caption ? { caption: text ?? '', ...(entities && { caption_entities: entities }) } : {}
      return send(person, { document: wireDocument(file), ...said })
    },
  }
}

function sayInGroup({ world, queue }: Deps, person: PersonState, text: string): WireMessage {
  const { state } = world
  const group = state.groups[0] ?? { id: -1001, type: 'group' as const, title: 'گروه آزمایشی' }
  if (state.groups.length === 0) state.groups.push(group)
  person.seenInGroup = true
  const message: WireMessage = {
    message_id: ++state.counters.message,
    from: personUser(person),
    chat: group,
    date: toSeconds(world.now()),
    ...textContent(text),
  }
  messagesOf(world, group.id).push({ message })
  queue.add('message', message, `chat:${group.id}`)
  return message
}

function isKeyboardButton(person: PersonState, text: string): boolean {
  return person.replyKeyboard?.rows.flat().some((button) => button.text === text) ?? false
}

function textContent(source: string): WireContent {
  const { text, entities } = withDetectedEntities(cleanText({ text: source, entities: [] }))
  return { text, ...(entities.length > 0 ? { entities } : {}) }
}

function split(text: string): string[] {
  if (codePoints(text) <= MAX_TEXT) return [text]
  const chars = [...text]
  const parts: string[] = []
  for (let from = 0; from < chars.length; from += MAX_TEXT)
    parts.push(chars.slice(from, from + MAX_TEXT).join(''))
  return parts.filter((part) => part.trim() !== '')
}
