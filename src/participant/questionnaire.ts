import type { Composer } from 'grammy'
import { moveAttempt, readAttempt } from '../dialog/attempt.ts'
import { visibleFile } from '../dialog/files.ts'
import { type IncomingContext, tappedMessage } from '../dialog/incoming.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { buttons } from '../views/buttons.ts'
import { recordChanged } from './board.ts'
import { isAwaitingHandOver } from './hand-over.ts'
import { onButton } from './on-button.ts'
import { showPlace } from './place.ts'
import { pauseAttempt, type Showing, showAttempt } from './show-question.ts'

/** The buttons of a questionnaire beside the answers. */
export function questionnaire(composer: Composer<IncomingContext>): void {
  onButton(composer, buttons.go, (incoming, _, s, question) => goTo(incoming, s, { question }))
  onButton(composer, buttons.review, (incoming, _, s, page) => goTo(incoming, s, { page }))
  onButton(composer, buttons.pause, async (incoming, _, s) => {
    const file = await answeringFile(incoming, s)
    if (file) await pause(incoming.ctx, file, tappedMessage(incoming))
  })
}

/** Shows an answered question, or the review, which stands where no question is open. */
async function goTo(incoming: IncomingContext, s: string, to: { question?: number; page?: number }) {
  const { ctx } = incoming
  const file = await answeringFile(incoming, s)
  const attempt = file && (await readAttempt(ctx, s))
  if (!file || !attempt) return
  const { question = attempt.answered, page } = to
  await moveAttempt(ctx, s, attempt, { kind: 'go', question, allowBack: ctx.deps.config.allowBack })
  await showWhereItStands(ctx, file, { messageId: tappedMessage(incoming), page })
}

/** The file of a button's record id while it is being answered; otherwise the participant is led to where it stands. */
async function answeringFile(incoming: IncomingContext, s: string): Promise<RecordFile | undefined> {
  const { ctx } = incoming
  const file = await visibleFile(ctx, s)
  // In a roadmap another person may have the phone now: what is not in focus comes back through the curtain.
  const isHere = !file?.parent || (ctx.account.focus === s && !(await isAwaitingHandOver(ctx, file)))
  if (file && isIn(file, 'questions') && isHere) {
    ctx.account.focus = s
    return file
  }
  await incoming.toast(ctx.t.plain('button-old'))
  if (file) await showPlace(ctx, file)
  return undefined
}

/** Shows the question or the review; an attempt that is not kept any more leads to its place. */
export async function showWhereItStands(ctx: UpdateContext, file: RecordFile, showing: Showing) {
  if ((await showAttempt(ctx, file, showing)) !== 'shown') await showPlace(ctx, file)
}

/** Continue later: the answers stay, the buttons go. */
export async function pause(ctx: UpdateContext, file: RecordFile, messageId?: number) {
  const attempt = await readAttempt(ctx, file.s)
  if (!attempt) return showPlace(ctx, file)
  await pauseAttempt(ctx, file, attempt, messageId ?? ctx.account.screens[file.s])
  await recordChanged(ctx, file)
}
