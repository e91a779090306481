import { z } from 'zod'
import { LANGUAGE_CODES } from '../texts/languages.ts'
import { resultTo } from './invitation.ts'

export const language = z.enum(LANGUAGE_CODES)
export const consent = z.object({
  at: z.number(),
  language,
  version: z.number(),
  /** For whom the result is; not kept by earlier versions. */
  resultTo: resultTo.optional(),
})
/** What was consented to, and when (milliseconds since 1970). */
export type Consent = z.infer<typeof consent>

/** What was agreed to beside that: by whoever may agree for a minor, or by a minor on somebody else's phone. */
const agreement = z.object({
  by: z.enum(['guardian', 'minor']),
  /** The role of a roadmap that it is about. */
  role: z.number().optional(),
  /** On a phone of their own. */
  isApart: z.literal(true).optional(),
  /** Earlier versions kept neither the time nor which words of a guardian's. */
  consent: consent.optional(),
})
export type Agreement = z.infer<typeof agreement>

/** So often the mobile of the profile may be tried after a release, whoever tries. */
const MOBILE_TRIES = 3

const state = <S extends string, F extends z.core.$ZodShape>(is: S, fields: F) =>
  z.object({
    is: z.literal(is),
    ...fields,
    /** The accounts that it was released from; none of them takes it back. */
    before: z.array(z.string()).optional(),
  })

/** The account that answers, as far as more than its name has to be known. */
const account = {
  who: z.string(),
  /** Where it is told of news, and in which language. */
  chatId: z.number().optional(),
  language: language.optional(),
  consent: consent.optional(),
  agreements: z.array(agreement).optional(),
}

/**
 * Who may answer a record, or a role of a roadmap. A record is a roadmap of one role and one test.
 *
 * | is | |
 * | --- | --- |
 * | free | whoever begins first |
 * | invited | whoever begins first with an invitation |
 * | taken | this account |
 * | released | whoever opens an invitation made with the release, or later, and knows the mobile of the profile |
 * | left | nobody: it was forgotten by `who`; or the roles of a roadmap are invited one by one |
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
    /** Where nothing else is kept of it: the record whose profile has that mobile. */
    mobileOf: z.string().optional(),
  }),
  state('left', { who: z.string().optional() }),
  state('over', account),
])
export type Assignee = z.infer<typeof assignee>
export type AssigneeState = Assignee['is']
type AssigneeOf<S extends AssigneeState> = Extract<Assignee, { is: S }>

export const FREE: Assignee = { is: 'free' }

/** The account whose it is now. */
export const accountOf = (assignee: Assignee | undefined): string | undefined =>
  assignee && isIn(assignee, 'taken', 'over') ? assignee.who : undefined

/** What was consented to by whose it is, or was until it was released. */
export const consentOf = (assignee: Assignee | undefined): Consent | undefined =>
  assignee && 'consent' in assignee ? assignee.consent : undefined

/** What was agreed to beside the consent by whose it is. */
export const agreementsOf = (assignee: Assignee | undefined): readonly Agreement[] =>
  (assignee && 'agreements' in assignee ? assignee.agreements : undefined) ?? []

/** How often the mobile may still be tried; `undefined` where nobody is asked for it. */
export const triesOf = (assignee: Assignee | undefined): number | undefined =>
  assignee?.is === 'released' ? assignee.tries : undefined

/** Whether another account has it, or this one has lost it: nothing of it opens here. */
export function isOthers(assignee: Assignee, who: string): boolean {
  if (assignee.before?.includes(who)) return accountOf(assignee) !== who
  return isIn(assignee, 'taken', 'over', 'left') && assignee.who !== who
}

export const isIn = <S extends AssigneeState>(
  assignee: Assignee,
  ...states: readonly S[]
): assignee is AssigneeOf<S> => states.some((one) => one === assignee.is)

/** What becomes of it; `undefined` where this does not happen to what it is. Nothing is changed. */
const from =
  <S extends AssigneeState, A extends readonly unknown[]>(
    states: readonly S[],
    next: (assignee: AssigneeOf<S>, ...args: A) => Assignee | undefined,
  ) =>
  (assignee: Assignee, ...args: A): Assignee | undefined =>
    isIn(assignee, ...states) ? next(assignee, ...args) : undefined

type Beginner = Omit<AssigneeOf<'taken'>, 'is' | 'before'>

/**
 * Consent is given. Where it is invited to only an invitation counts, and who has lost it does not begin. Whose it is
 * begins it anew when nothing else is kept of it.
 */
export const begun = from(
  ['free', 'invited', 'taken', 'over'],
  (assignee, beginner: Beginner, { isInvited }: { isInvited: boolean }) => {
    const { is, before } = assignee
    if (isOthers(assignee, beginner.who) || (is === 'invited' && !isInvited)) return undefined
    return { is: 'taken', ...beginner, before }
  },
)

/** An organizer releases it for the same person, also once more: the answers stay. */
export const released = from(['taken', 'over', 'released', 'left'], (assignee, mobileOf?: string) => ({
  is: 'released',
  tries: MOBILE_TRIES,
  ...('consent' in assignee && { consent: assignee.consent }),
  ...('agreements' in assignee && { agreements: assignee.agreements }),
  mobileOf: mobileOf ?? (assignee.is === 'released' ? assignee.mobileOf : undefined),
  before: beforeOf(assignee),
}))

/** An organizer releases it to be begun anew: for the same person only by an invitation. */
export const releasedAnew = from(
  ['taken', 'over', 'released', 'left', 'invited', 'free'],
  (assignee, person: 'same' | 'other') => ({
    is: person === 'same' ? 'invited' : 'free',
    before: beforeOf(assignee),
  }),
)

/** A wrong mobile. */
export const missed = from(['released'], (assignee) =>
  assignee.tries > 0 ? { ...assignee, tries: assignee.tries - 1 } : undefined,
)

/** The right mobile: it passes to this account, with the consent that was given, by whomever. */
export const takenOver = from(
  ['released'],
  ({ tries, consent, agreements, before }, account: Omit<Beginner, 'agreements'>) =>
    tries > 0 && !before?.includes(account.who)
      ? { is: 'taken', ...account, consent: consent ?? account.consent, agreements, before }
      : undefined,
)

/** Somebody agrees: it is kept as long as whose it is. */
export const agreed = from(['taken', 'over'], (assignee, agreement: Agreement) => ({
  ...assignee,
  agreements: [...(assignee.agreements ?? []), agreement],
}))

/** The service has all answers. */
export const answered = from(['taken'], (assignee) => ({ ...assignee, is: 'over' }))

/** The account had everything deleted that was kept about it. A test of its roadmap was free as such. */
export const left = from(['taken', 'over', 'free'], (assignee, who: string) =>
  assignee.is === 'free' || assignee.who === who ? { is: 'left', who, before: assignee.before } : undefined,
)

/** The roles of a roadmap are invited one by one: as a whole nobody begins it. */
export const parted = from(['free', 'invited', 'left'], (assignee) => {
  if (assignee.is === 'left') return isParted(assignee) ? assignee : undefined
  return { is: 'left', before: assignee.before }
})

/** The last invitation to a role was revoked before anybody began. */
export const rejoined = from(['left'], (assignee) =>
  isParted(assignee) ? { is: 'free', before: assignee.before } : undefined,
)

/** Whether its roles are invited one by one, and nobody has had the whole. */
export const isParted = (assignee: Assignee | undefined): boolean =>
  assignee?.is === 'left' && assignee.who === undefined

/** Whoever only knew the mobile and never began, or had it deleted, may well be the one who begins. */
function beforeOf(assignee: Assignee): string[] | undefined {
  const { before = [] } = assignee
  const who = consentOf(assignee) && accountOf(assignee)
  const all = who === undefined || before.includes(who) ? before : [...before, who]
  return all.length > 0 ? all : undefined
}
