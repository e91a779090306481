import { z } from 'zod'
import { accountOf } from '../assignee.ts'
import { resultTo } from '../invitation.ts'
import { draft, limits } from '../profile.ts'
import { missingRoles, roadmapPart } from '../roadmap.ts'

/** The questions of an attempt: the key of their content, and their number. The attempt has the answers. */
const questions = z.object({
  content: z.string(),
  count: z.int(),
  /** The store's life in which they were begun. In another life a submission may have been forgotten. */
  life: z.string().optional(),
  /** A submission from here may have been accepted. */
  isAttempted: z.literal(true).optional(),
})

/** The draft at the service that waits for its SMS code (spec, States: Authentication draft). */
const sms = z.object({
  draftToken: z.string(),
  mobile: z.string(),
  /** Milliseconds since 1970. */
  expiresAt: z.number(),
  /** The typed code that is being verified. */
  code: z.string().optional(),
  /** The number of codes that were sent to the service and were wrong. */
  wrong: z.int().optional(),
})

/** This many wrong codes end a draft. Then the participant has to ask for another code. */
const MOST_WRONG_CODES = 5

const stage = <S extends string, F extends z.core.$ZodShape>(name: S, fields: F) =>
  z.object({ stage: z.literal(name), ...fields })

/** Since when a participant waits for the organizer, and the external id of their link. */
const waits = z.object({ since: z.number(), externalId: z.number().optional() })
export type Waits = z.infer<typeof waits>

/** The answers are complete, and only the profile has to be made again. */
const answered = { answered: questions.optional() }
/**
 * The stage of a record or roadmap, with the data that exists in this stage only.
 *
 * | stage | the participant |
 * | --- | --- |
 * | new | has opened the link, the service has not been asked yet |
 * | waiting | waits for the organizer (status 0) |
 * | intro | reads the introduction |
 * | profile | types the details |
 * | code | is asked for the SMS code |
 * | given | has given the details of one role of an unregistered roadmap (kept in the role's first test) |
 * | loading | waits for the questions |
 * | questions | answers |
 * | submitting | has sent the answers, the service has not accepted them yet |
 * | refused | has complete answers that the service refuses until somebody acts |
 * | board | sees the tests of a roadmap (roadmaps only, like the next two) |
 * | generating | waits for the analysis |
 * | failed | was notified why the analysis failed, and may try again |
 * | scored | waits for the result: the service has the answers |
 * | done | has the result |
 * | elsewhere | finished outside of this chat, or registered there with other details |
 */
const state = z.discriminatedUnion('stage', [
  stage('new', {}),
  // With the typed details, or the answers, that existed before the organizer had to act again.
  stage('waiting', { draft: draft.optional(), ...answered, waits: waits.optional() }),
  stage('intro', { needsProfile: z.boolean() }),
  stage('profile', { draft, ...answered }),
  stage('code', { draft, sms, ...answered }),
  stage('given', { draft }),
  stage('loading', {}),
  stage('questions', { questions }),
  stage('submitting', { questions }),
  // `isOurs`: the service has refused nothing; the job was set aside here.
  stage('refused', { questions, isOurs: z.literal(true).optional() }),
  stage('board', {}),
  // The range of minutes that the service expects, for example `5 to 10`.
  stage('generating', { expectedMinutes: z.string().optional() }),
  // The reasons, in the service's words.
  stage('failed', { reasons: z.array(z.string()) }),
  stage('scored', { questions: questions.optional() }),
  // The result is owed to another account, which had blocked the bot.
  stage('done', { isOwed: z.literal(true).optional() }),
  // `ofRoadmap`: no test of its own but part of a roadmap, which only the refused profile tells. `isOthers`:
  // its profile has other details than were typed here, so nothing of it is this account's.
  stage('elsewhere', { ofRoadmap: z.literal(true).optional(), isOthers: z.literal(true).optional() }),
])

const test = z.object({
  title: z.string(),
  questions: z.number().optional(),
  minutes: z.number().optional(),
  limits,
})

/** The refusals of the details that change the next question. */
const refusal = z.enum(['mobile_limit', 'sms_unclear'])
export type Refusal = z.infer<typeof refusal>

/** Everything that is stored about one record, or one roadmap, that an account has opened. */
export const recordFile = z.object({
  /** Record id of the callback data: random, made when the record is first seen. */
  s: z.string(),
  token: z.string(),
  externalId: z.number().optional(),
  /** The external id in the link that its owner has opened. It stays the owner's. */
  linkId: z.number().optional(),
  state,
  test,
  /** Organizer policy: an SMS code must be verified. */
  testsAuthRequired: z.boolean(),
  /** It has been begun, or its roles are invited one by one. The assignee tells whose it is. */
  isBegun: z.literal(true).optional(),
  /** The chat for notices to the account that began. */
  chatId: z.number().optional(),
  /** When the service was last asked about it. */
  seenAt: z.number(),
  /** Who receives the result, as it was read and consented to. Where it is absent, `RESULT_TO` decides. */
  resultTo: resultTo.optional(),
  /** The chats of organizers who have asked for the result, until the first job prepares it for them. */
  askedBy: z.array(z.number()).optional(),
  /** The case number in the result. It identifies the person where no name was typed. */
  caseNumber: z.string().optional(),
  /** The name in the service, for notices; until delivery, or until unfinished answers are deleted. */
  shownAs: z.string().optional(),
  /** The first name as it was typed; for a record of a roadmap at least the title of its role. */
  person: z.string().optional(),
  /** The keyed hash of the typed name, birth and sex. It finds an earlier result of the same person. */
  personKey: z.string().optional(),
  /** The profile is a minor's: the guardian has to be asked before the questions, or has agreed. */
  guardian: z.enum(['needed', 'agreed']).optional(),
  /** The number of codes sent to make this profile. `isTold`: the organizers know of the limit. */
  codes: z.object({ sent: z.number(), isTold: z.literal(true).optional() }).optional(),
  /** The details, or their code, were sent and the outcome is unknown: the next call checks first. */
  isSentUnclear: z.literal(true).optional(),
  /** The organizers were notified that the mobile was refused as registered too often. */
  isMobileLimitTold: z.literal(true).optional(),
  /** A refusal that came during another test's dialog: the participant sees it on coming back. */
  refusal: refusal.optional(),
  /** The notice of such an outcome. The next question of the dialog repeats it, once. */
  word: z.string().optional(),
  /** When the service had all answers, or the analysis was ready. */
  finishedAt: z.number().optional(),
  /** No participant has gone on with it since then, for a day or longer. */
  stuckAt: z.number().optional(),
  /** The result waits for an account that has blocked the bot. */
  isHeldBack: z.literal(true).optional(),
  /** It was answered in a way that people who read each question hardly ever do. */
  isFlagged: z.literal(true).optional(),
  /** How the questions were answered here, for the table of results; never the answers. */
  validity: z.object({ fast: z.number(), run: z.number(), activeMinutes: z.number() }).optional(),
  /** When the term of this file and of its questions last began. Answers touch neither of them. */
  keptAt: z.number().optional(),
  /** When its participants received the result. */
  deliveredAt: z.number().optional(),
  /** The attempt's revision at which all answers were shown last. */
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

/** A file of a record or roadmap that was opened, before the service is asked about it. */
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

/** Whether a record is in one of these stages, so that the data of the stage can be read. */
export function isIn<S extends RecordStage>(
  file: RecordFile,
  ...stages: readonly S[]
): file is RecordFile & { state: StateOf<S> } {
  return stages.some((stage) => stage === file.state.stage)
}

export const isRoadmap = (file: RecordFile): file is RoadmapFile => file.roadmap !== undefined

/** What links, cards and the service's paths call it. */
export const kindOfFile = (file: RecordFile): 'record' | 'roadmap' => (isRoadmap(file) ? 'roadmap' : 'record')

/** Whether the draft takes no more codes, because too many were wrong. */
export const isSpent = ({ wrong = 0 }: Sms): boolean => wrong >= MOST_WRONG_CODES

/** The external ids that its profiles will be sent with. */
export function externalIdsOf({ externalId, state, roadmap }: RecordFile): number[] {
  const typed = 'draft' in state ? (state.draft?.people ?? []) : []
  const people = roadmap && 'draft' in state ? missingRoles(roadmap) : typed
  return [externalId, ...people.map((person) => person.externalId)].filter((id) => id !== undefined)
}

/** The accounts that take part: the owner of the whole, and those of its roles. */
export const accountsOf = ({ roadmap }: RecordFile, owner: string | undefined): string[] =>
  [owner, ...(roadmap?.hands.map(({ assignee }) => accountOf(assignee)) ?? [])].filter(
    (who) => who !== undefined,
  )

/** The questions that are being answered, or whose answers wait. */
export function questionsOf({ state }: RecordFile): Questions | undefined {
  if ('questions' in state) return state.questions
  return 'answered' in state ? state.answered : undefined
}

/** Whether a participant's complete answers exist nowhere but in this store. */
export const holdsOnlyCopy = ({ state }: RecordFile): boolean =>
  state.stage === 'submitting' ||
  state.stage === 'refused' ||
  ('answered' in state && state.answered !== undefined)

/** Whether the result is owed: to the participant, or to another account that had blocked the bot. */
export const isResultOwed = ({ state }: Pick<RecordFile, 'state'>): boolean =>
  state.stage === 'scored' || (state.stage === 'done' && state.isOwed === true)

/** Whether the service has a profile for it, as far as the stage tells. */
export function hasProfile(file: RecordFile): boolean {
  if (isIn(file, 'waiting')) return file.state.draft === undefined
  return !isIn(file, 'new', 'intro', 'profile', 'code')
}
