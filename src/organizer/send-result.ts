import type { Composer } from 'grammy'
import { membersHere } from '../dialog/access.ts'
import { onBehalf, onBehalfOf } from '../dialog/call.ts'
import { assigneeOf, isReleased, newShortId } from '../dialog/files.ts'
import { type IncomingContext, onButton } from '../dialog/incoming.ts'
import { askForOne, mayDecide, noteAct } from '../dialog/organizer.ts'
import { sendText } from '../dialog/send.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { languageOf } from '../domain/account.ts'
import { accountOf } from '../domain/assignee.ts'
import { titleFor } from '../domain/record/names.ts'
import { isIn, kindOfFile, newRecordFile, type RecordFile } from '../domain/record/record.ts'
import { move, seen as wasSeen } from '../domain/record/transitions.ts'
import type { Found } from '../jobs/call-table.ts'
import { resultJob } from '../jobs/deliver-result.ts'
import { noticeJob } from '../jobs/notices.ts'
import { describeRoadmap } from '../participant/roadmap-records.ts'
import { epochOf } from '../queue/job.ts'
import { accounts, fileOfToken, recordFiles } from '../storage/documents/kinds.ts'
import { buttons } from '../views/buttons.ts'
import { type SeenTarget, seenIn } from './seen.ts'

/** Sends a result to the organizer who asks for it. */
export function sendingResults(composer: Composer<IncomingContext>): void {
  onButton(composer, buttons.send, async ({ ctx }, next, s) => {
    const file = await ctx.work.get(recordFiles, s)
    await (file && !file.parent ? sendHere(ctx, file) : next())
  })
  onButton(composer, buttons.sendTarget, ({ ctx }, _, target) => askForOne(ctx, { act: 'send', ...target }))
}

/** Sends a result that was finished here. A delivery that its participant is owed goes on separately. */
async function sendHere(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { work, account } = ctx
  const { s, token, test } = file
  const [holder] = (await isSendable(ctx, file)) ? await membersHere(ctx, file) : []
  if (!holder) {
    if (await isReleased(ctx, file)) return sendText(ctx, 'send-released')
    if (isIn(file, 'scored', 'done')) return sendText(ctx, 'send-not-yet')
    // What was finished elsewhere is asked for at the service.
    return askForOne(ctx, { act: 'send', kind: kindOfFile(file), token })
  }
  const isAskedAlready = file.askedBy?.includes(account.chatId)
  file.askedBy = [...new Set(file.askedBy).add(account.chatId)]
  resultJob.post(work, s, { s, onBehalf: await onBehalfOf(ctx, holder) })
  if (!isAskedAlready) await takeResult(ctx, { token, title: test.title })
  await sendText(ctx, 'send-coming')
}

/** Sends the organizer the result of a test that was not finished here, if the service has one. */
export async function sendFound(ctx: UpdateContext, found: Found): Promise<void> {
  const { work, account, now } = ctx
  const seen = seenIn(found)
  if (!seen || !mayDecide(ctx)) return sendText(ctx, 'organizer-unknown')
  const { kind, token, title } = seen
  const known = await fileOfToken(ctx.work, token)
  if (known && isIn(known, 'scored', 'done') && !known.parent) return sendHere(ctx, known)
  if (!seen.isFinished || known?.parent) return sendText(ctx, 'send-not-yet')
  // A file that was begun here stays as it is. The service's result gets a separate file.
  const file = newRecordFile({ s: newShortId(), token, seenAt: now }, kind)
  file.test.title = title
  if (found.found === 'roadmap') describeRoadmap(file, found.roadmap, now)
  if (seen.kind === 'record') file.caseNumber = seen.profile?.case_number ?? undefined
  move(file, wasSeen, { isFinished: true, status: 1, needsProfile: false, isOwn: true })
  work.put(recordFiles, file.s, file)
  resultJob.post(work, file.s, { s: file.s, onBehalf: await onBehalf(ctx), again: account.chatId })
  await takeResult(ctx, { token, title })
  await sendText(ctx, 'send-coming')
}

/** The button's data for the result of the record or roadmap on a card, if there is a result. */
export async function sendData(ctx: UpdateContext, seen: SeenTarget, file: RecordFile | undefined) {
  if (file && (await isSendable(ctx, file))) return buttons.send.data(file.s)
  const isElsewhere = seen.isFinished && !file?.parent && !(file && isIn(file, 'scored', 'done'))
  return isElsewhere ? buttons.sendTarget.data(seen) : undefined
}

/** Whether there is a result that can be sent. A released file that waits for its person has none. */
const isSendable = async (ctx: UpdateContext, file: RecordFile): Promise<boolean> =>
  !file.parent && isIn(file, 'scored', 'done') && (await membersHere(ctx, file)).length > 0

/**
 * An organizer takes a result, even of a file that only a claim is left of. The list of acts names it, and
 * all people whose result it is are notified, each time, and at the next /start if they have blocked the bot.
 */
async function takeResult(
  ctx: UpdateContext,
  { token, title }: { token: string; title: string },
): Promise<void> {
  const { work, deps } = ctx
  const { texts, config } = deps
  await noteAct(ctx, 'send', token)
  const file = await fileOfToken(ctx.work, token)
  const owner = accountOf(await assigneeOf(ctx, token))
  const members = file ? await membersHere(ctx, file) : []
  for (const who of new Set([owner, ...members.map((member) => member.who)])) {
    const account = who === undefined ? undefined : await work.get(accounts, who)
    if (who === undefined || !account || who === ctx.who) continue
    const t = texts.for(languageOf(account, config))
    const called = file ? titleFor(file, who, owner) : title
    const text = t('result-taken', { title: called })
    const about = { who, epoch: await epochOf(work, who) }
    noticeJob.post(work, newShortId(), { chatId: account.chatId, text, about })
  }
}
