import { type Api, Composer, Context } from 'grammy'
import type { Update, UserFromGetMe } from 'grammy/types'
import type { Turn } from './dialog/turn.ts'
import type { BotContext } from './features/context.ts'
import { externalId } from './features/external-id.ts'
import { forget } from './features/forget.ts'
import { information } from './features/information.ts'
import { language } from './features/language.ts'
import { profile } from './features/profile.ts'
import { questionnaire } from './features/questionnaire.ts'
import { roadmap } from './features/roadmap.ts'
import { introduction, start } from './features/start.ts'
import { submit } from './features/submit.ts'
import { tests } from './features/tests.ts'
import { typedText, unhandled } from './features/unhandled.ts'
import { isQueryTooOld } from './telegram/errors.ts'

/** Handles one update of a private chat; everything in the order in which an update meets it. */
export type Bot = { handle(update: Update, turn: Turn): Promise<void> }

export function createBot({ api, me }: { api: Api; me: UserFromGetMe }): Bot {
  const composer = new Composer<BotContext>()
  composer.use(answerEveryTap)
  composer.use(blocking(), noteLanguage())
  composer.use(tests(), language(), information(), forget(), start())
  composer.use(externalId())
  composer.use(introduction(), profile(), questionnaire(), submit(), roadmap())
  composer.use(typedText())
  composer.use(unhandled())
  const middleware = composer.middleware()

  return {
    async handle(update, turn) {
      const ctx = new Context(update, api, me) as BotContext
      ctx.turn = turn
      await middleware(ctx, async () => undefined)
    },
  }
}

/** A button spins until its tap is answered, so each one is, whatever happens on the way. */
async function answerEveryTap(ctx: BotContext, next: () => Promise<void>): Promise<void> {
  let answered = ctx.callbackQuery === undefined
  const answer = async (text?: string, alert = false) => {
    if (answered) return
    answered = true
    try {
      await ctx.answerCallbackQuery(text === undefined ? {} : { text, show_alert: alert })
    } catch (err) {
      if (!isQueryTooOld(err)) ctx.turn.deps.log.warn({ err }, 'tap not answered')
    }
  }
  ctx.toast = answer
  try {
    await next()
  } finally {
    await answer()
  }
}

/** Notes whether a person's Telegram speaks another language than the bot does at first. */
function noteLanguage(): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  composer.use(({ turn, from }, next) => {
    const language = from?.language_code?.slice(0, 2)
    if (language === undefined || language === turn.deps.config.locale) delete turn.account.isForeign
    else turn.account.isForeign = true
    return next()
  })
  return composer
}

/** A person who blocks the bot is left alone until they write again. */
function blocking(): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  composer.on('my_chat_member', ({ turn, myChatMember }) => {
    if (myChatMember.new_chat_member.status === 'kicked') turn.account.blocked = true
    else delete turn.account.blocked
  })
  composer.on('message', (ctx, next) => {
    delete ctx.turn.account.blocked
    ctx.turn.account.latest = ctx.msg.message_id
    return next()
  })
  return composer
}
