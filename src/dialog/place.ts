import type { RecordFile } from '../domain/record-file.ts'
import { recordsOf } from '../domain/roadmap.ts'
import { introductionView, roadmapIntroductionView } from '../views/introduction.ts'
import { refusedView, resultReadyView } from '../views/submission.ts'
import type { View } from '../views/view.ts'
import { showBeforeTests } from './accept-role.ts'
import { askCode } from './ask-code.ts'
import { askStep } from './ask-profile.ts'
import { showBoard } from './board.ts'
import { callService, isPending } from './call.ts'
import { drawCurtain, keepTurn } from './curtain.ts'
import { showScored } from './deliver.ts'
import { withLanguageHint } from './language-hint.ts'
import { loadQuestions } from './load-questions.ts'
import { mayAnswerNow, openBoard, parentOf } from './roadmap-file.ts'
import { tell } from './say.ts'
import { showSitting } from './show-question.ts'
import { showWaiting } from './show-waiting.ts'
import type { Turn } from './turn.ts'

/**
 * Leads back to the exact place where a record or roadmap stands. Whatever interrupted it, `/start`, the same link,
 * `/tests` and an old button all end here.
 */
export async function showPlace(turn: Turn, file: RecordFile): Promise<void> {
  if (file.parent && (await showBeforeRecord(turn, file, file.parent))) return
  const { t, account } = turn
  const { organizerContact, resultTo } = turn.deps.config
  const { s, test, token, roadmap } = file
  account.focus = s
  if (isPending(turn, s)) return tell(turn, 'one-moment')
  if (roadmap && (await showBeforeRoadmap(turn, file))) return
  switch (file.stage) {
    case 'new':
      return callService(turn, s, { kind: roadmap ? 'openRoadmap' : 'open', token })
    case 'waiting':
      return showWaiting(turn, file)
    case 'intro':
      return turn.ask(withLanguageHint(turn, introductionOf(turn, file)))
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
      return showBoardOf(turn, file)
    case 'refused':
      return turn.ask(refusedView(t, { s, contact: organizerContact }))
    case 'board':
    case 'failed':
      await openBoard(turn, file)
      return showBoard(turn, file)
    case 'generating':
      return showBoard(turn, file)
    case 'scored':
      return showScored(turn, file)
    case 'done':
      if (file.parent) return showBoardOf(turn, file)
      if (resultTo === 'organizer')
        return tell(turn, file.isOwed ? 'submitted-organizer' : 'delivered-organizer')
      return turn.ask(resultReadyView(t, { s, title: test.title }))
    case 'elsewhere':
      await tell(turn, file.ofRoadmap ? 'belongs-to-roadmap' : 'finished-elsewhere')
      return showBoardOf(turn, file)
  }
}

function introductionOf({ t, deps }: Turn, { s, test, roadmap }: RecordFile): View {
  const { organizerName, resultTo, retentionDays } = deps.config
  if (!roadmap) return introductionView(t, { s, test, organizerName, resultTo, retentionDays })
  const roles = roadmap.roles.map(({ id, title }) => ({
    title,
    tests: recordsOf(roadmap, id).map((record) => record.title),
  }))
  const { title } = test
  return roadmapIntroductionView(t, { s, title, roles, organizerName, resultTo, retentionDays })
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
    await showPlace(turn, parent)
    return true
  }
  if (await drawCurtain(turn, file, parent)) return true
  keepTurn(turn, parent, parent.roadmap, role)
  return false
}

/** What an invited account sees before the tests of its role; the profiles are the business of the one who began. */
async function showBeforeRoadmap(turn: Turn, file: RecordFile): Promise<boolean> {
  if (await showBeforeTests(turn, file)) return true
  const isOthers = file.owner !== undefined && file.owner !== turn.who
  if (!isOthers || (file.stage !== 'profile' && file.stage !== 'code')) return false
  await tell(turn, 'board-not-ready')
  return true
}

/** A test of a roadmap leads on to its board. */
async function showBoardOf(turn: Turn, file: RecordFile): Promise<void> {
  const parent = await parentOf(turn, file)
  if (parent) await showPlace(turn, parent)
}
