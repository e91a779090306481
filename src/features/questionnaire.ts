import { Composer } from 'grammy'
import { recordChanged } from '../dialog/board.ts'
import { isBehindCurtain } from '../dialog/curtain.ts'
import { allFiles, saveFile, visibleFile } from '../dialog/files.ts'
import { showPlace } from '../dialog/place.ts'
import { tell } from '../dialog/say.ts'
import {
  moveSitting,
  placedQuestions,
  readSitting,
  showOnScreen,
  showSitting,
} from '../dialog/show-question.ts'
import type { Turn } from '../dialog/turn.ts'
import { parseOptionNumber } from '../domain/persian/option-number.ts'
import type { RecordFile } from '../domain/record-file.ts'
import type { Sitting } from '../domain/sitting.ts'
import { pausedView } from '../views/submission.ts'
import { type BotContext, buttonOf, tappedMessage } from './context.ts'

/** Everything in a questionnaire that is not an answer by a tap. */
export function questionnaire(): Composer<BotContext> {
  const composer = new Composer<BotContext>()

  composer.callbackQuery(/^go:([\w-]{1,16}):(\d{1,5})$/, async (ctx) => {
    const { turn } = ctx
    const file = await answeringFile(ctx, ctx.match[1] ?? '')
    const sitting = file && (await readSitting(turn, file.s))
    if (!file || !sitting) return
    const { allowBack } = turn.deps.config
    await moveSitting(turn, file.s, sitting, { kind: 'go', question: Number(ctx.match[2]), allowBack })
    await show(turn, file, tappedMessage(ctx))
  })

  composer.callbackQuery(/^review:([\w-]{1,16}):(\d{1,3})$/, async (ctx) => {
    const { turn } = ctx
    const file = await answeringFile(ctx, ctx.match[1] ?? '')
    const sitting = file && (await readSitting(turn, file.s))
    if (!file || !sitting) return
    const { allowBack } = turn.deps.config
    if (sitting.view < sitting.answered) {
      await moveSitting(turn, file.s, sitting, { kind: 'go', question: sitting.answered, allowBack })
    }
    await show(turn, file, tappedMessage(ctx), Number(ctx.match[2]))
  })

  composer.callbackQuery(buttonOf('pause'), async (ctx) => {
    const { turn } = ctx
    const file = await answeringFile(ctx, ctx.match[1] ?? '')
    if (file) await pause(turn, file, tappedMessage(ctx))
  })

  return composer
}

/** The file of a button's `S` while it is being answered; otherwise the participant is led to where it stands. */
async function answeringFile(ctx: BotContext, s: string): Promise<RecordFile | undefined> {
  const file = await visibleFile(ctx.turn, s)
  // In a roadmap another person may have the phone now: what is not in focus comes back through the curtain.
  const isHere = !file?.parent || (ctx.turn.account.focus === s && !(await isBehindCurtain(ctx.turn, file)))
  if (file?.stage === 'questions' && isHere) {
    ctx.turn.account.focus = s
    return file
  }
  await ctx.toast(ctx.turn.t.plain('button-old'))
  if (file) await showPlace(ctx.turn, file)
  return undefined
}

async function show(turn: Turn, file: RecordFile, messageId: number | undefined, page = 0): Promise<void> {
  if ((await showSitting(turn, file, { messageId, page })) === 'expired') await showPlace(turn, file)
}

/** Continue later: the answers stay, the buttons go. */
export async function pause(turn: Turn, file: RecordFile, messageId: number | undefined): Promise<void> {
  const sitting = await readSitting(turn, file.s)
  if (!sitting) return showPlace(turn, file)
  await moveSitting(turn, file.s, sitting, { kind: 'pause' })
  const { answered, questions: total } = sitting
  const view = pausedView(turn.t, {
    s: file.s,
    title: file.test.title,
    answered,
    total,
    board: file.parent?.s,
  })
  await showOnScreen(turn, file.s, view, messageId ?? turn.account.screens[file.s])
  await recordChanged(turn, file)
}

/** Another questionnaire that taps went on with since this one was shown: what is typed now is meant for it. */
async function tappedSince(turn: Turn, file: RecordFile, own: Sitting): Promise<RecordFile | undefined> {
  const { shownAt = 0 } = turn.account
  for (const other of await allFiles(turn)) {
    const sitting =
      other.stage === 'questions' && other.s !== file.s ? await readSitting(turn, other.s) : undefined
    if (sitting?.state !== 'open' || sitting.lastActivityAt <= shownAt) continue
    if (own.lastActivityAt < sitting.lastActivityAt) return other
  }
  return undefined
}

/**
 * Takes a typed option number as the answer to the question shown, if it was written after that question appeared.
 * The next question is sent anew below it.
 */
export async function takeTypedAnswer(
  turn: Turn,
  file: RecordFile,
  message: { text: string; messageId: number; date: number },
): Promise<void> {
  const { allowBack } = turn.deps.config
  const { sittingCipher } = turn.deps.vault
  if (await isBehindCurtain(turn, file)) return showPlace(turn, file)
  const sitting = await readSitting(turn, file.s)
  const placed = await placedQuestions(turn, file)
  if (!sitting || !placed) return showPlace(turn, file)
  const tapped = await tappedSince(turn, file, sitting)
  if (tapped) {
    turn.account.focus = tapped.s
    return takeTypedAnswer(turn, tapped, message)
  }
  // In a roadmap the next person on this phone is not to read it.
  if (file.parent) saveFile(turn, { ...file, typed: [...(file.typed ?? []), message.messageId] })
  const question = placed[sitting.view]?.question
  const number = parseOptionNumber(message.text)
  const option = number === undefined ? -1 : number - 1
  // Before anything was shown nothing can be meant for it.
  const screen = turn.account.screens[file.s] ?? Number.POSITIVE_INFINITY
  const isOlder = message.messageId < screen || message.date < Math.floor(sitting.shownAt / 1_000)
  // Recorded already when its screen failed; the update comes again only for that.
  if (message.messageId === sitting.lastMessageId) return show(turn, file, undefined)
  if (sitting.state !== 'open') return show(turn, file, undefined)
  if (!question) {
    await tell(turn, 'here-review')
  } else if (number === undefined) {
    await turn.say({ text: turn.t('here-question', { options: question.options.length }) })
  } else if (option < 0 || option >= question.options.length) {
    await turn.say({ text: turn.t('option-out-of-range', { options: question.options.length }) })
  } else if (isOlder) {
    await tell(turn, 'answer-too-early')
  } else {
    const { view, revision } = sitting
    await moveSitting(turn, file.s, sitting, {
      kind: 'answer',
      question: view,
      revision,
      messageId: message.messageId,
      allowBack,
      ...sittingCipher.encryptAnswer(sitting, { question: view, revision, option }),
    })
  }
  await show(turn, file, undefined)
}
