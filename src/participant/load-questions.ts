import { mayAnswerNow } from '../dialog/access.ts'
import { beginAttempt, readAttempt } from '../dialog/attempt.ts'
import { callService } from '../dialog/call.ts'
import { forgetOpened, isFileOf, parentOf } from '../dialog/files.ts'
import { failed, notifyOrganizers } from '../dialog/notify-organizers.ts'
import { sendText } from '../dialog/send.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { inOrder } from '../domain/questionnaire.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { move, questionsAsked, questionsLoaded, recordPutBack } from '../domain/record/transitions.ts'
import type { Failure, OutcomeOf } from '../jobs/call-table.ts'
import { watchRecord } from '../jobs/watch-jobs.ts'
import { postEvent } from '../queue/chat-message.ts'
import { ownerOf } from '../storage/documents/attempts.ts'
import { noteTest } from '../storage/documents/enrolments.ts'
import { questionnaires, recordFiles } from '../storage/documents/kinds.ts'
import { questionsId, readQuestions, renewQuestions } from '../storage/documents/questions.ts'
import { readingOf } from '../storage/documents.ts'
import type { Translate } from '../texts/texts.ts'
import { recordChanged } from './board.ts'
import { showAttempt } from './show-question.ts'

/** Fetches the questions, once per record. */
export async function loadQuestions(ctx: UpdateContext, file: RecordFile): Promise<void> {
  move(file, questionsAsked)
  await callService(ctx, file.s, { kind: 'questions', token: file.token })
}

/** Questions were refused. If one cannot be shown, no question is asked; organizers learn which and why. */
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

/** Takes the fetched questions: begins an attempt, unless there is one already. */
export async function takeQuestions(ctx: UpdateContext, file: RecordFile, outcome: OutcomeOf<'questions'>) {
  if (!outcome.ok) return questionsFailed(ctx, file, outcome)
  if (file.parent) {
    const parent = await parentOf(ctx, file)
    // The role was given away while the questions were being fetched.
    if (!parent || !(await mayAnswerNow(ctx, file, parent))) return void move(file, recordPutBack)
  }
  // A roadmap with this record was begun meanwhile: its board leads to the record, which has one attempt.
  else if (!(await isFileOf(ctx, file))) {
    forgetOpened(ctx, file.s)
    return sendText(ctx, 'belongs-to-roadmap')
  }
  const { store, vault } = ctx.deps
  // The role was given away and taken back meanwhile.
  if (isIn(file, 'new')) move(file, questionsAsked)
  const questionnaire = outcome.value
  const content = vault.digest('content', JSON.stringify(questionnaire)).toString('hex')
  const seen = await seenBefore(ctx, file, content)
  // The questions that the participant saw stay, even if the service now has others.
  const began = seen ?? { content, count: inOrder(questionnaire).length }
  const begun = { ...began, life: await store.life() }
  if (move(file, questionsLoaded, begun)) file.keptAt = ctx.now
  else if (!seen) return
  if (begun.content === content) ctx.work.put(questionnaires, questionsId(vault, content), questionnaire)
  else await renewQuestions(ctx.work, vault, begun.content)
  if (seen) return void (await showAttempt(ctx, file))
  if ((await beginAttempt(ctx, file.s, begun)) === 'another is there') return attemptOfAnother(ctx, file)
  delete ctx.account.pictures?.[file.s]
  await noteTest(ctx.work, file.test.title, ctx.now)
  if (file.parent) watchRecord(ctx, file)
  if (!(await knowsQuestions(ctx, file))) await sendText(ctx, 'questions-begin')
  // After the commit: an earlier tap would find no attempt.
  postEvent(ctx.work, { who: ctx.who, chatId: ctx.account.chatId }, file.s, { kind: 'redraw' })
  await recordChanged(ctx, file)
}

/** The questions of an existing attempt, if they are stored, or have been fetched again. */
async function seenBefore(ctx: UpdateContext, { s }: RecordFile, came: string) {
  const attempt = await readAttempt(ctx, s)
  const content = attempt?.contentHash.toString('hex')
  if (!attempt || content === undefined) return undefined
  const isKept = content === came || (await readQuestions(ctx.work, ctx.deps.vault, content)) !== undefined
  return isKept ? { content, count: attempt.questions } : undefined
}

/** Whether this person has answered another test of the same roadmap and knows how it works. */
async function knowsQuestions(ctx: UpdateContext, file: RecordFile): Promise<boolean> {
  const { roadmap } = (await parentOf(ctx, file)) ?? {}
  const others = roadmap?.records.filter(({ s, role }) => s !== file.s && role === file.parent?.role) ?? []
  return others.some(({ s, isFinished }) => isFinished || ctx.account.screens[s] !== undefined)
}

/**
 * The attempt of a record belongs to another account. After a release the notice about that is on its way to
 * this chat; otherwise no attempt replaces it, and the organizers are notified.
 */
export async function attemptOfAnother(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const asKept = readingOf(ctx.deps)
  const stored = await asKept.get(recordFiles, file.s)
  if (!stored || (await ownerOf(asKept, stored)) !== ctx.who) return
  await sendText(ctx, 'trouble')
  await notifyOrganizers(ctx, file, 'notice-attempt', { title: file.test.title })
}
