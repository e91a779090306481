import type { Composer } from 'grammy'
import { isTooLong, sendQuestion, tooLong } from '../dialog/ask.ts'
import { progressHere, readAttempt } from '../dialog/attempt.ts'
import { type IncomingContext, onFileButton, tappedMessage } from '../dialog/incoming.ts'
import { sendText } from '../dialog/notify.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
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

/** Takes the line under the input at the mobile, in whichever language it was put there. */
export async function askTyped(ctx: UpdateContext, file: RecordFile, text: string): Promise<boolean> {
  const labels = LANGUAGE_CODES.flatMap((code) =>
    (['button-ask', 'button-ask-words'] as const).map((key) => ctx.deps.texts.for(code).plain(key)),
  )
  if (!labels.includes(text.trim())) return false
  // It goes with whatever is said now, and comes back with the question.
  ctx.due = { show: 'question', file }
  await askInWords(ctx, file, ctx.account.detail?.messageId)
  return true
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
