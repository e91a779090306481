import type { Api } from 'grammy'
import type { Update } from 'grammy/types'
import type { Sleep } from './back-off.ts'

/** Where updates come from: the long poll or the webhook. */
export type Receiver = {
  /** Works until `stop`; rejects when Telegram refuses the bot for good. The webhook is ready when it resolves. */
  run(): Promise<void>
  stop(): Promise<void>
}

/** Receives by a loop that goes on until it is to stop, however often it is asked to run. */
export function receiveBy(loop: () => Promise<void>, stopping: AbortController): Receiver {
  let running: Promise<void> | undefined
  return {
    run() {
      running ??= loop()
      return running
    },
    async stop() {
      stopping.abort()
      await running?.catch(() => {})
    },
  }
}

export type ReceiverOptions = {
  api: Api
  allowedUpdates: readonly Exclude<keyof Update, 'update_id'>[]
  /**
   * Resolves when the update cannot be lost any more; rejects when it has to come again. `arrivedAt`: when it came, where
   * others that came with it were handled before (`performance.now()`).
   */
  handle: (update: Update, arrivedAt?: number) => Promise<void>
  /** Hears of every failure that is tried again. */
  onError: (error: unknown) => void
  /** Waits, for tests in virtual time. */
  sleep?: Sleep | undefined
}
