import { request } from 'undici'
import type { QueuedUpdate } from './state.ts'
import type { World } from './world.ts'

export type PostDeps = {
  world: World
  /** No answer within this time is a failure. */
  timeoutMs: number
  /** Carries out a method that the bot put into its answer; the result is lost. */
  execute: (method: string, body: Buffer) => Promise<void>
}

const GONE_AFTER_MS = 23 * 3_600_000
const NOT_IN_ANSWERS = /^(get.*|setWebhook|deleteWebhook|close|logOut)$/i

/** Posts an update once. Returns `undefined` for success, else the seconds to wait as asked (0: none). */
export async function postUpdate(
  deps: PostDeps,
  { update }: QueuedUpdate,
  aborted: AbortSignal,
): Promise<number | undefined> {
  const { world, timeoutMs, execute } = deps
  const hook = world.state.webhook
  if (!hook) return 0
  try {
    const response = await request(hook.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(hook.secret ? { 'x-telegram-bot-api-secret-token': hook.secret } : {}),
      },
      body: JSON.stringify(update),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      signal: AbortSignal.any([aborted, AbortSignal.timeout(timeoutMs)]),
    })
    const body = Buffer.from(await response.body.arrayBuffer())
    if (response.statusCode >= 200 && response.statusCode < 300) {
      delete hook.goneSince
      const method = methodIn(body)
      if (method && !NOT_IN_ANSWERS.test(method)) await execute(method, body)
      return undefined
    }
    noteRefusal(world, response.statusCode)
    return readRetryAfter(response.headers['retry-after'])
  } catch (error) {
    if (!aborted.aborted) noteFailure(world, describe(error))
    return 0
  }
}

function noteRefusal(world: World, status: number): void {
  noteFailure(world, `Wrong response from the webhook: ${status}`)
  const hook = world.state.webhook
  if (!hook) return
  if (status !== 410) delete hook.goneSince
  else if (hook.goneSince === undefined) hook.goneSince = world.now()
  else if (world.now() - hook.goneSince > GONE_AFTER_MS) delete world.state.webhook
}

function noteFailure(world: World, message: string): void {
  const hook = world.state.webhook
  if (!hook) return
  hook.lastErrorAt = world.now()
  hook.lastErrorMessage = message
  world.changed()
}

function methodIn(body: Buffer): string | undefined {
  if (body.length === 0) return undefined
  try {
    const answer: unknown = JSON.parse(body.toString('utf8'))
    if (typeof answer === 'object' && answer !== null && 'method' in answer) return String(answer.method)
  } catch {}
  return undefined
}

function readRetryAfter(header: string | string[] | undefined): number {
  const seconds = Number(header)
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 0
}

function describe(error: unknown): string {
  const { name, code } = error as { name?: string; code?: string }
  if (name === 'TimeoutError' || code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return 'Read timeout expired'
  }
  return code === 'ECONNREFUSED' ? 'Connection refused' : 'Connection reset by peer'
}
