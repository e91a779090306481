import type { RecordFile } from '../domain/record-file.ts'
import { type RoadmapPart, recordsOf } from '../domain/roadmap.ts'
import { introductionView, roadmapIntroductionView, waitingView } from '../views/introduction.ts'
import { refusedView, resultReadyView } from '../views/submission.ts'
import { showBeforeTests } from './accept-role.ts'
import { askCode } from './ask-code.ts'
import { askStep } from './ask-profile.ts'
import { showBoard } from './board.ts'
import { callService, isPending } from './call.ts'
import { drawCurtain, keepTurn } from './curtain.ts'
import { showScored } from './deliver.ts'
import { loadQuestions } from './load-questions.ts'
import { mayAnswerNow, openBoard, parentOf } from './roadmap-file.ts'
import { tell } from './say.ts'
import { showSitting } from './show-question.ts'
import type { Turn } from './turn.ts'

/**
 * Leads back to the exact place where a record stands. Whatever interrupted it, `/start`, the same link, `/tests`
 * and an old button all end here.
 */
export async function showPlace(turn: Turn, file: RecordFile): Promise<void> {
  if (file.roadmap) return showRoadmapPlace(turn, file, file.roadmap)
  if (file.parent && (await showBeforeRecord(turn, file, file.parent))) return
  const { t, account } = turn
  const { organizerName, organizerContact, resultTo, retentionDays } = turn.deps.config
  const { s, test } = file
  account.focus = s
  if (isPending(turn, s)) return tell(turn, 'one-moment')
  switch (file.stage) {
    case 'new':
      return callService(turn, s, { kind: 'open', token: file.token })
    case 'waiting':
      return turn.ask(waitingView(t, { s, title: test.title, organizerName, organizerContact }))
    case 'intro':
      return turn.ask(introductionView(t, { s, test, organizerName, resultTo, retentionDays }))
    case 'profile':
      return askStep(turn, file)
    case 'code':
      return askCode(turn, file)
    case 'loading':
      return loadQuestions(turn, file)
    case 'questions':
      if ((await showSitting(turn, file)) === 'expired') {
        await tell(turn, 'sitting-expired')
        await loadQuestions(turn, file)
      }
      return
    case 'submitting':
      await tell(turn, file.parent ? 'record-waiting' : 'submit-waiting')
      return file.parent && showBoardOf(turn, file)
    case 'refused':
      return turn.ask(refusedView(t, { s, contact: organizerContact }))
    case 'scored':
      return showScored(turn, file)
    case 'done':
    case 'board':
    case 'generating':
    case 'failed':
      if (file.parent) return showBoardOf(turn, file)
      if (resultTo === 'organizer') return tell(turn, 'delivered-organizer')
      return turn.ask(resultReadyView(t, { s, title: test.title }))
    case 'elsewhere':
      await tell(turn, file.ofRoadmap ? 'belongs-to-roadmap' : 'finished-elsewhere')
      return file.parent && showBoardOf(turn, file)
  }
}

/** What comes before a test of a roadmap: its board while it may not be answered here, or the curtain. */
async function showBeforeRecord(
  turn: Turn,
  file: RecordFile,
  { role }: NonNullable<RecordFile['parent']>,
): Promise<boolean> {
  if (!['new', 'waiting', 'loading', 'questions'].includes(file.stage)) return false
  const parent = await parentOf(turn, file)
  if (!parent?.roadmap) return false
  if (!mayAnswerNow(turn, file, parent)) {
    await showRoadmapPlace(turn, parent, parent.roadmap)
    return true
  }
  if (await drawCurtain(turn, file, parent)) return true
  keepTurn(turn, parent, parent.roadmap, role)
  return false
}

async function showRoadmapPlace(turn: Turn, file: RecordFile, roadmap: RoadmapPart): Promise<void> {
  const { t, account } = turn
  const { organizerName, organizerContact, resultTo, retentionDays } = turn.deps.config
  const { s, test } = file
  account.focus = s
  if (isPending(turn, s)) return tell(turn, 'one-moment')
  if (await showBeforeTests(turn, file)) return
  // The profiles are the business of the one who began.
  const isOthers = file.owner !== undefined && file.owner !== turn.who
  if (isOthers && (file.stage === 'profile' || file.stage === 'code')) return tell(turn, 'board-not-ready')
  switch (file.stage) {
    case 'new':
      return callService(turn, s, { kind: 'openRoadmap', token: file.token })
    case 'intro': {
      const roles = roadmap.roles.map(({ id, title }) => ({
        title,
        tests: recordsOf(roadmap, id).map((record) => record.title),
      }))
      return turn.ask(
        roadmapIntroductionView(t, { s, title: test.title, roles, organizerName, resultTo, retentionDays }),
      )
    }
    case 'waiting':
      return turn.ask(waitingView(t, { s, title: test.title, organizerName, organizerContact }))
    case 'profile':
      return askStep(turn, file)
    case 'code':
      return askCode(turn, file)
    case 'scored':
      return showScored(turn, file)
    case 'done':
      if (resultTo === 'organizer') return tell(turn, 'delivered-organizer')
      return turn.ask(resultReadyView(t, { s, title: test.title }))
    case 'elsewhere':
      return tell(turn, 'finished-elsewhere')
    case 'board':
    case 'failed':
      await openBoard(turn, file)
      return showBoard(turn, file)
    default:
      return showBoard(turn, file)
  }
}

async function showBoardOf(turn: Turn, file: RecordFile): Promise<void> {
  const parent = await parentOf(turn, file)
  if (parent) await showRoadmapPlace(turn, parent, parent.roadmap as RoadmapPart)
}
