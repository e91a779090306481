import { isMine, titleHere } from '../dialog/access.ts'
import { endAttempt } from '../dialog/attempt.ts'
import { keepIndex, knownFile } from '../dialog/files.ts'
import { notifyOrganizers } from '../dialog/notify.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { move, recordFinished, recordPutBack } from '../domain/record/transitions.ts'
import { roleLabel, titleOf } from '../domain/record/whose.ts'
import { allFinished, type RoadmapRecord } from '../domain/roadmap.ts'
import { resultToOf } from '../jobs/recipients.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import { boardView } from '../views/board.ts'
import { generatedView, generatingView } from '../views/generation.ts'
import { type View, withWord } from '../views/view.ts'
import { groupsOf } from './board-tests.ts'
import { isReportThere } from './deliver.ts'

/** The profiles are there: every test of the package gets a file of its own and can be begun. */
export async function openBoard(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { roadmap } = file
  if (!roadmap) return
  if (await isMine(ctx, file)) roadmap.isOpened = true
  for (const record of roadmap.records) {
    const kept = await ctx.work.get(recordFiles, record.s)
    const role = roadmap.roles.find(({ id }) => id === record.role)
    if (kept && role) kept.person = roleLabel(role)
    if (!kept && (await adopt(ctx, file, record))) continue
    if (!kept) beginRecordFile(ctx, file, record)
    // Whose answers finished it is told by those that are on their way.
    else if (record.isFinished && !isIn(kept, 'done', 'submitting', 'refused')) {
      if (isIn(kept, 'questions')) await notifyOvertaken(ctx, kept)
      else endAttempt(ctx, record.s)
      move(kept, recordFinished)
    } else if (!record.isFinished && isIn(kept, 'done')) move(kept, recordPutBack)
  }
}

/**
 * A record that somebody has begun by a link of its own, before its roadmap was opened here, stays whose it is: one
 * record has one attempt, whatever link opens it.
 */
async function adopt(ctx: UpdateContext, { s }: RecordFile, record: RoadmapRecord): Promise<boolean> {
  const begun = await knownFile(ctx, record.token)
  if (!begun || begun.parent || !begun.isBegun || !isIn(begun, ...ANSWERED)) return false
  record.s = begun.s
  begun.parent = { s, role: record.role }
  return true
}

/** The stages of a record in which its profile exists, or will be seen to, and its result does not. */
const ANSWERED = ['waiting', 'loading', 'questions', 'submitting', 'refused'] as const

/** A test that is being answered here was finished elsewhere: what was answered stays until its term is over. */
async function notifyOvertaken(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const contact = ctx.deps.config.organizerContact
  if (await isMine(ctx, file))
    await ctx.send({ text: ctx.t('overtaken-elsewhere', { title: titleOf(file), contact }) })
  await notifyOrganizers(ctx, file, 'notice-finished-elsewhere', { title: file.test.title })
}

function beginRecordFile(
  ctx: UpdateContext,
  { s, roadmap, testsAuthRequired }: RecordFile,
  record: RoadmapRecord,
): void {
  const role = roadmap?.roles.find(({ id }) => id === record.role)
  // Its own link leads to the board, and nobody else anywhere.
  keepIndex(ctx, record)
  ctx.work.put(recordFiles, record.s, {
    s: record.s,
    token: record.token,
    state: { stage: record.isFinished ? 'done' : 'new' },
    test: { title: record.title, limits: role?.limits ?? { minAge: null, maxAge: null, gender: 'both' } },
    testsAuthRequired,
    seenAt: ctx.now,
    parent: { s, role: record.role },
    ...(role && { person: roleLabel(role) }),
    isBegun: true,
  })
}

/**
 * Shows the board where it stands, or anew when it has scrolled away, is gone or brings news; there is only one.
 * `isUnfolded`: with a button for each test, until it is shown the next time.
 */
export async function showBoard(
  ctx: UpdateContext,
  file: RecordFile,
  { anew = false, isUnfolded = false, word }: { anew?: boolean; isUnfolded?: boolean; word?: string } = {},
): Promise<void> {
  const { account } = ctx
  if (isUnfolded) account.unfolded = file.s
  else if (account.unfolded === file.s) delete account.unfolded
  const view = withWord(await viewOf(ctx, file), word)
  const older = account.screens[file.s]
  if (!anew && older !== undefined && older === account.latest) {
    const shown = await ctx.show(older, view)
    if (shown !== undefined) account.screens[file.s] = shown
    return
  }
  if (older !== undefined) await ctx.takeAway(older)
  const sent = await ctx.send(view)
  if (sent !== undefined) account.screens[file.s] = sent
}

/** Brings a board that is shown up to date where it stands. */
export async function refreshBoard(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { screens } = ctx.account
  const older = screens[file.s]
  if (older === undefined) return
  const shown = await ctx.show(older, await viewOf(ctx, file))
  if (shown !== undefined) screens[file.s] = shown
}

async function viewOf(ctx: UpdateContext, file: RecordFile): Promise<View> {
  const { roadmap, state, test } = file
  if (!roadmap) throw new Error('a board needs a roadmap')
  if (state.stage === 'generating') return generatingView(ctx.t, state)
  if (isIn(file, 'scored', 'done')) {
    const resultTo = resultToOf(ctx.deps.config, file)
    const isDelivered = await isReportThere(ctx, file)
    return generatedView(ctx.t, { s: file.s, title: await titleHere(ctx, file), resultTo, isDelivered })
  }
  return boardView(ctx.t, {
    s: file.s,
    title: test.title,
    groups: await groupsOf(ctx, file, roadmap),
    holder: roadmap.lastRoles?.[ctx.who],
    isUnfolded: ctx.account.unfolded === file.s,
    isAllFinished: allFinished(roadmap),
    isSeveral: roadmap.roles.length > 1,
    failure: state.stage === 'failed' ? state.reasons : undefined,
  })
}
