import { createHash } from 'node:crypto'
import { mayAnswerNow } from '../dialog/access.ts'
import { beginAttempt, readAttempt } from '../dialog/attempt.ts'
import { callService } from '../dialog/call.ts'
import { forgetOpened, isFileOf, parentOf } from '../dialog/files.ts'
import { failed, sendText } from '../dialog/notify.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { inOrder } from '../domain/questionnaire.ts'
import { isIn, type Questions, type RecordFile } from '../domain/record/record.ts'
import {
  questionsLoaded as loaded,
  move,
  questionsAsked,
  recordPutBack,
} from '../domain/record/transitions.ts'
import type { OutcomeOf } from '../jobs/call-table.ts'
import { watchRecord } from '../jobs/watch-jobs.ts'
import { questionnaires } from '../storage/documents/kinds.ts'
import { questionsId, readQuestions, touchQuestions } from '../storage/documents/questions.ts'
import { attemptOfAnother } from './attempt-of-another.ts'
import { recordChanged } from './board-news.ts'
import { forgetShown } from './question-pictures.ts'
import { showAttempt, showAttemptNext } from './show-question.ts'
import { notifyUnshown } from './unshown.ts'

/** Fetches the questions, once per record. */
export async function loadQuestions(ctx: UpdateContext, file: RecordFile): Promise<void> {
  move(file, questionsAsked)
  await callService(ctx, file.s, { kind: 'questions', token: file.token })
}

/** Takes the questions that came: an attempt begins, unless one is there already. */
export async function questionsLoaded(
  ctx: UpdateContext,
  file: RecordFile,
  outcome: OutcomeOf<'questions'>,
): Promise<void> {
  if (!outcome.ok) {
    if (outcome.code === 'questions_unreadable') await notifyUnshown(ctx, file, outcome)
    return failed(ctx, file, outcome)
  }
  if (file.parent) {
    const parent = await parentOf(ctx, file)
    // The role was given away while the questions were on their way.
    if (!parent || !(await mayAnswerNow(ctx, file, parent))) return void move(file, recordPutBack)
  }
  // A roadmap that holds this record was begun since: its board leads to it, and one record has one attempt.
  else if (!(await isFileOf(ctx, file))) {
    forgetOpened(ctx, file.s)
    return sendText(ctx, 'belongs-to-roadmap')
  }
  const { vault } = ctx.deps
  // It was given away and taken back meanwhile.
  if (isIn(file, 'new')) move(file, questionsAsked)
  const questionnaire = outcome.value
  const content = createHash('sha256').update(JSON.stringify(questionnaire)).digest('hex')
  const seen = await seenBefore(ctx, file, content)
  // What the participant saw stands, even if the service now says something else.
  const life = await ctx.deps.store.life()
  const begun = { ...(seen ?? { content, count: inOrder(questionnaire).length }), life }
  if (move(file, loaded, begun)) file.keptAt = ctx.now
  else if (!seen) return
  if (begun.content === content) ctx.work.put(questionnaires, questionsId(vault, content), questionnaire)
  else await touchQuestions(ctx.work, vault, begun.content)
  if (seen) {
    await showAttempt(ctx, file)
    return
  }
  if ((await beginAttempt(ctx, file.s, begun)) === 'another is there') return attemptOfAnother(ctx, file)
  forgetShown(ctx.account, file.s)
  if (file.parent) watchRecord(ctx, file.s)
  if (!(await knowsQuestions(ctx, file))) await sendText(ctx, 'questions-begin')
  showAttemptNext(ctx, file.s)
  await recordChanged(ctx, file)
}

/** The questions of an attempt that is there already, while their content is, or has come once more. */
async function seenBefore(
  ctx: UpdateContext,
  { s }: RecordFile,
  came: string,
): Promise<Questions | undefined> {
  const attempt = await readAttempt(ctx, s)
  const content = attempt?.contentHash.toString('hex')
  if (!attempt || content === undefined) return undefined
  const isKept = content === came || (await readQuestions(ctx.work, ctx.deps.vault, content)) !== undefined
  return isKept ? { content, count: attempt.questions } : undefined
}

/** Whether this person has answered another test of the same roadmap and knows how it goes. */
async function knowsQuestions(ctx: UpdateContext, file: RecordFile): Promise<boolean> {
  const { roadmap } = (await parentOf(ctx, file)) ?? {}
  const others = roadmap?.records.filter(({ s, role }) => s !== file.s && role === file.parent?.role) ?? []
  return others.some(({ s, isFinished }) => isFinished || ctx.account.screens[s] !== undefined)
}
