import type { Document } from 'grammy/types'
import { joinParts, MOST_LINES, readLine, textIn, titledLines } from '../domain/invitation-lines.ts'
import { batchJob } from '../jobs/batch.ts'
import { rowsOf } from '../jobs/batch-rows.ts'
import { timerIds, watchJobs } from '../jobs/watch-jobs.ts'
import { keepGroup } from '../storage/documents/groups.ts'
import { batches } from '../storage/documents/invitations.ts'
import { escapeHtml } from '../texts/texts.ts'
import { buttons } from '../views/buttons.ts'
import { flawText } from '../views/csv.ts'
import { button, paragraphs } from '../views/view.ts'
import type { AsideTalk } from './aside-talk.ts'
import { onBehalf } from './call.ts'
import type { Aside, Lines } from './due.ts'
import { newShortId } from './files.ts'
import { groupNameIn } from './group.ts'
import { askForOne, noteAct } from './organizer.ts'
import type { UpdateContext } from './update-context.ts'

const MEGABYTES = 2
/** Far more than a thousand lines need: a larger file is no list of invitations. */
const MOST_BYTES = MEGABYTES * 1024 * 1024
/** Telegram may have cut a text of this length (at 4,096 letters, at a line end if there is one). */
const CUT_LETTERS = 3_900
/** Far more than needed. A refused text is also read to its end, so that its rest is no list of its own. */
const MOST_PARTS = 300
/** How long to wait for the next part; the parts of one text arrive together. */
const REST_MS = 2_000

/** The lines of `/invite`: after the command, in the next messages, or in a document. */
export async function lines(talk: AsideTalk<Extract<Aside, { ask: 'lines' }>>): Promise<void> {
  const { given } = talk.about
  const first = given ?? (await talk.ask(({ t }) => t('invite-ask', { lines: MOST_LINES })))
  const { document } = first
  const text = document ? '' : await wholeText(talk, first)
  await talk.outside(async (ctx) => {
    const word = await (document ? takeDocument(ctx, document, first.text) : takeLines(ctx, text))
    if (word === undefined) return
    // If the bot asked for the lines, they can be sent again.
    if (given) await ctx.send({ text: word })
    else ctx.due = { show: 'aside', aside: { ask: 'lines' }, word: paragraphs(word, ctx.t('invite-leave')) }
  })
}

/** A text with its other parts: after a part that looks cut, it waits for the next one. */
async function wholeText({ outside, more }: Pick<AsideTalk<Aside>, 'outside' | 'more'>, first: Lines) {
  const parts = [first]
  const isCut = () => (parts.at(-1)?.text ?? '').length >= CUT_LETTERS
  while (isCut() && parts.length <= MOST_PARTS) {
    await outside(awaitRest)
    parts.push(await more())
  }
  const inOrder = parts.toSorted((one, other) => one.messageId - other.messageId)
  return joinParts(inOrder.flatMap(({ text }) => text ?? []))
}

async function awaitRest(ctx: UpdateContext): Promise<void> {
  const { work, who, now } = ctx
  const body = { s: who, onBehalf: await onBehalf(ctx), event: { kind: 'lines' } } as const
  watchJobs.timer.post(work, timerIds.lines(who), body, { dueAt: now + REST_MS, replace: true })
}

/** Takes the lines of a document, or returns why it cannot. */
async function takeDocument(
  ctx: UpdateContext,
  { file_id, file_name = '', file_size = 0 }: Document,
  name = file_name.replace(/\.\w+$/, ''),
) {
  const { t, deps } = ctx
  const tooLarge = t('invite-file-large', { megabytes: MEGABYTES })
  if (file_size > MOST_BYTES) return tooLarge
  if (!/\.(csv|txt)$/i.test(file_name)) return t('invite-file-kind')
  const bytes = await deps.download(file_id, MOST_BYTES)
  if (bytes === undefined) return t('invite-file-gone')
  if (bytes === 'large') return tooLarge
  const text = textIn(bytes)
  return text === undefined ? t('invite-file-kind') : takeLines(ctx, text, name)
}

/** Makes the invitations, or returns why it cannot: one line is answered in the chat, several with a CSV. */
async function takeLines(ctx: UpdateContext, given: string, called = ''): Promise<string | undefined> {
  const { work, account, t, today } = ctx
  const { title, lines } = titledLines(given)
  const [only] = lines
  if (only === undefined) return t('invite-none')
  if (lines.length > MOST_LINES) return t('invite-too-many', { lines: MOST_LINES })
  if (lines.length === 1) return takeLine(ctx, only.text)
  const id = newShortId()
  const rows = rowsOf(lines, today)
  const tokens = new Set(rows.flatMap(({ token, error }) => (error === undefined ? [token] : [])))
  work.put(batches, id, { by: account.chatId, rows })
  await keepGroup(work, id, { name: groupNameIn(title ?? called) ?? '', at: ctx.now, tokens: [...tokens] })
  batchJob.post(work, id, { onBehalf: await onBehalf(ctx) })
  await noteAct(ctx, 'batch')
  const name = button(t.plain('button-group-name'), buttons.groupName.data(id, 'name'))
  const see = button(t.plain('button-group-see'), buttons.group.data(id, 1))
  await ctx.send({ text: t('invite-batch', { lines: lines.length }), keyboard: [[name, see]] })
  return undefined
}

async function takeLine(ctx: UpdateContext, text: string): Promise<string | undefined> {
  const read = readLine(text, ctx.today)
  if (!('line' in read)) {
    const flaw = flawText(ctx.t, read.flaw)
    return paragraphs(flaw !== undefined && escapeHtml(flaw), ctx.t('invite-line-bad'))
  }
  await askForOne(ctx, { act: 'invite', ...read.line })
  return undefined
}
