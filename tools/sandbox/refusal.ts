import type { Answer } from './http.ts'

/** A refused request: its answer is an error envelope with this HTTP status. */
export class Refusal extends Error {
  readonly status: number
  readonly messages: readonly string[]

  constructor(status: number, messages: string | readonly string[]) {
    const list = typeof messages === 'string' ? [messages] : messages
    super(list.join(' '))
    this.name = 'Refusal'
    this.status = status
    this.messages = list
  }
}

/** The envelope of every success (spec, Resources). */
export function success(data: unknown) {
  return { data, successful: true, messages: [] }
}

/** The envelope of every error (spec, Errors). */
export function failure(messages: readonly string[]) {
  return { data: null, successful: false, messages }
}

/** The answer to a failed request; any error but a refusal is a fault of the sandbox. */
export function refused(error: unknown): Answer {
  if (error instanceof Refusal) return json(error.status, failure(error.messages))
  return json(500, failure(['Internal error.']))
}

/** An answer of JSON. */
export function json(status: number, content: unknown, headers: Answer['headers'] = {}): Answer {
  const body = JSON.stringify(content)
  return { status, headers: { 'content-type': 'application/json; charset=utf-8', ...headers }, body }
}
