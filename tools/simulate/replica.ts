import { createApp } from '../../src/app.ts'
import type { Config } from '../../src/config.ts'
import { createRoutes } from '../../src/observe/http-server.ts'
import { createLog } from '../../src/observe/logger.ts'
import type { Metrics } from '../../src/observe/metrics.ts'
import type { CardRenderer } from '../../src/pictures/card-renderer.ts'
import { chatActor } from '../../src/queue/chat-message.ts'
import { createSuspects } from '../../src/queue/suspects.ts'
import type { Budget } from '../../src/service/budget.ts'
import { createServiceClient } from '../../src/service/client.ts'
import { loadKeyring } from '../../src/storage/keyring.ts'
import { guardKeyring } from '../../src/storage/keyring-guard.ts'
import type { Store } from '../../src/storage/store.ts'
import { createVault } from '../../src/storage/vault.ts'
import { createTelegramClient } from '../../src/telegram/client.ts'
import type { loadTexts, Texts } from '../../src/texts/texts.ts'
import type { HttpAnswer, HttpRequest } from './carry.ts'
import { createChance } from './chance.ts'
import { configOf } from './settings.ts'
import type { enter, leave } from './stand-ins/surroundings.ts'

export type Replica = {
  /** Handles a request to its server. */
  take(request: HttpRequest): Promise<HttpAnswer>
  /** The store is reachable again after a failover. */
  meetsStoreAgain(): void
  stop(): Promise<void>
  /** The queue of a chat. */
  actorOf(chat: number): string
  /** Resolves to the reason why the replica cannot continue. */
  failed: Promise<Error>
}

type ReplicaDeps = {
  config: Config
  dataKeys: readonly Buffer[]
  store: Store
  budget: Budget
  texts: Texts
  now: () => number
  write: (line: string) => void
}

/** One life of one replica: the parts of `run`, without health and metrics, on the shared store and budget. */
export async function startReplica(deps: ReplicaDeps): Promise<Replica> {
  const { config, dataKeys, budget, texts, now, write } = deps
  const keyring = await loadKeyring(deps.store, dataKeys)
  const store = guardKeyring({ store: deps.store, dataKeys, keyring, onRestored: () => undefined })
  const { botToken: token, telegramApiRoot: apiRoot } = config
  const api = createTelegramClient({ token, apiRoot, now })
  const log = createLog('info', { write })
  const suspects = createSuspects({ store, log })
  const { inLine } = suspects
  const service = createServiceClient({ url: config.serviceUrl, key: config.serviceKey, budget, inLine, now })
  await store.compare()
  const server = createRoutes()
  const vault = createVault(keyring)
  const used = async () => 0
  const parts = {
    config,
    store,
    vault,
    suspects,
    api,
    service,
    used,
    failing: () => [],
    texts,
    cards,
    forgotten,
    server,
    metrics,
    log,
    now,
  }
  const app = createApp(parts)
  const running = api.getMe().then((me) => app.run(me))
  return {
    async take({ method, path, headers, body }) {
      const reply = await server.reply(method, path, { headers, body: async () => Buffer.from(body) })
      return { status: reply.status, body: '' }
    },
    actorOf: (chat) => chatActor(vault.hash('account', String(chat))),
    meetsStoreAgain: () => void store.compare().catch(() => undefined),
    async stop() {
      await budget.close()
      await app.stop()
      await service.close()
      await store.close()
    },
    failed: Promise.race([store.failed, running.then(() => new Promise<Error>(() => {}))]),
  }
}

/** A replica of a former version, in a bundle with the simulation's clock, randomness and network. */
export type FormerReplica = {
  startReplica: typeof startReplica
  configOf: typeof configOf
  loadTexts: typeof loadTexts
  enter: typeof enter
  leave: typeof leave
}

/** The version for each life of a replica: this one or, at random, a former one. */
export function versionsOf(
  given: Parameters<typeof configOf>[0],
  { seed, texts, former }: { seed: number; texts: Texts; former: FormerReplica | undefined },
) {
  const config = configOf(given)
  const chance = createChance(-1_100_000 - seed)
  const versions = [{ start: startReplica, config, texts }]
  if (former) {
    const { startReplica: start, configOf: own, loadTexts } = former
    const formerConfig = own(given)
    versions.push({ start, config: formerConfig, texts: loadTexts(formerConfig) })
  }
  return {
    config,
    next(note: (what: string) => void) {
      const version = chance.pick(versions)
      if (former) note(version.config === config ? 'this version' : 'the former version')
      return version
    },
  }
}

/** The list of forgotten accounts outside the store is not simulated. */
const forgotten = { add: async () => undefined }

/** A picture of one pixel: rendering needs threads, and time that the simulation does not measure. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const cards: CardRenderer = {
  assertFonts: () => undefined,
  report: async () => Buffer.from('%PDF'),
  recordCards: async () => [PIXEL],
  bars: async () => PIXEL,
  familyCard: async () => PIXEL,
}

const metrics: Metrics = {
  serviceCall: () => undefined,
  slotWait: () => undefined,
  telegramCall: () => undefined,
  update: () => undefined,
  answer: () => undefined,
  job: () => undefined,
  part: () => undefined,
  milestone: () => undefined,
  watch: () => undefined,
  contentType: 'text/plain; version=0.0.4; charset=utf-8',
  text: async () => '',
}
