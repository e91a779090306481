import { type Conversation, conversations, createConversation } from '@grammyjs/conversations'
import { type Api, Composer, Context } from 'grammy'
import type { UserFromGetMe } from 'grammy/types'
import { inTurn, type TurnContext } from '../chat/context.ts'
import type { Due, Entry } from '../chat/due.ts'
import type { Turn } from '../chat/turn.ts'
import type { Config } from '../config.ts'
import { type KeptTalk, talks } from '../kept/documents.ts'
import { answers } from './answers.ts'
import { waitingEntry } from './step-now.ts'
import { isFitting, stepOf, steps } from './steps.ts'
import { createTalk, type DialogContext, type Talk } from './talk.ts'

/** Raised when a step changes what it keeps between an update and the next: that one field is asked for again. */
const VERSION = 1

type Question = Extract<Due, { show: 'question' }>

/** The dialog that makes a profile: one short conversation per step, the draft between them. */
type Dialog = {
  /** Answers to what was asked last. */
  middleware: Composer<TurnContext>
  /** Asks what is to be asked: enters the step that the draft has come to, or asks again where one waits. */
  ask(turn: Turn, question: Question): Promise<void>
}

/** The steps as conversations of the plugin, and the end of a turn that asks what is due. */
export function createDialog({ api, me, config }: { api: Api; me: UserFromGetMe; config: Config }): Dialog {
  const composer = new Composer<DialogContext>()
  composer.use(
    conversations<DialogContext, Context>({
      storage: { type: 'context', version: VERSION, adapter: keptInTurn },
    }),
  )
  composer.use(leaveWhatDoesNotFit)
  for (const [id, step] of Object.entries(steps)) {
    const builder = (conversation: Conversation<DialogContext, Context>, first: Context, entry: Entry) =>
      // Each step reads the doubt that it wrote itself.
      step.talk(createTalk(conversation, { first, entry, config }) as Talk<never>)
    composer.use(createConversation<DialogContext, Context>(builder, id))
  }
  composer.use(enter)
  const run = composer.middleware()

  /** Has the update taken by the conversation of this record. */
  async function take(ctx: TurnContext, dialog: DialogContext['dialog']): Promise<void> {
    // What is missing yet `conversations()` adds before anything reads it.
    const inDialog = Object.assign(ctx, { dialog }) as DialogContext
    try {
      await run(inDialog, async () => undefined)
    } catch (error) {
      throw dialog.thrown ? dialog.thrown.error : error
    }
  }

  return {
    middleware: answers((ctx, file) => take(ctx, { file })),
    async ask(turn, { show: _, ...question }) {
      await take(inTurn(new Context({ update_id: 0 }, api, me), turn), question)
    },
  }
}

/** Where a step waits is kept like everything else of a turn: in one step with its message, sealed, for a time. */
const keptInTurn = {
  read: ({ turn, dialog }: DialogContext) => turn.work.get(talks, dialog.file.s),
  write: ({ turn, dialog }: DialogContext, waiting: KeptTalk) =>
    void turn.work.put(talks, dialog.file.s, waiting),
  delete: ({ turn, dialog }: DialogContext) => turn.work.remove(talks, dialog.file.s),
}
async function leaveWhatDoesNotFit(ctx: DialogContext, next: () => Promise<void>): Promise<void> {
  const { turn, dialog } = ctx
  const [id] = Object.keys(ctx.conversation.active())
  if (id !== undefined) {
    const waiting = await waitingEntry(turn, dialog.file, id)
    if (dialog.entry || !isFitting(waiting, dialog.file, turn.today)) await ctx.conversation.exitAll()
  }
  await next()
}

/** Nothing waits: the step that is due is entered, with this update as its answer if it is one. */
async function enter({ turn, dialog, conversation }: DialogContext): Promise<void> {
  const entry = dialog.entry ?? stepOf(dialog.file, turn.today)
  if (entry) await conversation.enter(entry.ask, entry)
}
