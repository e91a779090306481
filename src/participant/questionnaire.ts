import { Composer } from 'grammy'
import { moveAttempt, readAttempt } from '../dialog/attempt.ts'
import { visibleFile } from '../dialog/files.ts'
import { type IncomingContext, tappedMessage } from '../dialog/incoming.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { titleOf } from '../domain/record/whose.ts'
import { buttons } from '../views/buttons.ts'
import { pausedView } from '../views/submission.ts'
import { recordChanged } from './board-news.ts'
import { isAwaitingHandOver } from './hand-over.ts'
import { onButton } from './on-button.ts'
import { showPlace } from './place.ts'
import { type Showing, showAttempt, showOnScreen } from './show-question.ts'

/** The buttons of a questionnaire beside the answers. */
export function questionnaire(): Composer<IncomingContext> {
  const composer = new Composer<IncomingContext>()

  onButton(composer, buttons.go, async (incoming, _, s, question) => {
    const { ctx } = incoming
    const file = await answeringFile(incoming, s)
    const attempt = file && (await readAttempt(ctx, s))
    if (!file || !attempt) return
    const { allowBack } = ctx.deps.config
    await moveAttempt(ctx, s, attempt, { kind: 'go', question, allowBack })
    await showWhereItStands(ctx, file, { messageId: tappedMessage(incoming) })
  })

  onButton(composer, buttons.review, async (incoming, _, s, page) => {
    const { ctx } = incoming
    const file = await answeringFile(incoming, s)
    const attempt = file && (await readAttempt(ctx, s))
    if (!file || !attempt) return
    const { allowBack } = ctx.deps.config
    if (attempt.view < attempt.answered) {
      await moveAttempt(ctx, s, attempt, { kind: 'go', question: attempt.answered, allowBack })
    }
    await showWhereItStands(ctx, file, { messageId: tappedMessage(incoming), page })
  })

  onButton(composer, buttons.pause, async (incoming, _, s) => {
    const file = await answeringFile(incoming, s)
    if (file) await pause(incoming.ctx, file, tappedMessage(incoming))
  })
  return composer
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
export async function showWhereItStands(
  ctx: UpdateContext,
  file: RecordFile,
  showing: Showing,
): Promise<void> {
  if ((await showAttempt(ctx, file, showing)) !== 'shown') await showPlace(ctx, file)
}

/** Continue later: the answers stay, the buttons go. */
export async function pause(
  ctx: UpdateContext,
  file: RecordFile,
  messageId: number | undefined,
): Promise<void> {
  const attempt = await readAttempt(ctx, file.s)
  if (!attempt) return showPlace(ctx, file)
  await moveAttempt(ctx, file.s, attempt, { kind: 'pause' })
  const { s, parent } = file
  const { answered, questions: total } = attempt
  const view = pausedView(ctx.t, { s, title: titleOf(file), answered, total, board: parent?.s })
  await showOnScreen(ctx, s, view, { messageId: messageId ?? ctx.account.screens[s] })
  await recordChanged(ctx, file)
}
