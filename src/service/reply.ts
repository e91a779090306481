import { z } from 'zod'
import { answers, type DataOf, type EndpointName } from './endpoints.ts'
import { classify } from './error-table.ts'
import { ServiceError } from './errors.ts'
import type { HttpAnswer } from './transport.ts'

/** Spec, "Response envelope". */
const envelope = z.object({
  data: z.unknown(),
  successful: z.boolean().nullish(),
  messages: z.unknown(),
})

/** Reads an answer of any status: the endpoint's data, or a `ServiceError` that says what it was. */
export function readReply<N extends EndpointName>(
  endpoint: N,
  { status, retryAfter, text }: HttpAnswer,
  request: { sentExternalId: boolean; now: number },
): DataOf<N> {
  const body = parse(text)
  const messages = readMessages(body?.messages)
  const retryAfterMs = readRetryAfter(retryAfter, request.now)
  const refuse = (as: number) => {
    const code = classify({ endpoint, status: as, messages, sentExternalId: request.sentExternalId })
    // A rate-limited request did nothing.
    return new ServiceError(code, { reached: as === 429 ? 'no' : 'yes', status, messages, retryAfterMs })
  }

  if (status === 408 || status >= 500) {
    throw new ServiceError('unavailable', { reached: 'unclear', status, messages, retryAfterMs })
  }
  if (status >= 400) throw refuse(status)

  const unreadable = (cause?: unknown) =>
    new ServiceError('unreadable', { reached: 'unclear', status, cause })
  if (status >= 300 || !body) throw unreadable()
  if (body.successful === false) throw refuse(400)
  const data = answers[endpoint].data.safeParse(body.data)
  if (!data.success) throw unreadable(data.error)
  return data.data
}

function parse(text: string): z.infer<typeof envelope> | undefined {
  try {
    const read = envelope.safeParse(JSON.parse(text.replace(/^\uFEFF/, '')))
    return read.success ? read.data : undefined
  } catch {
    return undefined
  }
}

function readMessages(messages: unknown): string[] {
  if (typeof messages === 'string') return [messages]
  if (typeof messages !== 'object' || messages === null) return []
  return Object.values(messages).flatMap(readMessages)
}

/** Seconds or an HTTP date; `undefined` when it says neither. */
function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
