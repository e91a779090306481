import type { RedisAdapter } from '@grammyjs/storage-redis'
import { Bot, type Context, InlineKeyboard, type SessionFlavor, session } from 'grammy'
import type { UserFromGetMe } from 'grammy/types'
import { createDispatcher } from '../../src/telegram/dispatcher.ts'
import { createTransport } from '../../src/telegram/transport.ts'
import { OPTIONS, type Person, TOKEN, tapOf, textOf } from './questionnaire.ts'

const ME = { id: 7_000_000_001, is_bot: true, first_name: 'bench', username: 'bench_bot' } as UserFromGetMe

/** What a bot with a session keeps of a questionnaire: the chosen option of each question. */
export type Answers = { answers: number[] }
type SessionContext = Context & SessionFlavor<Answers>
/** Whose HTTP client carries the calls: the one that grammY brings along, or ours. */
export type Client = 'own' | 'ours'

/** The least that a bot in grammY does for an answer: acknowledges the tap and shows the next question. Keeps nothing. */
export function createBareBot(apiRoot: string, client: Client = 'own'): Bot {
  const bot = new Bot(TOKEN, options(apiRoot, client))
  bot.on('callback_query:data', show)
  return bot
}

/** The same with grammY's session on storage-redis, in which the answer is kept. */
export function createSessionBot(
  apiRoot: string,
  client: Client,
  storage: RedisAdapter<Answers>,
): Bot<SessionContext> {
  const bot = new Bot<SessionContext>(TOKEN, options(apiRoot, client))
  bot.use(session({ initial: (): Answers => ({ answers: [] }), storage }))
  bot.on('callback_query:data', async (ctx) => {
    const [, , question, option] = ctx.callbackQuery.data.split(':')
    ctx.session.answers[Number(question)] = Number(option)
    await show(ctx)
  })
  return bot
}

/** One answer by a bot of these, from the update to the next question on the screen. */
export const answerBy =
  <C extends Context>(bot: Bot<C>) =>
  (person: Person): Promise<void> =>
    bot.handleUpdate(tapOf(person))

function options(apiRoot: string, client: Client) {
  // Typed like a whole browser's in grammY, which asks no more of it than ours does.
  const fetch = client === 'ours' ? { fetch: createTransport(createDispatcher()) as never } : {}
  return { botInfo: ME, client: { apiRoot, ...fetch } }
}

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
