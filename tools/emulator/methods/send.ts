import type { Arguments } from '../arguments.ts'
import { chatMessage } from '../chat-view.ts'
import { wireDocument, wirePhoto } from '../file-shelf.ts'
import { readCaption, readText } from '../formatted-text.ts'
import type { MethodTable, Parts } from '../parts.ts'
import { badRequest } from '../refusal.ts'
import { parseReplyMarkup } from '../reply-markup.ts'
import { writableChat } from '../target-chat.ts'
import type { WireContent, WireMessage } from '../wire.ts'
import { botUser, findMessage, findPerson, messagesOf, toSeconds } from '../world.ts'

const ACTIONS = new Set(
  'typing upload_photo record_video upload_video record_voice upload_voice upload_document choose_sticker find_location record_video_note upload_video_note'.split(
    ' ',
  ),
)

/** sendMessage, sendPhoto, sendDocument, sendChatAction. */
export function sendMethods(parts: Parts): MethodTable {
  const { world, input } = parts
  return {
    sendMessage(args) {
      const content = textContent(args)
      return deliver(parts, args, () => content)
    },
    sendPhoto(args) {
      const caption = captionContent(args)
      return deliver(parts, args, () => ({ ...photoContent(parts, args, 'photo'), ...caption }))
    },
    sendDocument(args) {
      const caption = captionContent(args)
      return deliver(parts, args, () => ({ ...documentContent(parts, args, 'document'), ...caption }))
    },
    sendChatAction(args) {
      const chat = writableChat(world, args)
      const action = args.text('action')
      if (!ACTIONS.has(action)) throw badRequest('wrong parameter action in request')
      const person = findPerson(world, chat.id)
      if (person) input.typing(person, action)
      return true
    },
  }
}

/** The text of a message, checked against the limits. */
export function textContent(args: Arguments): WireContent {
  const { text, entities } = readText(args)
  return { text, ...(entities.length > 0 ? { entities } : {}) }
}

/** The caption of a file, checked against the limits. */
export function captionContent(args: Arguments): WireContent {
  const { text, entities } = readCaption(args)
  if (text === '') return {}
  return { caption: text, ...(entities.length > 0 ? { caption_entities: entities } : {}) }
}

/** `source` names the upload or an argument that holds a file id or `attach://…`. */
export function photoContent(parts: Parts, args: Arguments, source: string): WireContent {
  return { photo: wirePhoto(fileOf(parts, args, source, 'photo')) }
}

/** A document, uploaded or sent again by its id. */
export function documentContent(parts: Parts, args: Arguments, source: string): WireContent {
  return { document: wireDocument(fileOf(parts, args, source, 'document')) }
}

/** The emulated Telegram fetches from no server, so a file by URL is refused like a wrong id. */
function fileOf({ files }: Parts, args: Arguments, source: string, kind: 'photo' | 'document') {
  const value = args.text(source)
  const upload = args.upload(value || source)
  if (upload) return files.add({ kind, fileName: upload.fileName, bytes: upload.bytes })
  if (value === '') throw badRequest(`there is no ${kind} in the request`)
  const known = files.byId(value)
  if (known?.kind !== kind) throw badRequest('wrong file identifier/HTTP URL specified')
  return known
}

/** Telegram checks the text first, then the keyboard, then the chat, and the file last. */
function deliver(parts: Parts, args: Arguments, content: () => WireContent): WireMessage {
  const { world } = parts
  const markup = parseReplyMarkup(args.object('reply_markup'))
  const chat = writableChat(world, args)
  const repliedTo = readReply(args, (id) => findMessage(world, chat.id, id)?.message)
  return place(
    parts,
    args,
    { ...content(), ...(repliedTo ? { reply_to_message: withoutReply(repliedTo) } : {}) },
    markup,
  )
}

/** Puts a message of the bot into its chat, after all checks. */
export function place(
  { world, input }: Parts,
  args: Arguments,
  content: Pick<WireMessage, keyof WireContent | 'reply_to_message' | 'media_group_id'>,
  markup?: ReturnType<typeof parseReplyMarkup>,
): WireMessage {
  const chat = writableChat(world, args)
  const message: WireMessage = {
    message_id: ++world.state.counters.message,
    from: botUser(world),
    chat,
    date: toSeconds(world.now()),
    ...content,
    ...(args.flag('protect_content') ? { has_protected_content: true as const } : {}),
    ...(markup?.kind === 'inline' ? { reply_markup: markup.markup } : {}),
  }
  const isKeyboard = markup !== undefined && markup.kind !== 'inline'
  messagesOf(world, chat.id).push({ message, ...(isKeyboard ? { hadReplyMarkup: true as const } : {}) })
  world.changed()
  const person = findPerson(world, chat.id)
  if (person) {
    input.typingEnds(person)
    world.publish(person.id, { type: 'message', data: chatMessage(message) })
    input.apply(person, message.message_id, markup)
  }
  return message
}

function readReply(args: Arguments, find: (id: number) => WireMessage | undefined): WireMessage | undefined {
  const given = args.object('reply_parameters') as
    | { message_id?: unknown; allow_sending_without_reply?: unknown }
    | undefined
  const id = given ? Number(given.message_id) : args.integer('reply_to_message_id')
  if (id === undefined) return undefined
  const message = find(id)
  if (!message && given?.allow_sending_without_reply !== true)
    throw badRequest('message to be replied not found')
  return message
}

function withoutReply(message: WireMessage): WireMessage {
  const { reply_to_message: _, ...rest } = message
  return rest
}
