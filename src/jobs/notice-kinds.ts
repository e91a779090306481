import type { NoticeKind } from '../domain/notice.ts'
import type { TextKey } from '../texts/keys.ts'
import type { Offer } from '../views/organizer-notices.ts'

export type NoticeKey = Exclude<TextKey & `notice-${string}`, 'notice-label'>

/** What each notice is about; organizers switch them by their kind. A new notice without a kind does not compile. */
export const noticeKinds: Record<NoticeKey, NoticeKind> = {
  'notice-external-id': 'external',
  'notice-refused': 'trouble',
  'notice-key': 'key',
  'notice-unreadable': 'trouble',
  'notice-unreadable-question': 'trouble',
  'notice-billing': 'billing',
  'notice-waiting': 'billing',
  'notice-submit': 'trouble',
  'notice-attempt': 'trouble',
  'notice-result': 'trouble',
  'notice-report': 'trouble',
  'notice-generation-slow': 'analysis',
  'notice-analysis-ready': 'analysis',
  'notice-analysis-failed': 'analysis',
  'notice-finished': 'finished',
  'notice-stuck': 'stuck',
  'notice-blocked': 'blocked',
  'notice-guardian': 'guardian',
  'notice-sms-limit': 'trouble',
  'notice-sms-unverified': 'trouble',
  'notice-mobile-limit': 'trouble',
  'notice-answers-expire': 'trouble',
  'notice-result-expires': 'trouble',
  'notice-roadmap-left': 'trouble',
  'notice-withdrawn': 'trouble',
  'notice-done-elsewhere': 'trouble',
  'notice-finished-elsewhere': 'trouble',
  'notice-registered-elsewhere': 'trouble',
  'notice-uncertain': 'trouble',
  'notice-trouble': 'trouble',
}

/** What stops a participant now comes at once, also at night. */
export const isUrgent = (kind: NoticeKind): boolean =>
  kind === 'billing' || kind === 'key' || kind === 'trouble'

/** What helps there, beside the card. */
export const noticeOffers: { readonly [K in NoticeKey]?: Offer } = {
  'notice-finished': 'send',
  'notice-analysis-ready': 'send',
  'notice-done-elsewhere': 'send',
  'notice-finished-elsewhere': 'send',
  'notice-uncertain': 'send',
  'notice-stuck': 'release',
}

/** What only its own buttons can settle, or counts the others, comes by itself, also among many. */
export const comesAlone = (kind: NoticeKind): boolean => kind === 'external' || kind === 'digest'
