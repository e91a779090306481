import type { ServiceErrorCode } from '../service/errors.ts'
import type { SimpleTextKey, Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { button, type View } from './view.ts'

type FailureCode = ServiceErrorCode | 'sms_unclear' | 'registered_elsewhere'

type Words = {
  key: SimpleTextKey | 'failure-organizer' | 'failure-unshown' | 'registered-elsewhere'
  retry: boolean
}

const passing: Words = { key: 'failure-unavailable', retry: true }
const forOrganizer: Words = { key: 'failure-organizer', retry: true }
const final = (key: SimpleTextKey): Words => ({ key, retry: false })

/** A new code without words does not compile. */
const failureWords = {
  key_invalid: forOrganizer,
  forbidden: forOrganizer,
  billing: forOrganizer,
  not_found: final('invitation-unknown'),
  finished_or_gone: final('finished-elsewhere'),
  belongs_to_roadmap: final('belongs-to-roadmap'),
  external_id_taken: forOrganizer,
  already_finished: final('finished-elsewhere'),
  not_finished: passing,
  mobile_limit: final('failure-mobile-limit'),
  profile_invalid: final('failure-profile'),
  role_mismatch: final('failure-profile'),
  draft_expired: final('code-expired'),
  code_wrong: final('code-wrong'),
  sms_not_required: passing,
  not_ready_to_generate: passing,
  questions_unreadable: { key: 'failure-unshown', retry: true },
  bad_request: forOrganizer,
  rate_limited: { key: 'failure-busy', retry: true },
  no_slot: { key: 'failure-busy', retry: true },
  too_late: { key: 'failure-busy', retry: true },
  unavailable: passing,
  unreadable: passing,
  sms_unclear: final('failure-sms-unclear'),
  registered_elsewhere: { key: 'registered-elsewhere', retry: false },
} as const satisfies Record<FailureCode, Words>

/** Says what failed and offers to try again where that can help. */
export function failureView(
  t: Translate,
  { s, failure, organizerContact }: { s: string; failure: { code: FailureCode }; organizerContact: string },
): View {
  const { key, retry } = failureWords[failure.code]
  const isWithContact =
    key === 'failure-organizer' || key === 'failure-unshown' || key === 'registered-elsewhere'
  const text = isWithContact ? t(key, { contact: organizerContact }) : t(key)
  return { text, ...(retry ? { keyboard: [[button(t.plain('button-retry'), buttons.retry.data(s))]] } : {}) }
}
