import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { publicPerson } from '../emulator/chat-view.ts'
import type { Emulator, PersonDriver } from '../emulator/emulator.ts'
import { noteInEnglish } from '../sandbox/seeds.ts'
import type { Invitation, Sms } from './api.ts'
import { createEventStreams } from './page-events.ts'

export type PageApiDeps = {
  emulator: Emulator
  invitations: () => Invitation[]
  /** What the organizer sees and does in the service's own panel, by token; absent, nothing is shown to wait. */
  organizer?: { isWaiting: (token: string) => boolean; open: (token: string) => void }
  /** Newest first. */
  sms: () => Sms[]
  onSms: (listener: (sms: Sms) => void) => () => void
}

const messageId = z.int()
const text = z.string().min(1).max(100_000)
const name = z.string().trim().min(1).max(64)

const bodies = {
  person: z.object({
    firstName: name.optional(),
    lastName: name.optional(),
    phone: z
      .string()
      .regex(/^\+\d{8,15}$/)
      .optional(),
    languageCode: z
      .string()
      .regex(/^[a-z]{2}(-[A-Za-z0-9]+)?$/)
      .optional(),
  }),
  start: z.object({
    payload: z
      .string()
      .regex(/^[A-Za-z0-9_-]{0,64}$/)
      .optional(),
  }),
  say: z.object({ text, replyTo: messageId.optional() }),
  edit: z.object({ messageId, text }),
  tap: z.object({ messageId, row: z.int().nonnegative(), column: z.int().nonnegative() }),
  contact: z.object({
    messageId: messageId.optional(),
    own: z.boolean().optional(),
    phone: z.string().max(32).optional(),
    firstName: name.optional(),
  }),
  open: z.object({ payload: z.string().max(64) }),
  file: z.object({ kind: z.enum(['document', 'photo', 'sticker', 'location', 'voice']) }),
}

/** A failure the page is told of. */
class PageError extends Error {
  readonly statusCode: number

  constructor(statusCode: number, message: string) {
    super(message)
    this.statusCode = statusCode
  }
}

/** The routes of `api.ts`. */
export function addPageApi(
  app: FastifyInstance,
  { emulator, invitations, organizer, sms, onSms }: PageApiDeps,
): void {
  const stream = createEventStreams(app)

  function personOf(request: FastifyRequest): PersonDriver {
    const { id } = request.params as { id: string }
    const person = emulator.people().find((each) => String(each.id) === id)
    if (!person) throw new PageError(404, 'no such person')
    return person
  }

  /** The person, if the bot would get what they send. */
  function writing(request: FastifyRequest): PersonDriver {
    const person = personOf(request)
    if (person.state.blocked) throw new PageError(403, 'the bot is blocked')
    return person
  }

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

  app.post('/api/people/:id/start', async (request, reply) => {
    personOf(request).start(read(bodies.start, request).payload)
    return reply.code(204).send()
  })
  app.post('/api/people/:id/say', async (request, reply) => {
    const body = read(bodies.say, request)
    if (body.text.trim() === '') throw new PageError(400, 'an empty message cannot be sent')
    const message = writing(request).say(body.text, { replyTo: body.replyTo })
    return reply.code(201).send({ messageId: message.message_id })
  })
  app.post('/api/people/:id/edit', async (request, reply) => {
    const body = read(bodies.edit, request)
    const person = writing(request)
    const message = person.messages.find(({ message_id }) => message_id === body.messageId)
    if (message?.from.id !== person.id || message.text === undefined)
      throw new PageError(404, 'no such message')
    person.edit(body.messageId, body.text)
    return reply.code(204).send()
  })
  app.post('/api/people/:id/tap', async (request) => {
    const { messageId: id, row, column } = read(bodies.tap, request)
    const person = writing(request)
    const message = person.messages.find(({ message_id }) => message_id === id)
    if (!message) throw new PageError(404, 'no such message')
    const data = message.reply_markup?.inline_keyboard[row]?.[column]?.callback_data
    if (data === undefined) throw new PageError(400, 'no such button')
    return { callbackId: person.rawTap(id, data) }
  })
  app.post('/api/people/:id/contact', async (request, reply) => {
    const { messageId: replyTo, ...contact } = read(bodies.contact, request)
    const message = writing(request).shareContact({ ...contact, replyTo })
    return reply.code(201).send({ messageId: message.message_id })
  })
  app.post('/api/people/:id/file', async (request, reply) => {
    const message = writing(request).sendFile(read(bodies.file, request).kind)
    return reply.code(201).send({ messageId: message.message_id })
  })
  app.post('/api/people/:id/block', async (request, reply) => {
    personOf(request).block()
    return reply.code(204).send()
  })
  app.post('/api/people/:id/unblock', async (request, reply) => {
    personOf(request).unblock()
    return reply.code(204).send()
  })

  app.get('/api/people/:id/files/:fileId', async (request, reply) => {
    const { fileId } = request.params as { fileId: string }
    const person = personOf(request)
    const file = person.messages.some((message) => hasFile(message, fileId))
      ? emulator.file(fileId)
      : undefined
    if (!file) throw new PageError(404, 'no such file')
    const shown = (request.query as { download?: string }).download === undefined ? 'inline' : 'attachment'
    return (
      reply
        .type(file.mimeType.startsWith('text/') ? `${file.mimeType}; charset=utf-8` : file.mimeType)
        .header('content-disposition', `${shown}; filename*=UTF-8''${encodeURIComponent(file.fileName)}`)
        // A document comes from outside: it may show itself, but neither run nor load anything.
        .header('content-security-policy', DOCUMENT_POLICY)
        .send(file.bytes)
    )
  })

  app.get('/api/invitations', async () =>
    invitations().map((invitation) => {
      const kindInEnglish = noteInEnglish(invitation.title)
      return {
        ...invitation,
        ...(kindInEnglish === undefined ? {} : { kindInEnglish }),
        ...(organizer?.isWaiting(tokenOf(invitation)) ? { waiting: true as const } : {}),
      } satisfies Invitation
    }),
  )
  app.post('/api/invitations/open', async (request, reply) => {
    const { payload } = read(bodies.open, request)
    const invitation = invitations().find((each) => each.payload === payload)
    if (!invitation || !organizer) throw new PageError(404, 'no such invitation')
    organizer.open(tokenOf(invitation))
    return reply.code(204).send()
  })
  app.get('/api/sms', async () => sms())
  app.get('/api/sms/events', (_request, reply) => {
    stream(reply, (events) => {
      events.send('all', sms())
      return onSms((one) => events.send('sms', one))
    })
  })
}

const DOCUMENT_POLICY =
  "sandbox allow-modals; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"

function read<T extends z.ZodType>(schema: T, request: FastifyRequest): z.output<T> {
  const parsed = schema.safeParse(request.body ?? {})
  if (!parsed.success) throw new PageError(400, z.prettifyError(parsed.error))
  return parsed.data
}

/** An invitation's payload is `record_<token>` or `roadmap_<token>`. */
function tokenOf({ payload }: Invitation): string {
  return payload.slice(payload.indexOf('_') + 1)
}

function hasFile({ photo, document, voice }: PersonDriver['last'], fileId: string): boolean {
  return [...(photo ?? []), document, voice].some((file) => file?.file_id === fileId)
}
