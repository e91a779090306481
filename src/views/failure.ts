import type { PlaceInLine } from '../service/budget.ts'
import type { ServiceErrorCode } from '../service/errors.ts'
import type { TextKey } from '../texts/keys.ts'
import type { Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { button, type View } from './view.ts'

const passing = { key: 'failure-unavailable', retry: true } as const
const busy = { key: 'failure-busy', retry: true } as const
const forOrganizer = { key: 'failure-organizer', retry: true } as const
const final = <K extends TextKey>(key: K) => ({ key, retry: false }) as const

/** A new code without a text does not compile. */
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
  rate_limited: busy,
  no_slot: busy,
  too_late: busy,
  unavailable: passing,
  unreadable: passing,
  sms_unclear: final('failure-sms-unclear'),
  registered_elsewhere: final('registered-elsewhere'),
  /** The answers are safe here, but the service has not accepted them. */
  submit_refused: { key: 'submit-refused', retry: true },
  /** The answers are safe here, and the job that sends them has failed. */
  submit_stalled: { key: 'submit-stalled', retry: true },
  /** The answers are accepted, but the result cannot be fetched. */
  result_failed: { key: 'result-failed', retry: true },
} as const satisfies Record<ServiceErrorCode, { key: TextKey; retry: boolean }> & Record<string, object>

/** Says what failed and offers to try again where that can help. */
export function failureView(t: Translate, code: keyof typeof failureWords, s: string): View {
  const { key, retry } = failureWords[code]
  return {
    text: t(key),
    ...(retry && { keyboard: [[button(t.plain('button-retry'), buttons.retry.data(s))]] }),
  }
}

const MINUTE_S = 60
/** From here on a wait is shown in minutes. */
const IN_MINUTES_FROM_S = 120

/** How long the reader has to wait for the service. An organizer waits behind all participants. */
export function placeInLineText(
  t: Translate,
  who: 'participant' | 'organizer',
  { place, etaMs }: PlaceInLine,
) {
  const seconds = Math.ceil(etaMs / 1_000)
  const wait =
    seconds < IN_MINUTES_FROM_S
      ? t('wait-seconds', { seconds })
      : t('wait-minutes', { minutes: Math.ceil(seconds / MINUTE_S) })
  return who === 'participant' ? t('place-in-line', { place, wait }) : t('organizer-waits', { wait })
}
