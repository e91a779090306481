import { Composer } from 'grammy'
import { isMine } from '../dialog/access.ts'
import { lock, readAttempt } from '../dialog/attempt.ts'
import { isPending } from '../dialog/call.ts'
import { isExpired, verifyCode } from '../dialog/code.ts'
import { type TurnContext, tappedMessage } from '../dialog/context.ts'
import { stepNow } from '../dialog/expected.ts'
import { visibleFile } from '../dialog/files.ts'
import { sendText } from '../dialog/notify.ts'
import { sendProfile } from '../dialog/send-profile.ts'
import { postSubmission } from '../dialog/submission.ts'
import type { Turn } from '../dialog/turn.ts'
import { leaveDraft } from '../dialog/typed.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { answersSent, answersSentAgain, move } from '../domain/record/transitions.ts'
import { resultToOf } from '../jobs/recipients.ts'
import { buttons } from '../views/buttons.ts'
import { checkRecord } from './check-record.ts'
import { isBehindCurtain } from './curtain.ts'
import { deliverAgain, isServed } from './deliver.ts'
import { onButton } from './on-button.ts'
import { showPlace } from './place.ts'
import { showOnScreen } from './show-question.ts'

/** Sending the answers, trying again what failed, and having the result again. */
export function submit(): Composer<TurnContext> {
  const composer = new Composer<TurnContext>()

  onButton(composer, buttons.submit, async (ctx, next, s) => {
    const file = await visibleFile(ctx.turn, s)
    if (!file) return next()
    if (!isIn(file, 'questions') || (await isBehindCurtain(ctx.turn, file))) return showPlace(ctx.turn, file)
    await sendAnswers(ctx.turn, file, tappedMessage(ctx))
  })

  onButton(composer, buttons.retry, async (ctx, next, s) => {
    const file = await visibleFile(ctx.turn, s)
    if (!file) return next()
    await retry(ctx.turn, file, tappedMessage(ctx))
  })

  onButton(composer, buttons.result, async ({ turn }, next, s) => {
    const file = await visibleFile(turn, s)
    if (!file) return next()
    const isThere = isIn(file, 'done') || (isIn(file, 'scored') && (await isServed(turn, file)))
    // The records of a roadmap give no result of their own.
    if (!isThere || file.parent || resultToOf(turn.deps.config, file) === 'organizer')
      return showPlace(turn, file)
    await sendText(turn, 'result-coming')
    await deliverAgain(turn, file)
  })
  return composer
}

/** Locks complete answers and hands them to the job that brings them to the service. */
async function sendAnswers(turn: Turn, file: RecordFile, messageId: number | undefined): Promise<void> {
  const attempt = await readAttempt(turn, file.s)
  if (!attempt || attempt.answered < attempt.questions) return showPlace(turn, file)
  if (attempt.state === 'paused') return showPlace(turn, file)
  // What the participant agreed to was shown whole, and sealed then; anything else is shown once more.
  const isAsShown = file.shownAnswers === undefined || file.shownAnswers === attempt.revision
  const isSealed = turn.deps.vault.attemptCipher.verify(file.s, attempt) !== 'unsealed'
  if (attempt.state !== 'locked' && !(isAsShown && isSealed)) return showPlace(turn, file)
  if ((await lock(turn, file.s, attempt)) !== 'locked') return showPlace(turn, file)
  move(file, answersSent)
  await postSubmission(turn, file)
  const sending = { text: turn.t('submit-sending', { total: attempt.questions }) }
  await showOnScreen(turn, file.s, sending, { messageId })
}

/** The chat is about this one from here on; what another one asked counts no more. */
async function comeBack(turn: Turn, file: RecordFile): Promise<void> {
  const { account } = turn
  if (account.focus === file.s) return
  await leaveDraft(turn, file)
  account.focus = file.s
  if (account.asked !== undefined) await turn.disarm(account.asked)
  delete account.asked
}

async function retry(turn: Turn, file: RecordFile, messageId: number | undefined): Promise<void> {
  if (messageId !== undefined) await turn.disarm(messageId)
  // The profiles of a roadmap are the business of the one who began.
  if (!(await isMine(turn, file))) return showPlace(turn, file)
  if (move(file, answersSentAgain)) {
    await postSubmission(turn, file)
    return sendText(turn, 'submit-again')
  }
  if (isIn(file, 'profile') && (await stepNow(turn, file)) === 'summary') {
    await comeBack(turn, file)
    return sendProfile(turn, file)
  }
  if (isIn(file, 'code') && !isPending(turn, file.s)) {
    const { sms } = file.state
    if (sms.code !== undefined && !isExpired(turn, sms)) {
      await comeBack(turn, file)
      return verifyCode(turn, file)
    }
  }
  // Perhaps the profile is gone: the record tells.
  if (isIn(file, 'loading') && !file.parent) return checkRecord(turn, file)
  await showPlace(turn, file)
}
