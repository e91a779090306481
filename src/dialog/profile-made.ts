import { ageOn } from '../domain/persian/age.ts'
import { ADULT_AGE } from '../domain/profile.ts'
import type { RecordFile } from '../domain/record-file.ts'
import type { VerifyReply } from '../service/wire-exchanges.ts'
import { showBoard } from './board.ts'
import { saveFile } from './files.ts'
import { loadQuestions } from './load-questions.ts'
import { openBoard } from './roadmap-file.ts'
import { tell } from './say.ts'
import { postSubmission } from './submission.ts'
import type { Turn } from './turn.ts'

/** The profile exists: the draft leaves, and so does what was typed into the chat. */
export async function profileMade(
  turn: Turn,
  file: RecordFile,
  made: VerifyReply | { roles: readonly unknown[] },
): Promise<void> {
  if ('profile' in made) file.caseNumber = made.profile?.case_number ?? file.caseNumber
  const people = file.draft?.people ?? []
  const words = file.sms ? 'typed-deleted-sms' : 'typed-deleted'
  delete file.draft
  delete file.sms
  await deleteTyped(turn, file, words)
  if (file.roadmap) {
    for (const role of file.roadmap.roles) {
      const birth = people.find((person) => person.role?.id === role.id)?.birth
      if (birth !== undefined && ageOn(birth, turn.today) < ADULT_AGE) role.isMinor = true
    }
    await openBoard(turn, file)
    saveFile(turn, file)
    await tell(turn, 'board-begin')
    return showBoard(turn, file)
  }
  if (file.answersWait) {
    delete file.answersWait
    file.stage = 'submitting'
    saveFile(turn, file)
    await tell(turn, 'submit-again')
    return postSubmission(turn, file)
  }
  await loadQuestions(turn, file)
}

/** Says so, then deletes what was typed (Telegram allows it for 48 hours). */
export async function deleteTyped(
  turn: Turn,
  file: RecordFile,
  words: 'typed-deleted' | 'typed-deleted-sms' | 'typed-withdrawn',
): Promise<void> {
  const typed = file.typed ?? []
  delete file.typed
  if (typed.length === 0) return
  const { asked } = turn.account
  if (asked === undefined) await tell(turn, words)
  else await turn.close(turn.t(words))
  await turn.deleteMessages(typed.filter((id) => id !== asked))
}
