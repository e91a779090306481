import { acceptedAssignments, isMine, mayAnswerNow, mayBeSeen, titleHere } from '../dialog/access.ts'
import { noteAsksToBegin } from '../dialog/asked-last.ts'
import { isPending } from '../dialog/call.ts'
import { leaveAside } from '../dialog/expected.ts'
import { parentOf } from '../dialog/files.ts'
import { replaceNotice, sendOneMoment, sendText, withOtherLanguage } from '../dialog/send.ts'
import { questionAfter } from '../dialog/send-profile.ts'
import { leaveDraft } from '../dialog/typed-messages.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { HOUR_MS } from '../domain/durations.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { awaitsGuardian, recordsOf } from '../domain/roadmap.ts'
import { isBegunByOwnLink, isTurnOf } from '../jobs/turn.ts'
import { failureView } from '../views/failure.ts'
import { introductionView, roadmapIntroductionView } from '../views/introduction.ts'
import { participantGuardianView } from '../views/profile.ts'
import type { View } from '../views/view.ts'
import { askGuardian, showBeforeTests } from './accept-role.ts'
import { showDetails } from './assign-role.ts'
import { showBoard } from './board.ts'
import { elsewhereText, showResult, submittingText } from './deliver.ts'
import { askHandOver, noteHolder } from './hand-over.ts'
import { attemptOfAnother, loadQuestions } from './load-questions.ts'
import { introducedResultTo, openedInvitation } from './may-begin.ts'
import { openBoard } from './roadmap-records.ts'
import { showAttempt } from './show-question.ts'
import { requestOpen } from './visits.ts'
import { endWait, showWaiting } from './waiting.ts'

/**
 * Leads back to the exact place of a record or roadmap, after any interruption: `/start`, the same link,
 * `/tests` and an old button all end here.
 */
export async function showPlace(ctx: UpdateContext, file: RecordFile): Promise<void> {
  if ((await showBeforeRecord(ctx, file)) === 'shown') return
  await leaveDraft(ctx, file)
  ctx.account.focus = file.s
  leaveAside(ctx)
  if (isPending(ctx, file.s)) return sendOneMoment(ctx)
  if (file.roadmap && (await showBeforeRoadmap(ctx, file)) === 'shown') return
  await showStage(ctx, file)
}

async function showStage(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { t } = ctx
  const { s, state } = file
  if (state.stage !== 'waiting') endWait(ctx, file)
  switch (state.stage) {
    case 'new':
      return void (await requestOpen(ctx, file))
    case 'waiting':
      await showWaiting(ctx, file)
      return checkAgain(ctx, file)
    case 'intro':
      // It no longer waits.
      delete ctx.account.screens[s]
      await ctx.ask(withOtherLanguage(ctx, await introductionOf(ctx, file)))
      return noteAsksToBegin(ctx, s)
    case 'profile':
    case 'code':
      ctx.due = questionAfter(ctx, file, file.refusal)
      delete file.refusal
      return
    case 'given':
      return showBoardOf(ctx, file)
    case 'loading':
      return file.guardian === 'needed' ? ctx.ask(participantGuardianView(t)) : loadQuestions(ctx, file)
    case 'questions':
      return showQuestions(ctx, file)
    case 'submitting':
      await replaceNotice(ctx, { text: submittingText(ctx, file) })
      return showBoardOf(ctx, file)
    case 'refused':
      return ctx.ask(failureView(t, state.isOurs ? 'submit_stalled' : 'submit_refused', s))
    case 'board':
    case 'failed':
      await openBoard(ctx, file)
      await showBoard(ctx, file)
      return checkAgain(ctx, file)
    case 'generating':
      return showBoard(ctx, file)
    case 'scored':
    case 'done':
      return file.parent ? showBoardOf(ctx, file) : showResult(ctx, file)
    case 'elsewhere':
      await ctx.send({ text: elsewhereText(ctx, state) })
      return showBoardOf(ctx, file)
  }
  state satisfies never
}

/** A record that waits for others may be finished, or opened, elsewhere: a returning account checks it. */
async function checkAgain(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const isWaiting = !(await isTurnOf(ctx.work, file, ctx.who))
  if (!isWaiting || ctx.now - file.seenAt <= HOUR_MS) return
  // A failed check is not repeated within the hour.
  file.seenAt = ctx.now
  await requestOpen(ctx, file)
}

async function showQuestions(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const became = await showAttempt(ctx, file)
  if (became === 'shown') return
  if (became === 'of another') return attemptOfAnother(ctx, file)
  if (became === 'expired') await sendText(ctx, 'attempt-expired')
  await loadQuestions(ctx, file)
}

export async function introductionOf(ctx: UpdateContext, file: RecordFile): Promise<View> {
  const { s, test, roadmap } = file
  const { t } = ctx
  const until = (await openedInvitation(ctx, file))?.until
  const terms = { ...ctx.deps.config, resultTo: await introducedResultTo(ctx, file), until }
  if (!roadmap) return introductionView(t, { ...terms, s, test })
  const testsOf = (role: number) => recordsOf(roadmap, role).map((record) => record.title)
  const roles = roadmap.roles.map(({ id, title }) => ({ title, tests: testsOf(id) }))
  return roadmapIntroductionView(t, { ...terms, s, title: test.title, roles })
}

/** What comes before a test of a roadmap: the board if it may not be answered here, or the hand-over. */
async function showBeforeRecord(ctx: UpdateContext, file: RecordFile): Promise<'shown' | 'nothing before'> {
  const parent = await parentOf(ctx, file)
  const isBefore = isIn(file, 'new', 'waiting', 'loading', 'questions')
  if (!isBefore || !file.parent || !parent?.roadmap) return 'nothing before'
  const { role } = file.parent
  if (!(await mayAnswerNow(ctx, file, parent))) {
    await showBoardOf(ctx, file)
    return 'shown'
  }
  if ((await askHandOver(ctx, file)) === 'rendered') return 'shown'
  noteHolder(ctx, parent.roadmap, role)
  // A test that was begun by its own link asks for its guardian itself.
  const minor = (await isBegunByOwnLink(ctx.work, file)) ? undefined : awaitsGuardian(parent.roadmap, role)
  if (!minor || isIn(file, 'questions') || isPending(ctx, file.s)) return 'nothing before'
  ctx.account.focus = file.s
  await askGuardian(ctx, minor)
  return 'shown'
}

/** What an invited account sees before its tests: the details, which come before the registration. */
async function showBeforeRoadmap(ctx: UpdateContext, file: RecordFile): Promise<'shown' | 'nothing before'> {
  const isOthers = file.isBegun && !(await isMine(ctx, file))
  const own = isOthers && isIn(file, 'profile', 'code') ? acceptedAssignments(ctx, file) : []
  const [first] = [...own.filter(({ hasGiven }) => !hasGiven), ...own]
  if (first) {
    await showDetails(ctx, file, first)
    return 'shown'
  }
  if ((await showBeforeTests(ctx, file)) === 'shown') return 'shown'
  if (!isOthers || !isIn(file, 'profile', 'code')) return 'nothing before'
  await sendText(ctx, 'board-not-ready')
  return 'shown'
}

/** Leads from a test of a roadmap to its board. */
async function showBoardOf(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const parent = await parentOf(ctx, file)
  if (parent && (await mayBeSeen(ctx, parent))) return showPlace(ctx, parent)
  // An account that began it by its own link takes no other part.
  if (isIn(file, 'done')) await sendText(ctx, 'record-finished', { title: await titleHere(ctx, file) })
}
