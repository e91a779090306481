import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Invitation, Sms } from '../../../tools/demo/api.ts'
import { readStyle } from '../../../tools/demo/assets.ts'
import { madeOnce } from '../../made-once.ts'
import { createFakeActions } from './fake-actions.ts'
import { createFakeChats, createFakeStreams, createFakeTalk } from './fake-chats.ts'

const root = new URL('../../../tools/', import.meta.url)
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
 * A server with the demo's interface that does only what the test orders, so that tests can watch the page
 * while answers come early, late or never.
 */
export async function startFakeServer(names = ['سارا', 'علی']) {
  const state = createState()
  const { streams, chats, talk, calls, invitations, files, sms } = state
  for (const firstName of names) chats.add({ firstName })

  /** Cuts every stream; the next `refused` attempts to reconnect fail. */
  function cut(refused = 0) {
    state.refuses = refused
    streams.cut()
  }

  const server = createServer((request, response) => void handle(state, request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** All actions of the page, in order. */
    calls,
    invitations,
    files,
    ...talk,
    change: chats.change,
    push: chats.push,
    /** Marks that the person has pressed START. */
    begin: (id: number) => chats.change(id, 'person', { ...chats.of(id).person, started: true }),
    sendSms(message: Sms) {
      sms.unshift(message)
      streams.send('page', 'sms', message)
    },
    cut,
    /** Acts as a server that was restarted from scratch with these people and invitations. */
    replace(people: string[], ready: Invitation[]) {
      chats.clear()
      for (const firstName of people) chats.add({ firstName })
      invitations.splice(0, invitations.length, ...ready)
      cut()
    },
    openStreams: streams.count,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

type State = ReturnType<typeof createState>

function createState() {
  const streams = createFakeStreams()
  const chats = createFakeChats(streams)
  const talk = createFakeTalk(chats, streams)
  const calls: Call[] = []
  const files = new Map<string, { type: string; body: Buffer | string }>()
  const invitations: Invitation[] = []
  const sms: Sms[] = []
  return {
    streams,
    chats,
    talk,
    act: createFakeActions(chats, talk, calls),
    calls,
    files,
    invitations,
    sms,
    refuses: 0,
  }
}

async function handle(state: State, request: IncomingMessage, response: ServerResponse) {
  const { chats, streams, invitations, sms } = state
  const path = new URL(request.url ?? '/', 'http://localhost').pathname
  const [, , , person, action, fileId] = path.split('/')
  const reply = (status: number, body?: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(body && JSON.stringify(body))
  if (!path.startsWith('/api/')) return serveFile(path, response)
  if (state.refuses > 0 && path.endsWith('events')) {
    state.refuses -= 1
    return reply(500, { error: 'refused' })
  }
  if (path === '/api/invitations') return reply(200, invitations)
  if (path === '/api/events') return streams.open('page', response, 'all', { sms, newest: chats.newest() })
  if (path === '/api/people' && request.method === 'GET') return reply(200, chats.people())
  if (action === 'events') return streams.open(String(person), response, 'chat', chats.of(Number(person)))
  if (action === 'files') {
    const file = state.files.get(fileId ?? '')
    const type = file?.type ?? 'text/plain'
    return response.writeHead(file ? 200 : 404, { 'content-type': type }).end(file?.body)
  }
  const body = await read(request)
  if (path === '/api/people') return reply(201, chats.add(body))
  if (path === '/api/invitations/open') {
    delete invitations.find(({ payload }) => payload === body.payload)?.waiting
    return reply(204)
  }
  state.calls.push({ person: Number(person), action: String(action), body })
  return reply(...state.act(Number(person), String(action), body))
}

async function read(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString() || '{}')
}

/** Files that are made of many, so that a page loads fast: the style as in the demo, the modules as one. */
const made: Record<string, () => Promise<string>> = {
  'style.css': onDemand(readStyle),
  'main.js': onDemand(bundlePage),
}

async function bundlePage(): Promise<string> {
  const folder = await madeOnce('page', async (outDir) => {
    const { build } = await import('vite')
    await build({
      root: fileURLToPath(new URL('demo/page/', root)),
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      build: {
        outDir,
        minify: false,
        lib: { entry: 'main.js', formats: ['es'], fileName: () => 'main.js' },
      },
    })
  })
  return readFile(join(folder, 'main.js'), 'utf8')
}

/** Makes a value at the first call. */
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
