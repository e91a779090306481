import { parseSmsCode, saysNoCode } from '../domain/persian/code.ts'
import { isIn, isSpent, type RecordFile, type Sms } from '../domain/record/record.ts'
import { codeExpired, codeRefused, codeTyped, move, profileReopened } from '../domain/record/transitions.ts'
import { unreachable } from '../domain/unreachable.ts'
import type { OutcomeOf } from '../jobs/call-table.ts'
import { codeExpiredView, codeSpentView, codeView } from '../views/code.ts'
import { callService } from './call.ts'
import { failed } from './notify.ts'
import { profileMade } from './profile-made.ts'
import { pressSms, profileRefused, sendProfile, wireApplicant, wireRoles } from './send-profile.ts'
import type { Scene, Talk } from './talk.ts'
import type { Turn } from './turn.ts'

/** The SMS code: asked for as long as it holds; another one is offered after that. */
export async function code(talk: Talk): Promise<void> {
  const { text, data = '' } = await talk.ask(question)
  if (text === undefined) return pressSms(talk, data)
  if (await talk.know(isOver)) return talk.again()
  const typed = parseSmsCode(text)
  if (!typed) return talk.again(({ t }) => t(saysNoCode(text) ? 'code-none' : 'code-malformed'))
  await talk.end(async ({ turn, file }) => {
    move(file, codeTyped, typed)
    await verifyCode(turn, file)
  })
}

/** From this code on it is said why none may come, and who can help. */
const CODES_UNTIL_HELP = 2

function question({ t, turn, file, sms, isAgain }: Scene) {
  const { organizerName, organizerContact } = turn.deps.config
  const isHelp = (file.codes?.sent ?? 0) >= CODES_UNTIL_HELP
  const help = isHelp ? organizerContact : undefined
  if (sms && isSpent(sms)) return codeSpentView(t)
  if (!sms || isExpired(turn, sms)) return codeExpiredView(t, help)
  return codeView(t, {
    isAgain,
    organizer: organizerName,
    mobile: sms.mobile,
    minutes: Math.max(1, Math.ceil((sms.expiresAt - turn.now) / 60_000)),
    help,
  })
}

const isOver = ({ turn, sms }: Scene): boolean => !sms || isExpired(turn, sms)

/** Whether the draft at the service takes no code any more: its time is over (spec, Limits), or too many were wrong. */
export const isExpired = ({ now }: Turn, sms: Sms): boolean => now >= sms.expiresAt || isSpent(sms)

/** Sends the typed code, also once more when its call failed: nobody has to type it again. */
export async function verifyCode(turn: Turn, file: RecordFile): Promise<void> {
  if (!isIn(file, 'code')) return
  const { draft, sms } = file.state
  const { draftToken, code, expiresAt: until } = sms
  if (code === undefined) return
  const verification = { token: file.token, draftToken, code, until }
  const call = file.roadmap
    ? ({ kind: 'verifyRoadmap', ...verification, roles: wireRoles(draft) } as const)
    : ({ kind: 'verify', ...verification, profile: wireApplicant(file, draft) } as const)
  await callService(turn, file.s, call)
}

/** Takes the service's answer to the code. */
export async function codeVerified(
  turn: Turn,
  file: RecordFile,
  outcome: OutcomeOf<'verify' | 'verifyRoadmap'>,
): Promise<void> {
  if (!isIn(file, 'code')) return
  if (outcome.ok) return profileMade(turn, file, outcome.value)
  switch (outcome.code) {
    case 'code_wrong':
      move(file, codeRefused)
      turn.due = { show: 'question', file, ...(!isSpent(file.state.sms) && { word: turn.t('code-wrong') }) }
      return
    case 'draft_expired':
      move(file, codeExpired, turn.now)
      turn.due = { show: 'question', file }
      return
    case 'sms_not_required':
      // The policy changed since: the draft made no profile, so the profile is sent once more, without a code.
      file.testsAuthRequired = false
      move(file, profileReopened)
      return sendProfile(turn, file)
    case 'registered_elsewhere':
    case 'mobile_limit':
    case 'profile_invalid':
    case 'external_id_taken':
    case 'already_finished':
    case 'finished_or_gone':
      return profileRefused(turn, file, outcome)
    case 'key_invalid':
    case 'forbidden':
    case 'billing':
    case 'not_found':
    case 'belongs_to_roadmap':
    case 'not_finished':
    case 'role_mismatch':
    case 'not_ready_to_generate':
    case 'questions_unreadable':
    case 'bad_request':
    case 'rate_limited':
    case 'no_slot':
    case 'too_late':
    case 'unavailable':
    case 'unreadable':
    case 'sms_unclear':
      return failed(turn, file, outcome)
  }
  unreachable(outcome.code)
}
