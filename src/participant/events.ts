import { takesPart } from '../dialog/access.ts'
import { readAttempt } from '../dialog/attempt.ts'
import { dropCall, isPending, onBehalf } from '../dialog/call.ts'
import { codeVerified } from '../dialog/code.ts'
import { asideOf, isStillAskedBeside, leaveAside, stepNow } from '../dialog/expected.ts'
import { focusedFile, forgetOpened, noteGoingOn, visibleFile } from '../dialog/files.ts'
import { keyWorks, notifyOrganizers } from '../dialog/notify-organizers.ts'
import { askAbout, isBusyElsewhere, sendAbout, sendText } from '../dialog/send.ts'
import { profileSent, sendProfile } from '../dialog/send-profile.ts'
import { askForMobile } from '../dialog/takeover-mobile.ts'
import { deleteTyped, hasWritten, withdrawTyped } from '../dialog/typed-messages.ts'
import { leadTo, leaveAsked, type UpdateContext } from '../dialog/update-context.ts'
import { backOffMs } from '../domain/durations.ts'
import { nameAmong } from '../domain/record/names.ts'
import { isIn, isSpent, type RecordFile } from '../domain/record/record.ts'
import { move, stalled } from '../domain/record/transitions.ts'
import { isUnrepeatable, readOutcome } from '../jobs/call-table.ts'
import { timerIds, watchJobs } from '../jobs/watch-jobs.ts'
import { takeAnswer } from '../organizer/parts.ts'
import { release, releaseDone } from '../organizer/release.ts'
import type { ChatEvent, ChatMessage, EventKind, EventOf } from '../queue/chat-message.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import { isRefused } from '../telegram/errors.ts'
import { escapeHtml } from '../texts/texts.ts'
import { failureView } from '../views/failure.ts'
import { notifyOthers, refreshBoard } from './board.ts'
import { checkRecord, opened, roadmapOpened } from './check-record.ts'
import { forgetAgain } from './forget.ts'
import { guardianAnswered } from './guardian-asked.ts'
import { isAwaitingHandOver } from './hand-over.ts'
import { takeQuestions } from './load-questions.ts'
import { showPlace } from './place.ts'
import { releasedFrom } from './released.ts'
import { remind, remindLater } from './remind.ts'
import { questionsRefused, recordOpened, recordReady } from './roadmap-records.ts'
import { comesAnew, showAttempt, watchScreen } from './show-question.ts'
import { takeOver } from './take-over.ts'
import { endWait } from './waiting.ts'
import { type EventHandlers, workEvents } from './work-events.ts'

/** The events of a record or roadmap that this account may still see. */
type RecordEventKind = Exclude<
  EventKind,
  'unhanded' | 'released' | 'release' | 'release-done' | 'lines' | 'forgotten'
>

/** Tries for a quarter of an hour. */
const SCREEN_TRIES = 20
const SCREEN_STEPS_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000]

/** A kind of event without a handler does not compile. */
const handlers: EventHandlers<RecordEventKind> = {
  ...workEvents,
  async opened(ctx, file) {
    const { screens, focus } = ctx.account
    // Another account that waited as well may have been faster.
    const isLate = endWait(ctx, file) && file.roadmap !== undefined
    const isNews = isLate || (isIn(file, 'intro') && screens[file.s] !== undefined)
    if (!isIn(file, 'waiting') && !isNews) return refreshBoard(ctx, file)
    await sendAbout(ctx, file, 'opened-now')
    if (file.parent) return recordReady(ctx, file)
    if (isIn(file, 'waiting', 'intro')) return checkRecord(ctx, file)
    await (focus === file.s ? showPlace : refreshBoard)(ctx, file)
  },
  async redraw(ctx, file, { messageId, tries = 1, word, isUnasked }) {
    const { s, parent } = file
    const { focus, screens } = ctx.account
    // Another person of the roadmap may have the phone now; a hand-over has put this screen away.
    const isStanding = focus === s || (messageId !== undefined && screens[s] === messageId)
    if (parent && (!isStanding || (await isAwaitingHandOver(ctx, file)))) return
    // Showing a paused questionnaire would resume it.
    if (!isIn(file, 'questions') || (await readAttempt(ctx, s))?.state === 'paused') return
    try {
      const isAskedBeside = await isStillAskedBeside(ctx)
      const comesBelow = (focus !== s || isAskedBeside) && (await comesAnew(ctx, file, messageId))
      // Texts typed below a question are for it, so it comes below no other one unless somebody tapped.
      if (comesBelow) {
        if (isUnasked && (isAskedBeside || (await isBusyElsewhere(ctx, file)))) return
        leaveAside(ctx)
        return await showPlace(ctx, file)
      }
      await showAttempt(ctx, file, { messageId, word: word && escapeHtml(word) })
    } catch (err) {
      if (isRefused(err)) throw err
      // The other messages of the chat must not wait for a screen.
      if (tries >= SCREEN_TRIES) return ctx.deps.log.warn({ err }, 'screen not rendered')
      const event = { kind: 'redraw', messageId, tries: tries + 1, word, isUnasked } as const
      const dueAt = ctx.now + backOffMs(SCREEN_STEPS_MS, tries)
      const job = { s, onBehalf: await onBehalf(ctx), event }
      watchJobs.timer.post(ctx.work, timerIds.screen(s), job, { dueAt, replace: true })
    }
  },
  async back(ctx, file) {
    await noteGoingOn(ctx, file)
    await watchScreen(ctx, file.s)
  },
  async 'code-expired'(ctx, file, { draftToken }) {
    // A participant who is busy elsewhere sees it on return.
    if (ctx.account.focus !== file.s || isPending(ctx, file.s)) return
    if (!isIn(file, 'code')) return
    const { sms } = file.state
    if (!isSpent(sms) && sms.draftToken === draftToken) ctx.due = { show: 'question', file }
  },
  async 'typed-old'(ctx, file, { until = Infinity }) {
    const { asked } = ctx.account
    // A question without a typed answer may stay.
    if (!hasWritten(ctx, file)) return void delete file.typed
    // If its question is still in the chat, the notice replaces it and disturbs no one.
    if (asked !== undefined && file.typed?.includes(asked))
      return deleteTyped(ctx, file, ctx.now > until ? 'typed-stays' : 'typed-withdrawn')
    withdrawTyped(ctx, file)
  },
  async 'profile-again'(ctx, file) {
    if (isIn(file, 'profile') && (await stepNow(ctx, file)) === 'summary') await sendProfile(ctx, file)
  },
  async details(ctx, file, { role: id, has }) {
    const roles = file.roadmap?.roles ?? []
    const role = roles.find((each) => each.id === id)
    if (!role || !isIn(file, 'profile')) return
    const word = ctx.t(has === 'come' ? 'details-came' : 'details-gone', { name: nameAmong(role, roles) })
    // A missing detail comes before all others.
    const isNext = has === 'gone' || (await stepNow(ctx, file)) === 'summary'
    const isHere = ctx.account.focus === file.s && isNext
    if (isHere) ctx.due = { show: 'question', file, word }
    else await ctx.send({ text: word })
  },
  async registered(ctx, file, { typed }) {
    ctx.deleteMessages(typed)
    // An account with several roles is notified once.
    if (isIn(file, 'board') && ctx.account.screens[file.s] === undefined) await sendText(ctx, 'board-begin')
    leadTo(ctx, file)
  },
  guardian: guardianAnswered,
  taken: showPlace,
  remind,
  async 'result-failed'(ctx, file) {
    await notifyOrganizers(ctx, file, 'notice-result', { title: file.test.title })
    await askAbout(ctx, file, failureView(ctx.t, 'result_failed', file.s))
  },
  async 'report-missing'(ctx, file) {
    await notifyOrganizers(ctx, file, 'notice-report', { title: file.test.title })
  },
  async trouble(ctx, file, { isStalled }) {
    if (isStalled && move(file, stalled) && file.roadmap) await notifyOthers(ctx, file)
  },
}

/** Events that come only after the service has answered a call. */
const SERVICE_EVENTS: readonly EventKind[] = ['submitted', 'generating', 'generated', 'opened']

/** Events after which this account may have something to do again, even if it was inactive for long. */
const REMINDED_AFTER: readonly EventKind[] = [
  'back',
  'details',
  'registered',
  'opened',
  'profile-again',
  'guardian',
  'submit-refused',
  'generation-failed',
]

/** Handles an event of background work. */
export async function takeEvent(ctx: UpdateContext, s: string, event: ChatEvent): Promise<void> {
  if (SERVICE_EVENTS.includes(event.kind)) await keyWorks(ctx)
  if (event.kind === 'trouble') await endCall(ctx, s, event)
  if (event.kind === 'lines') {
    // The rest of a cut text has come, or will not come.
    if (asideOf(ctx.account) === 'lines') ctx.due = { show: 'aside' }
    return
  }
  // A former version put the messages that are left to delete into the queue.
  if (event.kind === 'typed-old' && event.left) return ctx.deleteMessages(event.left)
  if (event.kind === 'forgotten') return forgetAgain(ctx)
  if (event.kind === 'unhanded') return takenBack(ctx, s, event)
  if (event.kind === 'released') return releasedFrom(ctx, s, event)
  if (event.kind === 'release') return release(ctx, s, event)
  if (event.kind === 'release-done') return releaseDone(ctx, event)
  const file = await visibleFile(ctx, s)
  if (file) await handle<RecordEventKind>(ctx, file, event.kind, event)
  // The submitted answers have expired with their record.
  if (!file && event.kind === 'submit-refused' && !(await ctx.work.get(recordFiles, s)))
    await sendText(ctx, 'attempt-expired')
  if (file && REMINDED_AFTER.includes(event.kind)) await remindLater(ctx)
}

function handle<K extends RecordEventKind>(ctx: UpdateContext, file: RecordFile, kind: K, event: EventOf<K>) {
  return handlers[kind](ctx, file, event)
}

/** A message became a dead letter: the chat stops waiting for its call. */
async function endCall(ctx: UpdateContext, s: string, { call: id }: EventOf<'trouble'>): Promise<void> {
  const { pending } = ctx.account
  const call = pending[s]
  await sendText(ctx, 'trouble')
  if (!call || call.id !== id) return
  await dropCall(ctx, s)
  if (call.takes) await askForMobile(ctx, call.takes.taking)
}

/** A role was taken back, by the owner unless `by` says otherwise: nothing of it stays in this chat. */
async function takenBack(
  ctx: UpdateContext,
  s: string,
  { role, typed = [], by }: EventOf<'unhanded'>,
): Promise<void> {
  const { account } = ctx
  ctx.deleteMessages(typed)
  delete account.invited?.[s]
  const file = await visibleFile(ctx, s)
  const stays = file !== undefined && (await takesPart(ctx, file))
  if (!stays) {
    if (account.focus === s) leaveAsked(ctx)
    forgetOpened(ctx, s)
    ctx.removeButtons(account.screens[s])
    delete account.screens[s]
  }
  if (!stays) return sendText(ctx, by === 'organizer' ? 'unhanded-released' : 'unhanded-told')
  await ctx.send({ text: role === undefined ? ctx.t('unhanded-told') : ctx.t('unhanded-role', { role }) })
  const focused = await focusedFile(ctx)
  // Its questions end, and the other role goes on.
  if (focused?.parent?.s === s && isIn(focused, 'profile')) ctx.due = { show: 'question', file: focused }
  else if (isIn(file, 'profile') && (focused?.parent?.s ?? focused?.s ?? s) === s) leadTo(ctx, file)
  else await refreshBoard(ctx, file)
}

/** Handles the outcome of a call that the chat waits for; all other outcomes are dropped. */
export async function takeOutcome(
  ctx: UpdateContext,
  { s, id, kind, outcome }: Extract<ChatMessage, { type: 'outcome' }>,
): Promise<void> {
  const { account } = ctx
  const pending = account.pending[s]
  if (pending?.id !== id) return
  delete account.pending[s]
  const came = readOutcome(kind, outcome)
  if (came.outcome.ok) await keyWorks(ctx)
  if (pending.act) return takeAnswer(ctx, pending.act, came)
  if (pending.takes && came.kind === 'open') return takeOver(ctx, pending.takes, came.outcome)
  const isCheck = came.kind === 'open' || came.kind === 'openRoadmap'
  const file = await visibleFile(ctx, s)
  if (file) {
    // Remembers whether the outcome of this call is unknown.
    if (isUnrepeatable(came.kind)) file.isSentUnclear = came.outcome.ok ? undefined : came.outcome.isUnclear
    const isLeft = came.kind === 'questions' && (await isLeftForAnother(ctx, file))
    if (!isCheck && !isLeft && !(await isBusyElsewhere(ctx, file))) account.focus = s
    return goOn(ctx, file, came)
  }
  // Another account began it during this one's introduction. (A role that was taken back has its own notice.)
  const isOpened = came.kind === 'openRoadmap' || account.items.includes(s)
  if (!isCheck || !isOpened) return
  const isUnknown = !came.outcome.ok && came.outcome.code === 'not_found'
  forgetOpened(ctx, s)
  await sendText(ctx, isUnknown ? 'invitation-unknown' : 'invitation-used')
}

/** Whether another test of a roadmap was opened since and is under way. A standalone test is shown anyway. */
async function isLeftForAnother(ctx: UpdateContext, { s, parent }: RecordFile): Promise<boolean> {
  const other = parent && (await focusedFile(ctx))
  if (!other?.parent || other.s === s) return false
  return isIn(other, 'questions') || isPending(ctx, other.s) || isAwaitingHandOver(ctx, other)
}

async function goOn(ctx: UpdateContext, file: RecordFile, came: ReturnType<typeof readOutcome>) {
  switch (came.kind) {
    case 'listRecords':
    case 'listRoadmaps':
    case 'find':
    case 'findSome':
    case 'search':
      return
    case 'open':
      return (file.parent ? recordOpened : opened)(ctx, file, came.outcome)
    case 'openRoadmap':
      return roadmapOpened(ctx, file, came.outcome)
    case 'auth':
    case 'authRoadmap':
      return profileSent(ctx, file, came.outcome)
    case 'verify':
    case 'verifyRoadmap':
      return codeVerified(ctx, file, came.outcome)
    case 'questions':
      if (!came.outcome.ok && file.parent) return questionsRefused(ctx, file, came.outcome)
      return takeQuestions(ctx, file, came.outcome)
  }
  came satisfies never
}
