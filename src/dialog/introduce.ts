import type { Outcome } from '../background/actors.ts'
import { newPerson, readAgeLimits, readGenderPermission } from '../domain/profile.ts'
import type { RecordFile } from '../domain/record-file.ts'
import type { TestRecord } from '../service/wire.ts'
import { callService, isPending } from './call.ts'
import { claimOf, fileOf, putClaim, saveFile } from './files.ts'
import { loadQuestions } from './load-questions.ts'
import { showPlace } from './place.ts'
import { failed, tell } from './say.ts'
import type { Turn } from './turn.ts'

/** Raised when the words that people consent to change. */
export const CONSENT_VERSION = 1

/** What was read from the service so recently that it need not be asked again. */
const FRESH_MS = 10 * 60_000

/** Opens a record by its link: the introduction at first, the exact place after that. */
export async function openRecord(turn: Turn, token: string, externalId?: number): Promise<void> {
  const { account, who, now } = turn
  const claim = await claimOf(turn, token)
  if (claim && (claim.who !== who || claim.forgotten)) {
    await tell(turn, claim.who === who ? 'invitation-forgotten' : 'invitation-used')
    return
  }
  const file = await fileOf(turn, token, externalId)
  account.focus = file.s
  account.items = [...account.items.filter((s) => s !== file.s), file.s]
  if (file.owner === undefined && file.externalId !== externalId) file.externalId = externalId
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
  await callService(turn, file.s, { kind: 'open', token: file.token })
}

/** Takes what the service says of a record that was opened. */
export async function opened(turn: Turn, file: RecordFile, outcome: Outcome<TestRecord>): Promise<void> {
  if (!outcome.ok) {
    if (outcome.code === 'not_found') {
      turn.account.items = turn.account.items.filter((s) => s !== file.s)
      delete turn.account.focus
      await tell(turn, 'invitation-unknown')
      return
    }
    await failed(turn, file, outcome)
    return
  }
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
  await showPlace(turn, file)
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
  putClaim(turn, file.token, { who, consent: { at: now, language, version: CONSENT_VERSION } })
  file.owner = who
  if (!file.draft) {
    await loadQuestions(turn, file)
    return
  }
  file.stage = 'profile'
  saveFile(turn, file)
  await showPlace(turn, file)
}
