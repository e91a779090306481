import type { Failure, Outcome } from '../background/actors.ts'
import { CONSENT_VERSION } from '../background/kinds.ts'
import type { Invitation } from '../domain/invitation.ts'
import { newPerson, readAgeLimits, readGenderPermission } from '../domain/profile.ts'
import type { RecordFile } from '../domain/record-file.ts'
import type { Roadmap, TestRecord } from '../service/wire.ts'
import { callService, isPending } from './call.ts'
import {
  acceptedHands,
  claimOf,
  fileOf,
  isFileOf,
  keepIndex,
  putClaim,
  rememberOpened,
  saveFile,
} from './files.ts'
import { loadQuestions } from './load-questions.ts'
import { showPlace } from './place.ts'
import { describeRoadmap, openBoard } from './roadmap-file.ts'
import { failed, tell } from './say.ts'
import { watchOpening } from './show-waiting.ts'
import type { Turn } from './turn.ts'

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
  if (isOthers || (claim?.forgotten && claim.who === who)) {
    await tell(turn, isOthers ? 'invitation-used' : 'invitation-forgotten')
    return
  }
  if (file.parent) return showPlace(turn, file)
  rememberOpened(turn, file)
  // Until the profile is sent a newer link may bring another id.
  const isOpenToId = file.owner === undefined || file.stage === 'profile'
  if (isOpenToId) file.externalId = externalId ?? file.externalId
  else if (externalId !== undefined && file.externalId !== externalId) {
    await tell(turn, 'external-id-differs')
    return
  }
  const isFresh = file.stage === 'intro' && now - file.seenAt < FRESH_MS
  if (file.owner !== undefined || isFresh) {
    saveFile(turn, file)
    return showPlace(turn, file)
  }
  saveFile(turn, file)
  await look(turn, file)
}

/** Asks the service about a record: before the introduction, and while it waits for the organizer. */
export async function look(turn: Turn, file: RecordFile): Promise<void> {
  if (isPending(turn, file.s)) {
    await tell(turn, 'one-moment')
    return
  }
  await callService(turn, file.s, { kind: file.roadmap ? 'openRoadmap' : 'open', token: file.token })
}

/** Takes what the service says of a record that was opened. */
export async function opened(turn: Turn, file: RecordFile, outcome: Outcome<TestRecord>): Promise<void> {
  if (!outcome.ok) return notOpened(turn, file, outcome)
  const record = outcome.value
  const differs =
    file.externalId !== undefined &&
    record.profile?.external_id != null &&
    record.profile.external_id !== file.externalId
  if (differs) {
    await tell(turn, 'external-id-differs')
    return
  }
  describe(file, record, turn.now)
  if (record.is_finished || record.status === 1) file.stage = 'elsewhere'
  else if (record.status === 0) file.stage = 'waiting'
  else if (file.owner === undefined) file.stage = 'intro'
  else if (record.auth_required) file.stage = 'profile'
  else {
    await loadQuestions(turn, file)
    return
  }
  saveFile(turn, file)
  if (file.stage === 'waiting') await watchOpening(turn, file)
  await showPlace(turn, file)
}

/** Takes what the service says of a roadmap that was opened. */
export async function roadmapOpened(turn: Turn, file: RecordFile, outcome: Outcome<Roadmap>): Promise<void> {
  if (!outcome.ok) return notOpened(turn, file, outcome)
  const roadmap = outcome.value
  describeRoadmap(file, roadmap, turn.now)
  if (roadmap.is_finished || roadmap.status === 1) await finished(turn, file)
  else if (roadmap.status === 0) file.stage = 'waiting'
  else if (file.owner === undefined) file.stage = 'intro'
  else if (roadmap.auth_required) file.stage = 'profile'
  else await openBoard(turn, file)
  saveFile(turn, file)
  if (file.stage === 'waiting') await watchOpening(turn, file)
  await showPlace(turn, file)
}

/** A report goes only to those whose sittings led to it, so only where a board was open before. */
async function finished(turn: Turn, file: RecordFile): Promise<void> {
  if (file.roadmap?.ownerChatId !== undefined) {
    file.stage = 'scored'
    return
  }
  const { typed = [] } = file
  file.stage = 'elsewhere'
  delete file.draft
  delete file.sms
  delete file.typed
  await turn.deleteMessages(typed)
}

async function notOpened(turn: Turn, file: RecordFile, failure: Failure): Promise<void> {
  if (failure.code !== 'not_found') return failed(turn, file, failure)
  turn.account.items = turn.account.items.filter((s) => s !== file.s)
  if (turn.account.focus === file.s) delete turn.account.focus
  await tell(turn, 'invitation-unknown')
}

function describe(file: RecordFile, record: TestRecord, now: number): void {
  const { test } = record
  const limits = {
    ...readAgeLimits(test.min_age, test.max_age),
    gender: readGenderPermission(test.gender_permission),
  }
  file.seenAt = now
  file.test = {
    title: test.title,
    questions: test.questions_count ?? undefined,
    minutes: test.doing_time_minutes ?? undefined,
    limits,
  }
  file.testsAuthRequired = record.tests_auth_required
  file.caseNumber = record.profile?.case_number ?? undefined
  if (!record.auth_required) delete file.draft
  else file.draft ??= { people: [newPerson(limits)] }
}

/** Consent is given: the record belongs to this account from here on. */
export async function begin(turn: Turn, file: RecordFile): Promise<void> {
  const { who, now, language } = turn
  const claim = await claimOf(turn, file.token)
  if (claim && claim.who !== who) {
    await tell(turn, 'invitation-used')
    return
  }
  if (file.stage !== 'intro') return showPlace(turn, file)
  if (!(await isFileOf(turn, file))) {
    // A roadmap that holds this record was begun since the introduction was read.
    await openInvitation(turn, { kind: 'record', token: file.token })
    return
  }
  putClaim(turn, file.token, { who, consent: { at: now, language, version: CONSENT_VERSION } })
  file.owner = who
  rememberOpened(turn, file)
  file.chatId = turn.account.chatId
  keepIndex(turn, file)
  if (!file.draft && file.roadmap) {
    await openBoard(turn, file)
    saveFile(turn, file)
    return showPlace(turn, file)
  }
  if (!file.draft) {
    await loadQuestions(turn, file)
    return
  }
  file.stage = 'profile'
  saveFile(turn, file)
  await showPlace(turn, file)
}
