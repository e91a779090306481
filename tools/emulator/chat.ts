// Types only: people and chats as an app shows them, for the emulator and whoever draws it.

/** Somebody with a phone who can talk to the bot. `id` is also the id of the private chat. */
export type Person = {
  id: number
  firstName: string
  lastName?: string
  username?: string
  /** International form with `+`, as the person's Telegram account has it. */
  phone: string
  /** IETF tag of the person's app, for example `fa`. */
  languageCode: string
  /** Whether START was pressed at least once. */
  started: boolean
  blocked: boolean
}

export type NewPerson = { firstName?: string; lastName?: string; phone?: string; languageCode?: string }

/** A run of formatted text; `offset` and `length` count UTF-16 code units, so `text.slice` fits. */
export type Entity = {
  type:
    | 'bold'
    | 'italic'
    | 'underline'
    | 'strikethrough'
    | 'spoiler'
    | 'code'
    | 'pre'
    | 'blockquote'
    | 'expandable_blockquote'
    | 'text_link'
    | 'text_mention'
    | 'url'
    | 'email'
    | 'phone_number'
    | 'mention'
    | 'hashtag'
    | 'bot_command'
    | 'custom_emoji'
    | 'date_time'
  offset: number
  length: number
  /** Only `text_link`. */
  url?: string
  /** Only `pre`. */
  language?: string
  /** Only `date_time`: seconds since 1970. */
  unix_time?: number
  /** Only `date_time`: the wished format. */
  date_time_format?: string
}

export type ButtonStyle = 'primary' | 'success' | 'danger'

/** Exactly one of `callbackData`, `url`, `copyText`, `disabled` says what a tap does. */
export type InlineButton = {
  text: string
  callbackData?: string
  url?: string
  copyText?: string
  disabled?: true
  style?: ButtonStyle
}

/** A tap sends the text as a message, or asks for consent and shares the own contact. */
export type ReplyButton = { text: string; requestContact?: true; style?: ButtonStyle }

export type ReplyKeyboard = {
  /** The message that brought it; pass it to `/contact`. */
  messageId: number
  rows: ReplyButton[][]
  resize?: boolean
  oneTime?: boolean
  persistent?: boolean
  placeholder?: string
}

export type FileKind = 'document' | 'photo' | 'sticker' | 'location' | 'voice'

export type ChatMessage = {
  id: number
  from: 'bot' | 'person'
  date: number
  editDate?: number
  text?: string
  entities?: Entity[]
  /** Under `photo` or `document`. */
  caption?: string
  captionEntities?: Entity[]
  photo?: { fileId: string; width: number; height: number }
  document?: { fileId: string; fileName: string; mimeType: string; size: number }
  voice?: { fileId: string; seconds: number }
  sticker?: { emoji: string }
  location?: { latitude: number; longitude: number }
  contact?: { phone: string; firstName: string; own: boolean }
  replyTo?: number
  /** What the messages of one album share. */
  albumId?: string
  inlineKeyboard?: InlineButton[][]
  /** Not to be forwarded or saved. */
  protected?: true
}

/** What somebody else has sent, outside of the chat with the bot. `id` counts with the messages of the chats. */
export type ReceivedMessage = Omit<ChatMessage, 'from' | 'editDate' | 'replyTo' | 'protected'> & {
  /** The first name of who has sent it. */
  sender: string
  /** Whose message it was, where the sender has forwarded it. */
  origin?: string
}

export type Command = { command: string; description: string }

export type Bot = {
  username: string
  name: string
  /** In the person's language; shown in the empty chat above START. */
  description?: string
  shortDescription?: string
}

/** Everything the page needs to draw one chat. */
export type ChatState = {
  person: Person
  bot: Bot
  messages: ChatMessage[]
  replyKeyboard?: ReplyKeyboard
  /** The bot wants a reply: put the cursor into the input. */
  forceReply?: { messageId: number; placeholder?: string }
  /** In the person's language, for the ☰ menu. */
  commands: Command[]
  /** The bot is "typing…" until then. */
  typing?: Typing
  /** From other people, oldest first, until it is put away. */
  received?: ReceivedMessage[]
}

/** `action` is Telegram's chat action, for example `typing` or `upload_document`. */
export type Typing = { action: string; until: number }

/** What a tap was answered with: nothing, a toast, or an alert to be closed. `url` is to be opened. */
export type CallbackAnswer = {
  callbackId: string
  messageId: number
  text?: string
  showAlert: boolean
  url?: string
}

/** Events of `/api/people/:id/events` and the JSON each carries. */
export type ChatEvents = {
  chat: ChatState
  message: ChatMessage
  edited: ChatMessage
  deleted: { messageIds: number[] }
  /** The whole state of what is under the input; absent members are gone. */
  keyboard: Pick<ChatState, 'replyKeyboard' | 'forceReply'>
  answer: CallbackAnswer
  typing: Typing | { until: 0 }
  commands: Command[]
  /** All that stands there; empty when the last was put away. */
  received: ReceivedMessage[]
  /** Started, blocked and the like have changed. */
  person: Person
  bot: Bot
}

export type ChatEvent = { [K in keyof ChatEvents]: { type: K; data: ChatEvents[K] } }[keyof ChatEvents]
