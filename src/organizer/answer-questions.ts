import type { Composer } from 'grammy'
import type { Message } from 'grammy/types'
import { expectedNow } from '../dialog/expected.ts'
import { type IncomingContext, onButton } from '../dialog/incoming.ts'
import { sendText } from '../dialog/send.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { messageKey, noteUnanswered, postQuestion, unansweredNow } from '../jobs/asked-questions.ts'
import { askedQuestions, questionMessages } from '../storage/documents/asked-questions.ts'
import { dataOf } from '../telegram/tapped.ts'
import { buttons } from '../views/buttons.ts'

/** This many unanswered questions are sent again at once. */
const MOST_AGAIN = 10

/** Answers of organizers: Telegram's reply to the message that contains a question. */
export function answerQuestions(composer: Composer<IncomingContext>): void {
  composer.on('message', async (incoming, next) => {
    const { ctx, msg } = incoming
    const { reply_to_message: to, text } = msg
    // A command is a command also as a reply.
    if (!to || text?.startsWith('/')) return next()
    const { account } = ctx
    const key = messageKey(ctx.work, account.chatId, to.message_id)
    const known = await ctx.work.get(questionMessages, key)
    // A process that died right after it sent a question has stored no message: the question's button tells.
    const isOurs = to.from?.id === incoming.me.id
    const id = known?.question ?? (isOurs ? askedBy(to) : undefined)
    if (id !== undefined) return answer(ctx, id, msg)
    // A reply may also be an answer to something that the bot has asked the organizer.
    if (!isOurs || (await expectedNow(ctx)).is !== 'nothing') return next()
    await sendText(ctx, 'reply-no-question')
  })
  onButton(composer, buttons.asked, ({ ctx, toast }, _next, _id) => toast(ctx.t.plain('question-how'), true))
  onButton(composer, buttons.questions, async ({ ctx, msg }) => {
    const open = await unansweredNow(ctx)
    if (open.length === 0) return sendText(ctx, 'questions-none')
    const { chatId } = ctx.account
    const told = { is: 'asked', isRepeated: true } as const
    for (const question of open.slice(0, MOST_AGAIN))
      postQuestion(ctx.work, { question, chatId, told }, msg?.message_id ?? 0)
  })
}

/** The question that a message of the bot contains, according to the button under it. */
export const askedBy = ({ reply_markup }: Pick<Message, 'reply_markup'>): string | undefined =>
  dataOf(reply_markup)
    .map((each) => buttons.asked.read(each)?.[0])
    .find((id) => id !== undefined)

/** Sends an answer to the participant who has asked, and notifies the other organizers. */
async function answer(ctx: UpdateContext, id: string, { text, message_id: of }: Message): Promise<void> {
  const { work, account, deps } = ctx
  const question = await work.get(askedQuestions, id)
  if (!question) return sendText(ctx, 'question-gone')
  if (text === undefined) return sendText(ctx, 'reply-only-text')
  question.answeredBy = account.chatId
  await noteUnanswered(work, id, undefined)
  postQuestion(work, { question: id, chatId: question.chatId, told: { is: 'answer', text } }, of)
  const told = { is: 'answered', by: account.calledAs ?? String(account.chatId), text } as const
  for (const chatId of deps.config.organizers)
    if (chatId !== account.chatId) postQuestion(work, { question: id, chatId, told }, of)
  await sendText(ctx, 'answer-sent')
}
