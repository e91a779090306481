import { type Draft, type Person, profileProblems } from '../domain/profile.ts'
import { externalIdsOf, isIn, type RecordFile } from '../domain/record/record.ts'
import {
  codeSent,
  finishedElsewhere,
  move,
  profileNotSent,
  profileReopened,
  registeredAsOthers,
} from '../domain/record/transitions.ts'
import { unreachable } from '../domain/unreachable.ts'
import type { Failure } from '../jobs/call.ts'
import type { OutcomeOf } from '../jobs/call-table.ts'
import { watchJobs } from '../jobs/watch-jobs.ts'
import { talks } from '../storage/documents/kinds.ts'
import { buttons } from '../views/buttons.ts'
import { smsUnclearView } from '../views/code.ts'
import { failureView } from '../views/failure.ts'
import { problemsView } from '../views/summary.ts'
import { button } from '../views/view.ts'
import { waitText } from '../views/wait.ts'
import { callService, isPending, onBehalf } from './call.ts'
import type { TurnContext } from './context.ts'
import { isBusyElsewhere } from './meanwhile.ts'
import { failed, notifyOrganizers, sendText } from './notify.ts'
import { profileMade } from './profile-made.ts'
import { countSms, uncountSms } from './sms-limits.ts'
import { postSubmission } from './submission.ts'
import type { Talk } from './talk.ts'
import { leadTo, type Turn } from './turn.ts'
import { askPersonal, deleteTyped } from './typed.ts'

/** How long a draft at the service holds (spec, Limits). */
const DRAFT_MS = 5 * 60_000

/** Another code for the same mobile, or another mobile; everything else stays as it was typed. */
export async function pressSms(talk: Talk, data: string): Promise<void> {
  const [wish] = buttons.sms.read(data) ?? []
  if (wish === undefined) return talk.refuse()
  if (wish === 'again') return talk.end(({ turn, file, toast }) => sendProfile(turn, file, toast))
  await talk.end(({ file }) => void move(file, profileReopened))
  await talk.correct('mobile', 0)
}

/**
 * Sends the profile: everything the service would refuse is found before an SMS goes out. A press that comes too early
 * is answered in passing.
 */
export async function sendProfile(turn: Turn, file: RecordFile, toast?: TurnContext['toast']): Promise<void> {
  if (!isIn(file, 'profile', 'code')) return
  if (isPending(turn, file.s))
    return toast ? toast(turn.t.plain('one-moment'), true) : sendText(turn, 'one-moment')
  const { testsAuthRequired: sms } = file
  const { draft } = file.state
  const problems = profileProblems(draft, turn.today)
  if (problems.length > 0) {
    turn.due = { show: 'question', file, word: problemsView(turn.t, problems, draft.people).text }
    return
  }
  const wait = sms ? await countSms(turn, file, draft.mobile ?? '') : undefined
  if (wait) {
    const text = waitText(turn.t, wait, turn.deps.config.organizerContact)
    // Whom to ask for help has to stay to be read.
    if (toast && wait.reason === 'cooldown') await toast(text, true)
    else await turn.send({ text })
    if (wait.reason !== 'cooldown') await notifyLimit(turn, file)
    return
  }
  if (!(await isBusyElsewhere(turn, file)))
    await turn.close(turn.t(sms ? 'profile-sending-sms' : 'profile-sending'))
  await callService(turn, file.s, authCall(file, draft, sms))
}

/** No more codes may be asked for: the organizers hear of it once. */
async function notifyLimit(turn: Turn, file: RecordFile): Promise<void> {
  if (file.codes?.isTold) return
  file.codes = { sent: 0, ...file.codes, isTold: true }
  await notifyOrganizers(turn, file, 'notice-sms-limit', { title: file.test.title })
}

function authCall(file: RecordFile, draft: Draft, sms: boolean) {
  const { token, roadmap } = file
  return roadmap
    ? ({ kind: 'authRoadmap', token, sms, roles: wireRoles(draft) } as const)
    : ({ kind: 'auth', token, sms, profile: wireApplicant(file, draft) } as const)
}

/** What was typed of each role, as the service takes it. */
export const wireRoles = ({ people, mobile = '' }: Draft) => ({
  mobile,
  roles: people.map((person) => ({
    id: person.role?.id ?? 0,
    profile: { ...wireProfile(person), ...wireId(person.externalId) },
  })),
})

/** What was typed for a standalone record, as the service takes it. */
export const wireApplicant = ({ externalId }: RecordFile, { people, mobile = '' }: Draft) => ({
  ...wireProfile(people[0] ?? {}),
  mobile,
  ...wireId(externalId),
})

const wireId = (id: number | undefined) => (id === undefined ? {} : { external_id: id })

const wireProfile = ({ name = '', birth = '', gender }: Partial<Person>) => ({
  name,
  birth,
  is_male: gender === 'male',
})

/** Takes the service's answer to the profile: it is made, or waits for its SMS code. */
export async function profileSent(
  turn: Turn,
  file: RecordFile,
  outcome: OutcomeOf<'auth' | 'authRoadmap'>,
): Promise<void> {
  if (!isIn(file, 'profile', 'code')) return
  const { mobile = '' } = file.state.draft
  if (!outcome.ok) {
    // No SMS went out. (A refusal of the code comes after one.)
    if (file.testsAuthRequired && outcome.code !== 'sms_unclear') await uncountSms(turn, file, mobile)
    return profileRefused(turn, file, outcome)
  }
  if (!outcome.value.tests_auth_required) {
    // The policy changed since the record was read: no SMS went out.
    if (file.testsAuthRequired) await uncountSms(turn, file, mobile)
    return profileMade(turn, file, outcome.value)
  }
  const draftToken = outcome.value.draft_token
  if (!file.testsAuthRequired) {
    // The policy changed since the record was read: an SMS went out that nobody has counted.
    file.testsAuthRequired = true
    await countSms(turn, file, mobile)
  }
  const expiresAt = turn.now + DRAFT_MS
  turn.work.note('sms-sent')
  move(file, codeSent, { draftToken, mobile, expiresAt })
  file.codes = { ...file.codes, sent: (file.codes?.sent ?? 0) + 1 }
  watchJobs.timer.post(
    turn.work,
    file.s,
    { s: file.s, onBehalf: await onBehalf(turn), event: { kind: 'code-expired', draftToken } },
    { dueAt: expiresAt, replace: true },
  )
  turn.due = { show: 'question', file }
}

/** Says what the service refused in the profile, and leads to what has to be put right. */
export async function profileRefused(turn: Turn, file: RecordFile, failure: Failure): Promise<void> {
  if (!isIn(file, 'profile', 'code')) return
  const { t } = turn
  const { mobile = '' } = file.state.draft
  move(file, profileNotSent, turn.now)
  if (file.roadmap && isFinishedOrGone(failure)) {
    // A 404 has two meanings (spec, Errors): the roadmap tells which.
    return callService(turn, file.s, { kind: 'openRoadmap', token: file.token })
  }
  // Of a roadmap it says that our call was out of place: the participant cannot mend that.
  if (file.roadmap && failure.code === 'belongs_to_roadmap')
    return failed(turn, file, { ...failure, code: 'forbidden' })
  switch (failure.code) {
    case 'sms_unclear':
      // Its buttons count only where the chat is about it.
      if (await isBusyElsewhere(turn, file)) return leadTo(turn, file)
      return askPersonal(turn, file, smsUnclearView(t, mobile))
    case 'mobile_limit':
      move(file, profileReopened)
      await sendText(turn, 'failure-mobile-limit')
      await notifyMobileLimit(turn, file)
      turn.due = { show: 'question', file, entry: { ask: 'mobile', person: 0, isCorrection: true } }
      return
    case 'profile_invalid':
    case 'role_mismatch':
    case 'bad_request': {
      move(file, profileReopened)
      const { reason } = failure
      const word = reason ? t('failure-profile-reason', { reason }) : t('failure-profile')
      turn.due = { show: 'question', file, word }
      return
    }
    case 'registered_elsewhere':
      return registeredElsewhere(turn, file)
    case 'belongs_to_roadmap':
    case 'already_finished':
    case 'not_found':
      return finished(turn, file, failure)
    case 'external_id_taken':
      move(file, profileReopened)
      await askForExternalId(turn, file)
      return failed(turn, file, failure)
    case 'key_invalid':
    case 'forbidden':
    case 'billing':
    case 'finished_or_gone':
    case 'not_finished':
    case 'draft_expired':
    case 'code_wrong':
    case 'sms_not_required':
    case 'not_ready_to_generate':
    case 'questions_unreadable':
    case 'rate_limited':
    case 'no_slot':
    case 'too_late':
    case 'unavailable':
    case 'unreadable':
      return failed(turn, file, failure)
  }
  unreachable(failure.code)
}

/** Somebody else registered it with other details: nothing of it is this account's, and no answer goes there. */
export async function registeredElsewhere(turn: Turn, file: RecordFile): Promise<void> {
  if (!move(file, registeredAsOthers)) return
  const { organizerContact } = turn.deps.config
  turn.work.remove(talks, file.s)
  await notifyOrganizers(turn, file, 'notice-registered-elsewhere', { title: file.test.title })
  await deleteTyped(turn, file, 'typed-withdrawn')
  await turn.send(
    failureView(turn.t, { s: file.s, failure: { code: 'registered_elsewhere' }, organizerContact }),
  )
}

async function finished(turn: Turn, file: RecordFile, failure: Failure): Promise<void> {
  const isPart = failure.code === 'belongs_to_roadmap'
  move(file, finishedElsewhere, isPart ? { ofRoadmap: true } : {})
  await deleteTyped(turn, file, 'typed-withdrawn')
  if (isIn(file, 'submitting')) {
    // Complete answers had waited for the profile.
    await sendText(turn, 'submit-again')
    return postSubmission(turn, file)
  }
  const { organizerContact } = turn.deps.config
  await turn.send(failureView(turn.t, { s: file.s, failure, organizerContact }))
}

/** A mobile can be registered no more: the organizers hear of it once. */
async function notifyMobileLimit(turn: Turn, file: RecordFile): Promise<void> {
  if (file.isMobileLimitTold) return
  file.isMobileLimitTold = true
  await notifyOrganizers(turn, file, 'notice-mobile-limit', { title: file.test.title })
}

/** An id that is taken already cannot be mended by the participant. */
async function askForExternalId(turn: Turn, file: RecordFile): Promise<void> {
  const { s, test } = file
  const ids = externalIdsOf(file)
  const notice = { title: test.title, id: ids.join(', ') }
  await notifyOrganizers(turn, file, 'notice-external-id', notice, {
    buttons: (organizer) => [
      [button(organizer.plain('button-external-id-drop'), buttons.extid.data(s, 'drop'))],
      [button(organizer.plain('button-external-id-new'), buttons.extid.data(s, 'new'))],
    ],
  })
}

const isFinishedOrGone = ({ code }: Failure): boolean =>
  ['finished_or_gone', 'already_finished', 'not_found'].includes(code)
