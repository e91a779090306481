import { Agent, type Dispatcher } from 'undici'

export type Asked = {
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  body: Buffer
  /** Aborts when the caller no longer waits for the answer. */
  signal: AbortSignal
}
type Answer = { status: number; headers?: Record<string, string>; body: string | Buffer }
/** Answers requests without a connection; fails where the connection would be cut. */
export type Neighbour = (asked: Asked) => Promise<Answer>

/** Makes undici call a neighbour in this process after one turn of its loop; other requests use sockets. */
export function createShortWay(neighbourAt: (origin: string, path: string) => Neighbour | undefined) {
  return new Agent().compose((dispatch) => (options, handler) => {
    const neighbour = neighbourAt(String(options.origin), options.path)
    if (!neighbour) return dispatch(options, handler)
    ask(neighbour, options, handler)
    return true
  })
}

function ask(
  neighbour: Neighbour,
  { method, path, headers, body }: Dispatcher.DispatchOptions,
  handler: Dispatcher.DispatchHandler,
): void {
  const hungUp = new AbortController()
  const controller = { ...AT_REST, abort: (reason: Error) => fail(reason) }
  const fail = (reason: Error) => {
    if (hungUp.signal.aborted) return
    hungUp.abort(reason)
    handler.onResponseError?.(controller, reason)
  }
  handler.onRequestStart?.(controller, null)
  if (hungUp.signal.aborted) return
  const asked = {
    method,
    path,
    headers: headers as Asked['headers'],
    body: Buffer.from((body ?? '') as string),
  }
  setImmediate(() =>
    neighbour({ ...asked, signal: hungUp.signal }).then(
      (answer) => {
        if (hungUp.signal.aborted) return
        handler.onResponseStart?.(controller, answer.status, answer.headers ?? {}, '')
        handler.onResponseData?.(controller, Buffer.from(answer.body))
        handler.onResponseEnd?.(controller, {})
      },
      () => fail(Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })),
    ),
  )
}

const AT_REST = {
  paused: false,
  aborted: false,
  reason: null,
  rawHeaders: [],
  rawTrailers: [],
  pause: () => undefined,
  resume: () => undefined,
}
