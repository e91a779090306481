import { codeDigits, parseSmsCode, saysNoCode } from '../domain/persian/code.ts'
import { parseSaidMobile } from '../domain/persian/mobile.ts'
import { parseWrongField } from '../domain/persian/saying.ts'
import { isIn, isSpent, type RecordFile, type Sms } from '../domain/record/record.ts'
import { codeExpired, codeRefused, codeTyped, move, profileReopened } from '../domain/record/transitions.ts'
import type { Failure, OutcomeOf } from '../jobs/call-table.ts'
import type { Translate } from '../texts/texts.ts'
import { buttons } from '../views/buttons.ts'
import { codeExpiredView, codeSpentView, codeView } from '../views/code.ts'
import { callService } from './call.ts'
import { failed } from './notify-organizers.ts'
import { takeProfile } from './profile-made.ts'
import { givenElsewhere } from './role-details.ts'
import { pressSms, profileRefused, sendProfile, wireApplicant, wireRoles } from './send-profile.ts'
import { countVerified } from './sms-limits.ts'
import type { Scene, Talk } from './talk.ts'
import type { UpdateContext } from './update-context.ts'

/** The SMS code. While it is valid the step asks for it; after that the step offers another one. */
export async function code(talk: Talk): Promise<void> {
  const { text, data = '' } = await talk.ask(question)
  if (text === undefined) return pressSms(talk, data)
  if (parseWrongField(text) === 'mobile') return pressSms(talk, buttons.sms.data('mobile'))
  const number = parseSaidMobile(text)
  // The number that the code was sent to is no change of the mobile.
  const isSame = number.ok && (await talk.know(({ sms }) => sms?.mobile === number.mobile))
  if (number.ok && !number.unusual && !isSame) {
    await talk.end(({ file }) => void move(file, profileReopened))
    return talk.keep({ mobile: number.mobile })
  }
  if (await talk.know(({ ctx, sms }) => !sms || isExpired(ctx, sms))) return talk.again()
  const typed = isSame ? undefined : parseSmsCode(text)
  if (!typed) {
    const isMissing = isSame || saysNoCode(text)
    return talk.again(({ t, file }) => {
      if (!isMissing) return noCodeText(t, text)
      // After several codes the question itself says why.
      return isHelped(file) ? undefined : t('code-none')
    })
  }
  await talk.end(async ({ ctx, file }) => {
    move(file, codeTyped, typed)
    await verifyCode(ctx, file)
  })
}

/** The notice for a text that is no code: letters in the text, or a wrong number of digits. */
function noCodeText(t: Translate, text: string): string {
  const digits = codeDigits(text)
  return digits === undefined ? t('code-malformed') : t('code-length', { count: digits.length })
}

/** From this number of codes on, the question says why codes may not come, and who can help. */
const CODES_UNTIL_HELP = 2
const isHelped = ({ codes }: RecordFile): boolean => (codes?.sent ?? 0) >= CODES_UNTIL_HELP

function question({ t, ctx, file, sms, isAgain }: Scene) {
  const isHelp = isHelped(file)
  if (sms && isSpent(sms)) return codeSpentView(t)
  if (!sms || isExpired(ctx, sms)) return codeExpiredView(t, isHelp)
  return codeView(t, {
    isAgain,
    mobile: sms.mobile,
    minutes: Math.max(1, Math.ceil((sms.expiresAt - ctx.now) / 60_000)),
    isHelp,
  })
}

/** Whether the draft at the service takes no code: it has expired (spec, Limits), or had too many tries. */
export const isExpired = ({ now }: UpdateContext, sms: Sms): boolean => now >= sms.expiresAt || isSpent(sms)

/** Sends the typed code, also again after a failed call, so that the participant need not type it again. */
export async function verifyCode(ctx: UpdateContext, file: RecordFile): Promise<void> {
  if (!isIn(file, 'code')) return
  const { draft, sms } = file.state
  const { draftToken, code, expiresAt: until } = sms
  if (code === undefined) return
  const verification = { token: file.token, draftToken, code, until }
  const call = file.roadmap
    ? ({
        kind: 'verifyRoadmap',
        ...verification,
        roles: wireRoles(file, draft, await givenElsewhere(ctx, file)),
      } as const)
    : ({ kind: 'verify', ...verification, profile: wireApplicant(file, draft) } as const)
  await callService(ctx, file.s, call)
}

/** Refusals of the details themselves. All others leave the details valid: the code can be sent again. */
const DETAIL_REFUSALS: readonly Failure['code'][] = [
  'registered_elsewhere',
  'mobile_limit',
  'profile_invalid',
  'external_id_taken',
  'already_finished',
  'finished_or_gone',
]

/** Takes the service's answer to the code. */
export async function codeVerified(
  ctx: UpdateContext,
  file: RecordFile,
  outcome: OutcomeOf<'verify' | 'verifyRoadmap'>,
): Promise<void> {
  if (!isIn(file, 'code')) return
  if (outcome.ok) {
    await countVerified(ctx, file)
    return takeProfile(ctx, file, outcome.value)
  }
  const again = (word?: string) => {
    ctx.due = { show: 'question', file, word }
  }
  if (outcome.code === 'code_wrong') {
    move(file, codeRefused)
    return again(isSpent(file.state.sms) ? undefined : ctx.t('code-wrong'))
  }
  if (outcome.code === 'draft_expired') {
    move(file, codeExpired, ctx.now)
    return again()
  }
  if (outcome.code === 'sms_not_required') {
    // The policy changed meanwhile: the draft made no profile, so the profile is sent again without a code.
    file.testsAuthRequired = false
    move(file, profileReopened)
    return sendProfile(ctx, file)
  }
  await (DETAIL_REFUSALS.includes(outcome.code) ? profileRefused : failed)(ctx, file, outcome)
}
