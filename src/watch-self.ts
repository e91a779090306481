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
  /** Tells one of them. */
  notify: (operator: number, part: Part, isOk: boolean, since: number) => Promise<Told>
  /** Whether it is for this replica to notify: `false` where another one has. Rejects while the store is away. */
  claim: (part: Part, isOk: boolean) => Promise<boolean>
  now: () => number
}

/** A part that fails for less is not worth a night. */
const PATIENCE_MS = 20_000
const CLAIM_MS = 2_000

type Standing = {
  isOk: boolean
  since: number
  elapsed: number
  /** What there is to tell was told, by whomever. */
  isSettled: boolean
  /** Whom this replica has not told yet. */
  untold: readonly number[]
  /** It is for this replica to notify: it was the first in the store, or asked in vain. */
  isMine: boolean
  /** The failure before was told without the store, so its end is, too. */
  wasAlone: boolean
}

/**
 * Tells the operators of a part that does not work, once, and when it is over, by whatever still works: where the store is
 * away each replica tells, and whom it could not tell while Telegram was away it tells after.
 */
export function createOperators({ operators, notify, claim, now }: OperatorsDeps) {
  const parts = new Map<Part, Standing>()

  /** `undefined` where nobody can ask the others. */
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
      // What was well from the beginning may have been told as failing in an earlier life: nobody knows without the store.
      if (isFirst === undefined && isOk) standing.isSettled = false
      if (isFirst === undefined && !isOk) standing.wasAlone = true
    }
    if (!standing.isMine) return
    const told = await Promise.all(standing.untold.map((one) => notify(one, part, isOk, since)))
    // Who has blocked the bot is tried again only while nobody else knows.
    const isKnown = told.includes('told') || standing.untold.length < operators.length
    const isLeft = (one: Told | undefined) => one === 'failed' || (one === 'blocked' && !isKnown)
    standing.untold = standing.untold.filter((_, place) => isLeft(told[place]))
    standing.isSettled = standing.untold.length === 0
  }

  return {
    /** What a look has found. */
    note(part: Part, isOk: boolean): void {
      const known = parts.get(part)
      if (known?.isOk === isOk) return
      // What nobody was told of needs no end.
      const isSettled = isOk && known !== undefined && !known.isSettled && !known.isMine
      const isMine = isOk && known?.wasAlone === true
      const begun = { isOk, since: now(), elapsed: performance.now(), untold: operators }
      parts.set(part, { ...begun, isSettled, isMine, wasAlone: false })
    },
    /** Tells what is to be told. */
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

/** The bot looks after itself: one look at everything it needs, from which all are told, whether or not anybody asks. */
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

/** How operators are told, past every queue, and how replicas agree on who of them does. */
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
    /** What was told stands in the store until it is over. */
    async claim(part: Part, isOk: boolean): Promise<boolean> {
      const [entry] = await store.read([keyOf(part)])
      if (isOk === (entry === undefined)) return false
      return store.put({ key: keyOf(part), value: isOk ? null : Buffer.of(1) }, entry?.version ?? null)
    },
  }
}
