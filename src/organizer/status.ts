import { Composer, InputFile } from 'grammy'
import type { IncomingContext } from '../dialog/incoming.ts'
import { noteAct } from '../dialog/note-act.ts'
import { type Enrolled, readStandings } from '../dialog/standings.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { createDropOffs, type DropOff } from '../domain/drop-off.ts'
import { isIn, isRoadmap } from '../domain/record/record.ts'
import { type BoardStage, progressOf } from '../domain/record/standing.ts'
import { onButton } from '../participant/on-button.ts'
import { type Act, actDays, keptActDays } from '../storage/documents/audit.ts'
import { readDocuments } from '../storage/documents.ts'
import { buttons } from '../views/buttons.ts'
import { type StatusRow, statusCsv } from '../views/csv.ts'
import {
  auditView,
  type Counts,
  dropCaption,
  dropPicture,
  statusPicture,
  statusView,
} from '../views/status.ts'
import { changeOrganizerState, readOrganizerState } from './organizer-state.ts'

const BOARD_DAYS = 30
const MOST_ACTS = 50
const DAYS_AT_ONCE = 60

/** `/status`: who is where, where people stop, what was begun as a table, and what organizers did. */
export function status(): Composer<IncomingContext> {
  const composer = new Composer<IncomingContext>()
  composer.command('status', ({ ctx }) => showBoard(ctx))
  onButton(composer, buttons.drop, ({ ctx }, _, index) => showDrop(ctx, index))
  composer.callbackQuery(buttons.export.pattern, ({ ctx }) => exportAll(ctx))
  composer.callbackQuery(buttons.audit.pattern, async ({ ctx }) => {
    await ctx.send(auditView(ctx.t, await lastActs(ctx)))
  })
  return composer
}

async function showBoard(ctx: UpdateContext): Promise<void> {
  const { t, deps, now } = ctx
  await ctx.typing()
  const { counts, tests } = await readBoard(ctx)
  const titles = tests.map(({ title }) => title)
  await changeOrganizerState(ctx, (state) => ({ ...state, boardTests: titles }))
  if (counts.size > 0) {
    const picture = await deps.cards.board(statusPicture(t, counts, new Date(now)))
    await ctx.sendPhoto(new InputFile(picture, 'status.png'), t('status-picture-title'))
  }
  const limit = deps.config.ratePerHour
  await ctx.send(statusView(t, { counts, used: await deps.used(), limit, tests: titles }))
}

async function showDrop(ctx: UpdateContext, index: number): Promise<void> {
  const { t, deps, now } = ctx
  const title = (await readOrganizerState(ctx)).boardTests?.[index]
  const test = (await readBoard(ctx)).tests.find((each) => each.title === title)
  if (!test) return void (await ctx.send({ text: t('drop-gone', { command: '/status' }) }))
  const picture = await deps.cards.board(dropPicture(t, test, new Date(now)))
  await ctx.sendPhoto(new InputFile(picture, 'drop-off.png'), dropCaption(t, test))
}

async function readBoard(ctx: UpdateContext): Promise<{ counts: Counts; tests: DropOff[] }> {
  const counts = new Map<BoardStage, number>()
  const drops = createDropOffs()
  for await (const { stage, tests } of readStandings(ctx, BOARD_DAYS)) {
    counts.set(stage, (counts.get(stage) ?? 0) + 1)
    for (const { file, attempt } of tests) {
      if (isRoadmap(file)) continue
      const { total, answered, isSent } = progressOf(file, attempt)
      if (isSent) drops.add(file.test.title, { questions: total, at: undefined })
      else if (isIn(file, 'questions')) drops.add(file.test.title, { questions: total, at: answered ?? 0 })
    }
  }
  return { counts, tests: drops.all() }
}

async function exportAll(ctx: UpdateContext): Promise<void> {
  const { t, deps, account, now } = ctx
  await ctx.typing()
  const rows: StatusRow[] = []
  for await (const standing of readStandings(ctx)) rows.push(...rowOf(standing))
  rows.sort((one, other) => (one.begun ?? 0) - (other.begun ?? 0))
  const csv = new InputFile(
    Buffer.from(statusCsv(rows)),
    `status-${new Date(now).toISOString().slice(0, 10)}.csv`,
  )
  await noteAct(ctx, 'export')
  await deps.sender.document(account.chatId, csv, t('export-caption', { rows: rows.length }))
}

/** A row for each that was begun. */
function rowOf({ stage, file, gone, tests, begunAt, activeAt }: Enrolled): StatusRow[] {
  if (gone) return [{ ...gone, stage, begun: begunAt }]
  if (!file || begunAt === undefined) return []
  const { token, test, finishedAt, externalId } = file
  const kind = isRoadmap(file) ? 'roadmap' : 'record'
  const known = kind === 'record' ? progressOf(file, tests[0]?.attempt) : undefined
  const { total, answered } = known ?? {}
  return [
    {
      token,
      kind,
      title: test.title,
      stage,
      question: answered === undefined || total === undefined ? undefined : Math.min(answered + 1, total),
      questions: total,
      begun: begunAt,
      active: activeAt,
      finished: finishedAt,
      externalId,
    },
  ]
}

async function lastActs({ deps, now }: UpdateContext): Promise<Act[]> {
  const days = keptActDays(now)
  const acts: Act[] = []
  for (let at = 0; at < days.length && acts.length < MOST_ACTS; at += DAYS_AT_ONCE) {
    const read = await readDocuments(deps.store, deps.vault, actDays, days.slice(at, at + DAYS_AT_ONCE))
    acts.push(...read.flatMap((day) => day?.acts.toReversed() ?? []))
  }
  return acts.slice(0, MOST_ACTS)
}
