import { mayAnswerNow } from '../dialog/access.ts'
import { beginAttempt, readAttempt } from '../dialog/attempt.ts'
import { callService } from '../dialog/call.ts'
import { forgetOpened, isFileOf, parentOf } from '../dialog/files.ts'
import { failed, notifyOrganizers, sendText } from '../dialog/notify.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { inOrder } from '../domain/questionnaire.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import {
  questionsLoaded as loaded,
  move,
  questionsAsked,
  recordPutBack,
} from '../domain/record/transitions.ts'
import type { Failure } from '../jobs/call.ts'
import type { OutcomeOf } from '../jobs/call-table.ts'
import { watchRecord } from '../jobs/watch-jobs.ts'
import { postEvent } from '../queue/chat-message.ts'
import { ownerOf } from '../storage/documents/attempts.ts'
import { noteTest } from '../storage/documents/enrolments.ts'
import { questionnaires, recordFiles } from '../storage/documents/kinds.ts'
import { questionsId, readQuestions, touchQuestions } from '../storage/documents/questions.ts'
import { readingOf } from '../storage/documents.ts'
import type { Translate } from '../texts/texts.ts'
import { recordChanged } from './board.ts'
import { showAttempt } from './show-question.ts'

/** Fetches the questions, once per record. */
export async function loadQuestions(ctx: UpdateContext, file: RecordFile): Promise<void> {
  move(file, questionsAsked)
  await callService(ctx, file.s, { kind: 'questions', token: file.token })
}

/** The questions were refused; where one cannot be shown the whole test is not asked, and organizers hear which and why. */
export async function questionsFailed(ctx: UpdateContext, file: RecordFile, failure: Failure): Promise<void> {
  if (failure.code === 'questions_unreadable') {
    const { title } = file.test
    const { why = 'unreadable', question } = failure.unshown ?? {}
    const known = (t: Translate) => ({ title, reason: t.plain(`unshown-why.${why}`) })
    if (question === undefined) await notifyOrganizers(ctx, file, 'notice-unreadable', known)
    else await notifyOrganizers(ctx, file, 'notice-unreadable-question', (t) => ({ ...known(t), question }))
  }
  await failed(ctx, file, failure)
}

/** Takes the questions that came: an attempt begins, unless one is there already. */
export async function questionsLoaded(ctx: UpdateContext, file: RecordFile, outcome: OutcomeOf<'questions'>) {
  if (!outcome.ok) return questionsFailed(ctx, file, outcome)
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
  const { store, vault } = ctx.deps
  // It was given away and taken back meanwhile.
  if (isIn(file, 'new')) move(file, questionsAsked)
  const questionnaire = outcome.value
  const content = vault.digest('content', JSON.stringify(questionnaire)).toString('hex')
  const seen = await seenBefore(ctx, file, content)
  // What the participant saw stands, even if the service now says something else.
  const began = seen ?? { content, count: inOrder(questionnaire).length }
  const begun = { ...began, life: await store.life() }
  if (move(file, loaded, begun)) file.keptAt = ctx.now
  else if (!seen) return
  if (begun.content === content) ctx.work.put(questionnaires, questionsId(vault, content), questionnaire)
  else await touchQuestions(ctx.work, vault, begun.content)
  if (seen) return void (await showAttempt(ctx, file))
  if ((await beginAttempt(ctx, file.s, begun)) === 'another is there') return attemptOfAnother(ctx, file)
  delete ctx.account.pictures?.[file.s]
  await noteTest(ctx.work, file.test.title, ctx.now)
  if (file.parent) watchRecord(ctx, file)
  if (!(await knowsQuestions(ctx, file))) await sendText(ctx, 'questions-begin')
  // Not before it is kept: a tap that came sooner would find no attempt.
  postEvent(ctx.work, { who: ctx.who, chatId: ctx.account.chatId }, file.s, { kind: 'redraw' })
  await recordChanged(ctx, file)
}

/** The questions of an attempt that is there already, while their content is, or has come once more. */
async function seenBefore(ctx: UpdateContext, { s }: RecordFile, came: string) {
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

/**
 * The attempt at a record is another account's. Where it was released a moment ago, the word about that is on its way to
 * this chat; where nobody has released it, nothing is begun in its place, and the organizers hear of it.
 */
export async function attemptOfAnother(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const asKept = readingOf(ctx.deps)
  const stands = await asKept.get(recordFiles, file.s)
  if (!stands || (await ownerOf(asKept, stands)) !== ctx.who) return
  await sendText(ctx, 'trouble')
  await notifyOrganizers(ctx, file, 'notice-attempt', { title: file.test.title })
}
