import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { RawRequest } from './arguments.ts'
import type { Dispatch } from './dispatch.ts'
import type { FileShelf } from './file-shelf.ts'
import { guardLoopback } from './loopback-guard.ts'
import { CutConnection, notFound, Refusal, tooLarge, unauthorized } from './refusal.ts'

/** Above Telegram's 50 MB for a file, so that the refusal is ours. */
const BODY_LIMIT = 64 * 2 ** 20
const HTML_502 = '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>nginx</body>\r\n</html>\r\n'

type Deps = { token: string; dispatch: Dispatch; files: FileShelf; isDown: () => boolean }

/** The Bot API over HTTP: `/bot<token>/<method>` and `/file/bot<token>/<path>`. */
export function createBotApi({ token, dispatch, files, isDown }: Deps): FastifyInstance {
  const app = fastify({ bodyLimit: BODY_LIMIT, forceCloseConnections: true })
  guardLoopback(app)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.setErrorHandler((error, _request, reply) => refuse(reply, asRefusal(error)))

  app.all('/*', async (request, reply) => {
    if (isDown()) return cut(reply)
    const { pathname, searchParams } = new URL(request.url, 'http://emulator')
    const [, isFile, given, rest] = /^(\/file)?\/bot([^/]+)\/?(.*)$/.exec(pathname) ?? []
    if (given === undefined) return refuse(reply, notFound('Not Found'))
    if (decodeURIComponent(given) !== token) return refuse(reply, unauthorized())
    if (isFile) return sendFile(reply, decodeURIComponent(rest ?? ''))
    return call(request, reply, rest ?? '', searchParams)
  })

  async function call(request: FastifyRequest, reply: FastifyReply, method: string, query: URLSearchParams) {
    const hungUp = new AbortController()
    // Aborting costs an error with its stack, so not where the answer is out.
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) hungUp.abort()
    })
    try {
      const outcome = await dispatch.call({
        method,
        signal: hungUp.signal,
        raw: {
          query,
          contentType: request.headers['content-type'] ?? '',
          body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
        },
      })
      if (outcome === 'bad gateway') return reply.code(502).type('text/html').send(HTML_502)
      return reply.send({ ok: true, result: outcome.result })
    } catch (error) {
      if (error instanceof CutConnection) return cut(reply)
      throw error
    }
  }

  function sendFile(reply: FastifyReply, path: string) {
    const file = files.byPath(path)
    const bytes = file && files.bytes(file)
    if (!bytes) return refuse(reply, notFound('Not Found'))
    return reply.type('application/octet-stream').send(bytes)
  }

  return app
}

/** What a call of the Bot API is answered with, for whoever needs no connection. Throws where it would be cut. */
export async function answerTo(
  dispatch: Dispatch,
  request: { method: string; raw: RawRequest; signal: AbortSignal },
): Promise<{ status: number; body: string }> {
  try {
    const outcome = await dispatch.call(request)
    if (outcome === 'bad gateway') return { status: 502, body: HTML_502 }
    return { status: 200, body: JSON.stringify({ ok: true, result: outcome.result }) }
  } catch (error) {
    if (error instanceof CutConnection) throw error
    const refusal = asRefusal(error)
    return { status: refusal.code, body: JSON.stringify(wireRefusal(refusal)) }
  }
}

function cut(reply: FastifyReply): FastifyReply {
  reply.hijack()
  reply.raw.destroy()
  return reply
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const { statusCode } = error as { statusCode?: number }
  return statusCode === 413 ? tooLarge() : new Refusal(500, 'Internal Server Error')
}

function refuse(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { code, retryAfter } = refusal
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  return reply.code(code).send(wireRefusal(refusal))
}

function wireRefusal({ code, message, retryAfter }: Refusal) {
  return {
    ok: false,
    error_code: code,
    description: message,
    ...(retryAfter === undefined ? {} : { parameters: { retry_after: retryAfter } }),
  }
}
