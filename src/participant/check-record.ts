import { isMine, takesPart } from '../dialog/access.ts'
import { callService, isPending } from '../dialog/call.ts'
import { assign, assigneeOf, keepIndex, newShortId, removeOpened } from '../dialog/files.ts'
import { failed, notifyOrganizers, sendText } from '../dialog/notify.ts'
import { registeredElsewhere } from '../dialog/send-profile.ts'
import { postSubmission } from '../dialog/submission.ts'
import { withdrawTyped } from '../dialog/typed.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { answered } from '../domain/assignee.ts'
import {
  isMinor,
  type Person,
  readAgeLimits,
  readGenderPermission,
  readRoleGender,
} from '../domain/profile.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { move, seen } from '../domain/record/transitions.ts'
import { everyRecord, type RoadmapPart, toldApart } from '../domain/roadmap.ts'
import { announce } from '../jobs/announce.ts'
import type { Failure } from '../jobs/call.ts'
import type { OutcomeOf } from '../jobs/call-table.ts'
import { logEnrolment } from '../jobs/enrolment.ts'
import { isSamePerson } from '../jobs/same-person.ts'
import { isFinished, type Roadmap, type TestRecord } from '../service/wire.ts'
import { openBoard } from './board.ts'
import { showPlace } from './place.ts'
import { watchOpening } from './waiting.ts'

/** The external id that this account has brought, or that the record was begun with. */
export const externalIdOf = ({ account }: UpdateContext, file: RecordFile): number | undefined =>
  file.isBegun ? file.externalId : account.externalIds?.[file.s]

/** Asks the service about a record: before the introduction, and while it waits for the organizer. */
export async function checkRecord(ctx: UpdateContext, file: RecordFile): Promise<void> {
  if (isPending(ctx, file.s)) return sendText(ctx, 'one-moment')
  await callService(ctx, file.s, { kind: file.roadmap ? 'openRoadmap' : 'open', token: file.token })
}

/** Takes what the service says of a record that was opened. */
export async function opened(
  ctx: UpdateContext,
  file: RecordFile,
  outcome: OutcomeOf<'open'>,
): Promise<void> {
  if (!outcome.ok) return notOpened(ctx, file, outcome)
  const record = outcome.value
  const known = record.profile?.external_id
  const externalId = externalIdOf(ctx, file)
  if (externalId !== undefined && known != null && known !== externalId)
    return sendText(ctx, 'external-id-differs')
  // What the profile has holds for all; what a link brings is each account's own.
  if (known != null) file.externalId = known
  if (isIn(file, 'new')) {
    announce(ctx.deps, ctx.work, { ...file, externalId: known ?? externalId }, 'opened')
    logEnrolment({ ...ctx.deps, now: ctx.now }, ctx.work, file)
  }
  describe(file, record, ctx.now)
  if (record.profile && file.guardian === undefined && isMinor(record.profile, ctx.today))
    file.guardian = 'needed'
  if (isIn(file, 'waiting', 'profile', 'code') && !record.auth_required) {
    const { draft } = file.state
    const [person] = draft?.people ?? []
    if (person?.name !== undefined && !isSamePerson(typedOf(person, draft?.mobile), record.profile))
      return registeredElsewhere(ctx, file)
  }
  await sawIt(ctx, file, record)
}

const typedOf = ({ name = '', birth, gender }: Person, mobile: string | undefined) => ({
  name,
  birth,
  is_male: gender && gender === 'male',
  mobile,
})

/** Takes what the service says of a roadmap that was opened. */
export async function roadmapOpened(
  ctx: UpdateContext,
  file: RecordFile,
  outcome: OutcomeOf<'openRoadmap'>,
): Promise<void> {
  if (!outcome.ok) return notOpened(ctx, file, outcome)
  if (isIn(file, 'new')) {
    announce(ctx.deps, ctx.work, file, 'opened')
    logEnrolment({ ...ctx.deps, now: ctx.now }, ctx.work, file)
  }
  describeRoadmap(file, outcome.value, ctx.now)
  await sawIt(ctx, file, outcome.value)
}

/** Goes where the service says that a record or roadmap stands. */
async function sawIt(
  ctx: UpdateContext,
  file: RecordFile,
  said: Pick<TestRecord, 'is_finished' | 'status' | 'auth_required'>,
): Promise<void> {
  const { status, auth_required: needsProfile } = said
  const assignee = file.isBegun ? undefined : await assigneeOf(ctx, file.token)
  const isOwn = assignee?.is === 'over' && assignee.who === ctx.who
  move(file, seen, { isFinished: isFinished(said), status, needsProfile, isOwn })
  if (isIn(file, 'scored')) await assign(ctx, file.token, answered)
  if (isOwn && isIn(file, 'done')) {
    Object.assign(file, { isBegun: true, chatId: ctx.account.chatId } satisfies Partial<RecordFile>)
    keepIndex(ctx, file)
    ctx.account.hasResult = true
  }
  if (isIn(file, 'elsewhere')) {
    await withdrawTyped(ctx, file)
    if (!file.state.isOthers && (await isMine(ctx, file)))
      await notifyOrganizers(ctx, file, 'notice-finished-elsewhere', { title: file.test.title })
  }
  if (isIn(file, 'waiting')) await watchOpening(ctx, file)
  if (isIn(file, 'submitting')) await postSubmission(ctx, file)
  if (isIn(file, 'board', 'generating', 'failed')) await openBoard(ctx, file)
  await showPlace(ctx, file)
}

async function notOpened(ctx: UpdateContext, file: RecordFile, failure: Failure): Promise<void> {
  // Whoever only reads is refused for the key, whatever the number says.
  if (failure.code === 'forbidden') return failed(ctx, file, { ...failure, code: 'key_invalid' })
  if (failure.code !== 'not_found') return failed(ctx, file, failure)
  // What this account has begun stays in reach of /forget.
  if (!(await takesPart(ctx, file))) await removeOpened(ctx, file)
  await sendText(ctx, 'invitation-unknown')
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
  file.shownAs = profile?.name ?? undefined
}

/** The profile of this role exists already, while others are missing. */
function isRegistered(
  { auth_required: isMissing, test_records: all }: Roadmap,
  id: number,
): true | undefined {
  const own = all.filter(({ role }) => role === id)
  return (isMissing && own.length > 0 && own.every((record) => !record.auth_required)) || undefined
}

/** Writes what the service says of a roadmap into its file; who was given a role stays. */
export function describeRoadmap(file: RecordFile, roadmap: Roadmap, now: number): void {
  const known: RoadmapPart = file.roadmap ?? { roles: [], records: [], hands: [] }
  const before = everyRecord(known)
  const dropped = before.filter(({ token }) => roadmap.test_records.every((each) => each.token !== token))
  file.roadmap = {
    ...known,
    roles: toldApart(roadmap.roles).map(({ id, title, min_age, max_age, gender }) => ({
      ...known.roles.find((role) => role.id === id),
      id,
      title,
      limits: { ...readAgeLimits(min_age, max_age), gender: readRoleGender(gender) },
      isRegistered: isRegistered(roadmap, id),
    })),
    records: roadmap.test_records.map((each) => {
      const { token, test_title: title, role } = each
      const record = before.find((other) => other.token === token)
      const isDone = isFinished(each) || record?.isFinished === true
      return { s: record?.s ?? newShortId(), token, title, role, isFinished: isDone }
    }),
    dropped: dropped.length > 0 ? dropped : undefined,
  }
  file.seenAt = now
  file.test.title = roadmap.display_title || roadmap.roadmap.title || ''
  file.testsAuthRequired = roadmap.tests_auth_required
}
