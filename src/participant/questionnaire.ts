import { Composer } from 'grammy'
import { moveAttempt, readAttempt } from '../dialog/attempt.ts'
import { type TurnContext, tappedMessage } from '../dialog/context.ts'
import { visibleFile } from '../dialog/files.ts'
import type { Turn } from '../dialog/turn.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { titleOf } from '../domain/record/whose.ts'
import { buttons } from '../views/buttons.ts'
import { pausedView } from '../views/submission.ts'
import { recordChanged } from './board-news.ts'
import { isBehindCurtain } from './curtain.ts'
import { onButton } from './on-button.ts'
import { showPlace } from './place.ts'
import { type Showing, showAttempt, showOnScreen } from './show-question.ts'

/** The buttons of a questionnaire beside the answers. */
export function questionnaire(): Composer<TurnContext> {
  const composer = new Composer<TurnContext>()

  onButton(composer, buttons.go, async (ctx, _, s, question) => {
    const { turn } = ctx
    const file = await answeringFile(ctx, s)
    const attempt = file && (await readAttempt(turn, s))
    if (!file || !attempt) return
    const { allowBack } = turn.deps.config
    await moveAttempt(turn, s, attempt, { kind: 'go', question, allowBack })
    await showWhereItStands(turn, file, { messageId: tappedMessage(ctx) })
  })

  onButton(composer, buttons.review, async (ctx, _, s, page) => {
    const { turn } = ctx
    const file = await answeringFile(ctx, s)
    const attempt = file && (await readAttempt(turn, s))
    if (!file || !attempt) return
    const { allowBack } = turn.deps.config
    if (attempt.view < attempt.answered) {
      await moveAttempt(turn, s, attempt, { kind: 'go', question: attempt.answered, allowBack })
    }
    await showWhereItStands(turn, file, { messageId: tappedMessage(ctx), page })
  })

  onButton(composer, buttons.pause, async (ctx, _, s) => {
    const file = await answeringFile(ctx, s)
    if (file) await pause(ctx.turn, file, tappedMessage(ctx))
  })
  return composer
}

/** The file of a button's `S` while it is being answered; otherwise the participant is led to where it stands. */
async function answeringFile(ctx: TurnContext, s: string): Promise<RecordFile | undefined> {
  const { turn } = ctx
  const file = await visibleFile(turn, s)
  // In a roadmap another person may have the phone now: what is not in focus comes back through the curtain.
  const isHere = !file?.parent || (turn.account.focus === s && !(await isBehindCurtain(turn, file)))
  if (file && isIn(file, 'questions') && isHere) {
    turn.account.focus = s
    return file
  }
  await ctx.toast(turn.t.plain('button-old'))
  if (file) await showPlace(turn, file)
  return undefined
}

/** Shows the question or the review; an attempt that is not kept any more leads to its place. */
export async function showWhereItStands(turn: Turn, file: RecordFile, showing: Showing): Promise<void> {
  if ((await showAttempt(turn, file, showing)) !== 'shown') await showPlace(turn, file)
}

/** Continue later: the answers stay, the buttons go. */
export async function pause(turn: Turn, file: RecordFile, messageId: number | undefined): Promise<void> {
  const attempt = await readAttempt(turn, file.s)
  if (!attempt) return showPlace(turn, file)
  await moveAttempt(turn, file.s, attempt, { kind: 'pause' })
  const { s, parent } = file
  const { answered, questions: total } = attempt
  const view = pausedView(turn.t, { s, title: titleOf(file), answered, total, board: parent?.s })
  await showOnScreen(turn, s, view, { messageId: messageId ?? turn.account.screens[s] })
  await recordChanged(turn, file)
}
