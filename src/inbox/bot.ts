import { type Api, Composer, Context } from 'grammy'
import type { Update, UserFromGetMe } from 'grammy/types'
import type { Config } from '../config.ts'
import { inTurn, type TurnContext } from '../dialog/context.ts'
import { createDialog } from '../dialog/dialog.ts'
import type { Due } from '../dialog/due.ts'
import type { Turn } from '../dialog/turn.ts'
import { menu } from '../organizer/menu.ts'
import { organizer } from '../organizer/organizer.ts'
import { externalId } from '../participant/external-id.ts'
import { forget } from '../participant/forget.ts'
import { information } from '../participant/information.ts'
import { guardian } from '../participant/known-minor.ts'
import { language } from '../participant/language.ts'
import { showPlace } from '../participant/place.ts'
import { pressOnce } from '../participant/press-once.ts'
import { questionnaire } from '../participant/questionnaire.ts'
import { roadmap } from '../participant/roadmap.ts'
import { introduction, start } from '../participant/start.ts'
import { submit } from '../participant/submit.ts'
import { tests } from '../participant/tests.ts'
import { endAsides, typed } from '../participant/typed.ts'
import { FIRST_LANGUAGE, LANGUAGE_CODES } from '../texts/languages.ts'

export type Bot = {
  /** Handles one update of a private chat; everything in the order in which an update meets it. */
  handle(update: Update, turn: Turn): Promise<void>
  /** Shows what the turn has left to be shown at its end. */
  finish(turn: Turn): Promise<void>
}

/** The whole of what an update meets, from top to bottom. */
export function createBot(deps: { api: Api; me: UserFromGetMe; config: Config }): Bot {
  const { api, me } = deps
  const dialog = createDialog(deps)
  const composer = new Composer<TurnContext>()
  composer.use(answerEveryTap)
  composer.use(blocking(), noteLanguage(), pressOnce)
  composer.use(endAsides(), menu(), organizer())
  composer.use(tests(), language(), information(), forget(), start())
  composer.use(
    externalId(),
    introduction(),

    guardian(),
    questionnaire(),
    submit(),
    roadmap(),
  )
  composer.use(typed(dialog))
  const middleware = composer.middleware()

  return {
    async handle(update, turn) {
      await middleware(inTurn(new Context(update, api, me), turn), async () => undefined)
    },
    async finish(turn) {
      for (let due = taken(turn); due; due = taken(turn)) {
        if (due.show === 'place') await showPlace(turn, due.file)
        else await dialog.ask(turn, due)
      }
    },
  }
}

function taken(turn: Turn): Due | undefined {
  const { due } = turn
  turn.due = undefined
  return due
}

/** A button spins until its tap is answered, so each one is, whatever happens on the way. */
async function answerEveryTap(ctx: TurnContext, next: () => Promise<void>): Promise<void> {
  const { callbackQuery: query, turn } = ctx
  let answered = query === undefined
  const answer = async (text?: string, alert = false) => {
    if (answered || !query) return
    answered = true
    const { sender, log } = turn.deps
    await sender.answer(query.id, text, alert).catch((err: unknown) => log.warn({ err }, 'tap not answered'))
  }
  ctx.toast = answer
  try {
    await next()
  } finally {
    await answer()
  }
}

/** Notes whether a person's Telegram speaks another language than the bot does at first, and which of ours. */
function noteLanguage(): Composer<TurnContext> {
  const composer = new Composer<TurnContext>()
  composer.use(({ turn, from }, next) => {
    const code = from?.language_code?.slice(0, 2)
    const { account, deps } = turn
    delete account.isForeign
    delete account.appLanguage
    if (code !== undefined && code !== deps.config.locale) {
      account.isForeign = true
      // An organizer who sets another default than the first language means it for those who speak the first.
      const spoken = LANGUAGE_CODES.find((language) => language === code && language !== FIRST_LANGUAGE)
      if (spoken !== undefined) account.appLanguage = spoken
    }
    return next()
  })
  return composer
}

/** A person who blocks the bot is left alone until they write again. */
function blocking(): Composer<TurnContext> {
  const composer = new Composer<TurnContext>()
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
