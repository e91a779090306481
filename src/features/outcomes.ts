import type { ChatEvent, ChatMessage, Outcome } from '../background/actors.ts'
import { owedResults } from '../background/deliver-result.ts'
import { sittingKey } from '../background/kinds.ts'
import { askCode } from '../dialog/ask-code.ts'
import { codeVerified, profileSent } from '../dialog/authenticate.ts'
import { saveFile, visibleFile } from '../dialog/files.ts'
import { opened } from '../dialog/introduce.ts'
import { questionsLoaded } from '../dialog/load-questions.ts'
import { notifyOrganizers } from '../dialog/notify-organizers.ts'
import { deliver, showPlace } from '../dialog/place.ts'
import { tell } from '../dialog/say.ts'
import { showSitting } from '../dialog/show-question.ts'
import type { Turn } from '../dialog/turn.ts'
import { newPerson } from '../domain/profile.ts'
import type { Questionnaire } from '../domain/questionnaire.ts'
import type { RecordFile } from '../domain/record-file.ts'
import type { TestRecord } from '../service/wire.ts'
import type { AuthReply, VerifyReply } from '../service/wire-exchanges.ts'
import { refusedView, resultFailedView } from '../views/submission.ts'

/** Takes the outcome of a call that the chat waits for; one that nobody waits for any more is dropped. */
export async function takeOutcome(
  turn: Turn,
  { s, id, kind, outcome }: Extract<ChatMessage, { type: 'outcome' }>,
): Promise<void> {
  const { account } = turn
  if (account.pending[s]?.id !== id) return
  delete account.pending[s]
  const file = await visibleFile(turn, s)
  if (!file) {
    // Another account began it while this one read the introduction.
    await tell(turn, 'invitation-used')
    return
  }
  switch (kind) {
    case 'open':
      return opened(turn, file, outcome as Outcome<TestRecord>)
    case 'auth':
      return profileSent(turn, file, outcome as Outcome<AuthReply>)
    case 'verify':
      return codeVerified(turn, file, outcome as Outcome<VerifyReply>)
    case 'questions':
      return questionsLoaded(turn, file, outcome as Outcome<Questionnaire>)
  }
}

/** Takes what background work has to tell. */
export async function takeEvent(turn: Turn, s: string, event: ChatEvent): Promise<void> {
  if (event.kind === 'trouble') await tell(turn, 'trouble')
  const file = await visibleFile(turn, s)
  if (!file) return
  switch (event.kind) {
    case 'redraw':
      if (file.stage === 'questions') await showSitting(turn, file, { messageId: event.messageId })
      return
    case 'code-expired':
      if (file.stage === 'code' && file.sms?.draftToken === event.draftToken && !turn.account.pending[s]) {
        await askCode(turn, file)
      }
      return
    case 'submit-delayed':
      return tell(turn, 'submit-delayed')
    case 'submitted':
      return submitted(turn, file)
    case 'submit-refused':
      return submitRefused(turn, file, event)
    case 'delivered':
      return delivered(turn, file, event.to)
    case 'result-failed':
      await notifyOrganizers(turn, 'notice-result', { title: file.test.title })
      await turn.ask(resultFailedView(turn.t, { s, contact: turn.deps.config.organizerContact }))
      return
    case 'trouble':
      // The answers are kept: trying again is the participant's now.
      if (file.stage === 'submitting') file.stage = 'refused'
      return saveFile(turn, file)
  }
}

async function submitted(turn: Turn, file: RecordFile): Promise<void> {
  if (file.stage !== 'submitting') return
  file.stage = 'scored'
  saveFile(turn, file)
  await tell(turn, turn.deps.config.resultTo === 'organizer' ? 'submitted-organizer' : 'submitted')
  await deliver(turn, file)
}

async function submitRefused(
  turn: Turn,
  file: RecordFile,
  { code }: Extract<ChatEvent, { kind: 'submit-refused' }>,
): Promise<void> {
  const { t } = turn
  const { organizerContact } = turn.deps.config
  if (file.stage !== 'submitting') return
  if (code === 'elsewhere') {
    file.stage = 'elsewhere'
    saveFile(turn, file)
    turn.work.putBytes(sittingKey(file.s), null)
    return tell(turn, 'finished-elsewhere')
  }
  file.stage = 'refused'
  if (code === 'profile') {
    // The answers stay; only the profile has to be made again.
    file.stage = 'profile'
    file.answersWait = true
    file.draft = { people: [newPerson(file.test.limits)] }
    saveFile(turn, file)
    await tell(turn, 'submit-profile-again')
    return showPlace(turn, file)
  }
  saveFile(turn, file)
  await notifyOrganizers(turn, code === 'billing' ? 'notice-billing' : 'notice-submit', {
    title: file.test.title,
  })
  await turn.ask(refusedView(t, { s: file.s, contact: organizerContact }))
}

/** Answers leave when the service has accepted them and the result is delivered. */
async function delivered(
  turn: Turn,
  file: RecordFile,
  to: 'participant' | 'organizer' | 'both',
): Promise<void> {
  if (file.stage !== 'scored') return
  file.stage = 'done'
  saveFile(turn, file)
  turn.work.putBytes(sittingKey(file.s), null)
  turn.work.remove(owedResults, file.s)
  delete turn.account.screens[file.s]
  if (turn.account.focus === file.s) delete turn.account.focus
  if (to === 'organizer') await tell(turn, 'delivered-organizer')
}
