export type HttpRequest = {
  host: string
  path: string
  method: string
  headers: Record<string, string>
  body: string | Buffer
  /** Aborted where the caller does not wait any more. */
  signal: AbortSignal
  /** Told once the request has reached whom it is for. */
  onWritten?: (() => void) | undefined
}
export type HttpAnswer = { status: number; headers?: Record<string, string>; body: string | Buffer }

/** Carries a request to whom it is for. */
export type Carry = (request: HttpRequest) => Promise<HttpAnswer>
