import type { Outcome } from '../background/actors.ts'
import { parseSmsCode } from '../domain/persian/code.ts'
import type { RecordFile } from '../domain/record-file.ts'
import type { RoadmapVerifyReply, VerifyReply } from '../service/wire-exchanges.ts'
import { askCode, askCodeAgain, isExpired } from './ask-code.ts'
import { askStep } from './ask-profile.ts'
import { callService, isPending } from './call.ts'
import { saveFile } from './files.ts'
import { profileMade } from './profile-made.ts'
import { failed, tell } from './say.ts'
import { profileRefused, sendProfile } from './send-profile.ts'
import type { Turn } from './turn.ts'

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
