import type { AppDeps } from './app.ts'
import type { Config } from './config.ts'
import type { Clock } from './observe/clock.ts'
import { type Check, createHealth, type Part } from './observe/health.ts'
import { ServiceError, showsWorking } from './service/errors.ts'
import type { Backups } from './storage/backups.ts'
import { isBlocked } from './telegram/errors.ts'
import { dayTimeText } from './views/view.ts'

type Told = 'told' | 'blocked' | 'failed'

type OperatorsDeps = {
  operators: readonly number[]
  /** Notifies one operator. */
  notify: (operator: number, part: Part, isOk: boolean, since: number) => Promise<Told>
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
  /** All operators were notified, by this replica or another one. */
  isSettled: boolean
  /** The operators whom this replica has not notified yet. */
  unnotified: readonly number[]
  /** This replica has to notify: it was the first in the store, or the store did not answer. */
  isMine: boolean
  /** The failure was notified without the store, so its end is, too. */
  wasAlone: boolean
}

/**
 * Notifies the operators once that a part fails, and once that it works again. If the store is away each
 * replica notifies; if Telegram is away the notices are sent when it is back.
 */
export function createOperators({ operators, notify, claim, now }: OperatorsDeps) {
  const parts = new Map<Part, Standing>()

  /** `undefined` if the store does not answer. */
  const ask = (part: Part, isOk: boolean): Promise<boolean | undefined> =>
    Promise.race([
      claim(part, isOk),
      new Promise<undefined>((resolve) => setTimeout(resolve, CLAIM_MS, undefined).unref()),
    ]).catch(() => undefined)

  async function settle(part: Part, standing: Standing): Promise<void> {
    const { isOk, since, elapsed } = standing
    if (standing.isSettled || (!isOk && performance.now() - elapsed < PATIENCE_MS)) return
    standing.isSettled = true
    if (!standing.isMine) {
      const isFirst = await ask(part, isOk)
      standing.isMine = isFirst ?? !isOk
      // A part that is well from the start may have failed before; only the store knows of that notice.
      if (isFirst === undefined && isOk) standing.isSettled = false
      if (isFirst === undefined && !isOk) standing.wasAlone = true
    }
    if (!standing.isMine) return
    const told = await Promise.all(standing.unnotified.map((one) => notify(one, part, isOk, since)))
    // An operator who has blocked the bot is tried again only while no other operator is notified.
    const isKnown = told.includes('told') || standing.unnotified.length < operators.length
    const isLeft = (one: Told | undefined) => one === 'failed' || (one === 'blocked' && !isKnown)
    standing.unnotified = standing.unnotified.filter((_, place) => isLeft(told[place]))
    standing.isSettled = standing.unnotified.length === 0
  }

  return {
    /** Notes what a check has found. */
    note(part: Part, isOk: boolean): void {
      const known = parts.get(part)
      if (known?.isOk === isOk) return
      // A failure of which no operator was notified needs no notice of its end.
      const isSettled = isOk && known !== undefined && !known.isSettled && !known.isMine
      const isMine = isOk && known?.wasAlone === true
      const begun = { isOk, since: now(), elapsed: performance.now(), unnotified: operators }
      parts.set(part, { ...begun, isSettled, isMine, wasAlone: false })
    },
    /** Sends the notices that are due. */
    settle: async (): Promise<void> => {
      await Promise.all([...parts].map(([part, standing]) => settle(part, standing)))
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
    notify(operator: number, part: Part, isOk: boolean, since: number): Promise<Told> {
      const variables = { part: t.plain(`bot-part.${part}`), time: dayTimeText(t, since) }
      const text = isOk ? t('operator-works', variables) : t('operator-fails', variables)
      return api.sendMessage(operator, text, { parse_mode: 'HTML' }).then(
        () => 'told',
        (error) => (isBlocked(error) ? 'blocked' : 'failed'),
      )
    },
    /** The store keeps the mark of a failure until it is over. */
    async claim(part: Part, isOk: boolean): Promise<boolean> {
      const [entry] = await store.read([keyOf(part)])
      if (isOk === (entry === undefined)) return false
      return store.put({ key: keyOf(part), value: isOk ? null : Buffer.of(1) }, entry?.version ?? null)
    },
  }
}
