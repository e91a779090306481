import type { RecordFile } from '../domain/record/record.ts'
import { isRoadmap } from '../domain/record/record.ts'
import { enrolments } from '../storage/documents/enrolment-log.ts'
import { tokenKey } from '../storage/documents/kinds.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import type { Vault } from '../storage/vault.ts'

type Deps = { vault: Pick<Vault, 'hash'>; now: number }

/** Puts a record or roadmap on the board of organizers; the tests of roadmaps stand there with their roadmap. */
export async function logEnrolment(
  { vault, now }: Deps,
  work: Pick<UnitOfWork, 'get' | 'put'>,
  file: RecordFile,
  isBegun = false,
): Promise<void> {
  const { s, token, test, parent } = file
  if (parent) return
  const id = tokenKey(vault, token)
  const known = await work.get(enrolments, id)
  // Whoever opens what somebody has begun changes nothing.
  if (known?.s === s && (known.begunAt !== undefined || !isBegun)) return
  const kind = isRoadmap(file) ? 'roadmap' : 'record'
  const begunAt = isBegun ? { begunAt: now } : {}
  work.put(enrolments, id, { s, token, kind, title: test.title, openedAt: now, ...begunAt })
}

/** Takes what is deleted off the board. */
export async function strike(
  { vault }: Pick<Deps, 'vault'>,
  work: Pick<UnitOfWork, 'get' | 'remove'>,
  { s, token }: Pick<RecordFile, 's' | 'token'>,
): Promise<void> {
  const id = tokenKey(vault, token)
  if ((await work.get(enrolments, id))?.s === s) work.remove(enrolments, id)
}
