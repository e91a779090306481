import type { ServerResponse } from 'node:http'
import type {
  ChatEvents,
  ChatMessage,
  ChatState,
  Newest,
  NewPerson,
  Person,
  ReceivedMessage,
} from '../../../tools/demo/api.ts'

export type FakeChats = ReturnType<typeof createFakeChats>
export type FakeStreams = ReturnType<typeof createFakeStreams>

/** The streams of events that pages listen to. */
export function createFakeStreams() {
  const streams = new Map<string, Set<ServerResponse>>()
  const write = (response: ServerResponse, type: string, data: unknown) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`)

  return {
    send(key: string, type: string, data: unknown) {
      for (const stream of streams.get(key) ?? []) write(stream, type, data)
    },
    open(key: string, response: ServerResponse, type: string, data: unknown) {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
      const open = streams.get(key) ?? new Set()
      streams.set(key, open.add(response))
      response.on('close', () => open.delete(response))
      write(response, type, data)
    },
    cut() {
      for (const open of streams.values()) for (const response of open) response.destroy()
    },
    count: () => [...streams.values()].reduce((sum, open) => sum + open.size, 0),
  }
}

/** The server's state of each chat; every change is sent to the pages. */
export function createFakeChats({ send }: Pick<FakeStreams, 'send'>) {
  const chats = new Map<number, ChatState>()
  const ids = { next: 1 }
  const of = (id: number) => chats.get(id) as ChatState

  function push<K extends keyof ChatEvents>(id: number, type: K, data: ChatEvents[K]) {
    send(String(id), type, data)
  }

  /** Changes the state of a chat and notifies the page. */
  function change<K extends 'keyboard' | 'commands' | 'person' | 'bot' | 'typing' | 'received'>(
    id: number,
    type: K,
    data: ChatEvents[K],
  ) {
    const chat = of(id)
    if (type === 'keyboard') chats.set(id, { ...without(chat), ...(data as ChatEvents['keyboard']) })
    else chats.set(id, { ...chat, [type]: data })
    push(id, type, data)
  }

  return {
    ids,
    of,
    push,
    change,
    people: (): Person[] => [...chats.values()].map(({ person }) => person),
    newest: (): Newest =>
      Object.fromEntries([...chats].map(([id, { messages }]) => [id, messages.at(-1)?.id ?? 0])),
    add(given: NewPerson): Person {
      const person = personOf(given, chats.size)
      const bot = { username: 'porsa_bot', name: 'پرسا', description: 'آزمون‌های روان‌شناسی در گفتگو.' }
      chats.set(person.id, { person, bot, messages: [], commands: [] })
      return person
    },
    /** Removes all chats and people. */
    clear() {
      chats.clear()
      ids.next = 1
    },
  }
}

/** The messages in the chats. */
export function createFakeTalk({ of, push, change, ids }: FakeChats, { send }: Pick<FakeStreams, 'send'>) {
  return {
    /** Puts a message of the bot (or, with `from`, of the person) into the chat and returns its id. */
    post(id: number, message: Partial<ChatMessage>): number {
      const whole: ChatMessage = { id: ids.next++, from: 'bot', date: Date.now(), ...message }
      of(id).messages.push(whole)
      push(id, 'message', whole)
      if (whole.from === 'bot') send('page', 'newest', { [id]: whole.id })
      return whole.id
    },
    edit(id: number, messageId: number, changes: Partial<ChatMessage>) {
      const chat = of(id)
      const index = chat.messages.findIndex((message) => message.id === messageId)
      const edited = { ...(chat.messages[index] as ChatMessage), editDate: Date.now(), ...changes }
      chat.messages[index] = edited
      push(id, 'edited', edited)
    },
    remove(id: number, messageIds: number[]) {
      const chat = of(id)
      chat.messages = chat.messages.filter((message) => !messageIds.includes(message.id))
      push(id, 'deleted', { messageIds })
    },
    /** Delivers a message from another person, with its links marked. */
    receive(id: number, message: Omit<ReceivedMessage, 'id' | 'date'>) {
      const url = /https:\S+/.exec(message.text ?? '')
      const entities = url ? [{ type: 'url' as const, offset: url.index, length: url[0].length }] : []
      const whole = { id: ids.next++, date: Date.now(), entities, ...message }
      change(id, 'received', [...(of(id).received ?? []), whole])
      send('page', 'newest', { [id]: whole.id })
    },
  }
}

function personOf({ firstName = 'سارا', phone, languageCode = 'fa' }: NewPerson, others: number): Person {
  return {
    id: 1001 + others,
    firstName,
    phone: phone ?? `+9891200000${others}`,
    languageCode,
    started: false,
    blocked: false,
  }
}

function without({ replyKeyboard: _, forceReply: __, ...rest }: ChatState): ChatState {
  return rest
}
