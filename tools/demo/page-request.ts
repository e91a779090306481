import type { FastifyRequest } from 'fastify'
import { z } from 'zod'

const messageId = z.int()
const person = z.int()
const text = z.string().min(1).max(100_000)
const name = z.string().trim().min(1).max(64)

export const bodies = {
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
  forward: z.object({ messageId, to: person }),
  share: z.object({ text, to: person }),
  dismiss: z.object({ messageId }),
  open: z.object({ payload: z.string().max(64) }),
  file: z.object({ kind: z.enum(['document', 'photo', 'sticker', 'location', 'voice']) }),
}

/** A failure that is reported to the page. */
export class PageError extends Error {
  readonly statusCode: number

  constructor(statusCode: number, message: string) {
    super(message)
    this.statusCode = statusCode
  }
}

/** The body of a request; one of another shape fails with 400. */
export function read<T extends z.ZodType>(schema: T, request: FastifyRequest): z.output<T> {
  const parsed = schema.safeParse(request.body ?? {})
  if (!parsed.success) throw new PageError(400, z.prettifyError(parsed.error))
  return parsed.data
}
