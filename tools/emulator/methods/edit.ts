import { isDeepStrictEqual } from 'node:util'
import type { Arguments } from '../arguments.ts'
import { chatMessage } from '../chat-view.ts'
import type { MethodTable, Parts } from '../parts.ts'
import { badRequest } from '../refusal.ts'
import { parseReplyMarkup } from '../reply-markup.ts'
import type { StoredMessage } from '../state.ts'
import { visibleChat, writableChat } from '../target-chat.ts'
import type { WireContent, WireInlineKeyboard, WireMessage } from '../wire.ts'
import { findMessage, findPerson, toSeconds, type World } from '../world.ts'
import { deleteMethods } from './delete.ts'
import { mediaContent } from './media.ts'
import { captionContent, textContent } from './send.ts'

const NOT_MODIFIED =
  'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message'

/** editMessageText, …Caption, …Media, …ReplyMarkup and the two that delete. */
export function editMethods(parts: Parts): MethodTable {
  const { world } = parts
  return {
    editMessageText(args) {
      const content = textContent(args)
      const stored = editable(world, args)
      if (stored.message.text === undefined) throw badRequest('there is no text in the message to edit')
      return replace(world, stored, content, inlineKeyboard(args))
    },
    editMessageCaption(args) {
      const caption = captionContent(args)
      const stored = editable(world, args)
      const { photo, document } = stored.message
      if (!photo && !document) throw badRequest('there is no caption in the message to edit')
      return replace(
        world,
        stored,
        { ...(photo ? { photo } : {}), ...(document ? { document } : {}), ...caption },
        inlineKeyboard(args),
      )
    },
    editMessageMedia(args) {
      const stored = editable(world, args)
      return replace(world, stored, mediaContent(parts, args, args.object('media')), inlineKeyboard(args))
    },
    editMessageReplyMarkup(args) {
      const stored = editable(world, args)
      return replace(world, stored, contentOf(stored.message), inlineKeyboard(args))
    },
    ...deleteMethods(parts),
  }
}

/** The bot's own message that the call names. One that was sent with a reply keyboard can never be edited. */
function editable(world: World, args: Arguments): StoredMessage {
  const chat = visibleChat(world, args)
  const messageId = args.integer('message_id')
  if (messageId === undefined) throw badRequest('message identifier is not specified')
  const stored = findMessage(world, chat.id, messageId)
  if (!stored) throw badRequest('message to edit not found')
  writableChat(world, args)
  if (!stored.message.from.is_bot || stored.hadReplyMarkup) throw badRequest("message can't be edited")
  return stored
}

/** An edit without a keyboard removes the old one. */
function inlineKeyboard(args: Arguments): WireInlineKeyboard | undefined {
  const markup = parseReplyMarkup(args.object('reply_markup'))
  if (markup && markup.kind !== 'inline') throw badRequest('inline keyboard expected')
  return markup?.markup
}

function contentOf({ text, entities, caption, caption_entities, photo, document }: WireMessage): WireContent {
  return {
    ...(text === undefined ? {} : { text }),
    ...(entities ? { entities } : {}),
    ...(photo ? { photo } : {}),
    ...(document ? { document } : {}),
    ...(caption === undefined ? {} : { caption }),
    ...(caption_entities ? { caption_entities } : {}),
  }
}

function replace(
  world: World,
  stored: StoredMessage,
  content: WireContent,
  markup: WireInlineKeyboard | undefined,
): WireMessage {
  const { message } = stored
  if (isDeepStrictEqual(contentOf(message), content) && isDeepStrictEqual(message.reply_markup, markup)) {
    throw badRequest(NOT_MODIFIED)
  }
  const { message_id, from, chat, date, reply_to_message, media_group_id } = message
  const { has_protected_content } = message
  stored.message = {
    message_id,
    from,
    chat,
    date,
    edit_date: toSeconds(world.now()),
    ...(reply_to_message ? { reply_to_message } : {}),
    ...(media_group_id ? { media_group_id } : {}),
    ...content,
    ...(has_protected_content ? { has_protected_content } : {}),
    ...(markup ? { reply_markup: markup } : {}),
  }
  world.changed()
  if (findPerson(world, chat.id))
    world.publish(chat.id, { type: 'edited', data: chatMessage(stored.message) })
  return stored.message
}
