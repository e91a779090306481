import { randomBytes, randomInt } from 'node:crypto'
import type { Command, Person, ReceivedMessage, ReplyKeyboard, Typing } from './chat.ts'
import type { WireChat, WireMessage, WireUpdate } from './wire.ts'

/** The state of the emulated Telegram as plain JSON. `blobs.ts` stores the bytes of files. */
export type EmulatorState = {
  version: 1
  token: string
  bot: { id: number; username: string; name: string }
  /** The last number that was used, per kind of thing. */
  counters: { update: number; message: number; person: number; file: number; callback: number }
  people: PersonState[]
  groups: Extract<WireChat, { type: 'group' }>[]
  /** By chat id, oldest first. */
  messages: Record<string, StoredMessage[]>
  callbacks: CallbackState[]
  updates: QueuedUpdate[]
  /** Empty: Telegram's default set. */
  allowedUpdates: string[]
  webhook?: WebhookState
  files: FileState[]
  /** By `scope:language`. */
  commands: Record<string, Command[]>
  /** By language, `''` for all others. */
  descriptions: Record<string, string>
  shortDescriptions: Record<string, string>
}

export type PersonState = Person & {
  replyKeyboard?: ReplyKeyboard
  forceReply?: { messageId: number; placeholder?: string }
  typing?: Typing
  received?: ReceivedMessage[]
  /** The bot has seen this person in a group: it knows them, but cannot write to them. */
  seenInGroup?: true
  deactivated?: true
}

export type StoredMessage = {
  message: WireMessage
  /** The message was sent with a reply keyboard, its removal or a forced reply: it can never be edited. */
  hadReplyMarkup?: true
}

export type CallbackState = { id: string; personId: number; messageId: number; at: number; answered: boolean }

export type QueuedUpdate = {
  update: WireUpdate
  /** A webhook gets the updates of one queue one after the other. */
  queue: string
  expiresAt: number
}

type WebhookState = {
  url: string
  secret?: string
  maxConnections: number
  lastErrorAt?: number
  lastErrorMessage?: string
  /** Since when the webhook has answered only 410. */
  goneSince?: number
}

export type FileState = {
  fileId: string
  uniqueId: string
  path: string
  fileName: string
  mimeType: string
  size: number
  kind: 'photo' | 'document' | 'voice' | 'sticker'
  width?: number
  height?: number
}

type NewBot = { token?: string | undefined; username?: string | undefined; name?: string | undefined }

const BOT_ID = 7_000_000_001

/** A Telegram with one bot and no people. Update ids start at random, as for a bot that moves. */
export function newState({ token, username = 'porsa_demo_bot', name = 'پرسا' }: NewBot): EmulatorState {
  return {
    version: 1,
    token: token ?? `${BOT_ID}:${randomBytes(26).toString('base64url')}`,
    bot: { id: Number(token?.split(':')[0]) || BOT_ID, username, name },
    counters: {
      update: randomInt(1_000_000, 900_000_000),
      message: 100,
      person: 5_000_000_000,
      file: 0,
      callback: 0,
    },
    people: [],
    groups: [],
    messages: {},
    callbacks: [],
    updates: [],
    allowedUpdates: [],
    files: [],
    commands: {},
    descriptions: {},
    shortDescriptions: {},
  }
}
