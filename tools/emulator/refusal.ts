/** A Bot API error in Telegram's words; `code` is the HTTP status. */
export class Refusal extends Error {
  readonly code: number
  /** Seconds to wait, only with 429. */
  readonly retryAfter: number | undefined

  constructor(code: number, description: string, retryAfter?: number) {
    super(description)
    this.name = 'Refusal'
    this.code = code
    this.retryAfter = retryAfter
  }
}

/** The connection is cut without an answer. */
export class CutConnection extends Error {
  override readonly name = 'CutConnection'
}

/** Telegram lowers the first letter of its sentences, but not of codes such as `BUTTON_DATA_INVALID`. */
function lowered(message: string): string {
  return /^.[_A-Z]/.test(message) ? message : message.charAt(0).toLowerCase() + message.slice(1)
}

export const badRequest = (message: string) => new Refusal(400, `Bad Request: ${lowered(message)}`)
export const unauthorized = () => new Refusal(401, 'Unauthorized')
export const forbidden = (message: string) => new Refusal(403, `Forbidden: ${message}`)
export const notFound = (message: string) => new Refusal(404, message)
export const conflict = (message: string) => new Refusal(409, `Conflict: ${message}`)
export const tooLarge = () => new Refusal(413, 'Request Entity Too Large')

/** The call was not carried out; it may be repeated after this many seconds. */
export const tooManyRequests = (retryAfter: number) =>
  new Refusal(429, `Too Many Requests: retry after ${retryAfter}`, retryAfter)
