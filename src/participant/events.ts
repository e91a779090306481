import { takesPart } from '../dialog/access.ts'
import { readAttempt } from '../dialog/attempt.ts'
import { isPending } from '../dialog/call.ts'
import { asideOf, stepNow } from '../dialog/expected.ts'
import { forgetOpened, visibleFile } from '../dialog/files.ts'
import { askForMobile } from '../dialog/known-mobile.ts'
import { askAbout } from '../dialog/meanwhile.ts'
import { keyWorks, notifyOrganizers, sendText } from '../dialog/notify.ts'
import { sendProfile } from '../dialog/send-profile.ts'
import type { Turn } from '../dialog/turn.ts'
import { deleteTyped, withdrawTyped } from '../dialog/typed.ts'
import { isIn, isSpent, type RecordFile } from '../domain/record/record.ts'
import { move, stalled, submissionNoted } from '../domain/record/transitions.ts'
import { release } from '../organizer/release.ts'
import { releaseDone } from '../organizer/release-done.ts'
import type { ChatEvent, EventKind, EventOf } from '../queue/events.ts'
import { resultFailedView } from '../views/submission.ts'
import { refreshBoard } from './board.ts'
import { notifyOthers } from './board-news.ts'
import { checkRecord } from './check-record.ts'
import { isBehindCurtain } from './curtain.ts'
import type { EventHandlers } from './event-handlers.ts'
import { generationEvents } from './generation-events.ts'
import { recordReady } from './nested-record.ts'
import { showPlace } from './place.ts'
import { releasedFrom } from './released.ts'
import { remind } from './remind.ts'
import { showAttempt } from './show-question.ts'
import { submissionEvents } from './submission-events.ts'

/** What happens to a record or roadmap that is still seen here. */
type RecordEventKind = Exclude<EventKind, 'unhanded' | 'released' | 'release' | 'release-done' | 'lines'>

/** A new kind of event without a handler does not compile. */
const handlers: EventHandlers<RecordEventKind> = {
  ...submissionEvents,
  ...generationEvents,
  async opened(turn, file) {
    // Another account that waited for it may have been faster.
    const isNews = isIn(file, 'intro') && turn.account.screens[file.s] !== undefined
    if (!isIn(file, 'waiting') && !isNews) return
    await sendText(turn, 'opened-now')
    await (file.parent ? recordReady : checkRecord)(turn, file)
  },
  async redraw(turn, file, { messageId }) {
    const { s, parent } = file
    // Another person of the roadmap may have the phone now.
    if (parent && (turn.account.focus !== s || (await isBehindCurtain(turn, file)))) return
    // Showing a paused questionnaire would go on with it.
    if (isIn(file, 'questions') && (await readAttempt(turn, s))?.state !== 'paused')
      await showAttempt(turn, file, { messageId })
  },
  async 'code-expired'(turn, file, { draftToken }) {
    // Whoever is busy elsewhere sees it on coming back.
    if (turn.account.focus !== file.s || isPending(turn, file.s)) return
    const isTold = isIn(file, 'code') && isSpent(file.state.sms)
    if (isIn(file, 'code') && !isTold && file.state.sms.draftToken === draftToken)
      turn.due = { show: 'question', file }
  },
  async 'typed-old'(turn, file) {
    const { asked } = turn.account
    // Where a question of it still stands the word comes in its place, and disturbs nobody.
    if (asked !== undefined && file.typed?.includes(asked)) return deleteTyped(turn, file, 'typed-withdrawn')
    await withdrawTyped(turn, file)
  },
  async 'profile-again'(turn, file) {
    if (isIn(file, 'profile') && (await stepNow(turn, file)) === 'summary') await sendProfile(turn, file)
  },
  taken: showPlace,
  remind,
  async 'result-failed'(turn, file) {
    await notifyOrganizers(turn, file, 'notice-result', { title: file.test.title })
    const contact = turn.deps.config.organizerContact
    await askAbout(turn, file, resultFailedView(turn.t, { s: file.s, contact }))
  },
  async 'report-missing'(turn, file) {
    await notifyOrganizers(turn, file, 'notice-report', { title: file.test.title })
  },
  async trouble(turn, file, { isStalled, isAttempted }) {
    if (isStalled && move(file, stalled) && file.roadmap) await notifyOthers(turn, file)
    if (isAttempted) move(file, submissionNoted)
  },
}

/** What comes only of calls that the service has answered. */
const OF_THE_SERVICE: readonly EventKind[] = ['submitted', 'generating', 'generated', 'opened']

/** Takes what background work has to tell. */
export async function takeEvent(turn: Turn, s: string, event: ChatEvent): Promise<void> {
  if (OF_THE_SERVICE.includes(event.kind)) await keyWorks(turn)
  if (event.kind === 'trouble') {
    const { pending } = turn.account
    const call = pending[s]
    await sendText(turn, 'trouble')
    if (call && call.id === event.call) {
      delete pending[s]
      if (call.takes) await askForMobile(turn, call.takes.taking)
    }
  }
  if (event.kind === 'lines') {
    // The rest of a cut text has come, or will not come any more.
    if (asideOf(turn.account) === 'lines') turn.due = { show: 'aside' }
    return
  }
  if (event.kind === 'unhanded') return takenBack(turn, s)
  if (event.kind === 'released') return releasedFrom(turn, s, event)
  if (event.kind === 'release') return release(turn, s, event)
  if (event.kind === 'release-done') return releaseDone(turn, event)
  const file = await visibleFile(turn, s)
  if (file) await handle<RecordEventKind>(turn, file, event.kind, event)
}

function handle<K extends RecordEventKind>(turn: Turn, file: RecordFile, kind: K, event: EventOf<K>) {
  return handlers[kind](turn, file, event)
}

/** The one who began has taken a role back: nothing of it is left here. */
async function takenBack(turn: Turn, s: string): Promise<void> {
  const { account } = turn
  const { [s]: _, ...invited } = account.invited ?? {}
  account.invited = invited
  const file = await visibleFile(turn, s)
  if (file && (await takesPart(turn, file))) {
    await sendText(turn, 'unhanded-told')
    return refreshBoard(turn, file)
  }
  forgetOpened(turn, s)
  const board = account.screens[s]
  if (board !== undefined) await turn.disarm(board)
  delete account.screens[s]
  await sendText(turn, 'unhanded-told')
}
