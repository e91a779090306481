import { InputFile } from 'grammy'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { backOffMs } from '../domain/back-off.ts'
import { type Batch, batches } from '../kept/batches.ts'
import { onBehalf } from '../kept/owed-result.ts'
import { guardCurrent } from '../mail/current.ts'
import { job } from '../mail/job.ts'
import type { ServiceClient } from '../service/client.ts'
import type { Vault } from '../store/vault.ts'
import { isBlocked } from '../telegram/errors.ts'
import type { Sender } from '../telegram/sender.ts'
import type { Texts } from '../texts/texts.ts'
import { invitationCsv } from '../views/invitation-csv.ts'
import { invitationSheet } from '../views/invitation-sheet.ts'
import { isLooked, lookOn, makeOn } from './batch-rows.ts'
import { type Handler, handler, type JobEnd } from './task.ts'

const batchBody = z.object({
  onBehalf,
  tries: z.number().optional(),
  /** The CSV has arrived. */
  isListed: z.literal(true).optional(),
})
type BatchBody = z.infer<typeof batchBody>

/** Many invitations on their way. By a random id. */
export const batchJob = job('batch', batchBody)

const PAUSES_MS = [2_000, 10_000, 60_000, 300_000, 600_000]
const MOST_TRIES = 12

/**
 * Looks all lines up at the service, behind participants, then makes the invitations, then brings the list and the
 * sheet. Nothing is made before every line is known, so a service that fails leaves nothing half done.
 */
export function createBatchHandler(deps: {
  service: ServiceClient
  vault: Vault
  sender: Sender
  texts: Texts
  config: Pick<Config, 'organizers'>
  username: string
  now: () => number
}): Handler {
  const { service, config, now } = deps
  const bring = createBringer(deps)
  const again = (retryBody: BatchBody, afterMs = 0): JobEnd<BatchBody> => ({
    retryAt: now() + afterMs,
    retryBody,
    countsAsRetry: false,
  })

  return handler(batchJob, async ({ id, body, work, trace }): Promise<JobEnd<BatchBody>> => {
    const { onBehalf, tries = 0 } = body
    const batch = (await guardCurrent(work, onBehalf)) ? await work.get(batches, id) : undefined
    // Who is no organizer any more gets nothing.
    if (!batch || !config.organizers.includes(onBehalf.chatId)) {
      work.remove(batches, id)
      return undefined
    }
    if (!batch.rows.every(isLooked)) {
      const failed = await lookOn(service, batch, trace)
      if (!failed) return again({ ...body, tries: 0 })
      if (failed.code === 'no_slot') return again(body, 1_000)
      const isFinal = failed.code === 'key_invalid' || failed.code === 'forbidden' || tries >= MOST_TRIES
      if (!isFinal) return again({ ...body, tries: tries + 1 }, backOffMs(PAUSES_MS, tries + 1))
      await bring.stopped(body, failed.code === 'unavailable' || tries >= MOST_TRIES ? 'down' : 'key')
      work.remove(batches, id)
      return undefined
    }
    if (await makeOn({ work, vault: deps.vault, now: now() }, batch)) return again(body)
    if (!body.isListed) {
      await bring.list(body, batch)
      return again({ ...body, isListed: true })
    }
    await bring.sheet(body, batch)
    work.remove(batches, id)
    return undefined
  })
}

/** Sends what a batch has come to; an organizer who has blocked the bot gets nothing. */
function createBringer({
  sender,
  texts,
  username,
  now,
}: {
  sender: Sender
  texts: Texts
  username: string
  now: () => number
}) {
  const unlessBlocked = async (sent: Promise<unknown>) => {
    await sent.catch((error: unknown) => {
      if (!isBlocked(error)) throw error
    })
  }
  const nameOf = (kind: string) => `invitations-${new Date(now()).toISOString().slice(0, 10)}.${kind}`

  return {
    async list({ onBehalf: { chatId, language } }: BatchBody, { rows }: Batch): Promise<void> {
      const made = rows.filter(({ code }) => code !== undefined).length
      const caption = texts.for(language)('batch-caption', { made, failed: rows.length - made })
      const csv = Buffer.from(invitationCsv(rows, username))
      await unlessBlocked(sender.document(chatId, new InputFile(csv, nameOf('csv')), caption))
    },
    async sheet({ onBehalf: { chatId, language } }: BatchBody, { rows }: Batch): Promise<void> {
      const t = texts.for(language)
      const made = rows.flatMap(({ code, title = '' }) => (code === undefined ? [] : [{ code, title }]))
      if (made.length === 0) return
      const html = Buffer.from(await invitationSheet(t, made, username))
      await unlessBlocked(
        sender.document(chatId, new InputFile(html, nameOf('html')), t('batch-sheet-caption')),
      )
    },
    async stopped({ onBehalf: { chatId, language } }: BatchBody, why: 'key' | 'down'): Promise<void> {
      await unlessBlocked(sender.send(chatId, { text: texts.for(language)(`batch-stopped-${why}`) }))
    },
  }
}
