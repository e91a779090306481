import { setTimeout as delay } from 'node:timers/promises'
import { type Api, GrammyError } from 'grammy'
import type { Update } from 'grammy/types'
import { backOffMs } from '../domain/durations.ts'

/** Where updates come from: the long poll or the webhook. */
export type Receiver = {
  /** Works until `stop`; rejects when Telegram refuses the bot for good. The webhook is ready when it resolves. */
  run(): Promise<void>
  stop(): Promise<void>
  /** Rejects while no updates can come; mends what it can. */
  check(): Promise<void>
}

/** Receives by a loop that goes on until it is to stop, however often it is asked to run. */
export function receiveBy(loop: () => Promise<void>, stopping: AbortController): Omit<Receiver, 'check'> {
  let running: Promise<void> | undefined
  return {
    run: () => {
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

export type Sleep = (ms: number, signal: AbortSignal) => Promise<unknown>

/** Waits; ends early, without an error, when the signal says stop. */
export const sleepUnlessStopped: Sleep = (ms, signal) => delay(ms, undefined, { signal }).catch(() => {})

/** Never longer than people should wait once Telegram is back. */
const STEPS_MS = [1_000, 2_000, 4_000, 5_000]

type Attempts = Pick<ReceiverOptions, 'onError' | 'sleep'> & {
  signal: AbortSignal
  /** Trying again would change nothing. */
  isHopeless: (error: GrammyError) => boolean
}

/** Calls of Telegram that are tried again after a back-off, until it is hopeless. */
export function createAttempts({ signal, onError, sleep = sleepUnlessStopped, isHopeless }: Attempts) {
  let failures = 0
  const backOff = {
    succeeded() {
      failures = 0
    },
    async failed() {
      failures += 1
      await sleep(backOffMs(STEPS_MS, failures), signal)
    },
  }
  return {
    backOff,
    /** `undefined` when it failed and is worth another attempt. */
    async attempt<T>(call: () => Promise<T>): Promise<T | undefined> {
      try {
        const result = await call()
        backOff.succeeded()
        return result
      } catch (error) {
        if (signal.aborted) return undefined
        onError(error)
        if (error instanceof GrammyError && isHopeless(error)) throw error
        await backOff.failed()
        return undefined
      }
    },
  }
}
