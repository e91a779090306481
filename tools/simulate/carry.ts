export type HttpRequest = {
  host: string
  path: string
  method: string
  headers: Record<string, string>
  body: string | Buffer
  /** Aborted when the caller stops waiting. */
  signal: AbortSignal
  /** Called once the request has reached its receiver. */
  onWritten?: (() => void) | undefined
}
export type HttpAnswer = { status: number; headers?: Record<string, string>; body: string | Buffer }

/** Carries a request to its receiver. */
export type Carry = (request: HttpRequest) => Promise<HttpAnswer>
