import { Composer } from 'grammy'
import { askAgain } from '../dialog/ask-profile.ts'
import { isPending } from '../dialog/call.ts'
import { focusedFile } from '../dialog/files.ts'
import { showPlace } from '../dialog/place.ts'
import { tell } from '../dialog/say.ts'
import { takeText } from '../dialog/take-profile.ts'
import type { Turn } from '../dialog/turn.ts'
import { takeCode } from '../dialog/verify-code.ts'
import type { RecordFile } from '../domain/record-file.ts'
import type { BotContext } from './context.ts'
import { takeTypedAnswer } from './questionnaire.ts'

/** Typed text goes to what the chat is about now. */
export function typedText(): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  composer.on('message:text', async (ctx, next) => {
    const { turn } = ctx
    const { text, message_id: messageId, date } = ctx.msg
    if (text.startsWith('/')) return unknownCommand(turn)
    const file = await focusedFile(turn)
    // Of somebody else's roadmap only the tests are answered here.
    if (file?.owner !== turn.who) return next()
    switch (file.stage) {
      case 'profile':
        if (isPending(turn, file.s)) return showPlace(turn, file)
        return takeText(turn, file, text, messageId)
      case 'code':
        return takeCode(turn, file, text, messageId)
      case 'questions':
        return takeTypedAnswer(turn, file, { text, messageId, date })
      default:
        return next()
    }
  })
  return composer
}

async function unknownCommand(turn: Turn): Promise<void> {
  await tell(turn, 'unknown-command')
  await hereAgain(turn, await focusedFile(turn))
}

/** Whatever nobody understood: a word about it, and the same question again. Nothing is lost, no call is made. */
export function unhandled(): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  composer.on('callback_query', async (ctx) => {
    await ctx.toast(ctx.turn.t.plain('button-old'))
    await hereAgain(ctx.turn, await focusedFile(ctx.turn))
  })
  composer.on('edited_message', async ({ turn }) => {
    await tell(turn, 'edited-message')
    await hereAgain(turn, await focusedFile(turn))
  })
  composer.on('message', async (ctx) => {
    const { turn } = ctx
    const file = await focusedFile(turn)
    if (!file) return tell(turn, 'nothing-open')
    const word = turn.t(ctx.msg.text === undefined ? 'only-text' : 'you-are-here')
    if (file.stage === 'profile' && file.owner === turn.who && !isPending(turn, file.s))
      return askAgain(turn, file, word)
    await turn.say({ text: word })
    await hereAgain(turn, file)
  })
  return composer
}

async function hereAgain(turn: Turn, file: RecordFile | undefined): Promise<void> {
  if (file) await showPlace(turn, file)
}
