import { z } from 'zod'
import type { Config } from '../config.ts'
import { DAY_MS, OWED_DAYS } from '../domain/durations.ts'
import { isIn, isResultOwed, type RecordFile } from '../domain/record/record.ts'
import { afterQuietHours } from '../domain/reminding.ts'
import type { Sitting } from '../domain/sitting.ts'
import { ownerOf } from '../kept/assigned.ts'
import { owedResults, recordFiles } from '../kept/documents.ts'
import { onBehalf } from '../kept/owed-result.ts'
import { WARNED_DAYS_BEFORE } from '../kept/retention.ts'
import { openSittingOf, sittingKey } from '../kept/sittings.ts'
import { postEvent } from '../mail/chat-message.ts'
import { guardCurrent } from '../mail/current.ts'
import { job } from '../mail/job.ts'
import type { Store } from '../store/store.ts'
import type { UnitOfWork } from '../store/unit-of-work.ts'
import type { Vault } from '../store/vault.ts'
import { type NoticeDeps, postNotice } from './notices.ts'
import { type Handler, handler } from './task.ts'

/** Watches over what will be deleted; `since`: the answers were complete, or the owed result was last asked for. By `S`. */
export const expiryJob = job('expiry', z.object({ s: z.string(), onBehalf, since: z.number() }))

/**
 * Warns the organizers, and recalls it to the participant, some days before complete answers that the service does
 * not have, or a result that nobody has received, are deleted (RETENTION_DAYS).
 */
export function createExpiryHandler(
  deps: NoticeDeps & { store: Store; vault: Vault; config: Pick<Config, 'quietHours'> },
): Handler {
  const { store, config, now } = deps

  return handler(expiryJob, async ({ body: { s, onBehalf, since }, work }) => {
    const file = (await guardCurrent(work, onBehalf)) ? await work.get(recordFiles, s) : undefined
    if (!file) return undefined
    const [entry] = await store.read([sittingKey(s)])
    const who = await ownerOf({ work, vault: deps.vault }, file)
    const sitting = entry && openSittingOf(deps.vault, { who, s }, entry)
    const isOwed = await isKeptResultOwed(work, file)
    if (!isOwed && !isComplete(sitting)) return undefined
    const from = isOwed ? since : (sitting?.lastActivityAt ?? since)
    const warnAt = afterQuietHours(config.quietHours, from + (OWED_DAYS - WARNED_DAYS_BEFORE) * DAY_MS)
    // Looked at again after the warning: it was said.
    if (!isOwed && since >= warnAt) return undefined
    if (warnAt > now()) return { retryAt: warnAt, countsAsRetry: false }
    const days = Math.max(1, Math.round((from + OWED_DAYS * DAY_MS - now()) / DAY_MS))
    const key = isOwed ? 'notice-result-expires' : 'notice-answers-expire'
    await postNotice(deps, work, { key, of: s, whose: file }, { title: file.test.title, days })
    if (isIn(file, 'questions')) postEvent(work, onBehalf, s, { kind: 'remind' })
    return undefined
  })
}

const isComplete = (sitting: Sitting | undefined): boolean =>
  sitting !== undefined && sitting.answered === sitting.questions

/** What others are owed counts only while there is something of it that can still be sent. */
async function isKeptResultOwed(work: UnitOfWork, { s, state }: RecordFile): Promise<boolean> {
  if (!isResultOwed({ state })) return false
  return state.stage === 'scored' || ((await work.get(owedResults, s))?.parts.length ?? 0) > 0
}
