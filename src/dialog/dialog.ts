import { type Conversation, conversations, createConversation } from '@grammyjs/conversations'
import { type Api, Composer, Context, type MiddlewareFn } from 'grammy'
import type { UserFromGetMe } from 'grammy/types'
import type { Config } from '../config.ts'
import type { StoredConversation } from '../domain/account.ts'
import { talks } from '../storage/documents/kinds.ts'
import { createAsideTalk } from './aside-talk.ts'
import type { Aside, Due, Entry } from './due.ts'
import { waitingEntry } from './expected.ts'
import { type IncomingContext, withContext } from './incoming.ts'
import { asides, isFitting, stepOf, steps } from './steps.ts'
import { createTalk, type DialogContext, type Talk } from './talk.ts'
import type { UpdateContext } from './update-context.ts'

/** Raised when the stored state of a step changes; the field in progress is then asked for again. */
const VERSION = 1

type Question = Exclude<Due, { show: 'place' }>

export type Dialog = ReturnType<typeof createDialog>

/** The dialog: every step and every question beside it is a conversation of the plugin. */
export function createDialog({ api, me, config }: { api: Api; me: UserFromGetMe; config: Config }) {
  const composer = new Composer<DialogContext>()
  composer.use(
    conversations<DialogContext, Context>({
      storage: { type: 'context', version: VERSION, adapter: keptWithUpdate },
    }),
  )
  composer.use(leaveWhatDoesNotFit)
  composer.use(handTo(conversationsOf(config)))
  const run = composer.middleware()

  /** Handles the update as the answer to the question. */
  async function take(incoming: IncomingContext, question: Question): Promise<void> {
    const dialog: DialogContext['dialog'] = question
    // `conversations()` adds the missing parts before they are read.
    const inDialog = Object.assign(incoming, { dialog }) as DialogContext
    try {
      await run(inDialog, async () => undefined)
    } catch (error) {
      throw dialog.thrown ? dialog.thrown.error : error
    }
  }

  return {
    take,
    /** Asks the question: enters the step that the draft has come to, or lets the waiting step ask again. */
    async ask(ctx: UpdateContext, question: Question): Promise<void> {
      await take(withContext(new Context({ update_id: 0 }, api, me), ctx), question)
    },
  }
}

/** A waiting step is stored with its update: in the same commit, encrypted, with a term. */
const keptWithUpdate = {
  read: ({ ctx, dialog }: DialogContext) =>
    dialog.show === 'aside' ? ctx.account.aside : ctx.work.get(talks, dialog.file.s),
  write({ ctx, dialog }: DialogContext, waiting: StoredConversation) {
    if (dialog.show === 'aside') ctx.account.aside = waiting
    else ctx.work.put(talks, dialog.file.s, waiting)
  },
  delete({ ctx, dialog }: DialogContext) {
    if (dialog.show === 'aside') delete ctx.account.aside
    else ctx.work.remove(talks, dialog.file.s)
  },
}

async function leaveWhatDoesNotFit(incoming: DialogContext, next: () => Promise<void>): Promise<void> {
  const [id] = Object.keys(incoming.conversation.active())
  if (id !== undefined && !(await fits(incoming, id))) await incoming.conversation.exitAll()
  await next()
}

async function fits({ ctx, dialog }: DialogContext, id: string): Promise<boolean> {
  if (dialog.show === 'aside') return !dialog.aside
  const waiting = await waitingEntry(ctx, dialog.file, id)
  return !dialog.entry && isFitting(waiting, dialog.file, ctx.today)
}

type Handler = ReturnType<typeof createConversation<DialogContext, Context>>

/** Every step, and every question beside the dialog, by the name it waits under. */
function conversationsOf(config: Config): ReadonlyMap<string, Handler> {
  const all = new Map<string, Handler>()
  for (const [id, step] of Object.entries(steps)) {
    const builder = (conversation: Conversation<DialogContext, Context>, first: Context, entry: Entry) =>
      // Each step reads the doubt that it wrote itself.
      step.talk(createTalk(conversation, { first, entry, config }) as Talk<never>)
    all.set(id, createConversation<DialogContext, Context>(builder, id))
  }
  for (const [id, aside] of Object.entries(asides)) {
    const builder = (conversation: Conversation<DialogContext, Context>, _: Context, about: Aside) =>
      // The data fits the question that this name belongs to.
      aside(createAsideTalk(conversation, about as never))
    all.set(id, createConversation<DialogContext, Context>(builder, id))
  }
  return all
}

/**
 * Hands the update to the waiting conversation. If none waits, enters the due one, with the update as its
 * answer if it is one. The plugin gets only this conversation: all of them would slow every message.
 */
const handTo =
  (all: ReadonlyMap<string, Handler>): MiddlewareFn<DialogContext> =>
  async (incoming) => {
    const { conversation } = incoming
    const [waiting = ''] = Object.keys(conversation.active())
    const due = dueOf(incoming)
    const known = all.get(waiting) ?? (due && all.get(due.ask))
    const enter = async () => {
      if (due && !all.has(waiting)) await conversation.enter(due.ask, due)
    }
    await known?.(incoming, enter)
  }

const dueOf = ({ ctx, dialog }: DialogContext): Aside | Entry | undefined =>
  dialog.show === 'aside' ? dialog.aside : (dialog.entry ?? stepOf(dialog.file, ctx.today))
