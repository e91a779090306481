import { hash, timingSafeEqual } from 'node:crypto'
import type { GrammyError } from 'grammy'
import type { Update } from 'grammy/types'
import type { HttpReply, HttpRequest, HttpRoutes } from '../observe/http-server.ts'
import { createAttempts, type Receiver, type ReceiverOptions } from './receiver.ts'
import { forGrammy } from './transport.ts'

type WebhookOptions = ReceiverOptions & {
  server: Pick<HttpRoutes, 'on'>
  /** The public address. Its path is served next to `/telegram`, which a reverse proxy may call instead. */
  url: string
  secret: string
}

const BODY_LIMIT = 1024 * 1024
const RETRY_AFTER_SECONDS = 5
/** An update within this time shows that updates arrive. */
const SERVED_MS = 60_000
const MANY_PENDING = 500

/**
 * Serves updates and registers the webhook. An update is answered with 200 once it is safe, with 503 if it
 * must be sent again; a wrong secret gets 401 before the body is read.
 */
export function createWebhook(options: WebhookOptions): Receiver {
  const { server, url, secret, api, allowedUpdates, handle, onError, sleep } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const isHopeless = ({ error_code: code }: GrammyError) => [400, 401, 404].includes(code)
  const { attempt } = createAttempts({ signal, onError, sleep, isHopeless })
  const expected = hashOf(secret)

  async function take({ headers, body }: HttpRequest): Promise<HttpReply> {
    const given = headers['x-telegram-bot-api-secret-token']
    if (!timingSafeEqual(hashOf(String(given ?? '')), expected))
      return { status: 401, body: { error: 'wrong secret' } }
    const update = readUpdate(await body(BODY_LIMIT))
    if (!update) return { status: 400, body: { error: 'bad request' } }
    try {
      await handle(update)
      takenAt = performance.now()
      return { status: 200 }
    } catch (error) {
      onError(error)
      const headers = { 'retry-after': `${RETRY_AFTER_SECONDS}` }
      return { status: 503, headers, body: { error: 'try again' } }
    }
  }

  /** When the last update arrived, by the monotonic clock. */
  let takenAt = Number.NEGATIVE_INFINITY
  let isSet = false
  // Set it always: only Telegram knows whether the secret is still the same. An equal setting changes
  // nothing.
  const settings = { secret_token: secret, allowed_updates: allowedUpdates }
  const set = () => api.setWebhook(url, settings, forGrammy(signal))

  for (const path of new Set(['/telegram', new URL(url).pathname])) server.on('POST', path, take)

  return {
    async run() {
      while (!signal.aborted && !(await attempt(set))) {}
      isSet = true
    },
    async check() {
      if (!isSet) return
      const info = await api.getWebhookInfo(forGrammy(signal))
      const { allowed_updates: kinds } = info
      if (info.url !== url || (kinds?.length && !allowedUpdates.every((kind) => kinds.includes(kind)))) {
        // Someone has set the webhook elsewhere, or to fewer updates: take it back at every check.
        await set()
        throw new Error('the webhook pointed elsewhere, or left out updates, and was set again')
      }
      const { pending_update_count: pending, last_error_message: why = '' } = info
      const isServed = performance.now() - takenAt < SERVED_MS
      if (pending <= MANY_PENDING && (pending === 0 || why === '' || isServed)) return
      // It may have been set to this address with another secret; otherwise this changes nothing.
      if (why.includes('401')) await set()
      throw new Error(`Telegram cannot bring updates: ${why}`)
    },
    async stop() {
      // The webhook stays set: other replicas go on, and Telegram keeps updates meanwhile.
      stopping.abort()
    },
  }
}

/** Only the update id is checked here; handlers check the rest. */
function readUpdate(body: Buffer): Update | undefined {
  try {
    const update: Update | null = JSON.parse(body.toString())
    return Number.isSafeInteger(update?.update_id) ? (update ?? undefined) : undefined
  } catch {
    return undefined
  }
}

/** Secrets are compared in constant time; their hashes have the same length. */
const hashOf = (text: string): Buffer => hash('sha256', text, 'buffer')
