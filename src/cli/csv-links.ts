import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { MOST_LINES, splitLines } from '../domain/invitation-lines.ts'
import { isLooked, lookOn, makeOn, rowsOf } from '../jobs/batch-rows.ts'
import { openStorage, type Storage } from '../open-storage.ts'
import { LEASE_MS } from '../queue/lease.ts'
import { createServiceClient } from '../service/client.ts'
import { openBudget } from '../service/open-budget.ts'
import type { Batch } from '../storage/documents/batches.ts'
import { createUnitOfWork, type UnitOfWork } from '../storage/unit-of-work.ts'
import { invitationCsv } from '../views/csv.ts'

/** Nobody's Telegram id: made by an operator. */
const OPERATOR = 0
/** No worker asks for messages of this kind: the command takes its own. */
const KIND = 'link'

/** Makes an invitation for each line of a file, as `/invite` does; returns the CSV. Throws in words. */
export async function csvLinks(config: Config, file: string, username: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error('the file cannot be read')
  })
  const lines = splitLines(text)
  if (lines.length === 0) throw new Error('the file has no lines')
  if (lines.length > MOST_LINES) throw new Error(`the file has more than ${MOST_LINES} lines`)
  const storage = await openStorage(config).catch(inWords)
  try {
    const batch = { by: OPERATOR, rows: rowsOf(lines) }
    // Nothing is made before every line is known.
    await lookUpAll(config, storage, batch)
    const { vault } = storage
    const work = await beginWork(config, storage)
    while (await makeOn({ work, vault, now: Date.now() }, batch));
    if ((await work.commit()) !== 'ok')
      throw new Error('the bot has changed the same meanwhile: please run this again')
    return invitationCsv(batch.rows, username)
  } finally {
    await storage.store.close()
  }
}

async function lookUpAll(config: Config, { store, vault }: Storage, batch: Batch): Promise<void> {
  const { serviceUrl: url, serviceKey: key, httpProxyUrl: proxyUrl } = config
  const { ratePerMinute: perMinute, ratePerHour: perHour } = config
  const budget = openBudget({ store, name: vault.hash('service key', key), perMinute, perHour })
  const service = createServiceClient({ url, key, proxyUrl, budget })
  try {
    while (!batch.rows.every(isLooked)) {
      const failed = await lookOn(service, batch)
      if (failed?.code === 'key_invalid') throw new Error('SERVICE_KEY is refused: nothing was made')
      if (failed) throw new Error('the service does not answer: nothing was made')
    }
  } finally {
    await service.close()
    await budget.close()
  }
}

/** What is made is kept in one step, or not at all, like what comes of a message. */
async function beginWork({ retentionDays }: Config, { store, vault }: Storage): Promise<UnitOfWork> {
  const id = randomUUID()
  await store.post({ actor: `${KIND}:${id}`, id, once: true, body: Buffer.alloc(0) })
  const claim = await store.claim(LEASE_MS, [KIND])
  if (!claim) throw new Error('another command is making invitations: please run this again')
  return createUnitOfWork({ store, vault, term: { now: Date.now(), retentionDays } }, claim)
}

function inWords(error: unknown): never {
  if (error instanceof Error && error.message.includes('in use by another process'))
    throw new Error(
      'the running bot uses the embedded store: stop it first, or send the file to it after /invite',
    )
  throw error
}
