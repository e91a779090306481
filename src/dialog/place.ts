import { resultActor } from '../background/actors.ts'
import type { ResultJob } from '../background/deliver-result.ts'
import type { RecordFile } from '../domain/record-file.ts'
import { type RoadmapPart, recordsOf } from '../domain/roadmap.ts'
import { introductionView, roadmapIntroductionView, waitingView } from '../views/introduction.ts'
import { refusedView, resultReadyView } from '../views/submission.ts'
import { askCode } from './ask-code.ts'
import { askStep } from './ask-profile.ts'
import { drawCurtain, showBoard } from './board.ts'
import { callService, isPending, onBehalf } from './call.ts'
import { ownHand } from './files.ts'
import { showHandedPlace } from './hand-over.ts'
import { loadQuestions } from './load-questions.ts'
import { parentOf } from './roadmap-file.ts'
import { tell } from './say.ts'
import { showSitting } from './show-question.ts'
import type { Turn } from './turn.ts'

/**
 * Leads back to the exact place where a record stands. Whatever interrupted it, `/start`, the same link, `/tests`
 * and an old button all end here.
 */
export async function showPlace(turn: Turn, file: RecordFile): Promise<void> {
  if (file.roadmap) return showRoadmapPlace(turn, file, file.roadmap)
  if (file.parent && ['new', 'loading', 'questions'].includes(file.stage) && (await drawCurtain(turn, file)))
    return
  const { t, account } = turn
  const { organizerName, organizerContact, resultTo, retentionDays } = turn.deps.config
  const { s, test } = file
  account.focus = s
  if (isPending(turn, s)) return tell(turn, 'one-moment')
  switch (file.stage) {
    case 'new':
      if (file.parent) return loadQuestions(turn, file)
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
      return tell(turn, 'submit-waiting')
    case 'refused':
      return turn.ask(refusedView(t, { s, contact: organizerContact }))
    case 'scored':
      await tell(turn, 'result-coming')
      return deliver(turn, file)
    case 'done':
    case 'board':
    case 'generating':
    case 'failed':
      if (file.parent) return showBoardOf(turn, file)
      return turn.ask(resultReadyView(t, { s, title: test.title }))
    case 'elsewhere':
      await tell(turn, 'finished-elsewhere')
      return file.parent && showBoardOf(turn, file)
  }
}

async function showRoadmapPlace(turn: Turn, file: RecordFile, roadmap: RoadmapPart): Promise<void> {
  const { t, account } = turn
  const { organizerName, organizerContact, resultTo, retentionDays } = turn.deps.config
  const { s, test } = file
  account.focus = s
  if (isPending(turn, s)) return tell(turn, 'one-moment')
  if (ownHand(turn, file) && (await showHandedPlace(turn, file))) return
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
      await tell(turn, 'result-coming')
      return deliver(turn, file)
    case 'done':
      return turn.ask(resultReadyView(t, { s, title: test.title }))
    case 'elsewhere':
      return tell(turn, 'finished-elsewhere')
    default:
      return showBoard(turn, file)
  }
}

async function showBoardOf(turn: Turn, file: RecordFile): Promise<void> {
  const parent = await parentOf(turn, file)
  if (parent) await showRoadmapPlace(turn, parent, parent.roadmap as RoadmapPart)
}

/** Has the result delivered, or what is still owed of it. */
export async function deliver(turn: Turn, file: RecordFile): Promise<void> {
  const job: ResultJob = { s: file.s, onBehalf: await onBehalf(turn) }
  turn.work.post(resultActor(file.s), job, { replace: true })
}
