import { Composer } from 'grammy'
import { isMine } from '../dialog/access.ts'
import { lock, readAttempt } from '../dialog/attempt.ts'
import { isPending } from '../dialog/call.ts'
import { isExpired, verifyCode } from '../dialog/code.ts'
import { stepNow } from '../dialog/expected.ts'
import { visibleFile } from '../dialog/files.ts'
import { type IncomingContext, tappedMessage } from '../dialog/incoming.ts'
import { sendText } from '../dialog/notify.ts'
import { sendProfile } from '../dialog/send-profile.ts'
import { postSubmission } from '../dialog/submission.ts'
import { leaveDraft } from '../dialog/typed.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { answersSent, answersSentAgain, move } from '../domain/record/transitions.ts'
import { resultToOf } from '../jobs/recipients.ts'
import { buttons } from '../views/buttons.ts'
import { checkRecord } from './check-record.ts'
import { deliverAgain, isServed } from './deliver.ts'
import { isAwaitingHandOver } from './hand-over.ts'
import { onButton } from './on-button.ts'
import { showPlace } from './place.ts'
import { showOnScreen } from './show-question.ts'

/** Sending the answers, trying again what failed, and having the result again. */
export function submit(): Composer<IncomingContext> {
  const composer = new Composer<IncomingContext>()

  onButton(composer, buttons.submit, async (incoming, next, s) => {
    const file = await visibleFile(incoming.ctx, s)
    if (!file) return next()
    if (!isIn(file, 'questions') || (await isAwaitingHandOver(incoming.ctx, file)))
      return showPlace(incoming.ctx, file)
    await sendAnswers(incoming.ctx, file, tappedMessage(incoming))
  })

  onButton(composer, buttons.retry, async (incoming, next, s) => {
    const file = await visibleFile(incoming.ctx, s)
    if (!file) return next()
    await retry(incoming.ctx, file, tappedMessage(incoming))
  })

  onButton(composer, buttons.result, async ({ ctx }, next, s) => {
    const file = await visibleFile(ctx, s)
    if (!file) return next()
    const isThere = isIn(file, 'done') || (isIn(file, 'scored') && (await isServed(ctx, file)))
    // The records of a roadmap give no result of their own.
    if (!isThere || file.parent || resultToOf(ctx.deps.config, file) === 'organizer')
      return showPlace(ctx, file)
    await sendText(ctx, 'result-coming')
    await deliverAgain(ctx, file)
  })
  return composer
}

/** Locks complete answers and hands them to the job that brings them to the service. */
async function sendAnswers(
  ctx: UpdateContext,
  file: RecordFile,
  messageId: number | undefined,
): Promise<void> {
  const attempt = await readAttempt(ctx, file.s)
  if (!attempt || attempt.answered < attempt.questions) return showPlace(ctx, file)
  if (attempt.state === 'paused') return showPlace(ctx, file)
  // What the participant agreed to was shown whole, and sealed then; anything else is shown once more.
  const isAsShown = file.shownAnswers === undefined || file.shownAnswers === attempt.revision
  const isSealed = ctx.deps.vault.attemptCipher.verify(file.s, attempt) !== 'unsealed'
  if (attempt.state !== 'locked' && !(isAsShown && isSealed)) return showPlace(ctx, file)
  if ((await lock(ctx, file.s, attempt)) !== 'locked') return showPlace(ctx, file)
  move(file, answersSent)
  await postSubmission(ctx, file)
  const sending = { text: ctx.t('submit-sending', { total: attempt.questions }) }
  await showOnScreen(ctx, file.s, sending, { messageId })
}

/** The chat is about this one from here on; what another one asked counts no more. */
async function comeBack(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { account } = ctx
  if (account.focus === file.s) return
  await leaveDraft(ctx, file)
  account.focus = file.s
  if (account.asked !== undefined) await ctx.disarm(account.asked)
  delete account.asked
}

async function retry(ctx: UpdateContext, file: RecordFile, messageId: number | undefined): Promise<void> {
  if (messageId !== undefined) await ctx.disarm(messageId)
  // The profiles of a roadmap are the business of the one who began.
  if (!(await isMine(ctx, file))) return showPlace(ctx, file)
  if (move(file, answersSentAgain)) {
    await postSubmission(ctx, file)
    return sendText(ctx, 'submit-again')
  }
  if (isIn(file, 'profile') && (await stepNow(ctx, file)) === 'summary') {
    await comeBack(ctx, file)
    return sendProfile(ctx, file)
  }
  if (isIn(file, 'code') && !isPending(ctx, file.s)) {
    const { sms } = file.state
    if (sms.code !== undefined && !isExpired(ctx, sms)) {
      await comeBack(ctx, file)
      return verifyCode(ctx, file)
    }
  }
  // Perhaps the profile is gone: the record tells.
  if (isIn(file, 'loading') && !file.parent) return checkRecord(ctx, file)
  await showPlace(ctx, file)
}
