import type { ButtonStyle, Entity } from './chat.ts'

/** The objects of the Bot API that the emulator makes, with Telegram's own names. */
export type WireUser = {
  id: number
  is_bot: boolean
  first_name: string
  last_name?: string
  username?: string
  language_code?: string
}

export type WireChat =
  | { id: number; type: 'private'; first_name: string; last_name?: string; username?: string }
  | { id: number; type: 'group'; title: string }

export type WireInlineButton = {
  text: string
  callback_data?: string
  url?: string
  copy_text?: { text: string }
  disabled?: Record<string, never>
  style?: ButtonStyle
}

export type WireInlineKeyboard = { inline_keyboard: WireInlineButton[][] }

export type WireDocument = {
  file_id: string
  file_unique_id: string
  file_name: string
  mime_type: string
  file_size: number
}

export type WirePhotoSize = {
  file_id: string
  file_unique_id: string
  width: number
  height: number
  file_size: number
}

export type WireContact = { phone_number: string; first_name: string; last_name?: string; user_id?: number }

export type WireContent = {
  text?: string
  entities?: Entity[]
  caption?: string
  caption_entities?: Entity[]
  photo?: WirePhotoSize[]
  document?: WireDocument
  voice?: { file_id: string; file_unique_id: string; duration: number; mime_type: string; file_size: number }
  sticker?: {
    file_id: string
    file_unique_id: string
    type: 'regular'
    width: number
    height: number
    is_animated: boolean
    is_video: boolean
    emoji: string
  }
  location?: { latitude: number; longitude: number }
  contact?: WireContact
}

export type WireMessage = WireContent & {
  message_id: number
  from: WireUser
  chat: WireChat
  /** In seconds since 1970, like every time in the Bot API. */
  date: number
  edit_date?: number
  reply_to_message?: WireMessage
  forward_origin?: { type: 'hidden_user'; sender_user_name: string; date: number }
  /** The messages of one album share this id. */
  media_group_id?: string
  reply_markup?: WireInlineKeyboard
  has_protected_content?: true
}

type WireCallbackQuery = {
  id: string
  from: WireUser
  message: WireMessage | { message_id: number; chat: WireChat; date: 0 }
  chat_instance: string
  data: string
}

type WireMemberChange = {
  chat: WireChat
  from: WireUser
  date: number
  old_chat_member: { user: WireUser; status: 'member' | 'kicked' }
  new_chat_member: { user: WireUser; status: 'member' | 'kicked' }
}

export type WireUpdateBody = {
  message: WireMessage
  edited_message: WireMessage
  callback_query: WireCallbackQuery
  my_chat_member: WireMemberChange
}

export type UpdateKind = keyof WireUpdateBody

export type WireUpdate = { update_id: number } & Partial<WireUpdateBody>
