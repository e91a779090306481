import type { Draft, Limits } from './profile.ts'
import type { RoadmapPart } from './roadmap.ts'

/** Everything kept about one record, or one roadmap, that an account opened. */
export type RecordFile = {
  /** `S` of the callback data: random, made when the record is first seen. */
  s: string
  token: string
  externalId?: number | undefined
  stage: RecordStage
  /** With `elsewhere`: no test of its own but part of a roadmap, which only the refused profile tells. */
  ofRoadmap?: true
  test: TestInfo
  /** Organizer policy: an SMS code must be verified. */
  testsAuthRequired: boolean
  /** Keyed hash of the account that began it. */
  owner?: string
  /** Where that account is told of news. */
  chatId?: number
  /** When the service was last asked about it. */
  seenAt: number
  draft?: Draft
  /** The draft at the service that waits for its code. */
  sms?: { draftToken: string; mobile: string; expiresAt: number; code?: string }
  /** What the result names: kept until it is delivered. */
  caseNumber?: string | undefined
  /** Key of the questions' content; the sitting has the answers. */
  questions?: { content: string; form: 'sections' | 'flat' | 'html'; count: number }
  /** When the term of this file and of its questions last began, while answers come without touching either. */
  keptAt?: number
  /** Messages with typed personal data, to be deleted from the chat after use. */
  typed?: number[]
  /** The profile must be made again for answers that are complete already. */
  answersWait?: true
  /** An attempt to send the answers may have been accepted: the record is looked at before the next one. */
  isUnclear?: true
  /** Done for its participant, while somebody else who had blocked the bot is owed the result. */
  isOwed?: true
  /** Only a roadmap has this part. */
  roadmap?: RoadmapPart
  /** A record of a roadmap: the roadmap's `S` and the role whose person answers it. */
  parent?: { s: string; role: number }
}

export type TestInfo = {
  title: string
  questions?: number | undefined
  minutes?: number | undefined
  limits: Limits
}

/**
 * | stage | the participant |
 * | --- | --- |
 * | new | has opened the link, the service has not been asked yet |
 * | waiting | waits for the organizer (status 0) |
 * | intro | reads the introduction |
 * | profile | types the details |
 * | code | is asked for the SMS code |
 * | loading | waits for the questions |
 * | questions | answers |
 * | submitting | has sent the answers, the service has not accepted them yet |
 * | refused | answers are complete, the service refuses them until somebody acts |
 * | board | sees the tests of a roadmap (roadmaps only, like the next two) |
 * | generating | waits for the analysis |
 * | failed | is told why the analysis failed, and may try again |
 * | scored | the service has the answers, the result is owed |
 * | done | has the result |
 * | elsewhere | finished outside of this chat |
 */
export type RecordStage =
  | 'new'
  | 'waiting'
  | 'intro'
  | 'profile'
  | 'code'
  | 'loading'
  | 'questions'
  | 'submitting'
  | 'refused'
  | 'board'
  | 'generating'
  | 'failed'
  | 'scored'
  | 'done'
  | 'elsewhere'

/** The stages in which an hour of somebody's life exists nowhere but here. */
export const holdsOnlyCopy = ({ stage, answersWait }: RecordFile): boolean =>
  stage === 'submitting' || stage === 'refused' || answersWait === true
