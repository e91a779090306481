// Types only: people and chats as an app shows them, for the emulator and the page that draws them.

/** A person with a phone who can talk to the bot. `id` is also the id of the private chat. */
export type Person = {
  id: number
  firstName: string
  lastName?: string
  username?: string
  /** In international form with `+`, as in the person's Telegram account. */
  phone: string
  /** IETF tag of the person's app, for example `fa`. */
  languageCode: string
  /** Whether the person has pressed START at least once. */
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
  /** Only `date_time`: the requested format. */
  date_time_format?: string
}

export type ButtonStyle = 'primary' | 'success' | 'danger'

/** Exactly one of `callbackData`, `url`, `copyText`, `disabled` decides what a tap does. */
export type InlineButton = {
  text: string
  callbackData?: string
  url?: string
  copyText?: string
  disabled?: true
  style?: ButtonStyle
}

/** A tap sends the text as a message, or asks for consent and shares the person's own contact. */
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
  /** The messages of one album share this id. */
  albumId?: string
  inlineKeyboard?: InlineButton[][]
  /** The message cannot be forwarded or saved. */
  protected?: true
}

/** A message from another person, outside of the bot's chat. `id` counts with the messages of the chats. */
export type ReceivedMessage = Omit<ChatMessage, 'from' | 'editDate' | 'replyTo' | 'protected'> & {
  /** The first name of the sender. */
  sender: string
  /** The author, where the sender has forwarded the message. */
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

/** Everything that the page needs to draw one chat. */
export type ChatState = {
  person: Person
  bot: Bot
  messages: ChatMessage[]
  replyKeyboard?: ReplyKeyboard
  /** The bot wants a reply: the page puts the cursor into the input. */
  forceReply?: { messageId: number; placeholder?: string }
  /** In the person's language, for the ☰ menu. */
  commands: Command[]
  /** The bot is "typing…" until then. */
  typing?: Typing
  /** From other people, oldest first, until the person dismisses them. */
  received?: ReceivedMessage[]
}

/** `action` is Telegram's chat action, for example `typing` or `upload_document`. */
export type Typing = { action: string; until: number }

/** The answer to a tap: nothing, a toast, or an alert to be closed. `url` is to be opened. */
export type CallbackAnswer = {
  callbackId: string
  messageId: number
  text?: string
  showAlert: boolean
  url?: string
}

/** Events of `/api/people/:id/events` and the JSON that each carries. */
export type ChatEvents = {
  chat: ChatState
  message: ChatMessage
  edited: ChatMessage
  deleted: { messageIds: number[] }
  /** The whole state of the input; absent members are removed. */
  keyboard: Pick<ChatState, 'replyKeyboard' | 'forceReply'>
  answer: CallbackAnswer
  typing: Typing | { until: 0 }
  commands: Command[]
  /** All received messages; empty when the last one was dismissed. */
  received: ReceivedMessage[]
  /** The person was changed, for example started or blocked. */
  person: Person
  bot: Bot
}

export type ChatEvent = { [K in keyof ChatEvents]: { type: K; data: ChatEvents[K] } }[keyof ChatEvents]
