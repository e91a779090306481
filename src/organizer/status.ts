import { Composer, InputFile } from 'grammy'
import { type IncomingContext, onButton } from '../dialog/incoming.ts'
import { sendText } from '../dialog/notify.ts'
import { mayDecide, noteAct } from '../dialog/organizer.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { createDropOffs, type DropOff } from '../domain/drop-off.ts'
import { DAY_MS } from '../domain/durations.ts'
import { isIn, isRoadmap } from '../domain/record/record.ts'
import { progressOf } from '../domain/record/standing.ts'
import { currentBoard } from '../jobs/recount.ts'
import { type Act, BEGUN, boardTests, enrolments, keptActs } from '../storage/documents/enrolment-log.ts'
import { accountKey, accounts, tokenKey } from '../storage/documents/kinds.ts'
import { ENROLMENT_DAYS } from '../storage/documents/retention.ts'
import { readDocuments } from '../storage/documents.ts'
import { buttons } from '../views/buttons.ts'
import { type StatusRow, statusCsv } from '../views/csv.ts'
import { auditView, dropCaption, dropPicture, statusPicture, statusView } from '../views/status.ts'
import { lines } from '../views/view.ts'
import { changeOrganizerState, readOrganizerState } from './listings.ts'
import { collect } from './results.ts'
import { type Enrolled, readStandings } from './standings.ts'

const BOARD_DAYS = 30
const MOST_ACTS = 50
/** So many show where people stop; to read everybody would take long. */
const SAMPLE = 1_000

/** `/status`: who is where, and where people stop. */
export function status(): Composer<IncomingContext> {
  const composer = new Composer<IncomingContext>()
  composer.command('status', ({ ctx }) => showBoard(ctx))
  onButton(composer, buttons.drop, ({ ctx }, _, index) => showDrop(ctx, index))
  return composer
}

/** What was begun as a table, and what organizers did. */
export function acts(): Composer<IncomingContext> {
  const composer = new Composer<IncomingContext>()
  composer.callbackQuery(buttons.export.pattern, ({ ctx }) => exportAll(ctx))
  onButton(composer, buttons.results, ({ ctx }) => collect(ctx))
  onButton(composer, buttons.resultsOf, ({ ctx }, _, index) => collect(ctx, index))
  composer.callbackQuery(buttons.audit.pattern, async ({ ctx }) => {
    const acts = await lastActs(ctx)
    await ctx.send(auditView(ctx.t, acts, await namesIn(ctx, acts)))
  })
  return composer
}

async function showBoard(ctx: UpdateContext): Promise<void> {
  const { t, deps, work, now } = ctx
  await ctx.typing()
  const { counts } = await currentBoard({ ...deps, now }, work, now)
  const { tests } = (await work.get(boardTests, 'all')) ?? { tests: [] }
  const titles = tests.filter(({ at }) => now - at < BOARD_DAYS * DAY_MS).map(({ title }) => title)
  await changeOrganizerState(ctx, (state) => ({ ...state, boardTests: titles }))
  if (counts.size > 0) {
    const picture = await deps.cards.board(statusPicture(t, counts, new Date(now)))
    await ctx.sendPhoto(new InputFile(picture, 'status.png'), t('status-picture-title'))
  }
  const limit = deps.config.ratePerHour
  const canExport = mayDecide(ctx)
  await ctx.send(
    statusView(t, {
      counts,
      used: await deps.used(),
      limit,
      tests: titles,
      canExport,
      failing: deps.failing(),
    }),
  )
}

async function showDrop(ctx: UpdateContext, index: number): Promise<void> {
  const { t, deps, now } = ctx
  const title = (await readOrganizerState(ctx)).boardTests?.[index]
  const test =
    title === undefined ? undefined : ((await readDrop(ctx, title, SAMPLE)) ?? (await readDrop(ctx, title)))
  if (!test) return sendText(ctx, 'drop-gone', { command: '/status' })
  const picture = await deps.cards.board(dropPicture(t, test, new Date(now)))
  const [begun = 0] = await deps.store.counts([{ list: BEGUN, from: now - BOARD_DAYS * DAY_MS }])
  const caption = lines(dropCaption(t, test), begun > SAMPLE && t('drop-sample', { count: begun }))
  await ctx.sendPhoto(new InputFile(picture, 'drop-off.png'), caption)
}

/** Where people stop in a test, of those who have begun lately: of many only so many, unless none of them had this test. */
async function readDrop(
  { deps, now }: UpdateContext,
  title: string,
  wanted?: number,
): Promise<DropOff | undefined> {
  const drops = createDropOffs()
  for await (const { tests } of readStandings(deps, now - BOARD_DAYS * DAY_MS, wanted)) {
    for (const { file, attempt } of tests) {
      if (isRoadmap(file) || file.test.title !== title) continue
      const { total, answered, isSent } = progressOf(file, attempt)
      if (isSent) drops.add(title, { questions: total, at: undefined })
      else if (isIn(file, 'questions')) drops.add(title, { questions: total, at: answered ?? 0 })
    }
  }
  return drops.all().find((each) => each.title === title)
}

/** Sends the table while it is read: it is never kept as a whole. */
async function exportAll(ctx: UpdateContext): Promise<void> {
  const { t, deps, account, now } = ctx
  await ctx.typing()
  await noteAct(ctx, 'export')
  const name = `status-${new Date(now).toISOString().slice(0, 10)}.csv`
  const csv = new InputFile(() => statusCsv(allRows(ctx)), name)
  await deps.sender.document(account.chatId, csv, t('export-caption'))
}

async function* allRows({ deps, now }: UpdateContext): AsyncGenerator<StatusRow> {
  for await (const standing of readStandings(deps, now - ENROLMENT_DAYS * DAY_MS)) yield* rowOf(standing)
}

/** A row for each that was begun. */
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

async function lastActs({ deps, now }: UpdateContext): Promise<Act[]> {
  const acts: Act[] = []
  for await (const day of keptActs(deps, now)) {
    acts.push(...day.toReversed())
    if (acts.length >= MOST_ACTS) break
  }
  return acts.slice(0, MOST_ACTS)
}

/** What organizers are called, by their Telegram ids, and what records and roadmaps are called, by their tokens. */
async function namesIn({ deps }: UpdateContext, acts: readonly Act[]) {
  const { store, vault } = deps
  const ids = [...new Set(acts.flatMap(({ by }) => by ?? []))]
  const tokens = [...new Set(acts.flatMap(({ token }) => token ?? []))]
  const known = ids.map((id) => accountKey(vault, id))
  const people = await readDocuments(store, vault, accounts, known)
  const begun = tokens.map((token) => tokenKey(vault, token))
  const titled = await readDocuments(store, vault, enrolments, begun)
  return {
    people: new Map(ids.map((id, at) => [id, people[at]?.calledAs ?? ''])),
    titles: new Map(tokens.map((token, at) => [token, titled[at]?.title ?? ''])),
  }
}
