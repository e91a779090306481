import type { Failure, Outcome } from '../background/actors.ts'
import { sittingKey } from '../background/kinds.ts'
import type { RecordFile } from '../domain/record-file.ts'
import type { TestRecord } from '../service/wire.ts'
import { showBoard, tellOthers } from './board.ts'
import { callService } from './call.ts'
import { saveFile } from './files.ts'
import { loadQuestions } from './load-questions.ts'
import { notifyOrganizers } from './notify-organizers.ts'
import { markFinished, parentOf } from './roadmap-file.ts'
import { failed } from './say.ts'
import { showWaiting, watchOpening } from './show-waiting.ts'
import type { Turn } from './turn.ts'

/** Takes what the service says of a roadmap's record that is opened: how long it takes, and whether it is still open. */
export async function recordOpened(
  turn: Turn,
  file: RecordFile,
  outcome: Outcome<TestRecord>,
): Promise<void> {
  // A service that shows no nested record on its own may still have its questions.
  if (!outcome.ok)
    return outcome.code === 'not_found' ? loadQuestions(turn, file) : failed(turn, file, outcome)
  const { test, status, is_finished: isFinished, auth_required: isRequired } = outcome.value
  if (isFinished || status === 1) return recordFinished(turn, file, turn.t('finished-elsewhere'))
  if (isRequired) return lookAtRoadmap(turn, file)
  file.test.questions = test.questions_count ?? undefined
  file.test.minutes = test.doing_time_minutes ?? undefined
  if (status !== 0) return loadQuestions(turn, file)
  file.stage = 'waiting'
  saveFile(turn, file)
  await watchOpening(turn, file)
  await showWaiting(turn, file)
}

/** The organizer has opened a record that waited: its board offers it again, whoever has the phone now. */
export async function recordReady(turn: Turn, file: RecordFile): Promise<void> {
  saveFile(turn, { ...file, stage: 'new' })
  delete turn.account.screens[file.s]
  const parent = await parentOf(turn, file)
  if (parent) await showBoard(turn, parent, { anew: true })
}

/** The questions are refused: the next try looks at the record first. */
export async function questionsRefused(turn: Turn, file: RecordFile, failure: Failure): Promise<void> {
  if (failure.code === 'already_finished') return recordFinished(turn, file, turn.t('finished-elsewhere'))
  file.stage = 'new'
  saveFile(turn, file)
  if (failure.code === 'questions_unreadable')
    await notifyOrganizers(turn, 'notice-unreadable', { title: file.test.title })
  await failed(turn, file, failure)
}

/** A record of a roadmap gives no result of its own: its board shows it as finished. */
export async function recordFinished(turn: Turn, file: RecordFile, text: string): Promise<void> {
  const { account, work } = turn
  file.stage = 'done'
  saveFile(turn, file)
  work.putBytes(sittingKey(file.s), null)
  delete account.screens[file.s]
  const parent = await markFinished(turn, file)
  if (!parent) return
  await turn.say({ text })
  tellOthers(turn, parent)
  if (account.focus === file.s) account.focus = parent.s
  await showBoard(turn, parent)
}

async function lookAtRoadmap(turn: Turn, file: RecordFile): Promise<void> {
  const parent = await parentOf(turn, file)
  if (parent) await callService(turn, parent.s, { kind: 'openRoadmap', token: parent.token })
}
