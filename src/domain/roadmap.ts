import { z } from 'zod'
import type { Language } from '../texts/languages.ts'
import { accountOf, agreementsOf, assignee, consent, isIn } from './assignee.ts'
import type { RoleId } from './invitation.ts'
import { toPersianDigits } from './persian/clean.ts'
import { ADULT_AGE, limits } from './profile.ts'

const role = z.object({
  id: z.number(),
  title: z.string(),
  /** The first name of whoever takes this role, as it was typed. */
  name: z.string().optional(),
  limits,
  /** The organizer's own id of whoever takes this role, where the invitation gave one. */
  externalId: z.number().optional(),
  /** Its profile exists at the service already, while others are missing. */
  isRegistered: z.literal(true).optional(),
  /** Under 18 when the profile was made: an own account asks for the guardian again. */
  isMinor: z.literal(true).optional(),
  /** A parent or guardian was present with the one who began, and agreed. */
  guardian: z.literal(true).optional(),
  /** Under 18, on the phone of somebody else: was told at the hand-over who sees the result, and agreed. */
  consent: consent.optional(),
})
export type RoadmapRole = z.infer<typeof role>

/** One test of the package; `s` names its own file. */
const record = z.object({
  s: z.string(),
  token: z.string(),
  title: z.string(),
  role: z.number(),
  isFinished: z.boolean(),
})
export type RoadmapRecord = z.infer<typeof record>

/** A role that has an assignee of its own: given away by who began, or invited to by an organizer. */
const hand = z.object({
  role: z.number(),
  /** The invitation that leads to it. */
  code: z.string(),
  /** How many of the role's tests were finished before. */
  finishedBefore: z.number(),
  assignee,
  /** Before the registration: this person has given their details, on a phone of their own. */
  hasGiven: z.literal(true).optional(),
})
export type RoleAssignment = z.infer<typeof hand>

/** What a roadmap has beside the profile dialog: its roles, its records, who answers which. */
export const roadmapPart = z.object({
  roles: z.array(role),
  records: z.array(record),
  /** Records that the service does not name any more: what is kept of them stays in reach of /forget. */
  dropped: z.array(record).optional(),
  hands: z.array(hand),
  /** Its board has been shown: somebody's attempts may lead to its report. */
  isOpened: z.literal(true).optional(),
  /** The role of the one who began, as they said it. */
  ownerRole: z.number().optional(),
  /** The message that asks them. */
  whoAsked: z.number().optional(),
  /** The analysis begins when somebody asks for it, not by itself. */
  isManual: z.literal(true).optional(),
  /** The service has refused the analysis as unfinished: which tests are, the next look says alone. */
  isDoubted: z.literal(true).optional(),
  /** When it begins by itself, while that is to come. */
  autoAt: z.number().optional(),
  /** By account: the role whose person had its phone last. */
  lastRoles: z.record(z.string(), z.number()).optional(),
})
export type RoadmapPart = z.infer<typeof roadmapPart>

/**
 * Gives those that share a title a number each: two children are never two equal lines, and keep their numbers where the
 * service names them in another order.
 */
export function toldApart<T extends { id: number; title: string }>(roles: readonly T[]): T[] {
  return roles.map((role) => {
    const same = roles.filter(({ title }) => title === role.title)
    if (same.length < 2) return role
    const number = String(same.filter(({ id }) => id <= role.id).length)
    return { ...role, title: `${role.title} ${/[a-z]/i.test(role.title) ? number : toPersianDigits(number)}` }
  })
}

/** The account that began it; nobody before that, and when it was forgotten since. */
type Owner = string | undefined

export const recordsOf = (roadmap: RoadmapPart, role: number): RoadmapRecord[] =>
  roadmap.records.filter((record) => record.role === role)

/** The roles whose profiles are still to be made: all, where the service does not tell which. */
export function missingRoles({ roles }: RoadmapPart): RoadmapRole[] {
  const missing = roles.filter(({ isRegistered }) => !isRegistered)
  return missing.length > 0 ? missing : roles
}

/** The roles whose people give their details on a phone of their own, and have not done so. */
export const rolesAwaited = (roadmap: RoadmapPart): RoadmapRole[] =>
  missingRoles(roadmap).filter(({ id }) => {
    const hand = assignmentOf(roadmap, id)
    return hand !== undefined && !hand.hasGiven
  })

/** Every test of the package, or of one role, that something may be kept of. */
export const everyRecord = ({ records, dropped = [] }: RoadmapPart, role?: number): RoadmapRecord[] =>
  [...records, ...dropped].filter((record) => role === undefined || record.role === role)

/** Who answers the tests of a role: the account it was handed to, else the one that began. */
export function holderOf(roadmap: RoadmapPart, role: number, owner: Owner): Owner {
  const hand = assignmentOf(roadmap, role)
  return hand && isGiven(hand) ? accountOf(hand.assignee) : owner
}

/** The roles whose tests this account answers. */
export function rolesHeldBy(roadmap: RoadmapPart, who: string, owner: Owner): RoadmapRole[] {
  return roadmap.roles.filter(({ id }) => holderOf(roadmap, id, owner) === who)
}

/** Whether a role has an account of its own, or had it until an organizer released it. */
export const isGiven = ({ assignee }: RoleAssignment): boolean => assignee.is !== 'invited'

export const assignmentOf = (roadmap: RoadmapPart, role: number): RoleAssignment | undefined =>
  roadmap.hands.find((hand) => hand.role === role)

export const roleOf = (roadmap: RoadmapPart | undefined, role: number | undefined): RoadmapRole | undefined =>
  roadmap?.roles.find(({ id }) => id === role)

/** The organizer's own ids of those who take its roles. */
export const roleIdsOf = ({ roles }: Pick<RoadmapPart, 'roles'>): RoleId[] =>
  roles.flatMap(({ id, title, externalId }) =>
    externalId === undefined ? [] : [{ role: id, title, externalId }],
  )

/** Under 18: a child's own account needs the guardian's yes before anything else. */
export function needsGuardian(roadmap: RoadmapPart, hand: RoleAssignment): boolean {
  const role = roleOf(roadmap, hand.role)
  const hasAgreed = agreementsOf(hand.assignee).some(({ by }) => by === 'guardian')
  return !hasAgreed && role !== undefined && isOfMinor(role)
}

/** Under 18, on the phone of the one who began: the guardian's yes comes before the first test of the role. */
export function awaitsGuardian(roadmap: RoadmapPart, role: number): RoadmapRole | undefined {
  const own = assignmentOf(roadmap, role) ? undefined : roleOf(roadmap, role)
  return own && isOfMinor(own) && !own.guardian ? own : undefined
}

const isOfMinor = ({ isMinor, limits: { maxAge } }: RoadmapRole): boolean =>
  isMinor === true || (maxAge !== null && maxAge < ADULT_AGE)

/** Whether an account may answer a role's tests now. While an invitation to the role waits, nobody may. */
export function mayAnswer(roadmap: RoadmapPart, role: number, who: string, owner: Owner): boolean {
  const hand = assignmentOf(roadmap, role)
  return hand ? accountOf(hand.assignee) === who && !needsGuardian(roadmap, hand) : who === owner
}

/** An account that takes part, and where it is told of news. */
export type Member = { who: string; chatId: number; language?: Language | undefined }

/** The account that began, as long as it is there, and those that have accepted a role; each once. */
export function membersOf(
  roadmap: RoadmapPart | undefined,
  owner: { who: Owner; chatId: number | undefined },
): Member[] {
  const hands = roadmap?.hands ?? []
  const taken = hands.flatMap(({ assignee }) => (isIn(assignee, 'taken', 'over') ? [assignee] : []))
  const all = [{ ...owner, language: undefined }, ...taken]
  return all.flatMap(({ who, chatId, language }, index) => {
    const isRepeated = all.findIndex((other) => other.who === who) < index
    return who === undefined || chatId === undefined || isRepeated ? [] : [{ who, chatId, language }]
  })
}

export const allFinished = ({ records }: RoadmapPart): boolean =>
  records.length > 0 && records.every(({ isFinished }) => isFinished)

/**
 * Whether the phone is handed over before this role's test: the phone changes hands, so nobody else's answers should stand
 * there, or whoever takes it has to agree first.
 */
export function needsHandOver(roadmap: RoadmapPart, role: number, who: string, owner: Owner): boolean {
  const first = ownRole(roadmap, who, owner) ?? rolesHeldBy(roadmap, who, owner)[0]
  const last = roadmap.lastRoles?.[who] ?? first?.id
  return (last !== undefined && role !== last) || awaitsConsent(roadmap, role, who, owner) !== undefined
}

/** A minor on somebody else's phone, who has not agreed yet to who sees the result. */
export function awaitsConsent(
  roadmap: RoadmapPart,
  role: number,
  who: string,
  owner: Owner,
): RoadmapRole | undefined {
  const minor = roadmap.roles.find(({ id, consent }) => id === role && !consent)
  // An account that was given one role has agreed with its introduction.
  const isShared = who === owner ? roadmap.roles.length > 1 : rolesHeldBy(roadmap, who, owner).length > 1
  return minor && isOfMinor(minor) && isShared ? minor : undefined
}

/** The role of this account, where there is one that is its own alone; on a shared phone there is none until it is said. */
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
