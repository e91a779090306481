import { type Api, Bot, Context, InlineKeyboard } from 'grammy'
import type { Update, UserFromGetMe } from 'grammy/types'
import { createTelegramClient } from '../telegram/client.ts'
import { OPTIONS, type Person, TOKEN, tapOf, textOf } from './hot-path.ts'

const ME = { id: 7_000_000_001, is_bot: true, first_name: 'bench', username: 'bench_bot' } as UserFromGetMe

/** The least that a bot in grammY does for an answer: acknowledges the tap and shows the next question. Keeps nothing. */
export function createBareBot(apiRoot: string): Bot {
  const bot = new Bot(TOKEN, { botInfo: ME, client: { apiRoot } })
  bot.on('callback_query:data', show)
  return bot
}

/** One answer by the bare bot as grammY comes, or with our HTTP client below it. */
export function createBareAnswer(apiRoot: string, client: 'own' | 'ours'): (person: Person) => Promise<void> {
  if (client === 'own') {
    const bot = createBareBot(apiRoot)
    return (person) => bot.handleUpdate(tapOf(person))
  }
  const api = createTelegramClient({ token: TOKEN, apiRoot, now: Date.now })
  const bot = new Bot(TOKEN, { botInfo: ME })
  bot.on('callback_query:data', show)
  const handle = bot.middleware()
  return async (person) => handle(contextOf(tapOf(person), api), async () => undefined) as Promise<void>
}

const contextOf = (update: Update, api: Api) => new Context(update, api, ME)

async function show(ctx: Context): Promise<void> {
  const [, s, question = '0', , revision = '0'] = ctx.callbackQuery?.data?.split(':') ?? []
  const next = Number(question) + 1
  const nextRevision = (Number.parseInt(revision, 36) + 1).toString(36)
  const rows = OPTIONS.map((label, index) => [
    InlineKeyboard.text(`${index + 1}. ${label}`, `a:${s}:${next}:${index}:${nextRevision}`),
  ])
  await Promise.all([
    ctx.answerCallbackQuery(),
    ctx.editMessageText(`پرسش ${next}\n\n<b>${textOf(next)}</b>`, {
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
      reply_markup: InlineKeyboard.from(rows),
    }),
  ])
}
