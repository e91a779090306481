import { ADULT_AGE, type Limits } from './profile.ts'

/** What a roadmap has beside the profile dialog: its roles, its records, who answers which. */
export type RoadmapPart = {
  roles: RoadmapRole[]
  records: RoadmapRecord[]
  hands: Hand[]
  /** Where the account that began is told of news. */
  ownerChatId?: number
  /** By account: the role whose person had its phone last. */
  lastRoles?: Record<string, number>
  /** Why the last analysis failed, in the service's words. */
  failure?: string[]
  /** The range of minutes that the service expects, for example `5 to 10`. */
  expectedMinutes?: string
}

export type RoadmapRole = {
  id: number
  title: string
  limits: Limits
  /** Under 18 when the profile was made: an own account asks for the guardian again. */
  isMinor?: true
}

/** One test of the package; `s` names its own file. */
export type RoadmapRecord = { s: string; token: string; title: string; role: number; isFinished: boolean }

/** A role given to another account; `who` once that account has accepted. */
export type Hand = {
  role: number
  code: string
  /** How many of the role's tests were finished before. */
  finishedBefore: number
  who?: string
  chatId?: number
  language?: 'fa' | 'en'
  consent?: { at: number; language: 'fa' | 'en'; version: number }
  guardian?: true
}

export const recordsOf = (roadmap: RoadmapPart, role: number): RoadmapRecord[] =>
  roadmap.records.filter((record) => record.role === role)

/** Who answers the tests of a role: the account it was handed to, else the one that began. */
export function holderOf(roadmap: RoadmapPart, role: number, owner: string): string {
  return roadmap.hands.find((hand) => hand.role === role)?.who ?? owner
}

/** The roles whose tests this account answers. */
export function rolesHeldBy(roadmap: RoadmapPart, who: string, owner: string): RoadmapRole[] {
  return roadmap.roles.filter(({ id }) => holderOf(roadmap, id, owner) === who)
}

export const handOf = (roadmap: RoadmapPart, role: number): Hand | undefined =>
  roadmap.hands.find((hand) => hand.role === role)

/** Under 18: a child's own account needs the guardian's yes before anything else. */
export function needsGuardian(roadmap: RoadmapPart, hand: Hand): boolean {
  const role = roadmap.roles.find(({ id }) => id === hand.role)
  const { maxAge = null } = role?.limits ?? {}
  return !hand.guardian && (role?.isMinor === true || (maxAge !== null && maxAge < ADULT_AGE))
}

/** Whether an account may answer a role's tests now. While an invitation to the role waits, nobody may. */
export function mayAnswer(roadmap: RoadmapPart, role: number, who: string, owner: string): boolean {
  const hand = handOf(roadmap, role)
  return hand ? hand.who === who && !needsGuardian(roadmap, hand) : who === owner
}

/** An account that takes part, and where it is told of news. */
export type Member = { who: string; chatId: number; language?: 'fa' | 'en' | undefined }

/** The account that began, as long as it is there, and those that have accepted a role; each once. */
export function membersOf(roadmap: RoadmapPart, owner: string | undefined): Member[] {
  const all = [{ who: owner, chatId: roadmap.ownerChatId, language: undefined }, ...roadmap.hands]
  return all.flatMap(({ who, chatId, language }, index) => {
    const isRepeated = all.findIndex((other) => other.who === who) < index
    return !who || chatId === undefined || isRepeated ? [] : [{ who, chatId, language }]
  })
}

export const allFinished = ({ records }: RoadmapPart): boolean =>
  records.length > 0 && records.every(({ isFinished }) => isFinished)

/** Whether the phone changes hands before this role's test: nobody else's answers should stand there then. */
export function needsCurtain(roadmap: RoadmapPart, role: number, who: string, owner: string): boolean {
  const last = roadmap.lastRoles?.[who] ?? rolesHeldBy(roadmap, who, owner)[0]?.id
  return last !== undefined && role !== last
}
