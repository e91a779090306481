import type { Limits } from './profile.ts'

/** What a roadmap has beside the profile dialog: its roles, its records, who answers which. */
export type RoadmapPart = {
  roles: RoadmapRole[]
  records: RoadmapRecord[]
  hands: Hand[]
  /** Where the account that began is told of news. */
  ownerChatId?: number
  /** The role whose person had the owner's phone last. */
  lastRole?: number
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
  consentAt?: number
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

export const allFinished = ({ records }: RoadmapPart): boolean =>
  records.length > 0 && records.every(({ isFinished }) => isFinished)

/** Whether the phone changes hands before this role's test: nobody else's answers should stand there then. */
export function needsCurtain(roadmap: RoadmapPart, role: number, held: readonly RoadmapRole[]): boolean {
  const last = roadmap.lastRole ?? roadmap.roles[0]?.id
  return held.length > 1 && role !== last
}
