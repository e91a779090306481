import type { Conversation } from '@grammyjs/conversations'
import type { Context } from 'grammy'
import { type Answer, type DialogContext, isEmpty, outsideOf, readAnswer } from './talk.ts'
import type { UpdateContext } from './update-context.ts'

type Act<T> = (ctx: UpdateContext) => T | Promise<T>

/** A question beside the dialog: ask, wait, explain or end. Like a step, it sees the store and Telegram only outside. */
export type Beside<A> = {
  /** What it was entered with. */
  readonly about: A
  /** Asks, unless it was entered with a word, and waits for an answer. */
  ask(question: Act<string>): Promise<Answer>
  /** Waits for more of it; without a text, nothing more comes. */
  more(): Promise<Answer>
  /** Says a word, or the question, and waits on. */
  again(word?: Act<string>): Promise<never>
  outside<T>(act: Act<T>): Promise<T>
}

/** Begins or resumes a question beside the dialog. */
export function createBeside<A>(conversation: Conversation<DialogContext, Context>, about: A): Beside<A> {
  const outside = outsideOf(conversation, ({ ctx }) => ctx)
  const say = (word: Act<string>) =>
    outside(async (ctx, { dialog }) => {
      await ctx.send({ text: dialog.word ?? (await word(ctx)) })
    })
  let asked: Act<string>
  return {
    about,
    outside,
    async again(word = asked) {
      await say(word)
      return conversation.skip()
    },
    async ask(question) {
      asked = question
      await say(question)
      const answer = await conversation.wait()
      return isEmpty(answer) ? conversation.skip() : readAnswer(answer)
    },
    more: async () => readAnswer(await conversation.wait()),
  }
}
