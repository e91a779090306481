import { accountDays, DAY_MS, HOUR_MS, OWED_DAYS } from '../../domain/durations.ts'
import { holdsOnlyCopy, isResultOwed, type RecordFile, type RecordStage } from '../../domain/record/record.ts'
import { isInvitedOnly, isRoleInvited } from '../../domain/record/standing.ts'
import type { Term } from '../documents.ts'

/**
 * How long everything is kept. Each term counts from the last write; `retentionDays` is the organizer's setting.
 * What is not named here stays for ever: claims, epochs, and the way from a claimed token, or from the invitation to a
 * role, to its file, of which none says anything about anybody.
 */

/** So often the term of a file and of its questions is begun anew while answers come without touching either. */
export const KEPT_ANEW_DAYS = 7
/** What nobody has begun. */
const UNCLAIMED_DAYS = 7
/** Who may agree for a minor is asked for so long, no longer than the details are kept. */
export const GUARDIAN_LINK_DAYS = 14
/** Messages that failed for good. */
const SET_ASIDE_DAYS = 30
/** What organizers did, and invitations that are over: so long somebody may ask what has become of one. */
export const AUDIT_DAYS = 180
/**
 * What was begun is listed for organizers for so long, without a name or an answer and also when nothing else is kept of
 * it: a school year, and what came before the summer.
 */
export const ENROLMENT_DAYS = 366

type Expiry<T> = (value: T, at: Term) => number | undefined

const days =
  <T>(count: number | ((value: T, retentionDays: number) => number | undefined)): Expiry<T> =>
  (value, { now, retentionDays }) => {
    const kept = typeof count === 'number' ? count : count(value, retentionDays)
    return kept === undefined ? undefined : now + kept * DAY_MS
  }

const ANSWERED_UNTOUCHED: readonly RecordStage[] = ['questions', 'board', 'generating', 'failed', 'elsewhere']

function recordDays(file: RecordFile, retention: number): number | undefined {
  const { state, parent } = file
  if (!file.isBegun) return UNCLAIMED_DAYS
  // Its roles were invited one by one, and such an invitation may open without an end.
  if (isInvitedOnly(file)) return ENROLMENT_DAYS
  // As long as /forget finds what whoever has begun another role has in it.
  if (isRoleInvited(file)) return accountDays(retention)
  // Nothing is left in it but whose result it is: that may be asked for again years later.
  if (state.stage === 'done' && !parent) return undefined
  if (holdsOnlyCopy(file) || isResultOwed(file)) return OWED_DAYS
  if (state.stage === 'profile' || state.stage === 'given') return retention
  // Answers come without touching the file; the attempt has the exact term.
  // A test of a roadmap that nobody has begun yet stays as long as its board.
  if (parent || ANSWERED_UNTOUCHED.includes(state.stage))
    return Math.max(OWED_DAYS, 2 * retention) + KEPT_ANEW_DAYS
  return retention
}

/** An attempt before its last answer: from then on the store keeps it as long as what is owed. */
export const attemptExpiry = ({ now, retentionDays }: Term): number => now + retentionDays * DAY_MS

/** What waits for an organizer who cannot be reached. */
export const NOTICE_DAYS = 30

/** Until when each kind of document is kept. */
export const expiry = {
  /** Whoever has a result finds it as long as the service has it. */
  account: days<{ hasResult?: true | undefined }>(({ hasResult }, retention) =>
    hasResult ? undefined : accountDays(retention),
  ),
  // That somebody is stuck is written when a day has passed: the term counts from what they did last.
  record: (file: RecordFile, { now, retentionDays }: Term) =>
    days(recordDays)(file, { now: file.stuckAt ?? now, retentionDays }),
  /** Anybody may answer questions for so long without touching them. */
  questions: days<unknown>((_, retention) => 2 * retention + OWED_DAYS + KEPT_ANEW_DAYS),
  talk: days<unknown>((_, retention) => retention),
  token: days<{ isClaimed?: true | undefined }>(({ isClaimed }) => (isClaimed ? undefined : UNCLAIMED_DAYS)),
  owed: days<unknown>(OWED_DAYS),
  setAside: days<unknown>(SET_ASIDE_DAYS),
  schedule: days<unknown>(1),
  sms: days<unknown>(1),
  /** A token may be made at the service a moment after somebody has tried it. */
  unknown: days<unknown>(HOUR_MS / DAY_MS),
  notices: days<unknown>(NOTICE_DAYS),
  nudge: days<unknown>(1 / 2),
  told: days<{ isLasting?: true | undefined }>(({ isLasting }) =>
    isLasting ? AUDIT_DAYS : HOUR_MS / DAY_MS,
  ),
  /** An invitation without an end stays until it has been used or revoked. */
  madeInvitation: (
    { until, overAt }: { until?: number | undefined; overAt?: number | undefined },
    { now }: Term,
  ) =>
    overAt === undefined && until === undefined
      ? undefined
      : Math.max(now, until ?? now) + AUDIT_DAYS * DAY_MS,
  /** Whoever opens it later is asked as anybody is. */
  invitationDetails: (
    { at, until }: { at?: number | undefined; until?: number | undefined },
    { now }: Term,
  ) => Math.min(until ?? Infinity, (at ?? now) + OWED_DAYS * DAY_MS),
  /** So long it says that it has expired, or was used. */
  guardianLink: ({ until }: { until: number }) => until + GUARDIAN_LINK_DAYS * DAY_MS,
  enrolment: days<unknown>(ENROLMENT_DAYS),
  audit: days<unknown>(AUDIT_DAYS),
  /** A batch that could not be brought for so long is asked for again. */
  batch: days<unknown>(7),
}
