import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'
import type {
  ChatEvents,
  ChatMessage,
  ChatState,
  Invitation,
  Newest,
  NewPerson,
  Person,
  ReceivedMessage,
  Sms,
} from '../../../src/demo/api.ts'
import { readStyle } from '../../../src/demo/assets.ts'

const root = new URL('../../../src/', import.meta.url)
const types: Record<string, string> = {
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

export type Call = { person: number; action: string; body: Record<string, unknown> }
export type FakeServer = Awaited<ReturnType<typeof startFakeServer>>

/**
 * A server that speaks the demo's interface and does only what the test tells it: the page's own behaviour can be
 * looked at with every answer given early, late or never.
 */
export async function startFakeServer(names = ['سارا', 'علی']) {
  const chats = new Map<number, ChatState>()
  const streams = new Map<string, Set<ServerResponse>>()
  const files = new Map<string, { type: string; body: Buffer | string }>()
  const calls: Call[] = []
  const invitations: Invitation[] = []
  const sms: Sms[] = []
  let nextId = 1
  let refuses = 0

  function addPerson(given: NewPerson): Person {
    const id = 1001 + chats.size
    const person: Person = {
      id,
      firstName: given.firstName ?? 'سارا',
      phone: given.phone ?? `+9891200000${chats.size}`,
      languageCode: given.languageCode ?? 'fa',
      started: false,
      blocked: false,
    }
    const bot = { username: 'porsa_bot', name: 'پرسا', description: 'آزمون‌های روان‌شناسی در گفتگو.' }
    chats.set(id, { person, bot, messages: [], commands: [] })
    return person
  }
  for (const firstName of names) addPerson({ firstName })

  function send(key: string, type: string, data: unknown) {
    for (const stream of streams.get(key) ?? []) {
      stream.write(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`)
    }
  }
  const chatOf = (id: number) => chats.get(id) as ChatState
  function push<K extends keyof ChatEvents>(id: number, type: K, data: ChatEvents[K]) {
    send(String(id), type, data)
  }

  /** Changes what the server knows of a chat, and tells the page. */
  function change<K extends 'keyboard' | 'commands' | 'person' | 'bot' | 'typing' | 'received'>(
    id: number,
    type: K,
    data: ChatEvents[K],
  ) {
    const chat = chatOf(id)
    if (type === 'keyboard') chats.set(id, { ...without(chat), ...(data as ChatEvents['keyboard']) })
    else chats.set(id, { ...chat, [type]: data })
    push(id, type, data)
  }

  /** Puts a message of the bot (or, with `from`, of the person) into the chat and returns its id. */
  function post(id: number, message: Partial<ChatMessage>): number {
    const whole: ChatMessage = { id: nextId++, from: 'bot', date: Date.now(), ...message }
    chatOf(id).messages.push(whole)
    push(id, 'message', whole)
    if (whole.from === 'bot') send('page', 'newest', { [id]: whole.id })
    return whole.id
  }

  function edit(id: number, messageId: number, changes: Partial<ChatMessage>) {
    const chat = chatOf(id)
    const index = chat.messages.findIndex((message) => message.id === messageId)
    const edited = { ...(chat.messages[index] as ChatMessage), editDate: Date.now(), ...changes }
    chat.messages[index] = edited
    push(id, 'edited', edited)
  }

  function remove(id: number, messageIds: number[]) {
    const chat = chatOf(id)
    chat.messages = chat.messages.filter((message) => !messageIds.includes(message.id))
    push(id, 'deleted', { messageIds })
  }

  /** Cuts every stream; the next `refused` attempts to come back fail. */
  function cut(refused = 0) {
    refuses = refused
    for (const open of streams.values()) for (const response of open) response.destroy()
  }

  /** Somebody else has sent this person something, with its links marked. */
  function receive(id: number, message: Omit<ReceivedMessage, 'id' | 'date'>) {
    const url = /https:\S+/.exec(message.text ?? '')
    const entities = url ? [{ type: 'url' as const, offset: url.index, length: url[0].length }] : []
    const whole = { id: nextId++, date: Date.now(), entities, ...message }
    change(id, 'received', [...(chatOf(id).received ?? []), whole])
    send('page', 'newest', { [id]: whole.id })
  }

  const newest = (): Newest =>
    Object.fromEntries([...chats].map(([id, { messages }]) => [id, messages.at(-1)?.id ?? 0]))

  /** What the real server does by itself for an action of the person. */
  function act(id: number, action: string, body: Record<string, unknown>): [number, unknown?] {
    calls.push({ person: id, action, body })
    const { person } = chatOf(id)
    if (action === 'start') {
      change(id, 'person', { ...person, started: true, blocked: false })
      post(id, { from: 'person', text: `/start ${body.payload ?? ''}`.trim() })
      return [204]
    }
    if (action === 'block' || action === 'unblock') {
      change(id, 'person', { ...person, blocked: action === 'block' })
      return [204]
    }
    if (action === 'say') {
      const replyTo = body.replyTo as number | undefined
      return [
        201,
        { messageId: post(id, { from: 'person', text: String(body.text), ...(replyTo && { replyTo }) }) },
      ]
    }
    if (action === 'forward') {
      const { text = '' } = chatOf(id).messages.find((message) => message.id === body.messageId) ?? {}
      receive(Number(body.to), { sender: person.firstName, origin: 'پرسا', text })
      return [204]
    }
    if (action === 'share') {
      receive(Number(body.to), { sender: person.firstName, text: String(body.text) })
      return [204]
    }
    if (action === 'dismiss') {
      const left = (chatOf(id).received ?? []).filter((received) => received.id !== body.messageId)
      change(id, 'received', left)
      return [204]
    }
    if (action === 'edit') {
      edit(id, Number(body.messageId), { text: String(body.text) })
      return [204]
    }
    if (action === 'contact') {
      const contact = { phone: person.phone, firstName: person.firstName, own: body.own !== false }
      return [201, { messageId: post(id, { from: 'person', contact }) }]
    }
    if (action === 'tap') return [200, { callbackId: `c${calls.length}` }]
    return [201, { messageId: nextId++ }]
  }

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const [, , , person, action, fileId] = path.split('/')
    const reply = (status: number, body?: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(body && JSON.stringify(body))
    if (!path.startsWith('/api/')) return serveFile(path, response)
    if (refuses > 0 && path.endsWith('events')) {
      refuses -= 1
      return reply(500, { error: 'refused' })
    }
    if (path === '/api/invitations') return reply(200, invitations)
    if (path === '/api/events') return stream('page', response, 'all', { sms, newest: newest() })
    if (path === '/api/people' && request.method === 'GET') {
      return reply(
        200,
        [...chats.values()].map((chat) => chat.person),
      )
    }
    if (action === 'events') return stream(String(person), response, 'chat', chatOf(Number(person)))
    if (action === 'files') {
      const file = files.get(fileId ?? '')
      return response
        .writeHead(file ? 200 : 404, { 'content-type': file?.type ?? 'text/plain' })
        .end(file?.body)
    }
    const body = await read(request)
    if (path === '/api/people') return reply(201, addPerson(body))
    if (path === '/api/invitations/open') {
      delete invitations.find(({ payload }) => payload === body.payload)?.waiting
      return reply(204)
    }
    return reply(...act(Number(person), String(action), body))
  }

  function stream(key: string, response: ServerResponse, type: string, data: unknown) {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    const open = streams.get(key) ?? new Set()
    streams.set(key, open.add(response))
    response.on('close', () => open.delete(response))
    response.write(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  const server = createServer((request, response) => void handle(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** Everything the page did, in order. */
    calls,
    invitations,
    files,
    post,
    edit,
    remove,
    change,
    push,
    /** The person has pressed START before. */
    begin: (id: number) => change(id, 'person', { ...chatOf(id).person, started: true }),
    sendSms(message: Sms) {
      sms.unshift(message)
      send('page', 'sms', message)
    },
    cut,
    /** Goes away and comes back as a server that began anew, with these people and invitations. */
    replace(people: string[], ready: Invitation[]) {
      chats.clear()
      for (const firstName of people) addPerson({ firstName })
      invitations.splice(0, invitations.length, ...ready)
      nextId = 1
      cut()
    },
    openStreams: () => [...streams.values()].reduce((sum, open) => sum + open.size, 0),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function without({ replyKeyboard: _, forceReply: __, ...rest }: ChatState): ChatState {
  return rest
}

async function read(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString() || '{}')
}

/** What is made of many files, so that a page is there at once: the style as the demo makes it, the modules in one. */
const made: Record<string, () => Promise<string>> = {
  'style.css': onDemand(readStyle),
  'main.js': onDemand(bundlePage),
}

async function bundlePage(): Promise<string> {
  const [built] = (await build({
    root: fileURLToPath(new URL('demo/page/', root)),
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: { write: false, lib: { entry: 'main.js', formats: ['es'] }, minify: false },
  })) as Rolldown.RolldownOutput[]
  return built?.output[0].code ?? ''
}

/** Makes something the first time it is asked for. */
function onDemand<T>(make: () => T): () => T {
  let value: T | undefined
  return () => (value ??= make())
}

async function serveFile(path: string, response: ServerResponse) {
  const file = path === '/' ? 'index.html' : path.slice(1)
  try {
    const body = await (made[file]?.() ?? readFile(new URL(`demo/page/${file}`, root)))
    response.writeHead(200, { 'content-type': types[file.split('.').pop() ?? ''] ?? 'text/plain' }).end(body)
  } catch {
    response.writeHead(404).end()
  }
}
