import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { Api } from 'grammy'
import { onTestFinished } from 'vitest'
import { createLog } from '../../src/observe/logger.ts'
import { type ActorKind, actorKinds } from '../../src/queue/actors.ts'
import type { Handler } from '../../src/queue/job.ts'
import { createSuspects } from '../../src/queue/suspects.ts'
import { createWorker } from '../../src/queue/worker.ts'
import type { Term } from '../../src/storage/documents.ts'
import { loadKeyring } from '../../src/storage/keyring.ts'
import { createSqliteStore } from '../../src/storage/sqlite.ts'
import { createVault } from '../../src/storage/vault.ts'
import { createSender } from '../../src/telegram/sender.ts'
import { temporaryFolder } from '../storage/worlds.ts'

/** A store and a vault, removed with the test. */
export async function newStore(now: () => number) {
  const dir = await temporaryFolder()
  const store = await createSqliteStore({ dir, now })
  onTestFinished(async () => {
    await store.close()
    await rm(dir, { recursive: true, force: true })
  })
  return { store, vault: createVault(await loadKeyring(store, [randomBytes(32)])) }
}

/** A sender whose Telegram answers at once, and the sent texts: a text's position from 1 is its id. */
export function newSender() {
  const sent: string[] = []
  const api = { sendMessage: async (_: number, text: string) => ({ message_id: sent.push(text) }) }
  return { sent, sender: createSender({ api: api as unknown as Api, log: quiet }) }
}

export const termAt = (now: () => number) => (): Term => ({ now: now(), retentionDays: 30 })

const quiet = createLog('silent', { write: () => undefined })

const nobody: Handler = async () => Promise.reject(new Error('nobody has work for this one'))

/** A worker with these handlers only. */
export function startWorker({
  store,
  vault,
  now,
  handlers,
  ...more
}: Awaited<ReturnType<typeof newStore>> & {
  now: () => number
  handlers: Partial<Record<ActorKind, Handler>>
} & Partial<
    Pick<
      Parameters<typeof createWorker>[0],
      'setAside' | 'onEnd' | 'temporaryFailureOf' | 'room' | 'sender' | 'suspects' | 'log'
    >
  >) {
  const nobodies = Object.fromEntries(actorKinds.map((kind) => [kind, nobody])) as Record<ActorKind, Handler>
  const log = quiet
  const worker = createWorker({
    store,
    vault,
    now,
    term: termAt(now),
    log,
    suspects: createSuspects({ store, log }),
    handlers: { ...nobodies, ...handlers },
    temporaryFailureOf: () => undefined,
    setAside: () => undefined,
    onEnd: () => undefined,
    ...more,
  })
  onTestFinished(() => worker.stop())
  return worker
}
