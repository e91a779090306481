import { membersHere } from '../dialog/access.ts'
import { endAttempt, readAttempt } from '../dialog/attempt.ts'
import { assign } from '../dialog/files.ts'
import { askAbout } from '../dialog/meanwhile.ts'
import { notifyKeyTrouble, notifyOrganizers, sendText } from '../dialog/notify.ts'
import { leadTo, type UpdateContext } from '../dialog/update-context.ts'
import { answered } from '../domain/assignee.ts'
import type { ResultTo } from '../domain/invitation.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import {
  answeredElsewhere,
  answersAccepted,
  answersRefused,
  answersUnlocked,
  move,
  profileMissed,
  delivered as wasDelivered,
} from '../domain/record/transitions.ts'
import { titleOf } from '../domain/record/whose.ts'
import { announce } from '../jobs/announce.ts'
import { resultToOf } from '../jobs/recipients.ts'
import { notifyFinished } from '../organizer/finished.ts'
import type { EventOf } from '../queue/events.ts'
import { accounts, owedResults } from '../storage/documents/kinds.ts'
import { refusedView } from '../views/submission.ts'
import { refreshBoard, showBoard } from './board.ts'
import { notifyOthers } from './board-news.ts'
import { deliver } from './deliver.ts'
import { foundElsewhere } from './elsewhere.ts'
import type { EventHandlers } from './event-handlers.ts'
import { recordFinished } from './nested-record.ts'

/** What becomes of answers that were sent, and of the result. */
export const submissionEvents: EventHandlers<
  'submit-delayed' | 'submitted' | 'submitted-elsewhere' | 'submit-refused' | 'delivered'
> = {
  'submit-delayed': (ctx, { parent }) => sendText(ctx, parent ? 'record-delayed' : 'submit-delayed'),
  submitted,
  'submitted-elsewhere': submittedElsewhere,
  'submit-refused': submitRefused,
  delivered,
}

async function submitted(
  ctx: UpdateContext,
  file: RecordFile,
  { isUncertain }: EventOf<'submitted'>,
): Promise<void> {
  // Accepted is accepted, also when the participant has been told of trouble meanwhile.
  if (!isIn(file, 'submitting', 'refused')) return
  ctx.work.note('submitted')
  const contact = ctx.deps.config.organizerContact
  const uncertain = isUncertain ? ctx.t('submitted-uncertain', { title: titleOf(file), contact }) : undefined
  // How answers were given says nothing of a result that may come from others.
  if (uncertain === undefined) await notifyFinished(ctx, file)
  else await notifyOrganizers(ctx, file, 'notice-uncertain', { title: file.test.title })
  announce(ctx.deps, ctx.work, file, 'submitted')
  const { s, parent } = file
  const { account } = ctx
  const screen = account.screens[s]
  const { count: total } = file.state.questions
  if (parent) {
    // The word that it is finished says the thanks as well.
    if (screen !== undefined) await ctx.takeAway(screen)
    return recordFinished(ctx, file, uncertain ?? ctx.t('record-finished', { title: titleOf(file) }))
  }
  move(file, answersAccepted)
  file.finishedAt = ctx.now
  await assign(ctx, file.token, answered)
  if (uncertain !== undefined) {
    // The word stays: no thanks come in its place.
    await ctx.show(screen === account.latest ? screen : undefined, { text: uncertain })
    delete account.screens[s]
    return deliver(ctx, file)
  }
  const isOrganizers = resultToOf(ctx.deps.config, file) === 'organizer'
  const view = { text: isOrganizers ? ctx.t('submitted-organizer') : ctx.t('submitted', { total }) }
  // What was said meanwhile stands below it: there it would not be seen.
  const isNewest = screen === account.latest
  if (screen !== undefined && !isNewest) await ctx.revise(screen, { text: ctx.t('submit-sent', { total }) })
  const shown = await ctx.show(isNewest ? screen : undefined, view)
  if (shown !== undefined) account.screens[s] = shown
  await deliver(ctx, file)
}

/** The service has answers that were not sent from here: nothing of them is told as this participant's. */
async function submittedElsewhere(ctx: UpdateContext, file: RecordFile): Promise<void> {
  if (!move(file, answeredElsewhere)) return
  await foundElsewhere(ctx, file)
}

/** What said that the result is being made says the thanks alone, once the result is there. */
async function thank(ctx: UpdateContext, { s, roadmap }: RecordFile, to: ResultTo): Promise<void> {
  const screen = ctx.account.screens[s]
  const attempt = roadmap || to === 'organizer' ? undefined : await readAttempt(ctx, s)
  if (screen === undefined || !attempt) return
  await ctx.revise(screen, { text: ctx.t('submit-sent', { total: attempt.questions }) })
}

async function submitRefused(
  ctx: UpdateContext,
  file: RecordFile,
  { code }: EventOf<'submit-refused'>,
): Promise<void> {
  if (!isIn(file, 'submitting')) return
  const { s, parent, test } = file
  if (code === 'profile' && !parent) {
    // The answers stay; only the profile has to be made again.
    move(file, profileMissed)
    await sendText(ctx, 'submit-profile-again')
    return leadTo(ctx, file)
  }
  if (code === 'unlocked') {
    move(file, answersUnlocked)
    await sendText(ctx, 'submit-once-more')
    return leadTo(ctx, file)
  }
  move(file, answersRefused)
  if (code === 'key') await notifyKeyTrouble(ctx)
  await notifyOrganizers(ctx, file, code === 'billing' ? 'notice-billing' : 'notice-submit', {
    title: test.title,
  })
  await askAbout(ctx, file, refusedView(ctx.t, { s, contact: ctx.deps.config.organizerContact }))
}

/** Answers leave when the service has accepted them and the result is delivered. */
async function delivered(ctx: UpdateContext, file: RecordFile, { to }: EventOf<'delivered'>): Promise<void> {
  const { work, account } = ctx
  const { s } = file
  const owed = await work.get(owedResults, s)
  // What somebody else has blocked waits for their next /start.
  const isOwed = owed !== undefined && owed.parts.length > 0
  const isLater = isIn(file, 'done')
  if (!move(file, wasDelivered, { isOwed })) return
  if (!isOwed) {
    work.note('delivered')
    work.remove(owedResults, s)
    delete file.shownAs
  }
  if (file.roadmap) {
    // Where no result comes to this chat its board is the news.
    await (to === 'organizer' && !isOwed ? showBoard(ctx, file, { anew: true }) : refreshBoard(ctx, file))
    await notifyOthers(ctx, file)
  }
  if (!isLater) announce(ctx.deps, work, file, 'delivered')
  for (const { who } of await membersHere(ctx, file)) {
    const member = await work.get(accounts, who)
    if (member) member.hasResult = true
  }
  account.hasResult = true
  if (!isLater) {
    await thank(ctx, file, to)
    endAttempt(ctx, s)
    if (!file.roadmap) delete account.screens[s]
    if (account.focus === s) delete account.focus
  }
  if (to === 'organizer' && !isOwed && !file.roadmap) await sendText(ctx, 'delivered-organizer')
}
