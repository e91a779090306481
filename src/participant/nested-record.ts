import { takesPart } from '../dialog/access.ts'
import { endAttempt } from '../dialog/attempt.ts'
import { callService } from '../dialog/call.ts'
import { parentOf } from '../dialog/files.ts'
import { failed } from '../dialog/notify.ts'
import { leadTo, type UpdateContext } from '../dialog/update-context.ts'
import { isMinor } from '../domain/profile.ts'
import type { RecordFile } from '../domain/record/record.ts'
import {
  recordFinished as finished,
  move,
  questionsAsked,
  recordPutBack,
  seen,
} from '../domain/record/transitions.ts'
import { roleOf } from '../domain/roadmap.ts'
import type { Failure } from '../jobs/call.ts'
import type { OutcomeOf } from '../jobs/call-table.ts'
import { isFinished } from '../service/wire.ts'
import { notifyFinishedTest, showBoard } from './board.ts'
import { awaitAnalysis } from './generation.ts'
import { loadQuestions, questionsFailed } from './load-questions.ts'
import { showWaiting, watchOpening } from './waiting.ts'

/** Takes what the service says of a roadmap's record that is opened: how long it takes, and whether it is still open. */
export async function recordOpened(ctx: UpdateContext, file: RecordFile, outcome: OutcomeOf<'open'>) {
  // A service that shows no nested record on its own may still have its questions.
  if (!outcome.ok) return outcome.code === 'not_found' ? loadQuestions(ctx, file) : failed(ctx, file, outcome)
  const { test, status, auth_required: isRequired, profile } = outcome.value
  if (isFinished(outcome.value)) return recordFinished(ctx, file, ctx.t('finished-elsewhere'))
  const parent = await parentOf(ctx, file)
  if (isRequired) return parent && callService(ctx, parent.s, { kind: 'openRoadmap', token: parent.token })
  file.test.questions = test.questions_count ?? undefined
  file.test.minutes = test.doing_time_minutes ?? undefined
  const role = roleOf(parent?.roadmap, file.parent?.role)
  if (role && profile && isMinor(profile, ctx.today)) role.isMinor = true
  if (status !== 0) {
    // By way of its place: a guardian may have to agree first.
    move(file, questionsAsked)
    return leadTo(ctx, file)
  }
  move(file, seen, { isFinished: false, status, needsProfile: false })
  await watchOpening(ctx, file)
  await showWaiting(ctx, file)
}

/** The organizer has opened a record that waited: its board offers it again, whoever has the phone now. */
export async function recordReady(ctx: UpdateContext, file: RecordFile): Promise<void> {
  move(file, recordPutBack)
  delete ctx.account.screens[file.s]
  const parent = await parentOf(ctx, file)
  if (parent) await showBoard(ctx, parent, { anew: true })
}

/** The questions are refused: the next try looks at the record first. */
export async function questionsRefused(ctx: UpdateContext, file: RecordFile, failure: Failure) {
  if (failure.code === 'already_finished') return recordFinished(ctx, file, ctx.t('finished-elsewhere'))
  move(file, recordPutBack)
  await questionsFailed(ctx, file, failure)
}

/** A record of a roadmap gives no result of its own: its board shows it as finished. */
export async function recordFinished(ctx: UpdateContext, file: RecordFile, text: string): Promise<void> {
  move(file, finished)
  endAttempt(ctx, file.s)
  await showFinished(ctx, file, text)
}

/** The same of what was finished elsewhere; what was answered here stays until its term is over. */
export async function showFinished(ctx: UpdateContext, file: RecordFile, text: string): Promise<void> {
  const { account } = ctx
  delete account.screens[file.s]
  const parent = await parentOf(ctx, file)
  const record = parent?.roadmap?.records.find(({ s }) => s === file.s)
  if (!parent || !record) return
  record.isFinished = true
  await awaitAnalysis(ctx, parent)
  await ctx.send({ text })
  await notifyFinishedTest(ctx, parent, record.role)
  // Who has begun it by a link of its own takes no other part.
  if (!(await takesPart(ctx, parent))) return
  if (account.focus === file.s) account.focus = parent.s
  await showBoard(ctx, parent)
}
