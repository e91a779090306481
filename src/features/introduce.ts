import { callService, isPending } from '../chat/call.ts'
import {
  acceptedHands,
  claimOf,
  fileOf,
  forgetOpened,
  isFileOf,
  keepIndex,
  newShortId,
  putClaim,
  remember,
} from '../chat/files.ts'
import { failed, tell } from '../chat/say.ts'
import { postSubmission } from '../chat/submission.ts'
import type { Turn } from '../chat/turn.ts'
import type { Invitation } from '../domain/invitation.ts'
import { readAgeLimits, readGenderPermission, readRoleGender } from '../domain/profile.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { begun, move, seen } from '../domain/record/transitions.ts'
import type { RoadmapPart } from '../domain/roadmap.ts'
import type { Failure, OutcomeOf } from '../jobs/calls.ts'
import { CONSENT_VERSION } from '../kept/documents.ts'
import type { Roadmap, TestRecord } from '../service/wire.ts'
import { openBoard } from './board.ts'
import { showPlace } from './place.ts'
import { watchOpening } from './waiting.ts'

/** What was read from the service so recently that it need not be asked again. */
const FRESH_MS = 10 * 60_000

/** Opens a record or roadmap by its link: the introduction at first, the exact place after that. */
export async function openInvitation(
  turn: Turn,
  invitation: Exclude<Invitation, { kind: 'code' }>,
): Promise<void> {
  const { who, now } = turn
  const { token } = invitation
  const externalId = invitation.kind === 'record' ? invitation.externalId : undefined
  const claim = await claimOf(turn, token)
  const file = await fileOf(turn, { kind: invitation.kind, token, externalId })
  const isOthers = file.parent
    ? file.owner !== who
    : claim !== undefined && claim.who !== who && acceptedHands(turn, file).length === 0
  if (isOthers || (claim?.forgotten && claim.who === who))
    return tell(turn, isOthers ? 'invitation-used' : 'invitation-forgotten')
  if (file.parent) return showPlace(turn, file)
  await remember(turn, file)
  // Until the profile is sent a newer link may bring another id.
  const isOpenToId = file.owner === undefined || isIn(file, 'profile')
  if (isOpenToId) file.externalId = externalId ?? file.externalId
  else if (externalId !== undefined && file.externalId !== externalId)
    return tell(turn, 'external-id-differs')
  const isFresh = isIn(file, 'intro') && now - file.seenAt < FRESH_MS
  await (file.owner !== undefined || file.isLeft || isFresh ? showPlace : look)(turn, file)
}

/** Asks the service about a record: before the introduction, and while it waits for the organizer. */
export async function look(turn: Turn, file: RecordFile): Promise<void> {
  if (isPending(turn, file.s)) return tell(turn, 'one-moment')
  await callService(turn, file.s, { kind: file.roadmap ? 'openRoadmap' : 'open', token: file.token })
}

/** Takes what the service says of a record that was opened. */
export async function opened(turn: Turn, file: RecordFile, outcome: OutcomeOf<'open'>): Promise<void> {
  if (!outcome.ok) return notOpened(turn, file, outcome)
  const record = outcome.value
  const known = record.profile?.external_id
  if (file.externalId !== undefined && known != null && known !== file.externalId)
    return tell(turn, 'external-id-differs')
  describe(file, record, turn.now)
  await sawIt(turn, file, record)
}

/** Takes what the service says of a roadmap that was opened. */
export async function roadmapOpened(
  turn: Turn,
  file: RecordFile,
  outcome: OutcomeOf<'openRoadmap'>,
): Promise<void> {
  if (!outcome.ok) return notOpened(turn, file, outcome)
  describeRoadmap(file, outcome.value, turn.now)
  await sawIt(turn, file, outcome.value)
}

/** Goes where the service says that a record or roadmap stands. */
async function sawIt(
  turn: Turn,
  file: RecordFile,
  { is_finished, status, auth_required }: Pick<TestRecord, 'is_finished' | 'status' | 'auth_required'>,
): Promise<void> {
  move(file, seen, { isFinished: is_finished, status, needsProfile: auth_required })
  if (isIn(file, 'elsewhere')) await withdrawTyped(turn, file)
  if (isIn(file, 'waiting')) await watchOpening(turn, file)
  if (isIn(file, 'submitting')) await postSubmission(turn, file)
  if (isIn(file, 'board', 'generating', 'failed')) await openBoard(turn, file)
  await showPlace(turn, file)
}

async function withdrawTyped(turn: Turn, file: RecordFile): Promise<void> {
  const { typed = [] } = file
  delete file.typed
  await turn.deleteMessages(typed)
}

async function notOpened(turn: Turn, file: RecordFile, failure: Failure): Promise<void> {
  if (failure.code !== 'not_found') return failed(turn, file, failure)
  forgetOpened(turn, file.s)
  await tell(turn, 'invitation-unknown')
}

function describe(file: RecordFile, record: TestRecord, now: number): void {
  const { test, profile } = record
  file.seenAt = now
  file.test = {
    title: test.title,
    questions: test.questions_count ?? undefined,
    minutes: test.doing_time_minutes ?? undefined,
    limits: {
      ...readAgeLimits(test.min_age, test.max_age),
      gender: readGenderPermission(test.gender_permission),
    },
  }
  file.testsAuthRequired = record.tests_auth_required
  file.caseNumber = profile?.case_number ?? undefined
}

/** Writes what the service says of a roadmap into its file; who was given a role stays. */
function describeRoadmap(file: RecordFile, roadmap: Roadmap, now: number): void {
  const known: RoadmapPart = file.roadmap ?? { roles: [], records: [], hands: [] }
  file.roadmap = {
    ...known,
    roles: roadmap.roles.map(({ id, title, min_age, max_age, gender }) => ({
      ...known.roles.find((role) => role.id === id),
      id,
      title,
      limits: { ...readAgeLimits(min_age, max_age), gender: readRoleGender(gender) },
    })),
    records: roadmap.test_records.map(({ token, test_title: title, role, is_finished, status }) => {
      const record = known.records.find((each) => each.token === token)
      const isFinished = is_finished || status === 1 || record?.isFinished === true
      return { s: record?.s ?? newShortId(), token, title, role, isFinished }
    }),
  }
  file.seenAt = now
  file.test.title = roadmap.display_title || roadmap.roadmap.title || ''
  file.testsAuthRequired = roadmap.tests_auth_required
}

/** Consent is given: the record belongs to this account from here on. */
export async function begin(turn: Turn, file: RecordFile): Promise<void> {
  const { who, now, language } = turn
  const claim = await claimOf(turn, file.token)
  if (claim && claim.who !== who) return tell(turn, 'invitation-used')
  if (!isIn(file, 'intro')) return showPlace(turn, file)
  // A roadmap that holds this record was begun since the introduction was read.
  if (!(await isFileOf(turn, file))) return openInvitation(turn, { kind: 'record', token: file.token })
  putClaim(turn, file.token, { who, consent: { at: now, language, version: CONSENT_VERSION } })
  file.owner = who
  file.chatId = turn.account.chatId
  await remember(turn, file)
  keepIndex(turn, file)
  move(file, begun)
  if (isIn(file, 'board')) await openBoard(turn, file)
  await showPlace(turn, file)
}
