import { z } from 'zod'
import type { RecordFile } from '../domain/record/record.ts'
import { tokenKey } from '../kept/keys.ts'
import { rollPart, rolls } from '../kept/rolls.ts'
import { job } from '../mail/job.ts'
import type { UnitOfWork } from '../store/unit-of-work.ts'
import type { Vault } from '../store/vault.ts'
import { type Handler, handler } from './task.ts'

/** Somebody has opened or begun a record or roadmap. By the part of the roll, so that nobody's turn waits for another's. */
const rollJob = job(
  'roll',
  z.object({ hash: z.string(), s: z.string(), isBegun: z.literal(true).optional() }),
)

/** Puts a record or roadmap on the board of organizers; the tests of roadmaps stand there with their roadmap. */
export function enrol(
  { vault, now }: { vault: Vault; now: () => number },
  work: Pick<UnitOfWork, 'post'>,
  { s, token, parent }: Pick<RecordFile, 's' | 'token' | 'parent'>,
  isBegun?: true,
): void {
  if (parent) return
  const hash = tokenKey(vault, token)
  rollJob.post(work, rollPart(now(), hash), { hash, s, isBegun })
}

/** Keeps the roll: one entry for each that was opened or begun. */
export function createRollHandler(): Handler {
  return handler(rollJob, async ({ id, body: { hash, s, isBegun }, work }) => {
    const { entries } = (await work.get(rolls, id)) ?? work.put(rolls, id, { entries: {} })
    const known = entries[hash]
    entries[hash] = known?.s === s && known.isBegun ? known : { s, isBegun }
    return undefined
  })
}
