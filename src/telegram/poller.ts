import type { GrammyError } from 'grammy'
import type { Update } from 'grammy/types'
import { createAttempts, type Receiver, type ReceiverOptions, receiveBy } from './receiver.ts'
import { forGrammy } from './transport.ts'

const POLL_SECONDS = 50
/** Short, because a standby replica takes over only after it. */
const CONFIRM_LIMIT_MS = 1_500
/** The old process's last poll causes a conflict or two after a restart. More: another bot has our token. */
const CONFLICTS_ALLOWED = 8

type PollerOptions = ReceiverOptions & {
  now: () => number
  /** `false` when another replica may be polling; this one then stops. */
  mayAsk?: (() => boolean) | undefined
}

/**
 * Polls Telegram for updates. A batch is confirmed only after every update in it was taken. Updates that were
 * not (the store is down) are offered again after a back-off, in the order of their chat.
 */
export function createPoller(options: PollerOptions): Receiver {
  const { api, allowedUpdates, handle, onError, mayAsk = () => true, sleep, now } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const grammySignal = forGrammy(signal)
  let conflicts = 0
  const { backOff, attempt } = createAttempts({ signal, onError, sleep, isHopeless })
  let next = 0
  let confirmed = 0
  const goesOn = () => !signal.aborted && mayAsk()

  /** The token is refused, or another bot with our token keeps taking the updates. */
  function isHopeless({ error_code: code }: GrammyError): boolean {
    if (code === 409) conflicts += 1
    return code === 401 || code === 404 || conflicts > CONFLICTS_ALLOWED
  }

  async function poll(): Promise<Update[] | undefined> {
    const updates = await attempt(() => {
      const options = { offset: next, timeout: POLL_SECONDS, allowed_updates: allowedUpdates }
      return api.getUpdates(options, grammySignal)
    })
    if (!updates) {
      // A webhook that was set meanwhile would refuse every poll.
      if (conflicts > 0) await attempt(() => api.deleteWebhook({}, grammySignal))
      return undefined
    }
    conflicts = 0
    confirmed = next
    return updates
  }

  const takeAll = (batch: readonly Update[]) => {
    const arrivedAt = now()
    return take(batch, { handle: (update) => handle(update, arrivedAt), onError, signal, backOff })
  }

  async function loop(): Promise<void> {
    while (goesOn() && !(await attempt(() => api.deleteWebhook({}, grammySignal)))) {}
    while (goesOn()) {
      const batch = await poll()
      const last = batch?.at(-1)
      // If this process stood still, the replica that took over receives the batch, too.
      if (batch && last && mayAsk() && (await takeAll(batch)) === 'taken') next = last.update_id + 1
    }
  }

  const { run, stop } = receiveBy(loop, stopping)
  return {
    run,
    async check() {
      if (conflicts > 0) throw new Error('another bot takes the updates, by polling or by a webhook')
    },
    async stop() {
      await stop()
      // Confirm the updates taken since the last poll, so that the next start does not receive them again.
      if (next === confirmed || !mayAsk()) return
      const limit = forGrammy(AbortSignal.timeout(CONFIRM_LIMIT_MS))
      await api.getUpdates({ offset: next, limit: 1, timeout: 0 }, limit).catch(onError)
    },
  }
}

type Taking = Pick<ReceiverOptions, 'handle' | 'onError'>
type Retrying = { signal: AbortSignal } & Pick<ReturnType<typeof createAttempts>, 'backOff'>

/** Takes every update of a batch; gives up only when the process stops. */
async function take(batch: readonly Update[], how: Taking & Retrying): Promise<'taken' | 'stopped'> {
  for (let left = batch; ; await how.backOff.failed()) {
    left = await takeOnce(left, how)
    if (left.length === 0) break
    if (how.signal.aborted) return 'stopped'
  }
  how.backOff.succeeded()
  return 'taken'
}

/** Handles the updates, all chats at once, each chat in order. Returns those that must be offered again. */
async function takeOnce(updates: readonly Update[], { handle, onError }: Taking): Promise<Update[]> {
  const chats = new Map<number, Update[]>()
  for (const update of updates) {
    const sender = senderOf(update)
    chats.set(sender, [...(chats.get(sender) ?? []), update])
  }
  const left = await Promise.all(
    [...chats.values()].map(async (chat) => {
      for (const [index, update] of chat.entries()) {
        try {
          await handle(update)
        } catch (error) {
          onError(error)
          return chat.slice(index)
        }
      }
      return []
    }),
  )
  return left.flat()
}

/** A private chat has the id of its person, so taps and messages of one person share a key. */
function senderOf(update: Update): number {
  const { message, edited_message, callback_query, my_chat_member } = update
  const chat = message?.chat ?? edited_message?.chat ?? my_chat_member?.chat
  return chat?.id ?? callback_query?.from.id ?? update.update_id
}
