import { createHash } from 'node:crypto'
import type { Outcome } from '../background/actors.ts'
import { inOrder, type Questionnaire } from '../domain/questionnaire.ts'
import type { RecordFile } from '../domain/record-file.ts'
import { recordChanged } from './board.ts'
import { callService } from './call.ts'
import { saveFile } from './files.ts'
import { keepQuestions } from './keep.ts'
import { notifyOrganizers } from './notify-organizers.ts'
import { mayAnswerNow, parentOf } from './roadmap-file.ts'
import { failed, tell } from './say.ts'
import { beginSitting, readSitting, showSitting, showSittingNext } from './show-question.ts'
import type { Turn } from './turn.ts'

/** Fetches the questions, once per record. */
export async function loadQuestions(turn: Turn, file: RecordFile): Promise<void> {
  file.stage = 'loading'
  saveFile(turn, file)
  await callService(turn, file.s, { kind: 'questions', token: file.token })
}

/** Takes the questions that came: a sitting begins, unless one is there already. */
export async function questionsLoaded(
  turn: Turn,
  file: RecordFile,
  outcome: Outcome<Questionnaire>,
): Promise<void> {
  if (!outcome.ok) {
    if (outcome.code === 'questions_unreadable') {
      await notifyOrganizers(turn, 'notice-unreadable', { title: file.test.title })
    }
    await failed(turn, file, outcome)
    return
  }
  if (file.parent) {
    const parent = await parentOf(turn, file)
    if (!parent || !mayAnswerNow(turn, file, parent)) {
      // The role was given away while the questions were on their way.
      saveFile(turn, { ...file, stage: 'new' })
      return
    }
  }
  if (file.questions && (await readSitting(turn, file.s))) {
    // What the participant saw stands, even if the service now says something else.
    file.stage = 'questions'
    saveFile(turn, file)
    await showSitting(turn, file)
    return
  }
  const questionnaire = outcome.value
  const hash = createHash('sha256').update(JSON.stringify(questionnaire)).digest('hex')
  const count = inOrder(questionnaire).length
  keepQuestions(turn, hash, questionnaire)
  file.keptAt = turn.now
  file.stage = 'questions'
  file.questions = { content: hash, form: questionnaire.form, count }
  saveFile(turn, file)
  beginSitting(turn, file, { hash, count })
  if (!(await knowsQuestions(turn, file))) await tell(turn, 'questions-begin')
  showSittingNext(turn, file.s)
  await recordChanged(turn, file)
}

/** Whether this person has answered another test of the same roadmap and knows how it goes. */
async function knowsQuestions(turn: Turn, file: RecordFile): Promise<boolean> {
  const { roadmap } = (await parentOf(turn, file)) ?? {}
  const others = roadmap?.records.filter(({ s, role }) => s !== file.s && role === file.parent?.role) ?? []
  return others.some(({ s, isFinished }) => isFinished || turn.account.screens[s] !== undefined)
}
