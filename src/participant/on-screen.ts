import type { UpdateContext } from '../dialog/update-context.ts'
import type { Attempt } from '../domain/attempt.ts'
import type { PlacedQuestion } from '../domain/questionnaire.ts'
import type { RecordFile } from '../domain/record/record.ts'
import type { Dated } from '../telegram/sender.ts'
import { askingView as optionView } from '../views/asking.ts'
import { type View, withWord } from '../views/view.ts'
import { attemptView, leaveOlder, noteShown, watchScreen } from './show-question.ts'
import { otherRevisions } from './tests-on-screens.ts'

/**
 * Whether the screen has shown exactly what stands. Where this process has not rendered it, only Telegram knows: the store may
 * have been put back, or another replica may have rendered since. What did not stand there does now.
 */
export async function isOnScreen(
  ctx: UpdateContext,
  file: RecordFile,
  placed: readonly PlacedQuestion[],
  attempt: Attempt,
): Promise<boolean> {
  const { screens, said } = ctx.account
  const messageId = screens[file.s]
  if (messageId === undefined) return false
  if (ctx.deps.rendered.shows(file.s, { messageId, revision: attempt.revision })) return true
  const isSaid = said?.s === file.s && said.revision === attempt.revision
  const view =
    isSaid && said.option !== undefined
      ? askingView(ctx, file, placed, attempt, said.option)
      : withWord(attemptView(ctx, file, placed, attempt, undefined), isSaid ? said.word : undefined)
  return ctx.shows(messageId, view)
}

/** What asks about a typed option, when it stands there, and when the question did that it answers. */
export type Asked = { messageId: number; dated: Dated | undefined; question: Dated | undefined }

/**
 * Asks whether a typed option is meant for the question shown. It answers the question's own message, so that Telegram tells
 * when that was shown. `undefined` when the participant has blocked the bot.
 */
export async function askAboutOption(
  ctx: UpdateContext,
  file: RecordFile,
  placed: readonly PlacedQuestion[],
  attempt: Attempt,
  option: number,
): Promise<Asked | undefined> {
  let dated: Dated | undefined
  let question: Dated | undefined
  const replyTo = ctx.account.screens[file.s]
  const view = {
    ...askingView(ctx, file, placed, attempt, option),
    ...(replyTo !== undefined && { replyTo }),
  }
  const messageId = await ctx.send(view, (when, repliedTo) => {
    dated = when
    question = repliedTo
  })
  return messageId === undefined ? undefined : { messageId, dated, question }
}

/** What asks about a typed option is the question's message from now on. */
export async function leaveAsking(
  ctx: UpdateContext,
  { s }: RecordFile,
  { revision }: Attempt,
  { messageId, dated, option }: Asked & { option: number },
): Promise<void> {
  const { account } = ctx
  await leaveOlder(ctx, s, { messageId, olderGoes: false })
  account.screens[s] = messageId
  noteShown(ctx, { s, messageId, revision, dated, others: await otherRevisions(ctx, s) })
  account.said = { s, revision, option }
  await watchScreen(ctx, s)
}

function askingView(
  { t }: UpdateContext,
  { s }: RecordFile,
  placed: readonly PlacedQuestion[],
  { view: position, revision }: Attempt,
  option: number,
): View {
  const { text = '', options = [] } = placed[position]?.question ?? {}
  return optionView(t, { s, position, revision, text, option, label: options[option]?.label ?? '' })
}
