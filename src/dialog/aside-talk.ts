import type { Conversation } from '@grammyjs/conversations'
import type { Context } from 'grammy'
import { type Answer, type DialogContext, isEmpty, outsideOf, readAnswer } from './talk.ts'
import type { UpdateContext } from './update-context.ts'

type Act<T> = (ctx: UpdateContext) => T | Promise<T>

/** A question beside the dialog. Like a step, it uses the store and Telegram only in `outside`. */
export type AsideTalk<A> = ReturnType<typeof createAsideTalk<A>>

/** Begins or resumes a question beside the dialog. */
export function createAsideTalk<A>(conversation: Conversation<DialogContext, Context>, about: A) {
  const outside = outsideOf(conversation, ({ ctx }) => ctx)
  const say = (word: Act<string>) =>
    outside(async (ctx, { dialog }) => {
      await ctx.send({ text: dialog.word ?? (await word(ctx)) })
    })
  let asked: Act<string>
  return {
    /** The data that the question was entered with. */
    about,
    outside,
    /** Sends a notice, or the question again, and keeps waiting. */
    async again(word = asked): Promise<never> {
      await say(word)
      return conversation.skip()
    },
    /** Sends the question, or the notice it was entered with, and waits for an answer. */
    async ask(question: Act<string>): Promise<Answer> {
      asked = question
      await say(question)
      const answer = await conversation.wait()
      return isEmpty(answer) ? conversation.skip() : readAnswer(answer)
    },
    /** Waits for the next part; an answer without text means that no more parts come. */
    more: async (): Promise<Answer> => readAnswer(await conversation.wait()),
  }
}
