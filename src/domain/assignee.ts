import { z } from 'zod'
import { LANGUAGE_CODES } from '../texts/languages.ts'
import { resultTo } from './invitation.ts'

export const language = z.enum(LANGUAGE_CODES)
export const consent = z.object({
  at: z.number(),
  language,
  version: z.number(),
  /** Who receives the result. Earlier versions did not store it. */
  resultTo: resultTo.optional(),
})
/** A consent: what the participant agreed to, and when (milliseconds since 1970). */
export type Consent = z.infer<typeof consent>

/** An agreement beside the consent: of a minor's guardian, or of a minor who uses another person's phone. */
const agreement = z.object({
  by: z.enum(['guardian', 'minor']),
  /** The role of a roadmap that the agreement is about. */
  role: z.number().optional(),
  /** The guardian agreed on a phone of their own. */
  isApart: z.literal(true).optional(),
  /** Earlier versions stored neither the time of a guardian's agreement nor the version of its words. */
  consent: consent.optional(),
})
export type Agreement = z.infer<typeof agreement>

/** Tries for the profile's mobile after a release, by all accounts together. */
const MOBILE_TRIES = 3

const state = <S extends string, F extends z.core.$ZodShape>(is: S, fields: F) =>
  z.object({
    is: z.literal(is),
    ...fields,
    /** The accounts that it was released from. None of them may take it back. */
    before: z.array(z.string()).optional(),
  })

/** The account that answers, with the facts that are needed beside its id. */
const account = {
  who: z.string(),
  /** The chat and the language in which the account is notified. */
  chatId: z.number().optional(),
  language: language.optional(),
  consent: consent.optional(),
  agreements: z.array(agreement).optional(),
}

/**
 * Who may answer a record, or a role of a roadmap. A record is a roadmap of one role and one test.
 *
 * | is | who may answer |
 * | --- | --- |
 * | free | the first account that begins |
 * | invited | the first account that begins with an invitation |
 * | taken | this account |
 * | released | an account with an invitation made at the release or later that knows the profile's mobile |
 * | left | no account: `who` has forgotten it, or the roles of a roadmap are invited one by one |
 * | over | the service has all answers from this account, so that the result is its own for good |
 */
export const assignee = z.discriminatedUnion('is', [
  state('free', {}),
  state('invited', {}),
  state('taken', account),
  state('released', {
    tries: z.number(),
    consent: consent.optional(),
    agreements: z.array(agreement).optional(),
    /** The record whose profile has that mobile, when nothing else of it is kept. */
    mobileOf: z.string().optional(),
  }),
  state('left', { who: z.string().optional() }),
  state('over', account),
])
export type Assignee = z.infer<typeof assignee>
export type AssigneeState = Assignee['is']
type AssigneeOf<S extends AssigneeState> = Extract<Assignee, { is: S }>

export const FREE: Assignee = { is: 'free' }

/** The account that it is assigned to. */
export const accountOf = (assignee: Assignee | undefined): string | undefined =>
  assignee && isAssignee(assignee, 'taken', 'over') ? assignee.who : undefined

/** The consent of the assigned account or, after a release, of the account before. */
export const consentOf = (assignee: Assignee | undefined): Consent | undefined =>
  assignee && 'consent' in assignee ? assignee.consent : undefined

/** The agreements that were given beside the consent. */
export const agreementsOf = (assignee: Assignee | undefined): readonly Agreement[] =>
  (assignee && 'agreements' in assignee ? assignee.agreements : undefined) ?? []

/** How many tries for the mobile are left; `undefined` where the mobile is not asked for. */
export const triesOf = (assignee: Assignee | undefined): number | undefined =>
  assignee?.is === 'released' ? assignee.tries : undefined

/** Whether another account has it, or this account has lost it. Then nothing of it opens here. */
export function isOthers(assignee: Assignee, who: string): boolean {
  if (assignee.before?.includes(who)) return accountOf(assignee) !== who
  return isAssignee(assignee, 'taken', 'over', 'left') && assignee.who !== who
}

export const isAssignee = <S extends AssigneeState>(
  assignee: Assignee,
  ...states: readonly S[]
): assignee is AssigneeOf<S> => states.some((one) => one === assignee.is)

/** Makes a transition from these states. It returns the next assignee, or `undefined` in any other state. */
const from =
  <S extends AssigneeState, A extends readonly unknown[]>(
    states: readonly S[],
    next: (assignee: AssigneeOf<S>, ...args: A) => Assignee | undefined,
  ) =>
  (assignee: Assignee, ...args: A): Assignee | undefined =>
    isAssignee(assignee, ...states) ? next(assignee, ...args) : undefined

type Beginner = Omit<AssigneeOf<'taken'>, 'is' | 'before'>

/**
 * Consent is given. In the state `invited` an invitation is needed, and an account that has lost it cannot
 * begin. The assigned account begins again when nothing else of it is kept.
 */
export const begun = from(
  ['free', 'invited', 'taken', 'over'],
  (assignee, beginner: Beginner, { isInvited }: { isInvited: boolean }) => {
    const { is, before } = assignee
    if (isOthers(assignee, beginner.who) || (is === 'invited' && !isInvited)) return undefined
    return { is: 'taken', ...beginner, before }
  },
)

/** An organizer releases it for the same person, possibly for a second time. The answers stay. */
export const released = from(['taken', 'over', 'released', 'left'], (assignee, mobileOf?: string) => ({
  is: 'released',
  tries: MOBILE_TRIES,
  ...('consent' in assignee && { consent: assignee.consent }),
  ...('agreements' in assignee && { agreements: assignee.agreements }),
  mobileOf: mobileOf ?? (assignee.is === 'released' ? assignee.mobileOf : undefined),
  before: beforeOf(assignee),
}))

/** An organizer releases it for a fresh start. The same person needs an invitation to begin. */
export const releasedAnew = from(
  ['taken', 'over', 'released', 'left', 'invited', 'free'],
  (assignee, person: 'same' | 'other') => ({
    is: person === 'same' ? 'invited' : 'free',
    before: beforeOf(assignee),
  }),
)

/** The typed mobile is wrong. */
export const missed = from(['released'], (assignee) =>
  assignee.tries > 0 ? { ...assignee, tries: assignee.tries - 1 } : undefined,
)

/** The typed mobile is right: it passes to this account. A consent of an earlier account stays valid. */
export const takenOver = from(
  ['released'],
  ({ tries, consent, agreements, before }, account: Omit<Beginner, 'agreements'>) =>
    tries > 0 && !before?.includes(account.who)
      ? { is: 'taken', ...account, consent: consent ?? account.consent, agreements, before }
      : undefined,
)

/** Adds an agreement. It is kept as long as the account is assigned. */
export const agreed = from(['taken', 'over'], (assignee, agreement: Agreement) => ({
  ...assignee,
  agreements: [...(assignee.agreements ?? []), agreement],
}))

/** The service has all answers. */
export const answered = from(['taken'], (assignee) => ({ ...assignee, is: 'over' }))

/** The account had all its data deleted. A test of its roadmap is `free` until then. */
export const left = from(['taken', 'over', 'free'], (assignee, who: string) =>
  assignee.is === 'free' || assignee.who === who ? { is: 'left', who, before: assignee.before } : undefined,
)

/** The roles of a roadmap are invited one by one, so no account begins it as a whole. */
export const parted = from(['free', 'invited', 'left'], (assignee) => {
  if (assignee.is === 'left') return isParted(assignee) ? assignee : undefined
  return { is: 'left', before: assignee.before }
})

/** The last invitation to a role was revoked before any account began. */
export const rejoined = from(['left'], (assignee) =>
  isParted(assignee) ? { is: 'free', before: assignee.before } : undefined,
)

/** Whether its roles are invited one by one, and no account has had the whole. */
export const isParted = (assignee: Assignee | undefined): boolean =>
  assignee?.is === 'left' && assignee.who === undefined

/** Accounts that may not take it back. An account without consent, which never began or forgot it, may. */
function beforeOf(assignee: Assignee): string[] | undefined {
  const { before = [] } = assignee
  const who = consentOf(assignee) && accountOf(assignee)
  const all = who === undefined || before.includes(who) ? before : [...before, who]
  return all.length > 0 ? all : undefined
}
