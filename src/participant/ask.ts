import type { Composer } from 'grammy'
import { isTooLong, sendQuestion, tooLong } from '../dialog/ask.ts'
import { progressHere, readAttempt } from '../dialog/attempt.ts'
import type { Expected } from '../dialog/expected.ts'
import { focusedFile, openFiles } from '../dialog/files.ts'
import { type IncomingContext, onFileButton, tappedMessage } from '../dialog/incoming.ts'
import { sendText } from '../dialog/send.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { saysSame } from '../domain/persian/saying.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { LANGUAGE_CODES } from '../texts/languages.ts'
import { buttons } from '../views/buttons.ts'
import { showPlace } from './place.ts'

/** The button that asks a person: it sends the words beside it, or the next text, to the organizers. */
export function ask(composer: Composer<IncomingContext>): void {
  onFileButton(composer, buttons.ask, (incoming, file) => askPerson(incoming, file, tappedMessage(incoming)))
}

/** Asks for the question, or sends the words beside the button of this message. */
export async function askPerson(
  { ctx, toast }: Pick<IncomingContext, 'ctx' | 'toast'>,
  file: RecordFile,
  messageId: number | undefined,
): Promise<void> {
  // Before the record is begun there is nothing to ask about.
  if (isIn(file, 'new', 'intro')) return showPlace(ctx, file)
  if (ctx.deps.config.organizers.length === 0) return sendText(ctx, 'ask-contact')
  const words = await wordsBeside(ctx, file, messageId)
  if (words === undefined) {
    const { revision, at } = await progressHere(ctx, file.s)
    // The later of both clocks: attempts use the clock of the store.
    ctx.due = { show: 'aside', aside: { ask: 'question', s: file.s, revision, at: Math.max(ctx.now, at) } }
  } else if (isTooLong(words)) await toast(tooLong(ctx), true)
  else await sendQuestion(ctx, file.s, words)
}

/** Takes the label of the button in any language, from the reply keyboard at the mobile or typed. */
export async function askTyped(ctx: UpdateContext, expected: Expected, text: string): Promise<boolean> {
  const labels = LANGUAGE_CODES.flatMap((code) =>
    (['button-ask', 'button-ask-words'] as const).map((key) => ctx.deps.texts.for(code).plain(key)),
  )
  const file = labels.some((label) => saysSame(label, text)) ? await askedAbout(ctx, expected) : undefined
  if (!file) return false
  // The keyboard goes with the next message, and comes back with the question.
  if (expected.is === 'detail') ctx.due = { show: 'question', file }
  await askInWords(ctx, file, ctx.account.detail?.messageId)
  return true
}

/** The record that a typed question is about: that of the details, a paused one, or the one opened last. */
async function askedAbout(ctx: UpdateContext, expected: Expected): Promise<RecordFile | undefined> {
  if (expected.is === 'nothing') return (await focusedFile(ctx)) ?? (await openFiles(ctx))[0]
  if (expected.is !== 'answer') return expected.is === 'detail' ? expected.file : undefined
  return (await readAttempt(ctx, expected.file.s))?.state === 'paused' ? expected.file : undefined
}

/** The same as the button, for a typed label. */
export const askInWords = (ctx: UpdateContext, file: RecordFile, messageId?: number): Promise<void> =>
  askPerson({ ctx, toast: async (text) => void (await ctx.send({ text })) }, file, messageId)

/** The words that were no answer, if they still belong to this button. */
async function wordsBeside(ctx: UpdateContext, { s }: RecordFile, messageId: number | undefined) {
  const { words } = ctx.account
  if (words?.s !== s || words.messageId === undefined || words.messageId !== messageId) return undefined
  const isStill = words.revision === undefined || words.revision === (await readAttempt(ctx, s))?.revision
  return isStill ? words.text : undefined
}
