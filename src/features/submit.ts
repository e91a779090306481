import { Composer } from 'grammy'
import { isExpired } from '../dialog/ask-code.ts'
import { currentStep } from '../dialog/ask-profile.ts'
import { isPending } from '../dialog/call.ts'
import { isBehindCurtain } from '../dialog/curtain.ts'
import { deliverAgain, isServed } from '../dialog/deliver.ts'
import { saveFile, visibleFile } from '../dialog/files.ts'
import { look } from '../dialog/introduce.ts'
import { showPlace } from '../dialog/place.ts'
import { tell } from '../dialog/say.ts'
import { sendProfile } from '../dialog/send-profile.ts'
import { postSubmission, sendAnswers } from '../dialog/submission.ts'
import type { Turn } from '../dialog/turn.ts'
import { verifyCode } from '../dialog/verify-code.ts'
import type { RecordFile } from '../domain/record-file.ts'
import { type BotContext, buttonOf, tappedMessage } from './context.ts'

/** Sending the answers, trying again what failed, and having the result again. */
export function submit(): Composer<BotContext> {
  const composer = new Composer<BotContext>()

  composer.callbackQuery(buttonOf('submit'), async (ctx, next) => {
    const file = await visibleFile(ctx.turn, ctx.match[1] ?? '')
    if (!file) return next()
    if (file.stage !== 'questions' || (await isBehindCurtain(ctx.turn, file)))
      return showPlace(ctx.turn, file)
    await sendAnswers(ctx.turn, file, tappedMessage(ctx))
  })

  composer.callbackQuery(buttonOf('retry'), async (ctx, next) => {
    const file = await visibleFile(ctx.turn, ctx.match[1] ?? '')
    if (!file) return next()
    await retry(ctx.turn, file, tappedMessage(ctx))
  })

  composer.callbackQuery(buttonOf('result'), async (ctx, next) => {
    const { turn } = ctx
    const file = await visibleFile(turn, ctx.match[1] ?? '')
    if (!file) return next()
    const isThere = file.stage === 'done' || (file.stage === 'scored' && (await isServed(turn, file)))
    // The records of a roadmap give no result of their own.
    if (!isThere || file.parent || turn.deps.config.resultTo === 'organizer') return showPlace(turn, file)
    await tell(turn, 'result-coming')
    await deliverAgain(turn, file)
  })
  return composer
}

async function retry(turn: Turn, file: RecordFile, messageId: number | undefined): Promise<void> {
  if (messageId !== undefined) await turn.disarm(messageId)
  // The profiles of a roadmap are the business of the one who began.
  if (file.owner !== turn.who) return showPlace(turn, file)
  if (file.stage === 'refused') {
    file.stage = 'submitting'
    saveFile(turn, file)
    await postSubmission(turn, file)
    return tell(turn, 'submit-again')
  }
  if (file.stage === 'profile' && currentStep(turn, file)?.ask === 'summary') return sendProfile(turn, file)
  if (file.stage === 'code' && file.sms?.code && !isExpired(turn, file.sms) && !isPending(turn, file.s)) {
    return verifyCode(turn, file)
  }
  // Perhaps the profile is gone: the record tells.
  if (file.stage === 'loading' && !file.parent) return look(turn, file)
  await showPlace(turn, file)
}
