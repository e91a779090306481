import { hash, timingSafeEqual } from 'node:crypto'
import type { GrammyError } from 'grammy'
import type { Update } from 'grammy/types'
import type { HttpReply, HttpRequest, HttpRoutes } from '../observe/http-server.ts'
import { createAttempts, type Receiver, type ReceiverOptions } from './receiver.ts'
import { forGrammy } from './transport.ts'

type WebhookOptions = ReceiverOptions & {
  server: Pick<HttpRoutes, 'on'>
  /** The full public address; its path is served beside `/telegram`, which a reverse proxy may call instead. */
  url: string
  secret: string
}

const BODY_LIMIT = 1024 * 1024
const RETRY_AFTER_SECONDS = 5
/** An update that came since then shows that the way is open. */
const SERVED_MS = 60_000
const MANY_PENDING = 500

/**
 * Takes updates on the server and tells Telegram where it is. An update is answered with 200 when it cannot be
 * lost any more, with 503 when it has to come again; a wrong secret gets 401 before anything is read.
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

  /** When the last update came, by nobody's clock. */
  let takenAt = Number.NEGATIVE_INFINITY
  let isSet = false
  // Always, since only Telegram knows whether the secret is still the same; it ignores what changes nothing.
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
      if (info.url !== url) {
        // Somebody has taken it away: until it is theirs for good it is ours.
        await set()
        throw new Error('the webhook pointed elsewhere and was set again')
      }
      const { pending_update_count: pending, last_error_message: why = '' } = info
      const isServed = performance.now() - takenAt < SERVED_MS
      if (pending <= MANY_PENDING && (pending === 0 || why === '' || isServed)) return
      // Somebody may have set it to this address with another secret; where not, this changes nothing.
      if (why.includes('401')) await set()
      throw new Error(`Telegram cannot bring updates: ${why}`)
    },
    async stop() {
      // The webhook stays set: other replicas go on, and what comes meanwhile waits at Telegram.
      stopping.abort()
    },
  }
}

/** Every update has a number; the rest is looked at when its turn comes. */
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
