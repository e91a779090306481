import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { isAssignee } from '../domain/assignee.ts'
import { DAY_MS, HOUR_MS, TEHRAN_MS } from '../domain/durations.ts'
import { kindOfFile, type RecordFile } from '../domain/record/record.ts'
import { BOARD_STAGES, boardListOf, boardLists, NO_STAGE, STUCK_MS } from '../domain/record/standing.ts'
import { actorName } from '../queue/actors.ts'
import { type Handler, handler, type JobEnd, job } from '../queue/job.ts'
import {
  BEGUN,
  type Enrolment,
  enrolments,
  type FormerEntry,
  formerLog,
  noteTest,
  OPENED,
} from '../storage/documents/enrolments.ts'
import { assignees, notifiedCauses, recordFiles, tokenKey } from '../storage/documents/kinds.ts'
import { readDocuments, sealBody } from '../storage/documents.ts'
import type { Store } from '../storage/store.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import type { BoardCounts } from '../views/home.ts'
import { chunksOf } from '../views/view.ts'
import type { JobDeps } from './deps.ts'

const body = z.object({
  since: z.number(),
  /** Set until the log of a former version has been read. */
  part: z.number().optional(),
  /** How far the walk through all kept documents has come. */
  from: z.string().optional(),
})
type Body = z.infer<typeof body>

/** Recounts the board, a few records at a time, so that other work is not delayed. */
const recountJob = job('recount', body)
const BOARD = 'board'

const ENTRIES_AT_ONCE = 100
/** After so many reads other work runs. */
const READ_AT_ONCE = 50

type Deps = Pick<JobDeps, 'store' | 'vault' | 'now'>

/** Counts the board, and starts a recount if the lists do not show every enrolment. */
export async function currentBoard(
  { store, now }: Pick<JobDeps, 'store'> & { now: number },
  work: UnitOfWork,
  since: number,
): Promise<BoardCounts> {
  const board = await countBoard(store, now, since)
  if (!board.isRight || !board.wasRecounted) await recountBoard(work, now)
  return board
}

/** Starts a recount of the board, once an hour at most. */
export async function recountBoard(work: UnitOfWork, now: number): Promise<void> {
  const id = work.vault.hash('notice', 'recount')
  const before = await work.get(notifiedCauses, id)
  if (before && now - before.at < HOUR_MS) return
  work.put(notifiedCauses, id, { at: now })
  recountJob.post(work, BOARD, { since: now, part: 0 }, { replace: true })
}

/** Starts a recount of a restored store, whenever the last one was: no copy of Redis has the lists. */
export async function recountRestored({ store, vault, now }: Deps): Promise<void> {
  const actor = actorName(recountJob.kind, BOARD)
  const body = sealBody(vault, actor, { since: now(), part: 0 })
  await store.post({ actor, id: BOARD, once: true, replace: true, body })
}

/** Turns the log of a former version into entries of their own, then puts each entry into its list. */
export function createRecountHandler(deps: Deps): Handler {
  const next = (retryBody: Body): JobEnd<Body> => ({ retryAt: deps.now(), retryBody })
  return handler(recountJob, async ({ body, work }) => {
    const { part, ...rest } = body
    if (part !== undefined) {
      const { names, next: from } = await deps.store.census(body.from, formerLog.prefix)
      if (await takeFormerPart(deps, work, names)) return next(body)
      return next(from === undefined ? { since: body.since } : { ...body, from })
    }
    const page = await deps.store.census(body.from, enrolments.prefix)
    for (const ids of chunksOf(page.names, READ_AT_ONCE)) {
      const entries = await readDocuments(deps, enrolments, ids)
      for (const [index, id] of ids.entries()) if (entries[index]) await recount(work, id, entries[index])
      await setImmediate()
    }
    if (page.next !== undefined) return next({ ...rest, from: page.next })
    work.recount({ id: RECOUNTED, list: RECOUNTED, at: deps.now() })
    return undefined
  })
}

/** Puts an entry into its list; the commit fails if its record changes meanwhile. */
export async function recount(work: UnitOfWork, id: string, entry: Enrolment): Promise<void> {
  const { s, openedAt, begunAt } = entry
  const own = enrolments.list?.(entry, work.vault)
  if (own) work.recount({ ...own, at: begunAt ?? openedAt })
  const file = await work.guard(recordFiles, s)
  const assignee = file ? undefined : await work.get(assignees, id)
  // The list of an entry whose file is no longer kept.
  const gone =
    begunAt === undefined ? 'opened' : assignee && isAssignee(assignee, 'over') ? 'delivered' : 'stuck'
  for (const title of file ? titlesOf(file) : []) await noteTest(work, title, openedAt)
  const place = file ? boardListOf(file) : { list: gone, at: undefined }
  work.recount({ id, list: place.list, at: place.at ?? file?.finishedAt ?? begunAt ?? openedAt })
}

const titlesOf = ({ roadmap, test }: RecordFile): string[] =>
  roadmap ? roadmap.records.map(({ title }) => title) : [test.title]

/** Converts some entries of the first of these parts of the former log that can be read, if any. */
async function takeFormerPart(deps: Deps, work: UnitOfWork, parts: readonly string[]) {
  for (const id of parts) {
    const [log] = await readDocuments(deps, formerLog, [id])
    if (!log) continue
    const entries = Object.entries(log.entries)
    for (const [hash, entry] of entries.slice(0, ENTRIES_AT_ONCE))
      await takeFormer(work, hash, entry, Date.parse(id.slice(0, 10)))
    const kept = await work.get(formerLog, id)
    if (kept && entries.length > ENTRIES_AT_ONCE)
      kept.entries = Object.fromEntries(entries.slice(ENTRIES_AT_ONCE))
    else work.remove(formerLog, id)
    return true
  }
  return false
}

async function takeFormer(work: UnitOfWork, hash: string, { s, isBegun, begun }: FormerEntry, day: number) {
  const known = await work.get(enrolments, hash)
  const file = await work.get(recordFiles, s)
  const token = begun?.token ?? file?.token
  const isOlder = known && (known.begunAt !== undefined || !begun)
  // Skips what was forgotten, and what was only opened and is no longer kept: there is nothing to show.
  if (isOlder || token === undefined || (isBegun && !begun)) return
  const { kind, title, at } = begun ?? {
    kind: file?.roadmap ? ('roadmap' as const) : ('record' as const),
    title: file?.test.title ?? '',
    at: day,
  }
  work.put(enrolments, hash, { s, token, kind, title, openedAt: at, ...(begun && { begunAt: at }) })
}

/** The list that shows that a recount has ended. */
export const RECOUNTED = 'recounted'

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)

/** Counts the board, in one command of the store. */
async function countBoard(store: Pick<Store, 'counts'>, now: number, since: number): Promise<BoardCounts> {
  const stages = BOARD_STAGES.map((stage) => boardLists(stage, now))
  const all = [...stages.flat(), { list: NO_STAGE, from: 0 }].map(({ list }) => ({ list, from: 0 }))
  const delivered = boardLists('delivered', now).map(({ list }) => ({ list, from: since }))
  const parts = [
    stages.flat(),
    all,
    [OPENED, BEGUN].map((list) => ({ list, from: 0 })),
    [OPENED, BEGUN, 'waiting'].map((list) => ({ list, from: since })),
    // A stuck record was last active a day before it came to this list.
    [{ list: 'stuck', from: since - STUCK_MS }],
    delivered,
    [{ list: RECOUNTED, from: 0 }],
  ]
  const found = await store.counts(parts.flat())
  const [current = [], ever = [], enrolled = [], recent = [], stuck = [], done = [], recounted = []] =
    parts.map(({ length }) => found.splice(0, length))
  const counts = BOARD_STAGES.flatMap((stage, at) => {
    const count = sum(current.splice(0, stages[at]?.length))
    return count > 0 ? [[stage, count] as const] : []
  })
  const [opened = 0, begun = 0, waiting = 0] = recent
  return {
    counts: new Map(counts),
    since: { opened, begun, waiting, stuck: sum(stuck), delivered: sum(done) },
    isRight: sum(ever) === sum(enrolled),
    wasRecounted: sum(recounted) > 0,
  }
}

/** When the day began in Tehran. */
export const dayBegin = (now: number): number => now - ((now + TEHRAN_MS) % DAY_MS)

/** Puts a record or roadmap on the organizers' board; tests of roadmaps are shown with their roadmap. */
export async function logEnrolment(
  { work, now }: { work: UnitOfWork; now: number },
  file: RecordFile,
  isBegun = false,
): Promise<void> {
  const { s, token, test, parent } = file
  if (parent) return
  const id = tokenKey(work.vault, token)
  const known = await work.get(enrolments, id)
  // Opening again what was begun changes nothing.
  if (known?.s === s && (known.begunAt !== undefined || !isBegun)) return
  const kind = kindOfFile(file)
  const begunAt = isBegun ? { begunAt: now } : {}
  work.put(enrolments, id, { s, token, kind, title: test.title, openedAt: now, ...begunAt })
}

/** Takes a deleted record or roadmap off the board. */
export async function strike(work: UnitOfWork, { s, token }: RecordFile): Promise<void> {
  const id = tokenKey(work.vault, token)
  if ((await work.get(enrolments, id))?.s === s) work.remove(enrolments, id)
}
