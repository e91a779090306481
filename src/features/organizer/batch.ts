import { Composer } from 'grammy'
import type { Document } from 'grammy/types'
import { onBehalf } from '../../chat/call.ts'
import type { BotContext } from '../../chat/context.ts'
import { changeDesk, openDesk } from '../../chat/desk.ts'
import { newShortId } from '../../chat/files.ts'
import { isOrganizer } from '../../chat/organizer.ts'
import { tell } from '../../chat/say.ts'
import type { Turn } from '../../chat/turn.ts'
import { MOST_LINES, readLine, splitLines } from '../../domain/invitation-lines.ts'
import { batchJob } from '../../jobs/batch.ts'
import { rowsOf } from '../../jobs/batch-rows.ts'
import { timerIds, watchJobs } from '../../jobs/watch-jobs.ts'
import { batches } from '../../kept/batches.ts'
import { isCancel } from '../end-questions.ts'
import { askService } from './ask.ts'
import { noteAct } from './audit.ts'

const MEGABYTES = 10
/** A thousand lines are far less; what is larger is no list of invitations. */
const MOST_BYTES = MEGABYTES * 1024 * 1024
/** A message this long may be cut by Telegram (at 4,096 letters, at the end of a line where there is one). */
const CUT_LETTERS = 3_900
/** More than a thousand of the longest lines. */
const MOST_PARTS = 40
/** The parts of one text come at once. */
const REST_MS = 2_000

/** `/invite` with its lines: behind it, in the next message, or in a document. */
export function batchInvitations(): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  composer.command('invite', async ({ turn, match, msg }) => {
    await waitForLines(turn, false)
    if (msg.document) return takeDocument(turn, msg.document)
    if (match.trim() !== '') return gather(turn, msg.message_id, match)
    await waitForLines(turn, true)
    await turn.say({ text: turn.t('invite-ask', { lines: MOST_LINES }) })
  })
  composer.on('message:document', async ({ turn, msg }, next) => {
    const isCaption = /^\/invite(?:@\w+)?(?:\s|$)/.test(msg.caption ?? '')
    if (!isCaption && !(await openDesk(turn)).asksLines) return next()
    await takeDocument(turn, msg.document)
  })
  composer.on('message:text', async ({ turn, msg }, next) => {
    const { asksLines } = await openDesk(turn)
    if (!asksLines) return next()
    if (!msg.text.startsWith('/')) return gather(turn, msg.message_id, msg.text)
    await waitForLines(turn, false)
    // Only the waiting is left by it.
    if (isCancel(msg.text)) return tell(turn, 'cancelled')
    await next()
  })
  return composer
}

const waitForLines = async (turn: Turn, isAsked: boolean): Promise<void> => {
  const { asksLines } = await openDesk(turn)
  if (isAsked === (asksLines === true)) return
  await changeDesk(turn, ({ asksLines: _, parts: __, ...desk }) => ({
    ...desk,
    ...(isAsked && { asksLines: true as const }),
  }))
}

/** Takes typed lines; what looks cut waits a moment for the rest of it. */
async function gather(turn: Turn, id: number, text: string): Promise<void> {
  const { parts = [] } = await openDesk(turn)
  // The same message may be handled twice.
  const all = [...parts.filter((part) => part.id !== id), { id, text }]
  if (text.length < CUT_LETTERS) return takeLines(turn, joinParts(all))
  if (all.length > MOST_PARTS) {
    await waitForLines(turn, false)
    return void (await turn.say({ text: turn.t('invite-too-many', { lines: MOST_LINES }) }))
  }
  await changeDesk(turn, (desk) => ({ ...desk, asksLines: true, parts: all }))
  const { work, who, now } = turn
  const body = { s: who, onBehalf: await onBehalf(turn), event: { kind: 'lines' } } as const
  watchJobs.timer.post(work, timerIds.lines(who), body, { dueAt: now + REST_MS, replace: true })
}

/** The rest of a cut text has come, or will not come any more. */
export async function takeGathered(turn: Turn): Promise<void> {
  if (!isOrganizer(turn)) return
  const { parts = [] } = await openDesk(turn)
  if (parts.length > 0) await takeLines(turn, joinParts(parts))
}

/** Puts together what Telegram has cut, also where it was cut in the middle of a line. */
function joinParts(parts: readonly { id: number; text: string }[]): string {
  const [first = '', ...rest] = parts
    .toSorted((one, other) => one.id - other.id)
    .map(({ text }) => text.trim())
  return rest.reduce((before, after) => {
    const last = before.slice(before.lastIndexOf('\n') + 1)
    const next = after.split('\n', 1)[0] ?? ''
    const isWhole = 'line' in readLine(last) && 'line' in readLine(next)
    const gap = isWhole ? undefined : [' ', ''].find((each) => 'line' in readLine(`${last}${each}${next}`))
    return `${before}${gap ?? '\n'}${after}`
  }, first)
}

async function takeDocument(turn: Turn, { file_id, file_name = '', file_size = 0 }: Document): Promise<void> {
  const { t, deps } = turn
  if (file_size > MOST_BYTES)
    return void (await turn.say({ text: t('invite-file-large', { megabytes: MEGABYTES }) }))
  if (!/\.(csv|txt)$/i.test(file_name)) return tell(turn, 'invite-file-kind')
  const bytes = await deps.download(file_id, MOST_BYTES)
  if (bytes === undefined) return tell(turn, 'invite-file-gone')
  if (bytes === 'large')
    return void (await turn.say({ text: t('invite-file-large', { megabytes: MEGABYTES }) }))
  const text = textOf(bytes)
  if (text === undefined) return tell(turn, 'invite-file-kind')
  await takeLines(turn, text)
}

/** Plain text in UTF-8, or in UTF-16 as spreadsheets write it; `undefined` for anything else. */
function textOf(bytes: Buffer): string | undefined {
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe
  try {
    const text = new TextDecoder(isWide ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes)
    return /[\u0000-\u0008\u000e-\u001f]/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

async function takeLines(turn: Turn, text: string): Promise<void> {
  await changeDesk(turn, ({ parts: _, ...desk }) => desk)
  const lines = splitLines(text)
  const [only] = lines
  if (only === undefined) return tell(turn, 'invite-none')
  if (lines.length > MOST_LINES)
    return void (await turn.say({ text: turn.t('invite-too-many', { lines: MOST_LINES }) }))
  if (lines.length === 1) return takeLine(turn, only)
  await waitForLines(turn, false)
  const id = newShortId()
  const { work, account } = turn
  work.put(batches, id, { by: account.chatId, rows: rowsOf(lines) })
  batchJob.post(work, id, { onBehalf: await onBehalf(turn) })
  await noteAct(turn, 'batch')
  await turn.say({ text: turn.t('invite-batch', { lines: lines.length }) })
}

/** A line that cannot be read may be written once more. */
async function takeLine(turn: Turn, text: string): Promise<void> {
  const read = readLine(text)
  if (!('line' in read)) return tell(turn, 'invite-line-bad')
  await waitForLines(turn, false)
  const { token, kind } = read.line
  await askService(turn, { act: 'invite', ...read.line }, { kind: 'find', token, first: kind ?? 'record' })
}
