import { type Api, Composer, Context, type Middleware } from 'grammy'
import type { Update, UserFromGetMe } from 'grammy/types'
import type { Config } from '../config.ts'
import { menu } from '../dialog/commands.ts'
import { createDialog } from '../dialog/dialog.ts'
import { type IncomingContext, withContext } from '../dialog/incoming.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { organizer } from '../organizer/parts.ts'
import { ask } from '../participant/ask.ts'
import { cancel } from '../participant/cancel.ts'
import { endAsides } from '../participant/end-asides.ts'
import { forget } from '../participant/forget.ts'
import { guardianAsked } from '../participant/guardian-asked.ts'
import { help } from '../participant/help.ts'
import { myData } from '../participant/my-data.ts'
import { showPlace } from '../participant/place.ts'
import { pressOnce } from '../participant/press-once.ts'
import { questionnaire } from '../participant/questionnaire.ts'
import { resultAgain } from '../participant/result-again.ts'
import { roadmap } from '../participant/roadmap.ts'
import { settings } from '../participant/settings.ts'
import { start } from '../participant/start.ts'
import { readWishes, typed } from '../participant/typed.ts'
import { FIRST_LANGUAGE, LANGUAGE_CODES } from '../texts/languages.ts'

export type Bot = ReturnType<typeof createBot>

/** The path of an update through the bot, from top to bottom. */
export function createBot(deps: { api: Api; me: UserFromGetMe; config: Config }) {
  const { api, me } = deps
  const dialog = createDialog(deps)
  const composer = new Composer<IncomingContext>()
  // Messages that Telegram itself adds to a chat.
  composer.on(
    [
      'message:pinned_message',
      'message:message_auto_delete_timer_changed',
      'message:chat_background_set',
      'message:write_access_allowed',
    ],
    () => undefined,
  )
  composer.use(answerEveryTap, noteBlocking, noteLanguage, pressOnce, readWishes, endAsides)
  const elsewhere = composer.filter(leadsElsewhere)
  const ofPeople = [
    help,
    cancel,
    settings,
    myData,
    forget,
    start,
    questionnaire,
    resultAgain,
    ask,
    guardianAsked,
    roadmap,
  ]
  const parts = [menu, organizer, ...ofPeople]
  for (const part of parts) part(elsewhere)
  typed(composer, dialog)
  const middleware = composer.middleware()

  return {
    /** Handles one update of a private chat, in the order of the parts below. */
    async handle(update: Update, ctx: UpdateContext): Promise<void> {
      await middleware(withContext(new Context(update, api, me), ctx), async () => undefined)
    },
    /** Shows what the update has left to show at its end. */
    async finish(ctx: UpdateContext): Promise<void> {
      while (ctx.due) {
        const { due } = ctx
        ctx.due = undefined
        if (due.show === 'place') await showPlace(ctx, due.file)
        else await dialog.ask(ctx, due)
      }
    },
  }
}

/**
 * Whether an update is a command, a document, a reply or a button. Everything else belongs to the dialog, and
 * skips the handlers of commands and buttons, each of which would check it.
 */
const leadsElsewhere = ({ message, callbackQuery }: IncomingContext): boolean =>
  callbackQuery !== undefined ||
  message?.document !== undefined ||
  message?.reply_to_message !== undefined ||
  message?.text?.startsWith('/') === true

/** A button spins until its tap is answered, so each tap is answered, even after an error. */
async function answerEveryTap(incoming: IncomingContext, next: () => Promise<void>): Promise<void> {
  const { callbackQuery: query, ctx } = incoming
  let answered = query === undefined
  const answer = async (text?: string, alert = false) => {
    if (answered || !query) return
    answered = true
    const { sender, log } = ctx.deps
    ctx.alongside(() =>
      sender.answer(query.id, text, alert).catch((err: unknown) => log.warn({ err }, 'tap not answered')),
    )
  }
  incoming.toast = answer
  try {
    await next()
  } finally {
    await answer()
  }
}

/** Notes whether the person's Telegram uses another language than the default, and which of ours it is. */
const noteLanguage: Middleware<IncomingContext> = ({ ctx, from }, next) => {
  const code = from?.language_code?.slice(0, 2)
  const { account, deps } = ctx
  if (code === undefined) return next()
  delete account.isForeign
  delete account.appLanguage
  if (code !== deps.config.locale) {
    account.isForeign = true
    // A default other than the first language is meant for speakers of the first one, too.
    const spoken = LANGUAGE_CODES.find((language) => language === code && language !== FIRST_LANGUAGE)
    if (spoken !== undefined) account.appLanguage = spoken
  }
  return next()
}

/** An account that has blocked the bot gets nothing until it writes again. */
const noteBlocking: Middleware<IncomingContext> = async ({ ctx, message, myChatMember }, next) => {
  const { account } = ctx
  if (myChatMember?.new_chat_member.status === 'kicked') account.blocked = true
  else if (myChatMember || message) delete account.blocked
  if (message) account.latest = message.message_id
  if (!myChatMember) await next()
}
