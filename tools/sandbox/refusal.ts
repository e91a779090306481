/** A request that the service refuses: becomes an error envelope with this HTTP status. */
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
