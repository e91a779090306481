import { expiryActor } from '../background/actors.ts'
import { questionnaires } from '../background/kinds.ts'
import type { ExpiryJob } from '../background/watch-expiry.ts'
import type { Config } from '../config.ts'
import { DAY_MS, OWED_DAYS } from '../domain/durations.ts'
import type { Questionnaire } from '../domain/questionnaire.ts'
import type { RecordFile } from '../domain/record-file.ts'
import { onBehalf } from './call.ts'
import { KEPT_ANEW_DAYS, saveFile } from './files.ts'
import type { Turn } from './turn.ts'

/** Keeps questions for as long as anybody may answer them without touching them. */
export function keepQuestions(turn: Turn, content: string, questionnaire: Questionnaire): void {
  turn.work.put(questionnaires, content, questionnaire, turn.now + questionDays(turn.deps.config) * DAY_MS)
}

const questionDays = ({ retentionDays }: Config) => 2 * retentionDays + OWED_DAYS + KEPT_ANEW_DAYS

/** Begins the term of a record and its questions anew: answers come without touching either. */
export async function keepAnew(turn: Turn, file: RecordFile): Promise<void> {
  const { now, work } = turn
  if (now - (file.keptAt ?? 0) < KEPT_ANEW_DAYS * DAY_MS) return
  const content = file.questions?.content
  const questionnaire = content === undefined ? undefined : await work.get(questionnaires, content)
  if (content !== undefined && questionnaire) keepQuestions(turn, content, questionnaire)
  file.keptAt = now
  saveFile(turn, file)
}

/** Has the organizers warned before complete answers, or a result that is owed, are deleted. */
export async function watchExpiry(turn: Turn, { s }: RecordFile): Promise<void> {
  const job: ExpiryJob = { s, onBehalf: await onBehalf(turn), since: turn.now }
  turn.work.post(expiryActor(s), job, { dueAt: turn.now + DAY_MS, replace: true })
}
