import type { Composer } from 'grammy'
import { isTooLong, sendQuestion, tooLong } from '../dialog/ask.ts'
import { readAttempt } from '../dialog/attempt.ts'
import { type IncomingContext, onFileButton, tappedMessage } from '../dialog/incoming.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { buttons } from '../views/buttons.ts'
import { showPlace } from './place.ts'

/** The way to a person: what is typed next goes there, or the words that it stands beside. */
export function ask(composer: Composer<IncomingContext>): void {
  onFileButton(composer, buttons.ask, async (incoming, file) => {
    const { ctx } = incoming
    const { organizers, organizerContact: contact } = ctx.deps.config
    // Who has not begun has nothing to ask about yet.
    if (isIn(file, 'new', 'intro')) return showPlace(ctx, file)
    if (organizers.length === 0) return ctx.send({ text: ctx.t('ask-contact', { contact }) })
    const words = await wordsBeside(ctx, file, tappedMessage(incoming))
    if (words === undefined) {
      const revision = (await readAttempt(ctx, file.s))?.revision
      ctx.due = { show: 'aside', aside: { ask: 'question', s: file.s, revision } }
    } else if (isTooLong(words)) await incoming.toast(tooLong(ctx), true)
    else await sendQuestion(ctx, file.s, words)
  })
}

/** The words that were no answer, where they stand beside this button still. */
async function wordsBeside(ctx: UpdateContext, { s }: RecordFile, messageId: number | undefined) {
  const { words } = ctx.account
  if (words?.s !== s || words.messageId === undefined || words.messageId !== messageId) return undefined
  const isStill = words.revision === undefined || words.revision === (await readAttempt(ctx, s))?.revision
  return isStill ? words.text : undefined
}
