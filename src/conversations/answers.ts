import { Composer } from 'grammy'
import { isMine } from '../chat/access.ts'
import { isPending } from '../chat/call.ts'
import { isOnAsked, type TurnContext } from '../chat/context.ts'
import { focusedFile } from '../chat/files.ts'
import { leadTo, type Turn } from '../chat/turn.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { DIALOG_BUTTON } from '../views/buttons.ts'

/** The buttons of the dialog: they answer what the message asks that asked last. */
export function buttonsOf(
  take: (ctx: TurnContext, file: RecordFile) => Promise<void>,
): Composer<TurnContext> {
  const composer = new Composer<TurnContext>()

  composer.callbackQuery(DIALOG_BUTTON, async (ctx) => {
    const { turn } = ctx
    const file = await focusedFile(turn)
    const isCurrent = isOnAsked(ctx)
    if (file && isCurrent && (await isOwnDialog(turn, file))) {
      if (isPending(turn, file.s)) return ctx.toast(turn.t.plain('one-moment'), true)
      return take(ctx, file)
    }
    // They carry no `S`, so they count only on the message that asked last.
    await ctx.toast(turn.t.plain('button-old'))
    if (file && !isCurrent) leadTo(turn, file)
  })
  return composer
}

/** Whether it is this account that makes the profile now. */
const isOwnDialog = async (turn: Turn, file: RecordFile): Promise<boolean> =>
  isIn(file, 'profile', 'code') && isMine(turn, file)
