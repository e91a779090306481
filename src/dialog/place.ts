import { resultActor } from '../background/actors.ts'
import type { ResultJob } from '../background/deliver-result.ts'
import type { RecordFile } from '../domain/record-file.ts'
import { introductionView, waitingView } from '../views/introduction.ts'
import { refusedView, resultReadyView } from '../views/submission.ts'
import { askCode } from './ask-code.ts'
import { askStep } from './ask-profile.ts'
import { callService, isPending, onBehalf } from './call.ts'
import { loadQuestions } from './load-questions.ts'
import { tell } from './say.ts'
import { showSitting } from './show-question.ts'
import type { Turn } from './turn.ts'

/**
 * Leads back to the exact place where a record stands. Whatever interrupted it, `/start`, the same link, `/tests`
 * and an old button all end here.
 */
export async function showPlace(turn: Turn, file: RecordFile): Promise<void> {
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
      return tell(turn, 'submit-waiting')
    case 'refused':
      return turn.ask(refusedView(t, { s, contact: organizerContact }))
    case 'scored':
      await tell(turn, 'result-coming')
      return deliver(turn, file)
    case 'done':
      return turn.ask(resultReadyView(t, { s, title: test.title }))
    case 'elsewhere':
      return tell(turn, 'finished-elsewhere')
  }
}

/** Has the result delivered, or what is still owed of it. */
export async function deliver(turn: Turn, file: RecordFile): Promise<void> {
  const job: ResultJob = { s: file.s, onBehalf: await onBehalf(turn) }
  turn.work.post(resultActor(file.s), job, { replace: true })
}
