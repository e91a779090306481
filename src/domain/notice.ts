/** What organizers are told of, each with a switch of its own. */
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
