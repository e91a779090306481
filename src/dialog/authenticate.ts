import type { Failure, Outcome } from '../background/actors.ts'
import { timerActor } from '../background/actors.ts'
import { ageOn } from '../domain/persian/age.ts'
import { parseSmsCode } from '../domain/persian/code.ts'
import { ADULT_AGE, type Person, profileProblems } from '../domain/profile.ts'
import type { RecordFile } from '../domain/record-file.ts'
import type {
  AuthReply,
  RoadmapAuthReply,
  RoadmapVerifyReply,
  VerifyReply,
} from '../service/wire-exchanges.ts'
import { smsUnclearView } from '../views/code.ts'
import { failureView } from '../views/failure.ts'
import { problemsView } from '../views/profile.ts'
import { button } from '../views/view.ts'
import { waitText } from '../views/wait.ts'
import { askCode, askCodeAgain, isExpired } from './ask-code.ts'
import { askPersonal } from './ask-personal.ts'
import { askAgain, askStep } from './ask-profile.ts'
import { showBoard } from './board.ts'
import { callService, isPending, onBehalf } from './call.ts'
import { saveFile } from './files.ts'
import { loadQuestions } from './load-questions.ts'
import { notifyOrganizers } from './notify-organizers.ts'
import { openBoard } from './roadmap-file.ts'
import { failed, tell } from './say.ts'
import { countSms, uncountSms } from './sms-limits.ts'
import { postSubmission } from './submission.ts'
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
  if (!outcome.ok) return profileRefused(turn, file, outcome)
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

async function profileRefused(
  turn: Turn,
  file: RecordFile,
  failure: Extract<Outcome<never>, { ok: false }>,
): Promise<void> {
  const { t } = turn
  const { title } = file.test
  const { organizerContact } = turn.deps.config
  const mobile = file.draft?.mobile ?? ''
  if (!file.sms || isExpired(turn, file.sms)) file.stage = 'profile'
  if (file.testsAuthRequired && failure.code !== 'sms_unclear') await uncountSms(turn, mobile)
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

/** Takes a typed SMS code. */
export async function takeCode(turn: Turn, file: RecordFile, text: string, messageId: number): Promise<void> {
  file.typed = [...(file.typed ?? []), messageId]
  saveFile(turn, file)
  if (!file.sms || isExpired(turn, file.sms)) return askCode(turn, file)
  if (isPending(turn, file.s)) return tell(turn, 'one-moment')
  const code = parseSmsCode(text)
  if (!code) return askCodeAgain(turn, file, turn.t('code-malformed'))
  file.sms.code = code
  saveFile(turn, file)
  await verifyCode(turn, file)
}

/** Sends the typed code, also once more when its call failed: nobody has to type it again. */
export async function verifyCode(turn: Turn, { s, token, roadmap, sms }: RecordFile): Promise<void> {
  if (sms?.code === undefined) return
  const { draftToken, code } = sms
  await callService(turn, s, { kind: roadmap ? 'verifyRoadmap' : 'verify', token, draftToken, code })
}

/** Takes the service's answer to the code. */
export async function codeVerified(
  turn: Turn,
  file: RecordFile,
  outcome: Outcome<VerifyReply | RoadmapVerifyReply>,
): Promise<void> {
  const { t } = turn
  if (outcome.ok) return profileMade(turn, file, outcome.value)
  switch (outcome.code) {
    case 'code_wrong':
      if (file.sms) delete file.sms.code
      saveFile(turn, file)
      return askCodeAgain(turn, file, t('code-wrong'))
    case 'draft_expired':
      if (file.sms) file.sms.expiresAt = Math.min(file.sms.expiresAt, turn.now)
      saveFile(turn, file)
      return askCode(turn, file)
    case 'sms_not_required':
      // The policy changed since: the draft made no profile, so the profile is sent once more, without a code.
      file.testsAuthRequired = false
      file.stage = 'profile'
      delete file.sms
      return sendProfile(turn, file)
    case 'mobile_limit':
    case 'profile_invalid':
    case 'external_id_taken':
    case 'already_finished':
    case 'finished_or_gone':
      return profileRefused(turn, file, outcome)
    default:
      await failed(turn, file, outcome)
  }
}

/** Another code for the same mobile. */
export async function sendCodeAgain(turn: Turn, file: RecordFile): Promise<void> {
  if (isPending(turn, file.s)) return tell(turn, 'one-moment')
  await sendProfile(turn, file)
}

/** Another mobile; everything else stays as it was typed. */
export async function changeMobile(turn: Turn, file: RecordFile): Promise<void> {
  if (isPending(turn, file.s)) return tell(turn, 'one-moment')
  if (!file.draft) return
  file.stage = 'profile'
  delete file.sms
  file.draft.correcting = { field: 'mobile', person: 0 }
  saveFile(turn, file)
  await askStep(turn, file)
}

/** The profile exists: the draft leaves, and so does what was typed into the chat. */
async function profileMade(
  turn: Turn,
  file: RecordFile,
  made: VerifyReply | { roles: readonly unknown[] },
): Promise<void> {
  if ('profile' in made) file.caseNumber = made.profile?.case_number ?? file.caseNumber
  const people = file.draft?.people ?? []
  delete file.draft
  delete file.sms
  await deleteTyped(turn, file)
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
async function deleteTyped(
  turn: Turn,
  file: RecordFile,
  words: 'typed-deleted' | 'typed-withdrawn' = 'typed-deleted',
): Promise<void> {
  const typed = file.typed ?? []
  delete file.typed
  if (typed.length === 0) return
  const { asked } = turn.account
  if (asked === undefined) await tell(turn, words)
  else await turn.close(turn.t(words))
  await turn.deleteMessages(typed.filter((id) => id !== asked))
}
