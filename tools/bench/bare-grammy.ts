import { Bot } from 'grammy'
import type { UserFromGetMe } from 'grammy/types'
import { nextQuestion } from './no-framework.ts'
import { TOKEN } from './questionnaire.ts'

const ME = { id: 7_000_000_001, is_bot: true, first_name: 'bench', username: 'bench_bot' } as UserFromGetMe

/** The least that a bot in grammY does for an answer: acknowledges the tap and shows the next question. Keeps nothing. */
export function createBareBot(apiRoot: string): Bot {
  const bot = new Bot(TOKEN, { botInfo: ME, client: { apiRoot } })
  bot.on('callback_query:data', async (ctx) => {
    const [, s = '', question, , revision = ''] = ctx.callbackQuery.data.split(':')
    const { text, ...form } = nextQuestion(s, Number(question) + 1, Number.parseInt(revision, 36) + 1)
    await Promise.all([ctx.answerCallbackQuery(), ctx.editMessageText(text, form)])
  })
  return bot
}
