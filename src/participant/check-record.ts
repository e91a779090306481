import { isMine, takesPart } from '../dialog/access.ts'
import { isPending, postSubmission } from '../dialog/call.ts'
import { assigneeOf, isLeftForNewer, keepIndex, removeOpened } from '../dialog/files.ts'
import { failed, notifyOrganizers } from '../dialog/notify-organizers.ts'
import { personKey } from '../dialog/profile-made.ts'
import { endDetails } from '../dialog/role-details.ts'
import { opensNothing, sendMeanwhile, sendOneMoment, sendText } from '../dialog/send.ts'
import { registeredElsewhere } from '../dialog/send-profile.ts'
import { offerWayBack, withdrawTyped } from '../dialog/typed-messages.ts'
import { leadTo, type UpdateContext } from '../dialog/update-context.ts'
import { isMinor, readLimits } from '../domain/profile.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { move, seen } from '../domain/record/transitions.ts'
import { announce } from '../jobs/announce.ts'
import type { Failure, OutcomeOf } from '../jobs/call-table.ts'
import { isSamePerson } from '../jobs/check-profiles.ts'
import { logEnrolment } from '../jobs/stage-counts.ts'
import { isFinished, type Roadmap, type TestRecord } from '../service/wire.ts'
import { notifyOthers, refreshBoard } from './board.ts'
import { analysed, awaitAnalysis } from './generation.ts'
import { showPlace } from './place.ts'
import { describeRoadmap, openBoard } from './roadmap-records.ts'
import { noteUnknown, requestOpen } from './visits.ts'
import { watchOpening } from './waiting.ts'

/** The external id that this account's link brought, or that the record was begun with. */
export const externalIdOf = ({ account }: UpdateContext, file: RecordFile): number | undefined =>
  file.isBegun ? file.externalId : account.externalIds?.[file.s]

/** Asks the service about a record, before the introduction or while it waits for the organizer. */
export async function checkRecord(ctx: UpdateContext, file: RecordFile): Promise<void> {
  if (isPending(ctx, file.s)) return sendOneMoment(ctx)
  if ((await requestOpen(ctx, file)) === 'unknown') await forgetUnclaimed(ctx, file)
}

/** Takes the service's answer about an opened record. */
export async function opened(ctx: UpdateContext, file: RecordFile, outcome: OutcomeOf<'open'>) {
  if (!outcome.ok) return notOpened(ctx, file, outcome)
  const record = outcome.value
  const known = record.profile?.external_id
  const externalId = externalIdOf(ctx, file)
  if (externalId !== undefined && known != null && known !== externalId)
    return sendText(ctx, 'external-id-differs')
  // The id of the profile holds for every account; the id of a link holds for the account that opened it.
  if (known != null) file.externalId = known
  const { test, profile } = record
  file.seenAt = ctx.now
  file.test = {
    title: test.title,
    questions: test.questions_count ?? undefined,
    minutes: test.doing_time_minutes ?? undefined,
    limits: readLimits(test.min_age, test.max_age, test.gender_permission),
  }
  await noteOpened(ctx, file, known ?? externalId)
  file.testsAuthRequired = record.tests_auth_required
  file.caseNumber = profile?.case_number ?? undefined
  file.shownAs = profile?.name ?? undefined
  const { name, birth, is_male: isMale } = profile ?? {}
  if (name && birth && isMale != null)
    file.personKey = personKey(ctx.deps.vault, { name, birth: birth.slice(0, 10), isMale })
  if (profile && file.guardian !== 'agreed')
    file.guardian = isMinor(profile, ctx.today) ? 'needed' : undefined
  if (isIn(file, 'waiting', 'profile', 'code') && !record.auth_required) {
    const { draft } = file.state
    const [person] = draft?.people ?? []
    const { name, birth, gender } = person ?? {}
    const typed = { birth, is_male: gender && gender === 'male', mobile: draft?.mobile }
    // The details from before a correction may be the registered ones: sending the profile again tells.
    if (name !== undefined && !isSamePerson({ ...typed, name }, profile))
      return file.isSentUnclear && isIn(file, 'profile') ? leadTo(ctx, file) : registeredElsewhere(ctx, file)
  }
  await takeStatus(ctx, file, record)
}

/** The service was asked about this record for the first time. */
async function noteOpened(ctx: UpdateContext, file: RecordFile, externalId = file.externalId) {
  const { deps, work } = ctx
  if (!isIn(file, 'new')) return
  await announce(deps, work, { ...file, externalId }, 'opened', ctx.who)
  await logEnrolment(ctx, file)
}

/** Takes the service's answer about an opened roadmap. */
export async function roadmapOpened(ctx: UpdateContext, file: RecordFile, outcome: OutcomeOf<'openRoadmap'>) {
  if (!outcome.ok) return notOpened(ctx, file, outcome)
  const before = JSON.stringify([file.state, file.roadmap])
  const wasWaiting = isIn(file, 'waiting')
  describeRoadmap(file, outcome.value, ctx.now)
  await noteOpened(ctx, file)
  await takeStatus(ctx, file, outcome.value)
  // Every change concerns the other accounts as well.
  const isOpened = wasWaiting && isIn(file, 'profile', 'board')
  if (isOpened) await notifyOthers(ctx, file, { kind: 'opened' })
  else if (JSON.stringify([file.state, file.roadmap]) !== before) await notifyOthers(ctx, file)
}

/** Moves a record or roadmap to the stage that the service reports. */
async function takeStatus(ctx: UpdateContext, file: RecordFile, said: TestRecord | Roadmap): Promise<void> {
  const { status, auth_required: needsProfile } = said
  const assignee = file.isBegun ? undefined : await assigneeOf(ctx, file.token)
  const isOwn = assignee?.is === 'over' && assignee.who === ctx.who
  const isSent = isIn(file, 'profile', 'code')
  const wasBoard = isIn(file, 'board', 'failed')
  const wasWaiting = isIn(file, 'waiting')
  const isNew = move(file, seen, { isFinished: isFinished(said), status, needsProfile, isOwn })
  // The analysis may have been started elsewhere.
  if (isNew && isIn(file, 'scored')) await analysed(ctx, file)
  if (isOwn && isIn(file, 'done')) {
    Object.assign(file, { isBegun: true, chatId: ctx.account.chatId } satisfies Partial<RecordFile>)
    keepIndex(ctx, file)
    ctx.account.hasResult = true
  }
  if (isIn(file, 'elsewhere')) {
    await endDetails(ctx, file)
    withdrawTyped(ctx, file)
    if (!file.state.isOthers && (await isMine(ctx, file)))
      await notifyOrganizers(ctx, file, 'notice-finished-elsewhere', { title: file.test.title })
  }
  // The last answers may have come while the roadmap waited.
  if (wasWaiting) await awaitAnalysis(ctx, file)
  if (isIn(file, 'submitting')) await postSubmission(ctx, file)
  if (isIn(file, 'board', 'generating', 'failed', 'scored')) await openBoard(ctx, file)
  // A participant who has gone elsewhere during the check stays there.
  if (wasBoard && isIn(file, 'board', 'failed') && ctx.account.focus !== file.s)
    return refreshBoard(ctx, file)
  if (await isLeftForNewer(ctx, file)) {
    if (isIn(file, 'waiting')) await watchOpening(ctx, file)
    return sendMeanwhile(ctx, file)
  }
  await offerWayBack(ctx, file)
  await showPlace(ctx, file)
  // The details were refused with a 404, but the record exists: they can be sent again.
  if (isSent && ctx.due?.show === 'question') ctx.due.word = ctx.t('failure-unavailable')
}

async function notOpened(ctx: UpdateContext, file: RecordFile, failure: Failure): Promise<void> {
  // A read is refused only because of the key, whatever its status says.
  if (failure.code === 'forbidden') return failed(ctx, file, { ...failure, code: 'key_invalid' })
  if (failure.code !== 'not_found' || (file.isBegun && !file.roadmap)) return failed(ctx, file, failure)
  noteUnknown(ctx, file)
  await forgetUnclaimed(ctx, file)
  await opensNothing(ctx)
}

/** Removes an opened record, unless this account has begun it: `/forget` must reach that. */
async function forgetUnclaimed(ctx: UpdateContext, file: RecordFile): Promise<void> {
  if (!(await takesPart(ctx, file))) await removeOpened(ctx, file)
}
