import { setImmediate } from 'node:timers/promises'
import type { UpdateContext } from '../dialog/update-context.ts'
import { type Assignee, accountOf, consentOf, isIn as isAssignee } from '../domain/assignee.ts'
import type { Attempt } from '../domain/attempt.ts'
import { accountsOf, isIn, isRoadmap, type RecordFile } from '../domain/record/record.ts'
import { type BoardStage, boardStageOf } from '../domain/record/standing.ts'
import { holderOf } from '../domain/roadmap.ts'
import { ifReadable } from '../domain/unreadable.ts'
import { attemptKey, openAttemptOf } from '../storage/documents/attempts.ts'
import { BEGUN, type Enrolment, enrolmentId, enrolments } from '../storage/documents/enrolment-log.ts'
import { accounts, assignees, recordFiles, tokenKey } from '../storage/documents/kinds.ts'
import { type DocumentKind, readDocuments } from '../storage/documents.ts'
import { spreadOf } from '../storage/pieces.ts'

/** Where one record or roadmap stands that was opened or begun here. */
export type Enrolled = {
  stage: BoardStage
  enrolment: Enrolment
  /** The file, where it is still kept, and those of its tests with their attempts; a record's own is its only test. */
  file?: RecordFile
  tests: { file: RecordFile; attempt: Attempt | undefined }[]
  begunAt?: number | undefined
  activeAt?: number | undefined
}

type Known = Enrolment & { hash: string }

type Deps = Pick<UpdateContext['deps'], 'store' | 'vault'>

/** So many are read at once; between them others have their turn. */
const AT_ONCE = 50

/** Reads where everything stands that was begun here since a time, in that order, a few at a time; or so many spread over it. */
export async function* readStandings(deps: Deps, from: number, wanted = Infinity): AsyncGenerator<Enrolled> {
  for await (const piece of spreadOf(deps.store, BEGUN, { from, most: AT_ONCE, wanted })) {
    const hashes = piece.map(({ id }) => enrolmentId(id))
    const kept = await read(deps, enrolments, hashes)
    yield* await readSome(
      deps,
      hashes.flatMap((hash, at): Known[] => (kept[at] ? [{ ...kept[at], hash }] : [])),
    )
    await setImmediate()
  }
}

const read = <T>(deps: Deps, kind: DocumentKind<T>, ids: readonly string[]) =>
  readDocuments(deps.store, deps.vault, kind, ids)

async function readSome(ctx: Deps, entries: readonly Known[]): Promise<Enrolled[]> {
  const ids = entries.map(({ s }) => s)
  const hashes = entries.map(({ hash }) => hash)
  const files = await read(ctx, recordFiles, ids)
  const inRoadmaps = files.flatMap((file) => file?.roadmap?.records.map(({ s }) => s) ?? [])
  const nested = byId(inRoadmaps, await read(ctx, recordFiles, inRoadmaps))
  const begun = await read(ctx, assignees, hashes)
  const owners = ownersOf(files, begun)
  const known = [...files, ...nested.values()].filter((file) => file !== undefined)
  const attempts = await readAttempts(ctx, known, owners)
  const people = await readPeople(ctx, known, owners)
  return entries.flatMap((entry, index): Enrolled[] => {
    const file = files[index]
    const assignee = begun[index]
    if (!file) return goneOf(entry, assignee)
    const own = file.roadmap?.records.flatMap(({ s }) => nested.get(s) ?? []) ?? [file]
    const tests = own.map((test) => ({ file: test, attempt: attempts.get(test.s) }))
    const accounts = accountsOf(file, owners.get(file.s)).flatMap((who) => people.get(who) ?? [])
    const answered = tests.map(({ attempt }) => attempt?.lastActivityAt ?? 0)
    const all = [assignee, ...(file.roadmap?.hands.map(({ assignee }) => assignee) ?? [])]
    const begunAt = all.map(consentOf).find((consent) => consent)?.at ?? entry.begunAt
    // Somebody may have been here about another test.
    const seen = answered.some((at) => at > 0) ? [] : accounts.map((account) => account.activeAt ?? 0)
    const activeAt = Math.max(begunAt ?? 0, file.finishedAt ?? 0, ...answered, ...seen)
    const stage = boardStageOf(file)
    return stage ? [{ stage, enrolment: entry, file, tests, begunAt, activeAt }] : []
  })
}

/** Those that are kept. */
const byId = <T>(ids: readonly string[], read: readonly (T | undefined)[]): Map<string, T> =>
  new Map(ids.flatMap((id, index) => (read[index] ? [[id, read[index]]] : [])))

/** The term of what was begun is over. */
function goneOf(enrolment: Known, assignee: Assignee | undefined): Enrolled[] {
  if (!assignee || isAssignee(assignee, 'free', 'invited', 'left')) return []
  const stage = assignee.is === 'over' ? 'delivered' : 'stuck'
  return [{ stage, enrolment, tests: [], begunAt: enrolment.begunAt }]
}

type Owners = ReadonlyMap<string, string | undefined>

/** Whose each is, and whose the tests of its roles are, by their record id. */
function ownersOf(files: readonly (RecordFile | undefined)[], begun: readonly (Assignee | undefined)[]) {
  const owners = files.flatMap((file, index) => {
    if (!file) return []
    const owner = file.isBegun && accountOf(begun[index])
    const { roadmap } = file
    const tests = roadmap?.records.map(({ s, role }) => [s, holderOf(roadmap, role, owner)] as const) ?? []
    return [[file.s, owner] as const, ...tests]
  })
  return new Map(owners)
}

async function readAttempts(ctx: Deps, files: readonly RecordFile[], owners: Owners) {
  const { store, vault } = ctx
  const asked = files.filter((file) => !isRoadmap(file) && isIn(file, 'questions', 'submitting', 'refused'))
  const ids = asked.map(({ s }) => s)
  const entries = await store.read(ids.map(attemptKey))
  // A test of a roadmap may have been begun by a link of its own.
  const tokens = asked.map(({ token }) => tokenKey(vault, token))
  const own = await read(ctx, assignees, tokens)
  const attempts = ids.map((s, index) => {
    const who = accountOf(own[index]) ?? owners.get(s)
    const entry = entries[index]
    return entry && ifReadable(() => openAttemptOf(vault, { who, s }, entry))
  })
  return byId(ids, attempts)
}

/** The accounts of those who take part in what is not over. */
async function readPeople(ctx: Deps, files: readonly RecordFile[], owners: Owners) {
  const open = files.filter((file) => !isIn(file, 'elsewhere') && !(isIn(file, 'done') && !file.state.isOwed))
  const ids = [...new Set(open.flatMap((file) => accountsOf(file, owners.get(file.s))))]
  return byId(ids, await read(ctx, accounts, ids))
}
