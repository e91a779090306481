import type { ChatMessage, ChatState, Command, InlineButton, Person } from './chat.ts'
import type { EmulatorState, PersonState } from './state.ts'
import type { WireContent, WireInlineButton, WireMessage } from './wire.ts'
import { messagesOf, type World } from './world.ts'

/** A message as the person's app shows it. */
export function chatMessage(message: WireMessage): ChatMessage {
  const { reply_markup, reply_to_message, edit_date } = message
  return {
    id: message.message_id,
    from: message.from.is_bot ? 'bot' : 'person',
    date: message.date * 1000,
    ...(edit_date ? { editDate: edit_date * 1000 } : {}),
    ...textOf(message),
    ...mediaOf(message),
    ...(message.media_group_id ? { albumId: message.media_group_id } : {}),
    ...(reply_to_message ? { replyTo: reply_to_message.message_id } : {}),
    ...(reply_markup ? { inlineKeyboard: reply_markup.inline_keyboard.map((row) => row.map(button)) } : {}),
    ...(message.has_protected_content ? { protected: true as const } : {}),
  }
}

function textOf({ text, entities, caption, caption_entities }: WireContent): Partial<ChatMessage> {
  return {
    ...(text === undefined ? {} : { text }),
    ...(entities ? { entities } : {}),
    ...(caption === undefined ? {} : { caption }),
    ...(caption_entities ? { captionEntities: caption_entities } : {}),
  }
}

function mediaOf(message: WireMessage): Partial<ChatMessage> {
  const { photo, document, voice, sticker, location, contact } = message
  const largest = photo?.at(-1)
  return {
    ...(largest ? { photo: { fileId: largest.file_id, width: largest.width, height: largest.height } } : {}),
    ...(document
      ? {
          document: {
            fileId: document.file_id,
            fileName: document.file_name,
            mimeType: document.mime_type,
            size: document.file_size,
          },
        }
      : {}),
    ...(voice ? { voice: { fileId: voice.file_id, seconds: voice.duration } } : {}),
    ...(sticker ? { sticker: { emoji: sticker.emoji } } : {}),
    ...(location ? { location } : {}),
    ...(contact
      ? {
          contact: {
            phone: contact.phone_number,
            firstName: contact.first_name,
            own: contact.user_id === message.from.id,
          },
        }
      : {}),
  }
}

function button({ text, callback_data, url, copy_text, disabled, style }: WireInlineButton): InlineButton {
  return {
    text,
    ...(callback_data === undefined ? {} : { callbackData: callback_data }),
    ...(url === undefined ? {} : { url }),
    ...(copy_text ? { copyText: copy_text.text } : {}),
    ...(disabled ? { disabled: true as const } : {}),
    ...(style ? { style } : {}),
  }
}

/** A person as others see them, without the state of their input. */
export function publicPerson(person: PersonState): Person {
  const {
    replyKeyboard: _,
    forceReply: __,
    typing: ___,
    seenInGroup: ____,
    deactivated: _____,
    received: ______,
    ...visible
  } = person
  return visible
}

/** The first list that is set for this chat and language, the narrowest scope first. */
export function commandsFor({ commands }: EmulatorState, person: Person): Command[] {
  for (const scope of [`chat:${person.id}`, 'all_private_chats', 'default']) {
    for (const language of [person.languageCode, '']) {
      const list = commands[`${scope}:${language}`]
      if (list && list.length > 0) return list
    }
  }
  return []
}

/** The state of one chat as the page shows it. */
export function chatState(world: World, person: PersonState): ChatState {
  const { bot, descriptions, shortDescriptions } = world.state
  const description = descriptions[person.languageCode] ?? descriptions['']
  const shortDescription = shortDescriptions[person.languageCode] ?? shortDescriptions['']
  const { replyKeyboard, forceReply, typing, received } = person
  return {
    person: publicPerson(person),
    bot: {
      username: bot.username,
      name: bot.name,
      ...(description ? { description } : {}),
      ...(shortDescription ? { shortDescription } : {}),
    },
    messages: messagesOf(world, person.id).map(({ message }) => chatMessage(message)),
    commands: commandsFor(world.state, person),
    ...(replyKeyboard ? { replyKeyboard } : {}),
    ...(forceReply ? { forceReply } : {}),
    ...(typing && typing.until > world.now() ? { typing } : {}),
    ...(received ? { received } : {}),
  }
}
