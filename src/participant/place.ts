import { isMine, mayAnswerNow, mayBeSeen, titleHere } from '../dialog/access.ts'
import { callService, isPending } from '../dialog/call.ts'
import { leaveMobile } from '../dialog/expected.ts'
import { parentOf } from '../dialog/files.ts'
import { sendText, withOtherLanguage } from '../dialog/notify.ts'
import type { Turn } from '../dialog/turn.ts'
import { leaveDraft } from '../dialog/typed.ts'
import type { ResultTo } from '../domain/invitation.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { recordsOf } from '../domain/roadmap.ts'
import { unreachable } from '../domain/unreachable.ts'
import { resultToOf } from '../jobs/recipients.ts'
import { introductionView, roadmapIntroductionView } from '../views/introduction.ts'
import { refusedView, resultReadyView } from '../views/submission.ts'
import type { View } from '../views/view.ts'
import { showBeforeTests } from './accept-role.ts'
import { attemptOfAnother } from './attempt-of-another.ts'
import { openBoard, showBoard } from './board.ts'
import { drawCurtain, keepTurn } from './curtain.ts'
import { showScored } from './deliver.ts'
import { askOwnGuardian, askRoleGuardian } from './known-minor.ts'
import { loadQuestions } from './load-questions.ts'
import { sayResultTo } from './opened-invitation.ts'
import { showAttempt } from './show-question.ts'
import { showWaiting } from './waiting.ts'

/**
 * Leads back to the exact place where a record or roadmap stands. Whatever interrupted it, `/start`, the same link,
 * `/tests` and an old button all end here.
 */
export async function showPlace(turn: Turn, file: RecordFile): Promise<void> {
  if (file.parent && (await showBeforeRecord(turn, file, file.parent)) === 'shown') return
  await leaveDraft(turn, file)
  turn.account.focus = file.s
  leaveMobile(turn)
  if (isPending(turn, file.s)) return sendText(turn, 'one-moment')
  if (file.roadmap && (await showBeforeRoadmap(turn, file)) === 'shown') return
  await showStage(turn, file)
}

async function showStage(turn: Turn, file: RecordFile): Promise<void> {
  const { t } = turn
  const { organizerContact: contact } = turn.deps.config
  const { s, token, state } = file
  switch (state.stage) {
    case 'new':
      return callService(turn, s, { kind: file.roadmap ? 'openRoadmap' : 'open', token })
    case 'waiting':
      return showWaiting(turn, file)
    case 'intro':
      // It waits no more.
      delete turn.account.screens[s]
      return turn.ask(withOtherLanguage(turn, introductionOf(turn, file, await sayResultTo(turn, file))))
    case 'profile':
    case 'code':
      turn.due = { show: 'question', file }
      return
    case 'loading':
      return (await askOwnGuardian(turn, file)) ? undefined : loadQuestions(turn, file)
    case 'questions':
      return showQuestions(turn, file)
    case 'submitting':
      await sendText(turn, file.parent ? 'record-waiting' : 'submit-waiting')
      return showBoardOf(turn, file)
    case 'refused':
      return turn.ask(refusedView(t, { s, contact }))
    case 'board':
    case 'failed':
      await openBoard(turn, file)
      return showBoard(turn, file)
    case 'generating':
      return showBoard(turn, file)
    case 'scored':
      return showScored(turn, file)
    case 'done':
      return showDone(turn, file, state.isOwed === true)
    case 'elsewhere':
      if (state.isOthers) await turn.send({ text: t('registered-elsewhere', { contact }) })
      else await sendText(turn, state.ofRoadmap ? 'belongs-to-roadmap' : 'finished-elsewhere')
      return showBoardOf(turn, file)
  }
  unreachable(state)
}

async function showQuestions(turn: Turn, file: RecordFile): Promise<void> {
  const became = await showAttempt(turn, file)
  if (became === 'shown') return
  if (became === 'of another') return attemptOfAnother(turn, file)
  if (became === 'expired') await sendText(turn, 'attempt-expired')
  await loadQuestions(turn, file)
}

async function showDone(turn: Turn, file: RecordFile, isOwed: boolean): Promise<void> {
  if (file.parent) return showBoardOf(turn, file)
  if (resultToOf(turn.deps.config, file) === 'organizer')
    return sendText(turn, isOwed ? 'submitted-organizer' : 'delivered-organizer')
  await turn.ask(resultReadyView(turn.t, { s: file.s, title: await titleHere(turn, file) }))
}

function introductionOf({ t, deps }: Turn, { s, test, roadmap }: RecordFile, resultTo: ResultTo): View {
  const terms = { ...deps.config, resultTo }
  if (!roadmap) return introductionView(t, { ...terms, s, test })
  const roles = roadmap.roles.map(({ id, title }) => ({
    title,
    tests: recordsOf(roadmap, id).map((record) => record.title),
  }))
  const { title } = test
  return roadmapIntroductionView(t, { ...terms, s, title, roles })
}

/** What comes before a test of a roadmap: its board while it may not be answered here, or the curtain. */
async function showBeforeRecord(
  turn: Turn,
  file: RecordFile,
  { role }: NonNullable<RecordFile['parent']>,
): Promise<'shown' | 'nothing before'> {
  if (!isIn(file, 'new', 'waiting', 'loading', 'questions')) return 'nothing before'
  const parent = await parentOf(turn, file)
  if (!parent?.roadmap) return 'nothing before'
  if (!(await mayAnswerNow(turn, file, parent))) {
    await showBoardOf(turn, file)
    return 'shown'
  }
  if ((await drawCurtain(turn, file, parent)) === 'rendered') return 'shown'
  keepTurn(turn, parent.roadmap, role)
  if (isIn(file, 'questions') || isPending(turn, file.s)) return 'nothing before'
  return (await askRoleGuardian(turn, file, parent.roadmap)) ? 'shown' : 'nothing before'
}

/** What an invited account sees before the tests of its role; the profiles are the business of the one who began. */
async function showBeforeRoadmap(turn: Turn, file: RecordFile): Promise<'shown' | 'nothing before'> {
  if ((await showBeforeTests(turn, file)) === 'shown') return 'shown'
  const isOthers = file.isBegun && !(await isMine(turn, file))
  if (!isOthers || !isIn(file, 'profile', 'code')) return 'nothing before'
  await sendText(turn, 'board-not-ready')
  return 'shown'
}

/** A test of a roadmap leads on to its board. */
async function showBoardOf(turn: Turn, file: RecordFile): Promise<void> {
  const parent = await parentOf(turn, file)
  if (parent && (await mayBeSeen(turn, parent))) await showPlace(turn, parent)
}
