import { Composer } from 'grammy'
import { isMine } from '../chat/access.ts'
import { isPending } from '../chat/call.ts'
import { isOnAsked, type TurnContext } from '../chat/context.ts'
import { focusedFile } from '../chat/files.ts'
import { tell } from '../chat/say.ts'
import { leadTo, type Turn } from '../chat/turn.ts'
import { noteTyped } from '../chat/typed.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { DIALOG_BUTTON } from '../views/buttons.ts'
import { isExpired } from './code.ts'
import { stepNow } from './step-now.ts'

/** Finds out what answers the dialog: typed text, a shared contact, or a button on the message that asked last. */
export function answers(take: (ctx: TurnContext, file: RecordFile) => Promise<void>): Composer<TurnContext> {
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

  composer.on('message:contact', async (ctx, next) => {
    const file = await focusedFile(ctx.turn)
    if (!file || !isOwnDialog(ctx.turn, file)) return next()
    await noteTyped(ctx.turn, file, ctx.msg.message_id)
    if ((await stepNow(ctx.turn, file)) !== 'mobile') return next()
    await take(ctx, file)
  })

  composer.on('message:text', async (ctx, next) => {
    const { turn, msg } = ctx
    const file = await focusedFile(turn)
    if (file && (await isJustMade(turn, file))) {
      // Typed before its profile was seen to exist: a code, or a detail.
      await turn.deleteMessages([msg.message_id])
      return tell(turn, 'one-moment')
    }
    if (!file || !(await isOwnDialog(turn, file))) return next()
    await noteTyped(turn, file, msg.message_id)
    const isCall = isPending(turn, file.s)
    if (isIn(file, 'profile') && isCall) return leadTo(turn, file)
    if (isIn(file, 'code') && isCall && !isExpired(turn, file.state.sms)) return tell(turn, 'one-moment')
    await take(ctx, file)
  })
  return composer
}

/** Whether the profile was made just now, and its questions are on their way. */
const isJustMade = async (turn: Turn, file: RecordFile): Promise<boolean> =>
  isIn(file, 'loading') && isPending(turn, file.s) && isMine(turn, file)

/** Whether it is this account that makes the profile now. */
const isOwnDialog = async (turn: Turn, file: RecordFile): Promise<boolean> =>
  isIn(file, 'profile', 'code') && isMine(turn, file)
