import { request } from 'undici'
import type { Faults } from './faults.ts'
import type { QueuedUpdate } from './state.ts'
import type { UpdateQueue } from './update-queue.ts'
import type { World } from './world.ts'

export type Webhook = ReturnType<typeof createWebhook>

type Deps = {
  world: World
  queue: UpdateQueue
  faults: Faults
  /** The pause before the second repeat; the first comes at once, each later one doubles it up to a minute. */
  backOffMs: number
  /** No answer after so long is a failure. */
  timeoutMs: number
  /** Carries out a method that the bot put into its answer; its result is lost. */
  execute: (method: string, body: Buffer) => Promise<void>
}

const LONGEST_PAUSE_MS = 60_000
const LONGEST_RETRY_AFTER_SECONDS = 3600
const GONE_AFTER_MS = 23 * 3_600_000
const NOT_IN_ANSWERS = /^(get.*|setWebhook|deleteWebhook|close|logOut)$/i

type Failure = { count: number; retryAt: number }

/**
 * Delivers updates to the webhook: those of one queue one after the other, queues beside each other. Anything but
 * a 2xx is sent again until the update's life ends.
 */
export function createWebhook({ world, queue, faults, backOffMs, timeoutMs, execute }: Deps) {
  const { state } = world
  const busy = new Set<QueuedUpdate>()
  const failures = new Map<number, Failure>()
  const aborting = new AbortController()
  let timer: NodeJS.Timeout | undefined

  queue.onAdded(pump)
  faults.onSwitch(pump)

  function pump(): void {
    clearTimeout(timer)
    if (!state.webhook || aborting.signal.aborted || faults.isDown()) return
    let wakeAt = Number.POSITIVE_INFINITY
    for (const queued of candidates()) {
      if (busy.size >= state.webhook.maxConnections) return
      const retryAt = failures.get(queued.update.update_id)?.retryAt ?? 0
      if (retryAt > performance.now()) wakeAt = Math.min(wakeAt, retryAt)
      else void deliver(queued)
    }
    if (wakeAt < Number.POSITIVE_INFINITY) timer = setTimeout(pump, wakeAt - performance.now())
  }

  /** The oldest update of every queue that is not at work; while shuffled, all of them, newest first. */
  function candidates(): QueuedUpdate[] {
    const waiting = queue.pending().filter((queued) => !busy.has(queued))
    if (waiting.length > 1 && faults.takeShuffle()) return waiting.toReversed()
    const seen = new Set([...busy].map((queued) => queued.queue))
    return waiting.filter((queued) => !seen.has(queued.queue) && seen.add(queued.queue))
  }

  async function deliver(queued: QueuedUpdate): Promise<void> {
    const id = queued.update.update_id
    busy.add(queued)
    try {
      const retryAfter = await post(queued)
      if (retryAfter === undefined) {
        if (faults.takeDuplicate()) await post(queued)
        failures.delete(id)
        queue.remove((candidate) => candidate === id)
      } else delay(id, retryAfter)
    } finally {
      busy.delete(queued)
      pump()
    }
  }

  /** Sends once. `undefined` is success, a number the seconds after which the bot wishes to be asked again (0: none). */
  async function post({ update }: QueuedUpdate): Promise<number | undefined> {
    const hook = state.webhook
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
        signal: AbortSignal.any([aborting.signal, AbortSignal.timeout(timeoutMs)]),
      })
      const body = Buffer.from(await response.body.arrayBuffer())
      if (response.statusCode >= 200 && response.statusCode < 300) {
        delete hook.goneSince
        await answerInBody(body)
        return undefined
      }
      refused(response.statusCode)
      return readRetryAfter(response.headers['retry-after'])
    } catch (error) {
      if (!aborting.signal.aborted) failed(describe(error))
      return 0
    }
  }

  async function answerInBody(body: Buffer): Promise<void> {
    const method = methodIn(body)
    if (method && !NOT_IN_ANSWERS.test(method)) await execute(method, body)
  }

  function refused(status: number): void {
    failed(`Wrong response from the webhook: ${status}`)
    const hook = state.webhook
    if (!hook) return
    if (status !== 410) delete hook.goneSince
    else if (hook.goneSince === undefined) hook.goneSince = world.now()
    else if (world.now() - hook.goneSince > GONE_AFTER_MS) delete state.webhook
  }

  function failed(message: string): void {
    if (!state.webhook) return
    state.webhook.lastErrorAt = world.now()
    state.webhook.lastErrorMessage = message
    world.changed()
  }

  function delay(id: number, retryAfterSeconds: number): void {
    const count = (failures.get(id)?.count ?? 0) + 1
    const pause = count === 1 ? 0 : Math.min(backOffMs * 2 ** (count - 2), LONGEST_PAUSE_MS)
    const wished = Math.min(retryAfterSeconds, LONGEST_RETRY_AFTER_SECONDS) * 1000
    failures.set(id, { count, retryAt: performance.now() + (wished || pause) })
  }

  return {
    pump,
    close(): void {
      clearTimeout(timer)
      aborting.abort()
    },
  }
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
