import type { FastifyInstance, FastifyRequest } from 'fastify'
import { publicPerson } from '../emulator/chat-view.ts'
import type { Emulator, PersonDriver } from '../emulator/emulator.ts'
import type { EventStreams } from './page-events.ts'
import { bodies, PageError, read } from './page-request.ts'

type Deps = { app: FastifyInstance; emulator: Emulator; stream: EventStreams }
type Routes = Deps & ReturnType<typeof findersIn>

/** The routes for people and for their actions in the chats. */
export function addPersonRoutes(deps: Deps): void {
  const routes = { ...deps, ...findersIn(deps.emulator) }
  addPeople(routes)
  addWriting(routes)
  addSharing(routes)
  addBlocking(routes)
  addFiles(routes)
}

/** Finds the person of a request. */
function findersIn(emulator: Emulator) {
  function byId(id: number): PersonDriver {
    const person = emulator.people().find((each) => each.id === id)
    if (!person) throw new PageError(404, 'no such person')
    return person
  }

  const personOf = (request: FastifyRequest) => byId(Number((request.params as { id: string }).id))

  /** The person, if they have not blocked the bot. */
  function writerOf(request: FastifyRequest): PersonDriver {
    const person = personOf(request)
    if (person.state.blocked) throw new PageError(403, 'the bot is blocked')
    return person
  }

  return { byId, personOf, writerOf }
}

function addPeople({ app, emulator, stream, personOf }: Routes): void {
  app.get('/api/people', async () => emulator.people().map(({ state }) => publicPerson(state)))
  app.post('/api/people', async (request, reply) => {
    const { state } = emulator.person(read(bodies.person, request))
    return reply.code(201).send(publicPerson(state))
  })
  app.get('/api/people/:id/events', (request, reply) => {
    const { id } = personOf(request)
    stream(reply, (events) => {
      events.send('chat', emulator.chat(id))
      return emulator.watch(id, ({ type, data }) => events.send(type, data))
    })
  })
}

function addWriting({ app, personOf, writerOf }: Routes): void {
  app.post('/api/people/:id/start', async (request, reply) => {
    personOf(request).start(read(bodies.start, request).payload)
    return reply.code(204).send()
  })
  app.post('/api/people/:id/say', async (request, reply) => {
    const body = read(bodies.say, request)
    if (body.text.trim() === '') throw new PageError(400, 'an empty message cannot be sent')
    const message = writerOf(request).say(body.text, { replyTo: body.replyTo })
    return reply.code(201).send({ messageId: message.message_id })
  })
  app.post('/api/people/:id/edit', async (request, reply) => {
    const body = read(bodies.edit, request)
    const person = writerOf(request)
    const message = person.messages.find(({ message_id }) => message_id === body.messageId)
    if (message?.from.id !== person.id || message.text === undefined)
      throw new PageError(404, 'no such message')
    person.edit(body.messageId, body.text)
    return reply.code(204).send()
  })
  app.post('/api/people/:id/tap', async (request) => {
    const { messageId: id, row, column } = read(bodies.tap, request)
    const person = writerOf(request)
    const message = person.messages.find(({ message_id }) => message_id === id)
    if (!message) throw new PageError(404, 'no such message')
    const data = message.reply_markup?.inline_keyboard[row]?.[column]?.callback_data
    if (data === undefined) throw new PageError(400, 'no such button')
    return { callbackId: person.rawTap(id, data) }
  })
  app.post('/api/people/:id/contact', async (request, reply) => {
    const { messageId: replyTo, ...contact } = read(bodies.contact, request)
    const message = writerOf(request).shareContact({ ...contact, replyTo })
    return reply.code(201).send({ messageId: message.message_id })
  })
  app.post('/api/people/:id/file', async (request, reply) => {
    const message = writerOf(request).sendFile(read(bodies.file, request).kind)
    return reply.code(201).send({ messageId: message.message_id })
  })
}

function addSharing({ app, byId, personOf }: Routes): void {
  app.post('/api/people/:id/forward', async (request, reply) => {
    const { messageId: id, to } = read(bodies.forward, request)
    const person = personOf(request)
    const message = person.messages.find(({ message_id }) => message_id === id)
    if (!message) throw new PageError(404, 'no such message')
    if (message.has_protected_content) throw new PageError(403, 'the message is protected')
    person.forward(id, byId(to))
    return reply.code(204).send()
  })
  app.post('/api/people/:id/share', async (request, reply) => {
    const { text, to } = read(bodies.share, request)
    personOf(request).share(text, byId(to))
    return reply.code(204).send()
  })
  app.post('/api/people/:id/dismiss', async (request, reply) => {
    personOf(request).dismiss(read(bodies.dismiss, request).messageId)
    return reply.code(204).send()
  })
}

function addBlocking({ app, personOf }: Routes): void {
  app.post('/api/people/:id/block', async (request, reply) => {
    personOf(request).block()
    return reply.code(204).send()
  })
  app.post('/api/people/:id/unblock', async (request, reply) => {
    personOf(request).unblock()
    return reply.code(204).send()
  })
}

function addFiles({ app, emulator, personOf }: Routes): void {
  app.get('/api/people/:id/files/:fileId', async (request, reply) => {
    const { fileId } = request.params as { fileId: string }
    const person = personOf(request)
    const file = isReachable(person, fileId) ? emulator.file(fileId) : undefined
    if (!file) throw new PageError(404, 'no such file')
    const shown = (request.query as { download?: string }).download === undefined ? 'inline' : 'attachment'
    return (
      reply
        .type(file.mimeType.startsWith('text/') ? `${file.mimeType}; charset=utf-8` : file.mimeType)
        .header('content-disposition', `${shown}; filename*=UTF-8''${encodeURIComponent(file.fileName)}`)
        // A document comes from outside: it may be displayed, but must not run scripts or load anything.
        .header('content-security-policy', DOCUMENT_POLICY)
        .send(file.bytes)
    )
  })
}

const DOCUMENT_POLICY =
  "sandbox allow-modals; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"

/** Whether a file is in the person's own chat or was forwarded to them. */
function isReachable({ messages, state }: PersonDriver, fileId: string): boolean {
  const inChat = messages.flatMap(({ photo, document, voice }) => [...(photo ?? []), document, voice])
  const received = (state.received ?? []).flatMap(({ photo, document, voice }) => [photo, document, voice])
  return inChat.some((file) => file?.file_id === fileId) || received.some((file) => file?.fileId === fileId)
}
