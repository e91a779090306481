import { z } from 'zod'
import type { RecordFile } from '../domain/record/record.ts'
import { isRoadmap } from '../domain/record/record.ts'
import { job } from '../queue/job.ts'
import { type Handler, handler } from '../queue/task.ts'
import { enrolment, enrolmentLog, logPart } from '../storage/documents/enrolment-log.ts'
import { tokenKey } from '../storage/documents/keys.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import type { Vault } from '../storage/vault.ts'

/**
 * Somebody has opened or begun a record or roadmap, or had it deleted. By the part of the log, so that nobody's turn
 * waits for another's.
 */
const enrolmentJob = job(
  'roll',
  enrolment.extend({ hash: z.string(), isForgotten: z.literal(true).optional() }),
)

/** Puts a record or roadmap on the board of organizers; the tests of roadmaps stand there with their roadmap. */
export function logEnrolment(
  { vault, now }: { vault: Vault; now: number },
  work: Pick<UnitOfWork, 'post'>,
  file: RecordFile,
  isBegun?: true,
): void {
  const { s, token, test, parent } = file
  if (parent) return
  const hash = tokenKey(vault, token)
  const kind = isRoadmap(file) ? ('roadmap' as const) : ('record' as const)
  const begun = { token, kind, title: test.title, at: now }
  enrolmentJob.post(work, logPart(now, hash), { hash, s, ...(isBegun && { isBegun, begun }) })
}

/** Leaves no more than a mark of what was begun at a time, and is deleted now. */
export function strike(
  { vault }: { vault: Vault },
  work: Pick<UnitOfWork, 'post'>,
  { s, token }: Pick<RecordFile, 's' | 'token'>,
  begunAt: number,
): void {
  const hash = tokenKey(vault, token)
  enrolmentJob.post(work, logPart(begunAt, hash), { hash, s, isForgotten: true })
}

/** Keeps the log: one entry for each that was opened or begun. */
export function createEnrolmentHandler(): Handler {
  return handler(enrolmentJob, async ({ id, body: { hash, isForgotten, ...entry }, work }) => {
    const { entries } = (await work.get(enrolmentLog, id)) ?? work.put(enrolmentLog, id, { entries: {} })
    const known = entries[hash]
    if (isForgotten) delete known?.begun
    else entries[hash] = known?.s === entry.s && known.isBegun ? known : entry
    return undefined
  })
}
