import { setTimeout as delay } from 'node:timers/promises'
import { type Api, GrammyError } from 'grammy'
import type { Update } from 'grammy/types'
import { backOffMs } from '../domain/durations.ts'

/** The source of updates: the long poll or the webhook. */
export type Receiver = {
  /** Runs until `stop`; rejects when Telegram refuses the bot for good. A webhook resolves when it is set. */
  run(): Promise<void>
  stop(): Promise<void>
  /** Rejects while no updates can arrive; repairs the cause if it can. */
  check(): Promise<void>
}

/** Receives with a loop that runs until it is stopped; repeated calls of `run` share it. */
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
   * Resolves once the update is safe; rejects if it must be offered again. `arrivedAt`: its arrival
   * (`performance.now()`), if other updates of its batch may be handled before it.
   */
  handle: (update: Update, arrivedAt?: number) => Promise<void>
  /** Called for every failure that is retried. */
  onError: (error: unknown) => void
  /** Replaced by tests in virtual time. */
  sleep?: Sleep | undefined
}

export type Sleep = (ms: number, signal: AbortSignal) => Promise<unknown>

/** Waits; resolves early when the signal is aborted. */
export const sleepUnlessStopped: Sleep = (ms, signal) => delay(ms, undefined, { signal }).catch(() => {})

/** At most the time that people should wait after Telegram is back. */
const STEPS_MS = [1_000, 2_000, 4_000, 5_000]

type Attempts = Pick<ReceiverOptions, 'onError' | 'sleep'> & {
  signal: AbortSignal
  /** Whether retrying is useless. */
  isHopeless: (error: GrammyError) => boolean
}

/** Retries calls to Telegram with a back-off, unless an error is hopeless. */
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
    /** Resolves to `undefined` after a failure that is worth a retry. */
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
