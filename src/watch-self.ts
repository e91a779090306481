import type { AppDeps } from './app.ts'
import type { Config } from './config.ts'
import type { Clock } from './observe/clock.ts'
import { type Check, createHealth, type Part } from './observe/health.ts'
import { ServiceError, showsWorking } from './service/errors.ts'
import type { Backups } from './storage/backups.ts'
import { isBlocked } from './telegram/errors.ts'
import { dayTimeText } from './views/view.ts'

type OperatorsDeps = {
  operators: readonly number[]
  /** Notifies one operator. Rejects while that may work later. */
  notify: (operator: number, part: Part, isOk: boolean, since: number) => Promise<unknown>
  /** Whether this replica has to notify: `false` if another one has. Rejects while the store is away. */
  claim: (part: Part, isOk: boolean) => Promise<boolean>
  now: () => number
}

/** A shorter failure must not wake an operator. */
const PATIENCE_MS = 20_000
const CLAIM_MS = 2_000

type Standing = {
  isOk: boolean
  since: number
  elapsed: number
  /** This replica has to notify: it was the first in the store, or the store did not answer. */
  isMine: boolean | undefined
  /** The failure was notified without the store, so its end is, too. */
  wasAlone: boolean
  /** The operators who are not notified yet. */
  left: readonly number[]
  /** What was found until then. A round that is under way may still notify of it. */
  before: Standing | undefined
}

/**
 * Notifies the operators once that a part fails, and once that it works again. If the store is away each
 * replica notifies; if Telegram is away the notices are sent when it is back.
 */
export function createOperators({ operators, notify, claim, now }: OperatorsDeps) {
  const parts = new Map<Part, Standing>()
  let settling: Promise<unknown> | undefined

  /** `undefined` if the store does not answer. */
  const ask = (part: Part, isOk: boolean): Promise<boolean | undefined> =>
    Promise.race([
      claim(part, isOk),
      new Promise<undefined>((resolve) => setTimeout(resolve, CLAIM_MS, undefined).unref()),
    ]).catch(() => undefined)

  async function settle(part: Part, standing: Standing): Promise<void> {
    const { isOk, since, elapsed, before } = standing
    if (standing.left.length === 0 || (!isOk && performance.now() - elapsed < PATIENCE_MS)) return
    // A failure of which no operator was notified needs no notice of its end.
    if (isOk && before) standing.isMine ??= before.isMine === undefined ? false : before.wasAlone || undefined
    if (standing.isMine === undefined) {
      standing.isMine = await ask(part, isOk)
      // Only the store knows whether the failure was notified before this process began.
      if (standing.isMine === undefined && isOk) return
      standing.wasAlone = standing.isMine === undefined
      standing.isMine ??= true
    }
    const failed = (operator: number) =>
      notify(operator, part, isOk, since).then(
        () => [],
        () => [operator],
      )
    standing.left = standing.isMine ? (await Promise.all(standing.left.map(failed))).flat() : []
  }

  return {
    /** Notes what a check has found. */
    note(part: Part, isOk: boolean): void {
      const before = parts.get(part)
      if (before?.isOk === isOk) return
      if (before) before.before = undefined
      const begun = { isOk, since: now(), elapsed: performance.now(), isMine: undefined, wasAlone: false }
      parts.set(part, { ...begun, left: operators, before })
    },
    /** Sends the notices that are due, one round at a time. */
    settle(): Promise<unknown> {
      settling ??= Promise.all([...parts].map(([part, standing]) => settle(part, standing))).finally(() => {
        settling = undefined
      })
      return settling
    },
  }
}

type WatchDeps = Pick<AppDeps, 'store' | 'api' | 'texts' | 'metrics' | 'log' | 'now'> & {
  config: Pick<Config, 'operators' | 'locale'>
  clock: Clock
  backups: Backups
  /** See `HealthOptions`. */
  newsMs: number
  /** Each rejects while its part does not work. */
  checks: Record<'telegram' | 'service' | 'webhook', Check>
}

const SETTLE_EVERY_MS = 5_000

/** Checks all that the bot needs at intervals; each check serves the metrics, the log and the operators. */
export function watchSelf({ store, clock, backups, metrics, log, now, checks, newsMs, ...deps }: WatchDeps) {
  const operators = createOperators({ ...telling({ ...deps, store }), now })
  const { webhook, ...remote } = checks
  const health = createHealth({
    now,
    newsMs,
    isNews: (error) => !(error instanceof ServiceError) || showsWorking(error.code) !== undefined,
    checks: {
      ...remote,
      async storage() {
        await store.ping()
        await store.read(['keyring'])
      },
    },
    watched: {
      webhook,
      clock: clock.check,
      room: () => store.room(),
      backup: backups.check,
    },
    onChange(part, isOk, err) {
      metrics.part(part, isOk)
      operators.note(part, isOk)
      if (isOk) log.info({ part }, 'works')
      else log.warn({ part, err }, 'does not work')
    },
  })
  let timer: NodeJS.Timeout | undefined
  return {
    ...health,
    start() {
      health.start()
      if (deps.config.operators.length > 0)
        timer ??= setInterval(() => void operators.settle(), SETTLE_EVERY_MS).unref()
    },
    stop() {
      clearInterval(timer)
      health.stop()
    },
  }
}

/** How operators are notified, without any queue, and how replicas agree on the one that notifies. */
function telling({ config, api, texts, store }: Pick<WatchDeps, 'config' | 'api' | 'texts' | 'store'>) {
  const t = texts.for(config.locale)
  const keyOf = (part: Part) => `trouble:${part}`
  return {
    operators: config.operators,
    notify(operator: number, part: Part, isOk: boolean, since: number): Promise<unknown> {
      const variables = { part: t.plain(`bot-part.${part}`), time: dayTimeText(t, since) }
      const text = isOk ? t('operator-works', variables) : t('operator-fails', variables)
      // Who has blocked the bot is not tried again.
      return api.sendMessage(operator, text, { parse_mode: 'HTML' }).catch((error: unknown) => {
        if (!isBlocked(error)) throw error
      })
    },
    /** The store keeps the mark of a failure until it is over. */
    async claim(part: Part, isOk: boolean): Promise<boolean> {
      const [entry] = await store.read([keyOf(part)])
      if (isOk === (entry === undefined)) return false
      return store.put({ key: keyOf(part), value: isOk ? null : Buffer.of(1) }, entry?.version ?? null)
    },
  }
}
