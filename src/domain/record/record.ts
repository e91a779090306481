import { z } from 'zod'
import { accountOf } from '../assignee.ts'
import { resultTo } from '../invitation.ts'
import { draft, limits } from '../profile.ts'
import { missingRoles, roadmapPart } from '../roadmap.ts'

/** The questions that are answered: the key of their content, and how many they are. The attempt has the answers. */
const questions = z.object({
  content: z.string(),
  count: z.int(),
  /** The life of the store in which they were begun: in another one an attempt to send them may have been forgotten. */
  life: z.string().optional(),
  /** An attempt of ours to send the answers may have been accepted. */
  isAttempted: z.literal(true).optional(),
})

/** The draft at the service that waits for its SMS code (spec, States: Authentication draft). */
const sms = z.object({
  draftToken: z.string(),
  mobile: z.string(),
  /** Milliseconds since 1970. */
  expiresAt: z.number(),
  /** The code that was typed and is being verified. */
  code: z.string().optional(),
  /** So many codes were sent to the service and were wrong. */
  wrong: z.int().optional(),
})

/** So many wrong codes end a draft: another code has to be asked for. */
const MOST_WRONG_CODES = 5

const stage = <S extends string, F extends z.core.$ZodShape>(name: S, fields: F) =>
  z.object({ stage: z.literal(name), ...fields })

/** Since when somebody waits for the organizer, and the external id that they have brought. */
const waits = z.object({ since: z.number(), externalId: z.number().optional() })
export type Waits = z.infer<typeof waits>

/** Answers are complete, and only the profile has to be made again. */
const answered = { answered: questions.optional() }
/**
 * Where a record or roadmap stands, with what exists there and nowhere else.
 *
 * | stage | the participant |
 * | --- | --- |
 * | new | has opened the link, the service has not been asked yet |
 * | waiting | waits for the organizer (status 0) |
 * | intro | reads the introduction |
 * | profile | types the details |
 * | code | is asked for the SMS code |
 * | given | has given the details of one role of a roadmap, which is not registered yet (kept in its first test) |
 * | loading | waits for the questions |
 * | questions | answers |
 * | submitting | has sent the answers, the service has not accepted them yet |
 * | refused | answers are complete, the service refuses them until somebody acts |
 * | board | sees the tests of a roadmap (roadmaps only, like the next two) |
 * | generating | waits for the analysis |
 * | failed | is told why the analysis failed, and may try again |
 * | scored | the service has the answers, the result is owed |
 * | done | has the result |
 * | elsewhere | finished outside of this chat, or registered there with other details |
 */
const state = z.discriminatedUnion('stage', [
  stage('new', {}),
  // With what was typed, or is answered, before the organizer had to act once more.
  stage('waiting', { draft: draft.optional(), ...answered, waits: waits.optional() }),
  stage('intro', { needsProfile: z.boolean() }),
  stage('profile', { draft, ...answered }),
  stage('code', { draft, sms, ...answered }),
  stage('given', { draft }),
  stage('loading', {}),
  stage('questions', { questions }),
  stage('submitting', { questions }),
  // `isOurs`: the service has refused nothing, the work on it was set aside here.
  stage('refused', { questions, isOurs: z.literal(true).optional() }),
  stage('board', {}),
  // The range of minutes that the service expects, for example `5 to 10`.
  stage('generating', { expectedMinutes: z.string().optional() }),
  // Why, in the service's words.
  stage('failed', { reasons: z.array(z.string()) }),
  stage('scored', { questions: questions.optional() }),
  // Owed to somebody else who had blocked the bot.
  stage('done', { isOwed: z.literal(true).optional() }),
  // No test of its own but part of a roadmap, which only the refused profile tells.
  // Its profile has other details than were typed here: nothing of it is this account's.
  stage('elsewhere', { ofRoadmap: z.literal(true).optional(), isOthers: z.literal(true).optional() }),
])

const test = z.object({
  title: z.string(),
  questions: z.number().optional(),
  minutes: z.number().optional(),
  limits,
})

/** Everything kept about one record, or one roadmap, that an account opened. */
export const recordFile = z.object({
  /** Record id of the callback data: random, made when the record is first seen. */
  s: z.string(),
  token: z.string(),
  externalId: z.number().optional(),
  /** That of the link that its owner came by, which stays theirs. */
  linkId: z.number().optional(),
  state,
  test,
  /** Organizer policy: an SMS code must be verified. */
  testsAuthRequired: z.boolean(),
  /** Somebody has begun it, or its roles are invited one by one; whose it is its assignee says. */
  isBegun: z.literal(true).optional(),
  /** Where the account that began is told of news. */
  chatId: z.number().optional(),
  /** When the service was last asked about it. */
  seenAt: z.number(),
  /** Who receives the result, as it was read and consented to; else, and in older files, `RESULT_TO` says it. */
  resultTo: resultTo.optional(),
  /** Chats of organizers who have asked for the result, until it is laid out for them, by whichever job comes first. */
  askedBy: z.array(z.number()).optional(),
  /** What the result names, and what tells its person where no name was typed. */
  caseNumber: z.string().optional(),
  /** The name as the service shows it, for notices to organizers: until the result is delivered, or unfinished answers are deleted. */
  shownAs: z.string().optional(),
  /** Whose it is: the first name as it was typed, of a record of a roadmap at least the title of its role. */
  person: z.string().optional(),
  /** The keyed hash of the name, birth and sex that were typed: what tells that an earlier result is the same person's. */
  personKey: z.string().optional(),
  /** The profile says under 18: the guardian is to be asked before the questions, or has agreed. */
  guardian: z.enum(['needed', 'agreed']).optional(),
  /** How many codes were sent to get this profile made; `isTold`: the organizers know that no more may be. */
  codes: z.object({ sent: z.number(), isTold: z.literal(true).optional() }).optional(),
  /** The details, or their code, were sent and nobody knows what came of it: the next call looks first. */
  isSentUnclear: z.literal(true).optional(),
  /** The organizers know that its mobile was refused as registered too often. */
  isMobileLimitTold: z.literal(true).optional(),
  /** When the service had all answers, or the analysis was ready. */
  finishedAt: z.number().optional(),
  /** Nobody has gone on with it since then, for a day or longer. */
  stuckAt: z.number().optional(),
  /** Its result waits for somebody who has blocked the bot. */
  isHeldBack: z.literal(true).optional(),
  /** It was answered in a way that hardly anybody does who reads each question. */
  isFlagged: z.literal(true).optional(),
  /** How its questions were answered here, for the table of results: never what. */
  validity: z.object({ fast: z.number(), run: z.number(), activeMinutes: z.number() }).optional(),
  /** When the term of this file and of its questions last began, while answers come without touching either. */
  keptAt: z.number().optional(),
  /** When its participants had the result. */
  deliveredAt: z.number().optional(),
  /** The revision at which all answers were shown last. */
  shownAnswers: z.number().optional(),
  /** Messages with typed personal data, to be deleted from the chat after use. */
  typed: z.array(z.number()).optional(),
  /** Only a roadmap has this part. */
  roadmap: roadmapPart.optional(),
  /** A record of a roadmap: the roadmap's record id and the role whose person answers it. */
  parent: z.object({ s: z.string(), role: z.number() }).optional(),
})

export type RecordFile = z.infer<typeof recordFile>
export type RecordState = z.infer<typeof state>
export type RecordStage = RecordState['stage']
/** The state of these stages. */
export type StateOf<S extends RecordStage> = Extract<RecordState, { stage: S }>
export type TestInfo = z.infer<typeof test>
export type Questions = z.infer<typeof questions>
export type Sms = z.infer<typeof sms>
/** A roadmap's own file. */
type RoadmapFile = RecordFile & { roadmap: NonNullable<RecordFile['roadmap']> }

/** A file of a record or roadmap that was opened and not yet asked about. */
export function newRecordFile(
  known: Pick<RecordFile, 's' | 'token' | 'seenAt'>,
  kind: 'record' | 'roadmap',
): RecordFile {
  return {
    ...known,
    state: { stage: 'new' },
    test: { title: '', limits: { minAge: null, maxAge: null, gender: 'both' } },
    testsAuthRequired: true,
    ...(kind === 'roadmap' ? { roadmap: { roles: [], records: [], hands: [] } } : {}),
  }
}

/** Whether a record stands in one of these stages; what exists there can be read then. */
export function isIn<S extends RecordStage>(
  file: RecordFile,
  ...stages: readonly S[]
): file is RecordFile & { state: StateOf<S> } {
  return stages.some((stage) => stage === file.state.stage)
}

export const isRoadmap = (file: RecordFile): file is RoadmapFile => file.roadmap !== undefined

/** Whether the draft takes no more codes: too many were wrong. */
export const isSpent = ({ wrong = 0 }: Sms): boolean => wrong >= MOST_WRONG_CODES

/** The external ids that its profiles are going to be sent with. */
export function externalIdsOf({ externalId, state, roadmap }: RecordFile): number[] {
  const typed = 'draft' in state ? (state.draft?.people ?? []) : []
  const people = roadmap && 'draft' in state ? missingRoles(roadmap) : typed
  return [externalId, ...people.map((person) => person.externalId)].filter((id) => id !== undefined)
}

/** The accounts that take part: the one whose the whole is, and those of its roles. */
export const accountsOf = ({ roadmap }: RecordFile, owner: string | undefined): string[] =>
  [owner, ...(roadmap?.hands.map(({ assignee }) => accountOf(assignee)) ?? [])].filter(
    (who) => who !== undefined,
  )

/** The questions that are answered, or whose answers wait. */
export function questionsOf({ state }: RecordFile): Questions | undefined {
  if ('questions' in state) return state.questions
  return 'answered' in state ? state.answered : undefined
}

/** The stages in which an hour of somebody's life exists nowhere but here. */
export const holdsOnlyCopy = ({ state }: RecordFile): boolean =>
  state.stage === 'submitting' ||
  state.stage === 'refused' ||
  ('answered' in state && state.answered !== undefined)

/** Whether the result is still owed: to the participant, or to somebody else who had blocked the bot. */
export const isResultOwed = ({ state }: Pick<RecordFile, 'state'>): boolean =>
  state.stage === 'scored' || (state.stage === 'done' && state.isOwed === true)

/** Whether the service has linked a profile, as far as the stage tells. */
export function hasProfile(file: RecordFile): boolean {
  if (isIn(file, 'waiting')) return file.state.draft === undefined
  return !isIn(file, 'new', 'intro', 'profile', 'code')
}
