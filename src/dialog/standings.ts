import { setImmediate } from 'node:timers/promises'
import { type Assignee, accountOf, consentOf, isIn as isAssignee } from '../domain/assignee.ts'
import type { Attempt } from '../domain/attempt.ts'
import { accountsOf, isIn, isRoadmap, type RecordFile } from '../domain/record/record.ts'
import { type BoardStage, boardStageOf } from '../domain/record/standing.ts'
import { holderOf } from '../domain/roadmap.ts'
import { ifReadable } from '../domain/unreadable.ts'
import { attemptKey, openAttemptOf } from '../storage/documents/attempts.ts'
import { type Enrolment, enrolmentLog, logParts } from '../storage/documents/enrolment-log.ts'
import { tokenKey } from '../storage/documents/keys.ts'
import { accounts, assignees, recordFiles } from '../storage/documents/kinds.ts'
import { readDocuments } from '../storage/documents.ts'
import type { UpdateContext } from './update-context.ts'

/** Where one record or roadmap stands; of one that was only opened perhaps nothing is kept any more. */
export type Enrolled = {
  stage: BoardStage
  /** The file, and those of its tests with their attempts; a record's own attempt is its only test. */
  file?: RecordFile
  /** What was begun and is not kept any more. */
  gone?: Enrolment['begun']
  tests: { file: RecordFile; attempt: Attempt | undefined }[]
  begunAt?: number | undefined
  activeAt?: number | undefined
}

/** By the keyed hash of its token. */
type Hashed = Enrolment & { hash: string }

type Deps = Pick<UpdateContext, 'now'> & { deps: Pick<UpdateContext['deps'], 'store' | 'vault'> }

/** So many are read at once; between them others have their turn. */
const AT_ONCE = 100

/**
 * Reads where everything stands that was opened or begun here in the last so many days. It is read when somebody looks,
 * so that nobody who answers pays for it.
 */
export async function* readStandings(ctx: Deps, days?: number): AsyncGenerator<Enrolled> {
  const entries = await readEnrolments(ctx, days)
  for (let at = 0; at < entries.length; at += AT_ONCE) {
    yield* await readSome(ctx, entries.slice(at, at + AT_ONCE))
    await setImmediate()
  }
}

/** What was opened last under each token, in the order in which it came. */
async function readEnrolments({ deps, now }: Deps, days?: number): Promise<Hashed[]> {
  const parts = logParts(now, days)
  const known = new Map<string, Hashed>()
  for (let at = 0; at < parts.length; at += AT_ONCE) {
    for (const log of await readDocuments(
      deps.store,
      deps.vault,
      enrolmentLog,
      parts.slice(at, at + AT_ONCE),
    ))
      for (const [hash, entry] of Object.entries(log?.entries ?? {})) {
        const before = known.get(hash)
        known.set(hash, before?.s === entry.s && before.isBegun ? before : { ...entry, hash })
      }
  }
  return [...known.values()]
}

async function readSome(ctx: Deps, entries: readonly Hashed[]): Promise<Enrolled[]> {
  const { store, vault } = ctx.deps
  const files = await readDocuments(
    store,
    vault,
    recordFiles,
    entries.map(({ s }) => s),
  )
  const nested = await readNested(ctx, files)
  const all = [...files, ...nested.values()].filter((file) => file !== undefined)
  const begun = await readDocuments(
    store,
    vault,
    assignees,
    entries.map(({ hash }) => hash),
  )
  const owners = ownersOf(files, begun)
  const attempts = await readAttempts(ctx, all, owners)
  const people = await readPeople(ctx, all, owners)
  return entries.flatMap((entry, index): Enrolled[] => {
    const file = files[index]
    if (!file) return entry.isBegun ? goneOf(entry, begun[index]) : [{ stage: 'opened', tests: [] }]
    const own = file.roadmap?.records.flatMap(({ s }) => nested.get(s) ?? []) ?? [file]
    const tests = own.map((test) => ({ file: test, attempt: attempts.get(test.s) }))
    const accounts = accountsOf(file, owners.get(file.s)).flatMap((who) => people.get(who) ?? [])
    const answered = tests.map(({ attempt }) => attempt?.lastActivityAt ?? 0)
    const all = [begun[index], ...(file.roadmap?.hands.map(({ assignee }) => assignee) ?? [])]
    const begunAt = all.map(consentOf).find((consent) => consent)?.at
    // Somebody may have been here about another test.
    const seen = answered.some((at) => at > 0) ? [] : accounts.map((account) => account.activeAt ?? 0)
    const activeAt = Math.max(begunAt ?? 0, ...answered, ...seen)
    const isBlocked = accounts.some(({ blocked }) => blocked)
    const stage = boardStageOf(file, { now: ctx.now, activeAt, isBlocked })
    const isKnown = entry.isBegun || owners.get(file.s) !== undefined
    return stage ? [{ stage, file, tests, ...(isKnown && { begunAt, activeAt }) }] : []
  })
}

/** The term of what was begun is over. What was forgotten or released to begin anew has left no row either. */
function goneOf({ begun: gone }: Hashed, assignee: Assignee | undefined): Enrolled[] {
  if (!gone || !assignee || isAssignee(assignee, 'free', 'invited', 'left')) return []
  return [{ stage: assignee.is === 'over' ? 'delivered' : 'stuck', tests: [], gone, begunAt: gone.at }]
}

/** The files of the tests of roadmaps, by their record id. */
async function readNested(
  { deps: { store, vault } }: Deps,
  files: readonly (RecordFile | undefined)[],
): Promise<Map<string, RecordFile>> {
  const ids = files.flatMap((file) => file?.roadmap?.records.map(({ s }) => s) ?? [])
  const nested = await readDocuments(store, vault, recordFiles, ids)
  return new Map(nested.flatMap((file) => (file ? [[file.s, file]] : [])))
}

type Owners = ReadonlyMap<string, string | undefined>

/** Whose each is, and whose the tests of its roles are, by their record id. */
function ownersOf(
  files: readonly (RecordFile | undefined)[],
  begun: readonly (Assignee | undefined)[],
): Owners {
  return new Map(
    files.flatMap((file, index) => {
      if (!file) return []
      const owner = file.isBegun && accountOf(begun[index])
      const { roadmap } = file
      const tests = roadmap?.records.map(({ s, role }) => [s, holderOf(roadmap, role, owner)] as const) ?? []
      return [[file.s, owner] as const, ...tests]
    }),
  )
}

async function readAttempts(
  { deps: { store, vault } }: Deps,
  files: readonly RecordFile[],
  owners: Owners,
): Promise<Map<string, Attempt>> {
  const asked = files.filter((file) => !isRoadmap(file) && isIn(file, 'questions', 'submitting', 'refused'))
  const entries = await store.read(asked.map(({ s }) => attemptKey(s)))
  // A test of a roadmap may have been begun by a link of its own.
  const tokens = asked.map(({ token }) => tokenKey(vault, token))
  const own = await readDocuments(store, vault, assignees, tokens)
  return new Map(
    asked.flatMap(({ s }, index) => {
      const who = accountOf(own[index]) ?? owners.get(s)
      const entry = entries[index]
      const attempt = entry && ifReadable(() => openAttemptOf(vault, { who, s }, entry))
      return attempt ? [[s, attempt]] : []
    }),
  )
}

/** The accounts of whoever takes part in what is not over. */
async function readPeople({ deps: { store, vault } }: Deps, files: readonly RecordFile[], owners: Owners) {
  const open = files.filter((file) => !isIn(file, 'elsewhere') && !(isIn(file, 'done') && !file.state.isOwed))
  const ids = [...new Set(open.flatMap((file) => accountsOf(file, owners.get(file.s))))]
  const known = await readDocuments(store, vault, accounts, ids)
  return new Map(ids.flatMap((id, index) => (known[index] ? [[id, known[index]]] : [])))
}
