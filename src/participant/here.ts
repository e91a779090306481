import { awaitsBeginning, isMine } from '../dialog/access.ts'
import { noteAsksToBegin } from '../dialog/asked-last.ts'
import { readAttempt, testHere } from '../dialog/attempt.ts'
import { isOpening, isPending } from '../dialog/call.ts'
import { focusedFile, unfinishedFile } from '../dialog/files.ts'
import { replaceNotice, sendOneMoment } from '../dialog/send.ts'
import { leadTo, type UpdateContext } from '../dialog/update-context.ts'
import { isQuestion } from '../domain/persian/clean.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { askButton } from '../views/ask.ts'
import { beginRow, refreshRow } from '../views/introduction.ts'
import { participantGuardianView } from '../views/profile.ts'
import { meanwhileView } from '../views/tests.ts'
import { type View, withTextAbove } from '../views/view.ts'
import { childOf } from './accept-role.ts'
import { elsewhereText, resultView, submittingText } from './deliver.ts'
import { isAwaitingHandOver } from './hand-over.ts'
import { showWhereItStands } from './questionnaire.ts'

/**
 * Sends a notice about what was not understood, and the way on below it. An open question is asked again with
 * it; elsewhere it is one short message, which replaces the one before. It loses nothing and makes no call.
 */
export async function sendWayOn(ctx: UpdateContext, word?: string, words?: string): Promise<void> {
  const file = await focusedFile(ctx)
  const { asked, ours, here } = ctx.account
  // A guardian asked for a child has buttons to answer with; the last notice (`here`) is no question.
  const isAsked = asked !== undefined && asked === ours && asked !== here
  const left = file || isAsked ? undefined : await unfinishedFile(ctx)
  if (left)
    return sendWithAsk(ctx, left, await wayOn(ctx, left, word), isIn(left, 'intro') ? undefined : words)
  if (!file)
    return replaceNotice(ctx, { text: word ?? (isAsked ? ctx.t('use-buttons') : nothingOpenText(ctx)) })
  const isOwn = await isMine(ctx, file)
  const isCalling = isPending(ctx, file.s)
  if (isIn(file, 'profile', 'code') && !isCalling && isOwn) {
    ctx.due = { show: 'question', file, word: word ?? ctx.t('you-are-here') }
    return
  }
  const isBefore = awaitsBeginning(ctx, file)
  // A board, and the hand-over before a test of it, come again below.
  if (
    file.parent
      ? await isAwaitingHandOver(ctx, file)
      : !isBefore && isIn(file, 'board', 'failed', 'generating')
  ) {
    const isOfGuardian = childOf(ctx, file) !== undefined
    const text = word ?? ctx.t(isOfGuardian ? 'use-buttons' : 'you-are-here')
    await sendWithAsk(ctx, file, { text }, words)
    return leadTo(ctx, file)
  }
  if (isIn(file, 'questions') && isOwn && (await readAttempt(ctx, file.s)))
    return showWhereItStands(ctx, file, { word: word ?? ctx.t('you-are-here'), words, keepsOlder: false })
  if (isCalling) return sendOneMoment(ctx)
  if (!isBefore) return sendWithAsk(ctx, file, await wayOn(ctx, file, word), words)
  await replaceNotice(
    ctx,
    withTextAbove({ text: ctx.t('here-intro'), keyboard: beginRow(ctx.t, file.s) }, word),
  )
  // A yes to «منظورتان … بود؟» begins nothing.
  if (word === undefined || !isQuestion(word)) noteAsksToBegin(ctx, file.s)
}

/** The notice that no test is open; the service may just be asked about one. */
export const nothingOpenText = (ctx: UpdateContext): string =>
  ctx.t(isOpening(ctx) ? 'one-moment' : 'nothing-open')

/** Sends a notice, and offers to send the words to the organizers. */
async function sendWithAsk(ctx: UpdateContext, { s }: RecordFile, view: View, text: string | undefined) {
  if (text === undefined) return replaceNotice(ctx, view)
  await replaceNotice(ctx, { ...view, keyboard: [...(view.keyboard ?? []), [askButton(ctx.t, s, true)]] })
  ctx.account.words = { s, text, messageId: ctx.account.here }
}

async function wayOn(ctx: UpdateContext, file: RecordFile, word: string | undefined): Promise<View> {
  const { t } = ctx
  if (isIn(file, 'loading') && file.guardian === 'needed')
    return withTextAbove(participantGuardianView(t), word)
  if (isIn(file, 'submitting')) return { text: submittingText(ctx, file) }
  if (isIn(file, 'elsewhere')) return withTextAbove({ text: elsewhereText(ctx, file.state) }, word)
  if (!file.parent && isIn(file, 'scored', 'done')) return withTextAbove(await resultView(ctx, file), word)
  const test = await testHere(ctx, file)
  // A test that was begun by its own link gives no result.
  if (isIn(file, 'done')) return withTextAbove({ text: t('record-finished', { title: test.title }) }, word)
  const view = withTextAbove(meanwhileView(t, test), word ?? t('you-are-here'))
  return isIn(file, 'waiting') ? { ...view, keyboard: refreshRow(t, file.s) } : view
}
