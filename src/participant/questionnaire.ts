import type { Composer } from 'grammy'
import { isMine } from '../dialog/access.ts'
import { lock, moveAttempt, readAttempt } from '../dialog/attempt.ts'
import { isPending, postSubmission } from '../dialog/call.ts'
import { isExpired, verifyCode } from '../dialog/code.ts'
import { stepNow } from '../dialog/expected.ts'
import { openAgain, visibleFile } from '../dialog/files.ts'
import { type IncomingContext, onButton, onFileButton, tappedMessage } from '../dialog/incoming.ts'
import { isBusyElsewhere, namedHere } from '../dialog/send.ts'
import { sendProfile } from '../dialog/send-profile.ts'
import { leaveDraft } from '../dialog/typed-messages.ts'
import { leaveAsked, type UpdateContext } from '../dialog/update-context.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { answersSent, answersSentAgain, move } from '../domain/record/transitions.ts'
import { buttons } from '../views/buttons.ts'
import { recordChanged } from './board.ts'
import { checkRecord } from './check-record.ts'
import { isAwaitingHandOver } from './hand-over.ts'
import { showPlace } from './place.ts'
import { pauseAttempt, type Showing, showAttempt, showOnScreen } from './show-question.ts'

/** The buttons of a questionnaire beside the answers: also submit and retry. */
export function questionnaire(composer: Composer<IncomingContext>): void {
  onButton(composer, buttons.go, (incoming, _, s, question) => goTo(incoming, s, { question }))
  onButton(composer, buttons.review, (incoming, _, s, page) => goTo(incoming, s, { page }))
  onButton(composer, buttons.pause, async (incoming, _, s) => {
    const { ctx } = incoming
    const file = await answeringFile(incoming, s)
    if (!file) return
    // The question of another test's dialog still waits for its answer.
    if (!(await isBusyElsewhere(ctx, file))) ctx.account.focus = s
    await pause(ctx, file, tappedMessage(incoming))
  })
  onFileButton(composer, buttons.submit, async (incoming, file) => {
    const { ctx, toast } = incoming
    const message = tappedMessage(incoming)
    const { answered, questions } = (await readAttempt(ctx, file.s)) ?? { answered: 0, questions: 0 }
    // The button came with all questions answered: an older store was restored.
    if (message !== undefined && answered < questions) await toast(ctx.t.plain('toast-answers-lost'), true)
    await sendAnswers(ctx, file, message)
  })
  onFileButton(composer, buttons.retry, retry)
}

/** Shows an answered question, or the review if no question is open. */
async function goTo(incoming: IncomingContext, s: string, to: { question?: number; page?: number }) {
  const { ctx } = incoming
  const file = await answeringFile(incoming, s)
  if (!file) return
  ctx.account.focus = s
  const attempt = await readAttempt(ctx, s)
  if (!attempt) return
  const { question = attempt.answered, page } = to
  // Confirmed answers are submitted, even if the notice was lost, as after a restore of the store.
  if (attempt.state === 'locked' && page === undefined) return sendAnswers(ctx, file, tappedMessage(incoming))
  await moveAttempt(ctx, s, attempt, { kind: 'go', question, allowBack: ctx.deps.config.allowBack })
  await showWhereItStands(ctx, file, { messageId: tappedMessage(incoming), page })
}

/** The file of a button while it is being answered; otherwise the participant is led to its place. */
async function answeringFile(incoming: IncomingContext, s: string): Promise<RecordFile | undefined> {
  const { ctx } = incoming
  const file = await visibleFile(ctx, s)
  // In a roadmap another person may have the phone now: a test out of focus comes back by a hand-over.
  const isHere = !file?.parent || (ctx.account.focus === s && !(await isAwaitingHandOver(ctx, file)))
  if (file && isIn(file, 'questions') && isHere) return file
  await incoming.toast(ctx.t.plain('button-old'))
  if (file) await showPlace(ctx, file)
  return undefined
}

/** Shows the question or the review; if the attempt is no longer stored, leads to the record's place. */
export async function showWhereItStands(ctx: UpdateContext, file: RecordFile, showing: Showing) {
  if ((await showAttempt(ctx, file, showing)) !== 'shown') await showPlace(ctx, file)
}

/** Continue later: the answers stay, the buttons go. Without a pressed button, a new message says so. */
export async function pause(ctx: UpdateContext, file: RecordFile, messageId?: number) {
  const attempt = await readAttempt(ctx, file.s)
  if (!attempt) return showPlace(ctx, file)
  await pauseAttempt(ctx, file, attempt, messageId)
  await recordChanged(ctx, file)
}

/** Locks complete answers and posts the job that submits them. */
export async function sendAnswers(ctx: UpdateContext, file: RecordFile, messageId?: number): Promise<void> {
  if (!isIn(file, 'questions') || (await isAwaitingHandOver(ctx, file))) return showPlace(ctx, file)
  const attempt = await readAttempt(ctx, file.s)
  if (!attempt || attempt.answered < attempt.questions || attempt.state === 'paused')
    return showPlace(ctx, file)
  // The participant agreed to answers that were shown whole and sealed; all others are shown again.
  const isAsShown = file.shownAnswers === undefined || file.shownAnswers === attempt.revision
  const isSealed = ctx.deps.vault.attemptCipher.verify(file.s, attempt) !== 'unsealed'
  if (attempt.state !== 'locked' && !(isAsShown && isSealed)) return showPlace(ctx, file)
  if ((await lock(ctx, file.s, attempt)) !== 'locked') return showPlace(ctx, file)
  move(file, answersSent)
  await postSubmission(ctx, file)
  const sending = await namedHere(ctx, file, { text: ctx.t('submit-sending', { total: attempt.questions }) })
  await showOnScreen(ctx, file.s, sending, { messageId })
}

/** Brings a record into focus; the question of another one no longer counts. */
async function comeBack(ctx: UpdateContext, file: RecordFile): Promise<void> {
  if (ctx.account.focus === file.s) return
  await leaveDraft(ctx, file)
  ctx.account.focus = file.s
  leaveAsked(ctx)
}

async function retry(incoming: IncomingContext, file: RecordFile): Promise<void> {
  const { ctx } = incoming
  ctx.removeButtons(tappedMessage(incoming))
  openAgain(ctx, file)
  // The profiles of a roadmap are the owner's business.
  if (!(await isMine(ctx, file))) return showPlace(ctx, file)
  if (move(file, answersSentAgain)) {
    await postSubmission(ctx, file)
    const sending = await namedHere(ctx, file, { text: ctx.t('submit-again') })
    const place = { messageId: tappedMessage(incoming), olderGoes: true }
    return void (await showOnScreen(ctx, file.s, sending, place))
  }
  if (isIn(file, 'profile') && (await stepNow(ctx, file)) === 'summary') {
    await comeBack(ctx, file)
    return sendProfile(ctx, file)
  }
  const sms = isIn(file, 'code') && !isPending(ctx, file.s) ? file.state.sms : undefined
  if (sms?.code !== undefined && !isExpired(ctx, sms)) {
    await comeBack(ctx, file)
    return verifyCode(ctx, file)
  }
  // The profile may be gone: the service tells.
  if (isIn(file, 'loading') && !file.parent) return checkRecord(ctx, file)
  await showPlace(ctx, file)
}
