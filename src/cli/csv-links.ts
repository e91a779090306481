import { readFile } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { MOST_LINES, splitLines } from '../domain/invitation-lines.ts'
import { lookUp, makeRow, rowsOf } from '../jobs/batch-rows.ts'
import type { BatchRow } from '../kept/batches.ts'
import { createServiceClient } from '../service/client.ts'
import { ServiceError } from '../service/errors.ts'
import { createEmbeddedBudget } from '../service/open-budget.ts'
import { openStorage } from '../storage.ts'
import { createLiveDocuments } from '../store/live-documents.ts'
import { invitationCsv } from '../views/csv.ts'

/** Nobody's Telegram id: made by an operator. */
const OPERATOR = 0

/** Makes an invitation for each line of a file, as `/invite` does; returns the CSV. Throws in words. */
export async function csvLinks(config: Config, file: string, username: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error('the file cannot be read')
  })
  const lines = splitLines(text)
  if (lines.length === 0) throw new Error('the file has no lines')
  if (lines.length > MOST_LINES) throw new Error(`the file has more than ${MOST_LINES} lines`)
  const { store, vault } = await openStorage(config).catch(inWords)
  try {
    // Nothing is made before every line is known.
    const rows = await lookedUp(config, rowsOf(lines))
    const now = Date.now()
    const term = { now, retentionDays: config.retentionDays }
    const work = createLiveDocuments({ store, vault, term })
    const made: BatchRow[] = []
    for (const row of rows) made.push(await makeRow({ work, vault, now }, row, OPERATOR))
    for (const { write, version = null } of work.changes()) {
      if (!(await store.put(write, version)))
        throw new Error('the bot has changed the same meanwhile: please run this again')
    }
    return invitationCsv(made, username)
  } finally {
    await store.close()
  }
}

async function lookedUp(config: Config, rows: readonly BatchRow[]): Promise<BatchRow[]> {
  const { serviceUrl: url, serviceKey: key, httpProxyUrl: proxyUrl } = config
  const budget = createEmbeddedBudget({
    perMinute: config.ratePerMinute,
    perHour: config.ratePerHour,
    now: Date.now,
  })
  const service = createServiceClient({ url, key, proxyUrl, budget })
  try {
    const looked: BatchRow[] = []
    for (const row of rows) looked.push(row.error ? row : await lookUp(service, row, { lane: 'background' }))
    return looked
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'key_invalid')
      throw new Error('SERVICE_KEY is refused: nothing was made')
    throw new Error('the service does not answer: nothing was made')
  } finally {
    await service.close()
    await budget.close()
  }
}

function inWords(error: unknown): never {
  if (error instanceof Error && error.message.includes('in use by another process'))
    throw new Error(
      'the running bot uses the embedded store: stop it first, or send the file to it after /invite',
    )
  throw error
}
