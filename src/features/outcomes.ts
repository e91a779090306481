import type { ChatEvent, ChatMessage, Outcome } from '../background/actors.ts'
import { sittingKey } from '../background/kinds.ts'
import { owedResults } from '../background/owed-result.ts'
import { askCode } from '../dialog/ask-code.ts'
import { currentStep } from '../dialog/ask-profile.ts'
import { refreshBoard, tellOthers } from '../dialog/board.ts'
import { isPending } from '../dialog/call.ts'
import { isBehindCurtain } from '../dialog/curtain.ts'
import { deliver } from '../dialog/deliver.ts'
import { saveFile, takesPart, visibleFile } from '../dialog/files.ts'
import { look, opened, roadmapOpened } from '../dialog/introduce.ts'
import { questionsLoaded } from '../dialog/load-questions.ts'
import { questionsRefused, recordFinished, recordOpened, recordReady } from '../dialog/nested-record.ts'
import { notifyOrganizers } from '../dialog/notify-organizers.ts'
import { showPlace } from '../dialog/place.ts'
import { remind } from '../dialog/remind.ts'
import { tell } from '../dialog/say.ts'
import { profileSent, sendProfile } from '../dialog/send-profile.ts'
import { readSitting, showSitting } from '../dialog/show-question.ts'
import type { Turn } from '../dialog/turn.ts'
import { codeVerified } from '../dialog/verify-code.ts'
import { newPerson } from '../domain/profile.ts'
import type { Questionnaire } from '../domain/questionnaire.ts'
import type { RecordFile } from '../domain/record-file.ts'
import type { Roadmap, TestRecord } from '../service/wire.ts'
import type {
  AuthReply,
  RoadmapAuthReply,
  RoadmapVerifyReply,
  VerifyReply,
} from '../service/wire-exchanges.ts'
import { refusedView, resultFailedView } from '../views/submission.ts'
import { takeRoadmapEvent } from './roadmap-events.ts'

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
    // Another account began it while this one read the introduction; a role that was taken back has been told.
    if (kind === 'openRoadmap' || (kind === 'open' && account.items.includes(s)))
      await tell(turn, 'invitation-used')
    return
  }
  if (kind !== 'open' && kind !== 'openRoadmap') account.focus = s
  switch (kind) {
    case 'open':
      return (file.parent ? recordOpened : opened)(turn, file, outcome as Outcome<TestRecord>)
    case 'openRoadmap':
      return roadmapOpened(turn, file, outcome as Outcome<Roadmap>)
    case 'auth':
    case 'authRoadmap':
      return profileSent(turn, file, outcome as Outcome<AuthReply | RoadmapAuthReply>)
    case 'verify':
    case 'verifyRoadmap':
      return codeVerified(turn, file, outcome as Outcome<VerifyReply | RoadmapVerifyReply>)
    case 'questions':
      if (!outcome.ok && file.parent) return questionsRefused(turn, file, outcome)
      return questionsLoaded(turn, file, outcome as Outcome<Questionnaire>)
  }
}

/** Takes what background work has to tell. */
export async function takeEvent(turn: Turn, s: string, event: ChatEvent): Promise<void> {
  if (event.kind === 'trouble') {
    delete turn.account.pending[s]
    await tell(turn, 'trouble')
  }
  if (event.kind === 'unhanded') return takenBack(turn, s)
  const file = await visibleFile(turn, s)
  if (!file) return
  switch (event.kind) {
    case 'opened':
      if (file.stage !== 'waiting') return
      await tell(turn, 'opened-now')
      return file.parent ? recordReady(turn, file) : look(turn, file)
    case 'redraw':
      // Another person of the roadmap may have the phone now.
      if (file.parent && (turn.account.focus !== s || (await isBehindCurtain(turn, file)))) return
      // Showing a paused questionnaire would go on with it.
      if (file.stage === 'questions' && (await readSitting(turn, s))?.state !== 'paused')
        await showSitting(turn, file, { messageId: event.messageId })
      return
    case 'code-expired':
      // Whoever is busy elsewhere sees it on coming back.
      if (turn.account.focus !== s || isPending(turn, s)) return
      if (file.stage === 'code' && file.sms?.draftToken === event.draftToken) await askCode(turn, file)
      return
    case 'profile-again':
      if (file.stage === 'profile' && currentStep(turn, file)?.ask === 'summary')
        await sendProfile(turn, file)
      return
    case 'remind':
      return remind(turn, file)
    case 'submit-delayed':
      return tell(turn, file.parent ? 'record-delayed' : 'submit-delayed')
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
    case 'report-missing':
      return notifyOrganizers(turn, 'notice-report', { title: file.test.title })
    case 'trouble':
      return standStill(turn, file)
    default:
      return takeRoadmapEvent(turn, file, event)
  }
}

/** What was under way may have ended for good: trying again is the participant's now. */
function standStill(turn: Turn, file: RecordFile): void {
  if (file.stage === 'submitting') {
    file.stage = 'refused'
    file.isUnclear = true
  } else if (file.stage === 'generating' && file.roadmap) {
    file.stage = 'failed'
    file.roadmap.failure = []
    tellOthers(turn, file)
  } else return
  saveFile(turn, file)
}

/** The one who began has taken a role back: nothing of it is left here. */
async function takenBack(turn: Turn, s: string): Promise<void> {
  const { account } = turn
  const { [s]: _, ...invited } = account.invited ?? {}
  account.invited = invited
  const file = await visibleFile(turn, s)
  if (file && takesPart(turn, file)) {
    await tell(turn, 'unhanded-told')
    return refreshBoard(turn, file)
  }
  account.items = account.items.filter((item) => item !== s)
  if (account.focus === s) delete account.focus
  const board = account.screens[s]
  if (board !== undefined) await turn.disarm(board)
  delete account.screens[s]
  await tell(turn, 'unhanded-told')
}

async function submitted(turn: Turn, file: RecordFile): Promise<void> {
  // Accepted is accepted, also when the participant has been told of trouble meanwhile.
  if (file.stage !== 'submitting' && file.stage !== 'refused') return
  const screen = turn.account.screens[file.s]
  if (screen !== undefined && file.questions)
    await turn.show(screen, { text: turn.t('submit-sent', { total: file.questions.count }) })
  if (file.parent) return recordFinished(turn, file, turn.t('record-finished', { title: file.test.title }))
  file.stage = 'scored'
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
  if (code === 'elsewhere' && file.parent) return recordFinished(turn, file, turn.t('finished-elsewhere'))
  if (code === 'elsewhere') {
    file.stage = 'elsewhere'
    saveFile(turn, file)
    turn.work.putBytes(sittingKey(file.s), null)
    return tell(turn, 'finished-elsewhere')
  }
  file.stage = 'refused'
  if (code === 'profile' && !file.parent) {
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
  const isLater = file.stage === 'done' && file.isOwed === true
  if (file.stage !== 'scored' && !isLater) return
  const owed = await turn.work.get(owedResults, file.s)
  const isWholly = owed === undefined || owed.parts.length === 0
  file.stage = 'done'
  delete file.isOwed
  // What somebody else has blocked waits for their next /start.
  if (isWholly) turn.work.remove(owedResults, file.s)
  else file.isOwed = true
  saveFile(turn, file)
  if (isLater) return isWholly && to === 'organizer' ? tell(turn, 'delivered-organizer') : undefined
  turn.work.putBytes(sittingKey(file.s), null)
  if (!file.roadmap) delete turn.account.screens[file.s]
  if (turn.account.focus === file.s) delete turn.account.focus
  if (to === 'organizer' && isWholly) await tell(turn, 'delivered-organizer')
}
