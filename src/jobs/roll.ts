import { z } from 'zod'
import type { RecordFile } from '../domain/record/record.ts'
import { isRoadmap } from '../domain/record/record.ts'
import { job } from '../queue/job.ts'
import { type Handler, handler } from '../queue/task.ts'
import { tokenKey } from '../storage/documents/keys.ts'
import { rollEntry, rollPart, rolls } from '../storage/documents/rolls.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import type { Vault } from '../storage/vault.ts'

/**
 * Somebody has opened or begun a record or roadmap, or had it deleted. By the part of the roll, so that nobody's turn
 * waits for another's.
 */
const rollJob = job('roll', rollEntry.extend({ hash: z.string(), isForgotten: z.literal(true).optional() }))

/** Puts a record or roadmap on the board of organizers; the tests of roadmaps stand there with their roadmap. */
export function enrol(
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
  rollJob.post(work, rollPart(now, hash), { hash, s, ...(isBegun && { isBegun, begun }) })
}

/** Leaves no more than a mark of what was begun at a time, and is deleted now. */
export function strike(
  { vault }: { vault: Vault },
  work: Pick<UnitOfWork, 'post'>,
  { s, token }: Pick<RecordFile, 's' | 'token'>,
  begunAt: number,
): void {
  const hash = tokenKey(vault, token)
  rollJob.post(work, rollPart(begunAt, hash), { hash, s, isForgotten: true })
}

/** Keeps the roll: one entry for each that was opened or begun. */
export function createRollHandler(): Handler {
  return handler(rollJob, async ({ id, body: { hash, isForgotten, ...entry }, work }) => {
    const { entries } = (await work.get(rolls, id)) ?? work.put(rolls, id, { entries: {} })
    const known = entries[hash]
    if (isForgotten) delete known?.begun
    else entries[hash] = known?.s === entry.s && known.isBegun ? known : entry
    return undefined
  })
}
