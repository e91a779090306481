import { type Conversation, conversations, createConversation } from '@grammyjs/conversations'
import { type Api, Composer, Context } from 'grammy'
import type { UserFromGetMe } from 'grammy/types'
import { isPending } from '../chat/call.ts'
import { type BotContext, tappedMessage } from '../chat/context.ts'
import { type Due, type Entry, entry as entrySchema } from '../chat/due.ts'
import { focusedFile } from '../chat/files.ts'
import { tell } from '../chat/say.ts'
import { leadTo, type Turn } from '../chat/turn.ts'
import { noteTyped } from '../chat/typed.ts'
import type { Config } from '../config.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { type KeptTalk, talks } from '../kept/documents.ts'
import { isExpired } from './code.ts'
import { isFitting, stepOf, steps } from './steps.ts'
import { DIALOG_BUTTON } from '../views/buttons.ts'
import { createTalk, type DialogContext, type Talk } from './talk.ts'

/** Raised when a step changes what it keeps between an update and the next: that one field is asked for again. */
const VERSION = 1

type Question = Extract<Due, { show: 'question' }>

/** The dialog that makes a profile: one short conversation per step, the draft between them. */
export type Dialog = {
  /** Answers to what was asked last. */
  middleware: Composer<BotContext>
  /** Asks what is to be asked: enters the step that the draft has come to, or asks again where one waits. */
  ask(turn: Turn, question: Question): Promise<void>
}

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
      step(createTalk(conversation, { first, entry, config }) as Talk<never>)
    composer.use(createConversation<DialogContext, Context>(builder, id))
  }
  composer.use(enter)
  const run = composer.middleware()

  /** Has the update taken by the conversation of this record. */
  async function take(ctx: BotContext, dialog: DialogContext['dialog']): Promise<void> {
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
      const ctx = Object.assign(new Context({ update_id: 0 }, api, me), { turn, toast: async () => undefined })
      await take(ctx, question)
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

/** What the step that waits was entered with. */
async function waitingEntry(turn: Turn, { s }: RecordFile, id: string): Promise<Entry | undefined> {
  const [waiting] = (await turn.work.get(talks, s))?.state[id] ?? []
  const [entered] = JSON.parse(waiting?.args ?? '[]') as unknown[]
  const read = entrySchema.safeParse(entered)
  return read.success ? read.data : undefined
}

/** Nothing waits: the step that is due is entered, with this update as its answer if it is one. */
async function enter({ turn, dialog, conversation }: DialogContext): Promise<void> {
  const entry = dialog.entry ?? stepOf(dialog.file, turn.today)
  if (entry) await conversation.enter(entry.ask, entry)
}

/** Finds out what answers the dialog: typed text, a shared contact, or a button on the message that asked last. */
function answers(take: (ctx: BotContext, file: RecordFile) => Promise<void>): Composer<BotContext> {
  const composer = new Composer<BotContext>()

  composer.callbackQuery(DIALOG_BUTTON, async (ctx) => {
    const { turn } = ctx
    const { asked } = turn.account
    const file = await focusedFile(turn)
    const isCurrent = asked !== undefined && tappedMessage(ctx) === asked
    if (file && isCurrent && isOwnDialog(turn, file)) {
      if (isPending(turn, file.s)) return tell(turn, 'one-moment')
      return take(ctx, file)
    }
    // They carry no `S`, so they count only on the message that asked last.
    await ctx.toast(turn.t.plain('button-old'))
    if (file && !isCurrent) leadTo(turn, file)
  })

  composer.on('message:contact', async (ctx, next) => {
    const file = await focusedFile(ctx.turn)
    if (!file || !isOwnDialog(ctx.turn, file) || (await stepNow(ctx.turn, file)) !== 'mobile') return next()
    noteTyped(file, ctx.msg.message_id)
    await take(ctx, file)
  })

  composer.on('message:text', async (ctx, next) => {
    const { turn, msg } = ctx
    const file = await focusedFile(turn)
    if (!file || !isOwnDialog(turn, file)) return next()
    const isCall = isPending(turn, file.s)
    if (isIn(file, 'profile') && isCall) return leadTo(turn, file)
    noteTyped(file, msg.message_id)
    if (isIn(file, 'code') && isCall && !isExpired(turn, file.state.sms)) return tell(turn, 'one-moment')
    await take(ctx, file)
  })
  return composer
}

/** Whether it is this account that makes the profile now. */
const isOwnDialog = (turn: Turn, file: RecordFile): boolean =>
  file.owner === turn.who && isIn(file, 'profile', 'code')

/** The step that the dialog has come to, or the one that waits beside it with a doubt or a correction. */
export async function stepNow(turn: Turn, file: RecordFile): Promise<Entry['ask'] | undefined> {
  const expected = stepOf(file, turn.today)
  const [id] = Object.keys((await turn.work.get(talks, file.s))?.state ?? {})
  const waiting = id === undefined ? undefined : await waitingEntry(turn, file, id)
  return isFitting(waiting, file, turn.today) ? waiting?.ask : expected?.ask
}
