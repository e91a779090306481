/** The kinds of notices to organizers, each with its own switch. */
export const NOTICE_KINDS = [
  'finished',
  'analysis',
  'stuck',
  'blocked',
  'billing',
  'external',
  'guardian',
  'key',
  'trouble',
  'digest',
] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]
