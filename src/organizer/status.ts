import { setImmediate } from 'node:timers/promises'
import { type Composer, InputFile } from 'grammy'
import { onBehalf } from '../dialog/call.ts'
import { newShortId } from '../dialog/files.ts'
import { type IncomingContext, onButton } from '../dialog/incoming.ts'
import { mayDecide, noteAct } from '../dialog/organizer.ts'
import { sendText } from '../dialog/send.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { type Assignee, consentOf, isAssignee } from '../domain/assignee.ts'
import type { Attempt } from '../domain/attempt-layout.ts'
import { addTo, type DropOff } from '../domain/drop-off.ts'
import { DAY_MS } from '../domain/durations.ts'
import { tehranToday } from '../domain/persian/calendar.ts'
import { isIn, isResultOwed, isRoadmap, type RecordFile } from '../domain/record/record.ts'
import { progressOf, tableStageOf } from '../domain/record/standing.ts'
import { ifReadable } from '../domain/unreadable.ts'
import { resultsJob } from '../jobs/result-table.ts'
import { currentBoard } from '../jobs/stage-counts.ts'
import { testsOf } from '../jobs/turn.ts'
import { lastVisit } from '../jobs/watch.ts'
import { attemptKey, openAttemptOf, ownerOf } from '../storage/documents/attempts.ts'
import {
  BEGUN,
  boardTests,
  type Enrolment,
  enrolmentId,
  enrolments,
} from '../storage/documents/enrolments.ts'
import { groups } from '../storage/documents/groups.ts'
import { assignees, recordFiles } from '../storage/documents/kinds.ts'
import type { Collection } from '../storage/documents/result-tables.ts'
import { ENROLMENT_DAYS } from '../storage/documents/retention.ts'
import { readDocuments, readingOf } from '../storage/documents.ts'
import { piecesOf } from '../storage/pieces.ts'
import { buttons } from '../views/buttons.ts'
import { type StatusRow, statusCsv } from '../views/csv.ts'
import { dropCaption, dropPicture, resultsComingView, statusPicture, statusView } from '../views/status.ts'
import { lines } from '../views/view.ts'

const BOARD_DAYS = 30
/** This many participants, the newest, show where people stop. Reading all would take long. */
const SAMPLE = 1_000

/** `/status`: how many people are at each stage, and where people stop. */
export function status(composer: Composer<IncomingContext>): void {
  composer.command('status', ({ ctx }) => showBoard(ctx))
  onButton(composer, buttons.drop, async ({ ctx }, _, index) =>
    showDrop(ctx, (await testsOfBoard(ctx))[index]),
  )
}

/** The tables of everything begun here and of the results. */
export function exporting(composer: Composer<IncomingContext>): void {
  composer.callbackQuery(buttons.export.pattern, ({ ctx }) => exportAll(ctx))
  onButton(composer, buttons.results, async ({ ctx }) => {
    await postResults(ctx, { of: 'all' })
    await ctx.send(resultsComingView(ctx.t, await testsOfBoard(ctx)))
  })
  onButton(composer, buttons.resultsOf, async ({ ctx }, _, index) => {
    const title = (await testsOfBoard(ctx))[index]
    if (title === undefined) return sendText(ctx, 'drop-gone', { command: '/status' })
    await postResults(ctx, { of: 'test', title })
    await ctx.send(resultsComingView(ctx.t, []))
  })
  onButton(composer, buttons.groupResults, async ({ ctx }, _next, id, _all) => {
    const group = await ctx.work.get(groups, id)
    if (!group) return sendText(ctx, 'group-gone')
    await postResults(ctx, { of: 'some', tokens: group.tokens })
    await sendText(ctx, 'results-coming')
  })
}

async function showBoard(ctx: UpdateContext): Promise<void> {
  const { t, deps, work, now } = ctx
  ctx.typing()
  const { counts } = await currentBoard({ ...deps, now }, work, now)
  const tests = await testsOfBoard(ctx)
  const [used, limit] = [await deps.used(), deps.config.ratePerHour]
  if (counts.size > 0) {
    const picture = await deps.cards.bars(statusPicture(t, { counts, used, limit }, new Date(now)))
    await ctx.sendPhoto(new InputFile(picture, 'status.png'), t('status-picture-title'))
  }
  const shown = { counts, used, limit, tests, failing: deps.failing() }
  await ctx.send(statusView(t, { ...shown, canExport: mayDecide(ctx) }))
}

/** The tests that were asked here lately, by title, the newest first. Buttons carry their number. */
async function testsOfBoard({ work, now }: UpdateContext): Promise<string[]> {
  const { tests } = (await work.get(boardTests, 'all')) ?? { tests: [] }
  return tests.filter(({ at }) => now - at < BOARD_DAYS * DAY_MS).map(({ title }) => title)
}

async function showDrop(ctx: UpdateContext, title: string | undefined): Promise<void> {
  const { t, deps, now } = ctx
  if (title === undefined) return sendText(ctx, 'drop-gone', { command: '/status' })
  const from = now - BOARD_DAYS * DAY_MS
  const [begun = 0] = await deps.store.counts([{ list: BEGUN, from }])
  const isSample = begun > SAMPLE
  const [first] = isSample ? await deps.store.listed(BEGUN, { from, skip: begun - SAMPLE, most: 1 }) : []
  const test = await readDrop(ctx, title, first?.at ?? from)
  const picture = await deps.cards.bars(dropPicture(t, test, new Date(now)))
  const caption = lines(dropCaption(t, test), isSample && t('drop-sample', { count: begun }))
  await ctx.sendPhoto(new InputFile(picture, 'drop-off.png'), caption)
}

/** Where the participants since a time stop in a test. */
async function readDrop({ deps }: UpdateContext, title: string, from: number) {
  const drop: DropOff = { title, questions: 0, finished: 0, standing: [] }
  for await (const { tests } of readStandings(deps, from)) {
    for (const { file, attempt } of tests) {
      if (isRoadmap(file) || file.test.title !== title) continue
      const { total, answered, isSent } = progressOf(file, attempt)
      if (isSent) addTo(drop, { questions: total, at: undefined })
      else if (isIn(file, 'questions')) addTo(drop, { questions: total, at: answered ?? 0 })
    }
  }
  return drop
}

/** Sends the table while it is read, so that it is never kept as a whole. */
async function exportAll(ctx: UpdateContext): Promise<void> {
  const { t, deps, account, now } = ctx
  ctx.typing()
  await noteAct(ctx, 'export')
  const name = `status-${tehranToday(now)}.csv`
  const csv = new InputFile(() => statusCsv(allRows(ctx)), name)
  await deps.sender.document(account.chatId, csv, t('export-caption'))
}

async function* allRows({ deps, now }: UpdateContext): AsyncGenerator<StatusRow> {
  for await (const standing of readStandings(deps, now - ENROLMENT_DAYS * DAY_MS)) yield* rowOf(standing)
}

/** The row of a record or roadmap that was begun. */
function rowOf({ stage, enrolment, file, tests, begunAt: begun, activeAt: active }: Enrolled): StatusRow[] {
  const { token, kind, title } = enrolment
  if (!file) return [{ token, kind, title, stage, begun }]
  const { test, finishedAt: finished, externalId } = file
  const known = { token, title: test.title, stage, begun, active, finished, externalId }
  if (isRoadmap(file)) return [{ ...known, kind: 'roadmap' }]
  const { total: questions, answered } = progressOf(file, tests[0]?.attempt)
  const isCounted = answered !== undefined && questions !== undefined
  const question = isCounted ? Math.min(answered + 1, questions) : undefined
  return [{ ...known, kind: 'record', questions, question }]
}

/** The standing of one record or roadmap that was opened or begun here. */
type Enrolled = {
  stage: NonNullable<ReturnType<typeof tableStageOf>>
  enrolment: Enrolment
  /** The file, if it is still stored, and its tests with their attempts. A record is its only test. */
  file?: RecordFile
  tests: { file: RecordFile; attempt: Attempt | undefined }[]
  begunAt?: number | undefined
  activeAt?: number | undefined
}

type Deps = Pick<UpdateContext['deps'], 'store' | 'vault'>

/** This many are read at once. In between other work has its turn. */
const AT_ONCE = 50

/** Reads all standings of what was begun here since a time, a few at once. */
async function* readStandings(deps: Deps, from: number): AsyncGenerator<Enrolled> {
  for await (const piece of piecesOf(deps.store, BEGUN, { from, most: AT_ONCE })) {
    const hashes = piece.map(({ id }) => enrolmentId(id))
    const kept = await readDocuments(deps, enrolments, hashes)
    const standings = hashes.map((hash, at) => kept[at] && standingOf(deps, kept[at], hash))
    yield* (await Promise.all(standings)).filter((standing) => standing !== undefined)
    await setImmediate()
  }
}

async function standingOf(deps: Deps, enrolment: Enrolment, hash: string): Promise<Enrolled | undefined> {
  const kept = readingOf(deps)
  const [file, assignee] = await Promise.all([kept.get(recordFiles, enrolment.s), kept.get(assignees, hash)])
  if (!file) return expiredStanding(enrolment, assignee)
  const stage = tableStageOf(file)
  if (!stage) return undefined
  const own = isRoadmap(file) ? await testsOf(kept, file) : [file]
  const tests = await Promise.all(
    own.map(async (test) => ({ file: test, attempt: await readAttempt(deps, test) })),
  )
  const answered = tests.flatMap(({ attempt }) => attempt?.lastActivityAt ?? [])
  // A participant may have been here about another test.
  const isOpen = !isIn(file, 'elsewhere', 'done') || isResultOwed(file)
  const isSilent = isOpen && answered.length === 0
  const seenAt = isSilent ? await lastVisit(kept, file, await ownerOf(kept, file)) : 0
  const all = [assignee, ...(file.roadmap?.hands.map(({ assignee }) => assignee) ?? [])]
  const begunAt = all.map(consentOf).find((consent) => consent)?.at ?? enrolment.begunAt
  const activeAt = Math.max(begunAt ?? 0, file.finishedAt ?? 0, seenAt, ...answered)
  return { stage, enrolment, file, tests, begunAt, activeAt }
}

/** The standing of something begun here whose retention has ended. */
function expiredStanding(enrolment: Enrolment, assignee: Assignee | undefined): Enrolled | undefined {
  if (!assignee || isAssignee(assignee, 'free', 'invited', 'left')) return undefined
  const stage = assignee.is === 'over' ? 'delivered' : 'stuck'
  return { stage, enrolment, tests: [], begunAt: enrolment.begunAt }
}

/** The attempt so far, unless it is another account's. */
async function readAttempt(deps: Deps, file: RecordFile) {
  if (isRoadmap(file) || !isIn(file, 'questions', 'submitting', 'refused')) return undefined
  const { s } = file
  const [[entry], who] = await Promise.all([deps.store.read([attemptKey(s)]), ownerOf(readingOf(deps), file)])
  return entry && ifReadable(() => openAttemptOf(deps.vault, { who, s }, entry))
}

/** Posts the job that collects results, and notes who asked. */
async function postResults(ctx: UpdateContext, scope: Collection['scope']): Promise<void> {
  resultsJob.post(ctx.work, newShortId(), { onBehalf: await onBehalf(ctx), scope })
  await noteAct(ctx, 'results')
}
