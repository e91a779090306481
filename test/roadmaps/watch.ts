import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { onTestFinished } from 'vitest'
import { type ChatEvent, type ChatMessage, generationActor } from '../../src/background/actors.ts'
import { recordFiles } from '../../src/background/kinds.ts'
import { createGenerationHandler, type GenerationJob } from '../../src/background/watch-generation.ts'
import type { RecordFile } from '../../src/domain/record-file.ts'
import type { ServiceClient } from '../../src/service/client.ts'
import { documentKey, openBody, sealBody, sealDocument } from '../../src/store/documents.ts'
import { loadKeyring } from '../../src/store/keyring.ts'
import { createSqliteStore } from '../../src/store/sqlite.ts'
import { createUnitOfWork } from '../../src/store/unit-of-work.ts'
import { createVault } from '../../src/store/vault.ts'
import { createClock, temporaryFolder } from '../store/worlds.ts'

export const POLL_MS = 45_000
/** How often a worker that nobody wakes looks for work. */
const STEP_MS = 500
const LEASE_MS = 10_000

/** The calls that the watch makes; time passes while they are answered. */
export type WatchedService = Pick<ServiceClient, 'generate' | 'generationStatus' | 'roadmap'>

/** The real handler on the real store, in a time that only the test lets pass. */
export async function createWatch(service: WatchedService, clock = createClock()) {
  const { now, wait } = clock
  const dir = await temporaryFolder()
  const store = await createSqliteStore({ dir, now })
  onTestFinished(async () => {
    await store.close()
    await rm(dir, { recursive: true, force: true })
  })
  const vault = createVault(await loadKeyring(store, [randomBytes(32)]))
  const events: { s: string; at: number; event: ChatEvent }[] = []
  let handler = newHandler()

  function newHandler() {
    return createGenerationHandler({ service: service as ServiceClient, now, pollMs: POLL_MS })
  }

  async function begin(s: string): Promise<void> {
    const key = documentKey(recordFiles, s)
    const file: RecordFile = {
      s,
      token: s,
      stage: 'generating',
      test: { title: '', limits: { minAge: null, maxAge: null, gender: 'both' } },
      testsAuthRequired: true,
      seenAt: now(),
    }
    await store.put({ key, value: sealDocument(vault, key, file) }, null)
    const job: GenerationJob = {
      s,
      onBehalf: { who: 'owner', chatId: 1, epoch: 0, language: 'fa' },
      phase: 'start',
    }
    const actor = generationActor(s)
    await store.post({ actor, id: `begin ${s}`, body: sealBody(vault, actor, job) })
  }

  /** Handles one message that is due. `false` when there is none. */
  async function handleOne(): Promise<boolean> {
    const claim = await store.claim(LEASE_MS)
    if (!claim) return false
    const body = openBody(vault, claim.actor, claim.message.body)
    const work = createUnitOfWork({ store, vault }, claim)
    if (claim.actor.startsWith('chat:')) {
      const message = body as Extract<ChatMessage, { type: 'event' }>
      events.push({ s: message.s, at: now(), event: message.event })
      await work.commit()
      return true
    }
    const job = {
      actor: claim.actor,
      body,
      work,
      interrupted: false,
      retries: 0,
      onConflict: () => undefined,
    }
    await work.commit((await handler(job)) ?? {})
    return true
  }

  return {
    now,
    wait,
    events,
    begin,
    handleOne,
    /** A new process: what the old one remembered is gone. */
    restart() {
      handler = newHandler()
    },
    async passes(ms: number) {
      for (const end = now() + ms; now() < end; ) if (!(await handleOne())) wait(STEP_MS)
    },
  }
}

/** The most calls in any minute. */
export function mostPerMinute(times: readonly number[]): number {
  let most = 0
  for (const [index, at] of times.entries()) {
    const since = times.findIndex((other) => other > at - 60_000)
    most = Math.max(most, index - since + 1)
  }
  return most
}
