import { takesPart } from '../dialog/access.ts'
import { endAttempt } from '../dialog/attempt.ts'
import { callService } from '../dialog/call.ts'
import { parentOf } from '../dialog/files.ts'
import { failed } from '../dialog/notify.ts'
import { leadTo, type Turn } from '../dialog/turn.ts'
import { isMinor } from '../domain/profile.ts'
import type { RecordFile } from '../domain/record/record.ts'
import {
  recordFinished as finished,
  move,
  questionsAsked,
  recordPutBack,
  seen,
} from '../domain/record/transitions.ts'
import type { Failure } from '../jobs/call.ts'
import type { OutcomeOf } from '../jobs/call-table.ts'
import { isFinished } from '../service/wire.ts'
import { showBoard } from './board.ts'
import { notifyFinishedTest } from './board-news.ts'
import { loadQuestions } from './load-questions.ts'
import { notifyUnshown } from './unshown.ts'
import { showWaiting, watchOpening } from './waiting.ts'

/** Takes what the service says of a roadmap's record that is opened: how long it takes, and whether it is still open. */
export async function recordOpened(turn: Turn, file: RecordFile, outcome: OutcomeOf<'open'>): Promise<void> {
  // A service that shows no nested record on its own may still have its questions.
  if (!outcome.ok)
    return outcome.code === 'not_found' ? loadQuestions(turn, file) : failed(turn, file, outcome)
  const { test, status, auth_required: isRequired, profile } = outcome.value
  if (isFinished(outcome.value)) return recordFinished(turn, file, turn.t('finished-elsewhere'))
  if (isRequired) return checkRoadmap(turn, file)
  file.test.questions = test.questions_count ?? undefined
  file.test.minutes = test.doing_time_minutes ?? undefined
  if (profile && isMinor(profile, turn.today)) await noteMinor(turn, file)
  if (status !== 0) {
    // By way of its place: a guardian may have to agree first.
    move(file, questionsAsked)
    return leadTo(turn, file)
  }
  move(file, seen, { isFinished: false, status, needsProfile: false })
  await watchOpening(turn, file)
  await showWaiting(turn, file)
}

async function noteMinor(turn: Turn, file: RecordFile): Promise<void> {
  const { roadmap } = (await parentOf(turn, file)) ?? {}
  const role = roadmap?.roles.find(({ id }) => id === file.parent?.role)
  if (role) role.isMinor = true
}

/** The organizer has opened a record that waited: its board offers it again, whoever has the phone now. */
export async function recordReady(turn: Turn, file: RecordFile): Promise<void> {
  move(file, recordPutBack)
  delete turn.account.screens[file.s]
  const parent = await parentOf(turn, file)
  if (parent) await showBoard(turn, parent, { anew: true })
}

/** The questions are refused: the next try looks at the record first. */
export async function questionsRefused(turn: Turn, file: RecordFile, failure: Failure): Promise<void> {
  if (failure.code === 'already_finished') return recordFinished(turn, file, turn.t('finished-elsewhere'))
  move(file, recordPutBack)
  if (failure.code === 'questions_unreadable') await notifyUnshown(turn, file, failure)
  await failed(turn, file, failure)
}

/** A record of a roadmap gives no result of its own: its board shows it as finished. */
export async function recordFinished(turn: Turn, file: RecordFile, text: string): Promise<void> {
  move(file, finished)
  endAttempt(turn, file.s)
  await showFinished(turn, file, text)
}

/** The same of what was finished elsewhere; what was answered here stays until its term is over. */
export async function showFinished(turn: Turn, file: RecordFile, text: string): Promise<void> {
  const { account } = turn
  delete account.screens[file.s]
  const parent = await parentOf(turn, file)
  const record = parent?.roadmap?.records.find(({ s }) => s === file.s)
  if (!parent || !record) return
  record.isFinished = true
  await turn.send({ text })
  await notifyFinishedTest(turn, parent, record.role)
  // Who has begun it by a link of its own takes no other part.
  if (!(await takesPart(turn, parent))) return
  if (account.focus === file.s) account.focus = parent.s
  await showBoard(turn, parent)
}

async function checkRoadmap(turn: Turn, file: RecordFile): Promise<void> {
  const parent = await parentOf(turn, file)
  if (parent) await callService(turn, parent.s, { kind: 'openRoadmap', token: parent.token })
}
