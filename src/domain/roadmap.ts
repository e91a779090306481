import { z } from 'zod'
import type { Language } from '../texts/languages.ts'
import { accountOf, agreementsOf, assignee, consent, isAssignee } from './assignee.ts'
import type { RoleId } from './invitation.ts'
import { toPersianDigits } from './persian/clean.ts'
import { ADULT_AGE, limits } from './profile.ts'

const role = z.object({
  id: z.number(),
  title: z.string(),
  /** The first name, as it was typed, of the person who takes this role. */
  name: z.string().optional(),
  limits,
  /** The organizer's own id of the person who takes this role, where the invitation gave one. */
  externalId: z.number().optional(),
  /** Its profile exists in the service already, while profiles of other roles are missing. */
  isRegistered: z.literal(true).optional(),
  /** Under 18 when the profile was made. If another account takes the role, it asks the guardian again. */
  isMinor: z.literal(true).optional(),
  /** A parent or guardian was present when the roadmap was begun, and agreed. */
  guardian: z.literal(true).optional(),
  /** A minor on another person's phone was told at the hand-over who sees the result, and agreed. */
  consent: consent.optional(),
})
export type RoadmapRole = z.infer<typeof role>

/** One test of the package. `s` names its own file. */
const record = z.object({
  s: z.string(),
  token: z.string(),
  title: z.string(),
  role: z.number(),
  isFinished: z.boolean(),
})
export type RoadmapRecord = z.infer<typeof record>

/** A role with an assignee of its own: handed over by the first account, or invited to by an organizer. */
const hand = z.object({
  role: z.number(),
  /** The invitation that opens the role. */
  code: z.string(),
  /** The number of the role's tests that were finished before. */
  finishedBefore: z.number(),
  assignee,
  /** Before the registration: this person has given their details on their own phone. */
  hasGiven: z.literal(true).optional(),
})
export type RoleAssignment = z.infer<typeof hand>

/** The roadmap's part of its file, beside the profile dialog: roles, records and role assignments. */
export const roadmapPart = z.object({
  roles: z.array(role),
  records: z.array(record),
  /** Records that the service no longer names. They are kept so that /forget reaches their data. */
  dropped: z.array(record).optional(),
  hands: z.array(hand),
  /** The board has been shown, so an account's attempts may lead to its report. */
  isOpened: z.literal(true).optional(),
  /** The role of the person who began, as they said it. */
  ownerRole: z.number().optional(),
  /** The message that asks for that role. */
  whoAsked: z.number().optional(),
  /** The analysis begins only when a participant asks for it. */
  isManual: z.literal(true).optional(),
  /** The service has refused the analysis as unfinished. Only the next check tells which tests are. */
  isDoubted: z.literal(true).optional(),
  /** When the analysis begins without a request, while that is to come. */
  autoAt: z.number().optional(),
  /** By account: the role of the person who had its phone last. */
  lastRoles: z.record(z.string(), z.number()).optional(),
})
export type RoadmapPart = z.infer<typeof roadmapPart>

/**
 * Numbers the roles that share a title, so that two children never have equal lines. They keep their numbers
 * where the service names them in another order.
 */
export function toldApart<T extends { id: number; title: string }>(roles: readonly T[]): T[] {
  return roles.map((role) => {
    const same = roles.filter(({ title }) => title === role.title)
    if (same.length < 2) return role
    const number = String(same.filter(({ id }) => id <= role.id).length)
    return { ...role, title: `${role.title} ${/[a-z]/i.test(role.title) ? number : toPersianDigits(number)}` }
  })
}

/** The account that began the roadmap; `undefined` before that, and after it was forgotten. */
type Owner = string | undefined

export const recordsOf = (roadmap: RoadmapPart, role: number): RoadmapRecord[] =>
  roadmap.records.filter((record) => record.role === role)

/** The roles whose profiles are missing: all roles, where the service does not tell which. */
export function missingRoles({ roles }: RoadmapPart): RoadmapRole[] {
  const missing = roles.filter(({ isRegistered }) => !isRegistered)
  return missing.length > 0 ? missing : roles
}

/** The roles whose people give their details on their own phones, and have not done so yet. */
export const rolesAwaited = (roadmap: RoadmapPart): RoadmapRole[] =>
  missingRoles(roadmap).filter(({ id }) => {
    const hand = assignmentOf(roadmap, id)
    return hand !== undefined && !hand.hasGiven
  })

/** Every test of the package, or of one role, of which something may be stored. */
export const everyRecord = ({ records, dropped = [] }: RoadmapPart, role?: number): RoadmapRecord[] =>
  [...records, ...dropped].filter((record) => role === undefined || record.role === role)

/** The account that answers the tests of a role: the assigned one, else the one that began. */
export function holderOf(roadmap: RoadmapPart, role: number, owner: Owner): Owner {
  const hand = assignmentOf(roadmap, role)
  return hand && isGiven(hand) ? accountOf(hand.assignee) : owner
}

/** The roles whose tests this account answers. */
export function rolesHeldBy(roadmap: RoadmapPart, who: string, owner: Owner): RoadmapRole[] {
  return roadmap.roles.filter(({ id }) => holderOf(roadmap, id, owner) === who)
}

/** Whether a role has an account of its own, or had one until an organizer released it. */
export const isGiven = ({ assignee }: RoleAssignment): boolean => assignee.is !== 'invited'

export const assignmentOf = (roadmap: RoadmapPart, role: number): RoleAssignment | undefined =>
  roadmap.hands.find((hand) => hand.role === role)

export const roleOf = (roadmap: RoadmapPart | undefined, role: number | undefined): RoadmapRole | undefined =>
  roadmap?.roles.find(({ id }) => id === role)

/** The organizer's own ids of the people who take the roles. */
export const roleIdsOf = ({ roles }: Pick<RoadmapPart, 'roles'>): RoleId[] =>
  roles.flatMap(({ id, title, externalId }) =>
    externalId === undefined ? [] : [{ role: id, title, externalId }],
  )

/** Whether a child's own account needs the guardian's agreement before anything else. */
export function roleNeedsGuardian(roadmap: RoadmapPart, hand: RoleAssignment): boolean {
  const role = roleOf(roadmap, hand.role)
  const hasAgreed = agreementsOf(hand.assignee).some(({ by }) => by === 'guardian')
  return !hasAgreed && role !== undefined && isOfMinor(role)
}

/** A minor's role on the phone of the account that began, while the guardian's agreement is missing. */
export function awaitsGuardian(roadmap: RoadmapPart, role: number): RoadmapRole | undefined {
  const own = assignmentOf(roadmap, role) ? undefined : roleOf(roadmap, role)
  return own && isOfMinor(own) && !own.guardian ? own : undefined
}

const isOfMinor = ({ isMinor, limits: { maxAge } }: RoadmapRole): boolean =>
  isMinor === true || (maxAge !== null && maxAge < ADULT_AGE)

/** Whether a role's tests are this account's. While an invitation to the role waits, they are nobody's. */
export function hasTestsOf(roadmap: RoadmapPart, role: number, who: string, owner: Owner): boolean {
  const hand = assignmentOf(roadmap, role)
  return (hand ? accountOf(hand.assignee) : owner) === who
}

/** Whether an account may answer a role's tests now: a child's own account needs a guardian's agreement. */
export function mayAnswer(roadmap: RoadmapPart, role: number, who: string, owner: Owner): boolean {
  const hand = assignmentOf(roadmap, role)
  return hasTestsOf(roadmap, role, who, owner) && !(hand && roleNeedsGuardian(roadmap, hand))
}

/** An account that takes part, with the chat and the language of its notices. */
export type Member = { who: string; chatId: number; language?: Language | undefined }

/** The account that began, while it is there, and the accounts that have accepted a role; each once. */
export function membersOf(
  roadmap: RoadmapPart | undefined,
  owner: { who: Owner; chatId: number | undefined },
): Member[] {
  const hands = roadmap?.hands ?? []
  const taken = hands.flatMap(({ assignee }) => (isAssignee(assignee, 'taken', 'over') ? [assignee] : []))
  const all = [{ ...owner, language: undefined }, ...taken]
  return all.flatMap(({ who, chatId, language }, index) => {
    const isRepeated = all.findIndex((other) => other.who === who) < index
    return who === undefined || chatId === undefined || isRepeated ? [] : [{ who, chatId, language }]
  })
}

export const allFinished = ({ records }: RoadmapPart): boolean =>
  records.length > 0 && records.every(({ isFinished }) => isFinished)

/**
 * Whether a hand-over comes before this role's test: another person takes the phone and must not see former
 * answers, or the person has to agree first.
 */
export function needsHandOver(roadmap: RoadmapPart, role: number, who: string, owner: Owner): boolean {
  const first = ownRole(roadmap, who, owner) ?? rolesHeldBy(roadmap, who, owner)[0]
  const last = roadmap.lastRoles?.[who] ?? first?.id
  return (last !== undefined && role !== last) || awaitsConsent(roadmap, role, who, owner) !== undefined
}

/** A minor on another person's phone who has not agreed yet to who sees the result. */
export function awaitsConsent(
  roadmap: RoadmapPart,
  role: number,
  who: string,
  owner: Owner,
): RoadmapRole | undefined {
  const minor = roadmap.roles.find(({ id, consent }) => id === role && !consent)
  // An account that was given one role has agreed in its introduction.
  const isShared = who === owner ? roadmap.roles.length > 1 : rolesHeldBy(roadmap, who, owner).length > 1
  return minor && isOfMinor(minor) && isShared ? minor : undefined
}

/** The one role of this account. On a shared phone it is `undefined` until a participant says which. */
export function ownRole(
  roadmap: RoadmapPart,
  who: string,
  owner: string | undefined,
): RoadmapRole | undefined {
  const held = rolesHeldBy(roadmap, who, owner).filter(
    ({ id }) => assignmentOf(roadmap, id)?.assignee.is !== 'invited',
  )
  const [only, ...others] = held
  if (only && others.length === 0) return only
  return owner === who ? held.find(({ id }) => id === roadmap.ownerRole) : undefined
}
