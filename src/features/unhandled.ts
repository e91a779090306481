import { Composer } from 'grammy'
import { isMine } from '../chat/access.ts'
import { isPending } from '../chat/call.ts'
import type { BotContext } from '../chat/context.ts'
import { focusedFile } from '../chat/files.ts'
import { tell } from '../chat/say.ts'
import { leadTo, type Turn } from '../chat/turn.ts'
import { isIn } from '../domain/record/record.ts'

/** Commands win over any dialog, also those that nobody knows. */
export function unknownCommands(): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  composer.on('message:text', async ({ turn, msg }, next) => {
    if (!msg.text.startsWith('/')) return next()
    await tell(turn, 'unknown-command')
    await hereAgain(turn)
  })
  return composer
}

/** Whatever nobody understood: a word about it, and the same question again. Nothing is lost, no call is made. */
export function unhandled(): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  composer.on('callback_query', async (ctx) => {
    await ctx.toast(ctx.turn.t.plain('button-old'))
    await hereAgain(ctx.turn)
  })
  composer.on('edited_message', async ({ turn }) => {
    await tell(turn, 'edited-message')
    await hereAgain(turn)
  })
  composer.on('message', async ({ turn, msg }) => {
    const file = await focusedFile(turn)
    if (!file) return tell(turn, 'nothing-open')
    const isSpoken = msg.voice !== undefined || msg.video_note !== undefined || msg.audio !== undefined
    const word = turn.t(isSpoken ? 'voice-message' : msg.text === undefined ? 'only-text' : 'you-are-here')
    if (isIn(file, 'profile') && !isPending(turn, file.s) && (await isMine(turn, file))) {
      turn.due = { show: 'question', file, word }
      return
    }
    await turn.say({ text: word })
    leadTo(turn, file)
  })
  return composer
}

async function hereAgain(turn: Turn): Promise<void> {
  const file = await focusedFile(turn)
  if (file) leadTo(turn, file)
}
