import type { Composer } from 'grammy'
import { isTooLong, sendQuestion, tooLong } from '../dialog/ask.ts'
import { progressHere, readAttempt } from '../dialog/attempt.ts'
import type { Expected } from '../dialog/expected.ts'
import { focusedFile, openFiles } from '../dialog/files.ts'
import { type IncomingContext, onFileButton, tappedMessage } from '../dialog/incoming.ts'
import { sendText } from '../dialog/notify.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { saysSame } from '../domain/persian/saying.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { LANGUAGE_CODES } from '../texts/languages.ts'
import { buttons } from '../views/buttons.ts'
import { showPlace } from './place.ts'

/** The way to a person: what is typed next goes there, or the words that it stands beside. */
export function ask(composer: Composer<IncomingContext>): void {
  onFileButton(composer, buttons.ask, (incoming, file) => askPerson(incoming, file, tappedMessage(incoming)))
}

/** Asks for the question, or sends the words that stand beside the button of this message. */
export async function askPerson(
  { ctx, toast }: Pick<IncomingContext, 'ctx' | 'toast'>,
  file: RecordFile,
  messageId: number | undefined,
): Promise<void> {
  // Who has not begun has nothing to ask about yet.
  if (isIn(file, 'new', 'intro')) return showPlace(ctx, file)
  if (ctx.deps.config.organizers.length === 0) return sendText(ctx, 'ask-contact')
  const words = await wordsBeside(ctx, file, messageId)
  if (words === undefined) {
    const { revision, at } = await progressHere(ctx, file.s)
    // By both clocks: attempts go by that of the store.
    ctx.due = { show: 'aside', aside: { ask: 'question', s: file.s, revision, at: Math.max(ctx.now, at) } }
  } else if (isTooLong(words)) await toast(tooLong(ctx), true)
  else await sendQuestion(ctx, file.s, words)
}

/** Takes the button's words, in whichever language: the line under the input at the mobile, or typed. */
export async function askTyped(ctx: UpdateContext, expected: Expected, text: string): Promise<boolean> {
  const labels = LANGUAGE_CODES.flatMap((code) =>
    (['button-ask', 'button-ask-words'] as const).map((key) => ctx.deps.texts.for(code).plain(key)),
  )
  const file = labels.some((label) => saysSame(label, text)) ? await askedAbout(ctx, expected) : undefined
  if (!file) return false
  // It goes with whatever is said now, and comes back with the question.
  if (expected.is === 'detail') ctx.due = { show: 'question', file }
  await askInWords(ctx, file, ctx.account.detail?.messageId)
  return true
}

/** What is asked about by words: the details, what was put aside, or what was opened last. */
async function askedAbout(ctx: UpdateContext, expected: Expected): Promise<RecordFile | undefined> {
  if (expected.is === 'nothing') return (await focusedFile(ctx)) ?? (await openFiles(ctx))[0]
  if (expected.is !== 'answer') return expected.is === 'detail' ? expected.file : undefined
  return (await readAttempt(ctx, expected.file.s))?.state === 'paused' ? expected.file : undefined
}

/** The same as the button, in words. */
export const askInWords = (ctx: UpdateContext, file: RecordFile, messageId?: number): Promise<void> =>
  askPerson({ ctx, toast: async (text) => void (await ctx.send({ text })) }, file, messageId)

/** The words that were no answer, where they stand beside this button still. */
async function wordsBeside(ctx: UpdateContext, { s }: RecordFile, messageId: number | undefined) {
  const { words } = ctx.account
  if (words?.s !== s || words.messageId === undefined || words.messageId !== messageId) return undefined
  const isStill = words.revision === undefined || words.revision === (await readAttempt(ctx, s))?.revision
  return isStill ? words.text : undefined
}
