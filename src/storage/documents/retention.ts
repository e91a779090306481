import { accountDays, DAY_MS, HOUR_MS, OWED_DAYS } from '../../domain/durations.ts'
import { holdsOnlyCopy, isResultOwed, type RecordFile, type RecordStage } from '../../domain/record/record.ts'
import { isInvitedOnly, isRoleInvited } from '../../domain/record/standing.ts'
import type { Term } from '../documents.ts'

/**
 * How long documents are kept. Each term counts from the last write; `retentionDays` is the organizer's
 * setting. Kinds that are not named here stay for ever: assignees, epochs, and the index from a claimed
 * token, or from the invitation to a role, to its file. None of them says anything about a person.
 */

/** How often the terms of a file and its questions restart while answers arrive that do not write them. */
export const RENEWED_EVERY_DAYS = 7
/** Records and roadmaps that no account has begun. */
const UNCLAIMED_DAYS = 7
/** A guardian is asked for at most this long, which is no longer than the details are kept. */
export const GUARDIAN_LINK_DAYS = 14
/** Messages that failed for good. */
const SET_ASIDE_DAYS = 30
/** The audit, and closed invitations: the period in which people ask about them. */
export const AUDIT_DAYS = 180
/**
 * Organizers see begun records and roadmaps for this long, without a name or an answer and even after all
 * else is deleted: a school year, and the time before the summer.
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
  // Its roles were invited one by one, and such an invitation may have no end.
  if (isInvitedOnly(file)) return ENROLMENT_DAYS
  // Kept as long as accounts, so that /forget by a participant of another role finds that role's data.
  if (isRoleInvited(file)) return accountDays(retention)
  // It holds only the owner of the result, who may ask for it again years later.
  if (state.stage === 'done' && !parent) return undefined
  if (holdsOnlyCopy(file) || isResultOwed(file)) return OWED_DAYS
  if (state.stage === 'profile' || state.stage === 'given') return retention
  // Answers do not write the file; the attempt has the exact term. A test of a roadmap that no account has
  // begun stays as long as its board.
  if (parent || ANSWERED_UNTOUCHED.includes(state.stage))
    return Math.max(OWED_DAYS, 2 * retention) + RENEWED_EVERY_DAYS
  return retention
}

/** For an attempt without its last answer. From that answer on the store keeps it as long as what is owed. */
export const attemptExpiry = ({ now, retentionDays }: Term): number => now + retentionDays * DAY_MS

/** Notices for an organizer who cannot be reached. */
export const NOTICE_DAYS = 30

export const expiry = {
  /** A participant with a result can ask for it as long as the service has it. */
  account: days<{ hasResult?: true | undefined }>(({ hasResult }, retention) =>
    hasResult ? undefined : accountDays(retention),
  ),
  // A file is marked as stuck a day later: count from the participant's last action.
  record: (file: RecordFile, { now, retentionDays }: Term) =>
    days(recordDays)(file, { now: file.stuckAt ?? now, retentionDays }),
  /** A participant may answer for this long without a write of the questions. */
  questions: days<unknown>((_, retention) => 2 * retention + OWED_DAYS + RENEWED_EVERY_DAYS),
  talk: days<unknown>((_, retention) => retention),
  token: days<{ isClaimed?: true | undefined }>(({ isClaimed }) => (isClaimed ? undefined : UNCLAIMED_DAYS)),
  owed: days<unknown>(OWED_DAYS),
  setAside: days<unknown>(SET_ASIDE_DAYS),
  schedule: days<unknown>(1),
  sms: days<unknown>(1),
  /** The service may create a token shortly after somebody tried it. */
  unknown: days<unknown>(HOUR_MS / DAY_MS),
  notices: days<unknown>(NOTICE_DAYS),
  nudge: days<unknown>(1 / 2),
  told: days<{ isLasting?: true | undefined }>(({ isLasting }) =>
    isLasting ? AUDIT_DAYS : HOUR_MS / DAY_MS,
  ),
  /** An invitation without an end stays until it was used or revoked. */
  madeInvitation: (
    { until, overAt }: { until?: number | undefined; overAt?: number | undefined },
    { now }: Term,
  ) =>
    overAt === undefined && until === undefined
      ? undefined
      : Math.max(now, until ?? now) + AUDIT_DAYS * DAY_MS,
  /** A participant who opens the invitation later is asked for all details. */
  invitationDetails: (
    { at, until }: { at?: number | undefined; until?: number | undefined },
    { now }: Term,
  ) => Math.min(until ?? Infinity, (at ?? now) + OWED_DAYS * DAY_MS),
  /** For this long, the link says that it expired or was used. */
  guardianLink: ({ until }: { until: number }) => until + GUARDIAN_LINK_DAYS * DAY_MS,
  enrolment: days<unknown>(ENROLMENT_DAYS),
  audit: days<unknown>(AUDIT_DAYS),
  /** An organizer repeats a batch that could not be delivered for this long. */
  batch: days<unknown>(7),
}
