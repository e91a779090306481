import type { Failure, Outcome } from '../background/actors.ts'
import { timerActor } from '../background/actors.ts'
import { type Person, profileProblems } from '../domain/profile.ts'
import type { RecordFile } from '../domain/record-file.ts'
import type { AuthReply, RoadmapAuthReply } from '../service/wire-exchanges.ts'
import { smsUnclearView } from '../views/code.ts'
import { failureView } from '../views/failure.ts'
import { problemsView } from '../views/profile.ts'
import { button } from '../views/view.ts'
import { waitText } from '../views/wait.ts'
import { askCode, isExpired } from './ask-code.ts'
import { askPersonal } from './ask-personal.ts'
import { askAgain, askStep } from './ask-profile.ts'
import { callService, isPending, onBehalf } from './call.ts'
import { saveFile } from './files.ts'
import { notifyOrganizers } from './notify-organizers.ts'
import { deleteTyped, profileMade } from './profile-made.ts'
import { failed, tell } from './say.ts'
import { countSms, uncountSms } from './sms-limits.ts'
import type { Turn } from './turn.ts'

/** How long a draft at the service holds (spec, Limits). */
const DRAFT_MS = 5 * 60_000

/** Sends the profile: everything the service would refuse is found before an SMS goes out. */
export async function sendProfile(turn: Turn, file: RecordFile): Promise<void> {
  const { draft, token, externalId, testsAuthRequired: sms } = file
  const [person] = draft?.people ?? []
  if (isPending(turn, file.s)) return tell(turn, 'one-moment')
  if (!draft || !person) return
  const problems = profileProblems(draft, turn.today)
  if (problems.length > 0) return askAgain(turn, file, problemsView(turn.t, problems, draft.people).text)
  const mobile = draft.mobile ?? ''
  const wait = sms ? await countSms(turn, mobile) : undefined
  if (wait) {
    await turn.say({ text: waitText(turn.t, wait) })
    return
  }
  await turn.close(turn.t(sms ? 'profile-sending-sms' : 'profile-sending'))
  saveFile(turn, file)
  if (file.roadmap) {
    const roles = draft.people.map((each) => ({ id: each.role?.id ?? 0, profile: wireProfile(each) }))
    await callService(turn, file.s, { kind: 'authRoadmap', token, sms, roles: { mobile, roles } })
    return
  }
  const id = externalId === undefined ? {} : { external_id: externalId }
  await callService(turn, file.s, {
    kind: 'auth',
    token,
    sms,
    profile: { ...wireProfile(person), mobile, ...id },
  })
}

const wireProfile = ({ name = '', birth = '', gender }: Person) => ({
  name,
  birth,
  is_male: gender === 'male',
})

/** Takes the service's answer to the profile: it is made, or waits for its SMS code. */
export async function profileSent(
  turn: Turn,
  file: RecordFile,
  outcome: Outcome<AuthReply | RoadmapAuthReply>,
): Promise<void> {
  const mobile = file.draft?.mobile ?? ''
  if (!outcome.ok) {
    // No SMS went out. (A refusal of the code comes after one.)
    if (file.testsAuthRequired && outcome.code !== 'sms_unclear') await uncountSms(turn, mobile)
    return profileRefused(turn, file, outcome)
  }
  if (!outcome.value.tests_auth_required) return profileMade(turn, file, outcome.value)
  const draftToken = outcome.value.draft_token
  if (!file.testsAuthRequired) {
    // The policy changed since the record was read: an SMS went out that nobody has counted.
    file.testsAuthRequired = true
    await countSms(turn, mobile)
  }
  file.stage = 'code'
  file.sms = { draftToken, mobile, expiresAt: turn.now + DRAFT_MS }
  saveFile(turn, file)
  turn.work.post(
    timerActor(file.s),
    { s: file.s, onBehalf: await onBehalf(turn), event: { kind: 'code-expired', draftToken } },
    { dueAt: file.sms.expiresAt, replace: true },
  )
  await askCode(turn, file)
}

/** Says what the service refused in the profile, and leads to what has to be put right. */
export async function profileRefused(
  turn: Turn,
  file: RecordFile,
  failure: Extract<Outcome<never>, { ok: false }>,
): Promise<void> {
  const { t } = turn
  const { title } = file.test
  const { organizerContact } = turn.deps.config
  const mobile = file.draft?.mobile ?? ''
  if (!file.sms || isExpired(turn, file.sms)) file.stage = 'profile'
  if (file.roadmap && isFinishedOrGone(failure)) {
    // A 404 has two meanings (spec, Errors): the roadmap tells which.
    saveFile(turn, file)
    return callService(turn, file.s, { kind: 'openRoadmap', token: file.token })
  }
  // Of a roadmap it says that our call was out of place: the participant cannot mend that.
  const isMisuse = file.roadmap && failure.code === 'belongs_to_roadmap'
  switch (isMisuse ? 'forbidden' : failure.code) {
    case 'sms_unclear':
      saveFile(turn, file)
      return askPersonal(turn, file, smsUnclearView(t, mobile))
    case 'mobile_limit':
      file.stage = 'profile'
      if (file.draft) file.draft.correcting = { field: 'mobile', person: 0 }
      saveFile(turn, file)
      await tell(turn, 'failure-mobile-limit')
      return askStep(turn, file)
    case 'profile_invalid':
    case 'role_mismatch':
    case 'bad_request':
      file.stage = 'profile'
      saveFile(turn, file)
      return askAgain(
        turn,
        file,
        failure.reason ? t('failure-profile-reason', { reason: failure.reason }) : t('failure-profile'),
      )
    case 'belongs_to_roadmap':
    case 'already_finished':
    case 'not_found':
      file.stage = 'elsewhere'
      if (failure.code === 'belongs_to_roadmap') file.ofRoadmap = true
      delete file.draft
      await deleteTyped(turn, file, 'typed-withdrawn')
      saveFile(turn, file)
      await turn.say(failureView(t, { s: file.s, failure, organizerContact }))
      return
    case 'external_id_taken':
      file.stage = 'profile'
      await notifyOrganizers(
        turn,
        'notice-external-id',
        { title, id: String(file.externalId ?? '') },
        (organizer) => [
          [button(organizer.plain('button-external-id-drop'), `extid:${file.s}:drop`)],
          [button(organizer.plain('button-external-id-new'), `extid:${file.s}:new`)],
        ],
      )
      break
  }
  saveFile(turn, file)
  await failed(turn, file, isMisuse ? { ...failure, code: 'forbidden' } : failure)
}

const isFinishedOrGone = ({ code }: Failure): boolean =>
  ['finished_or_gone', 'already_finished', 'not_found'].includes(code)
