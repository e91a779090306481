import { isMine } from '../dialog/access.ts'
import { endAttempt } from '../dialog/attempt.ts'
import { keepIndex, knownFile, newShortId } from '../dialog/files.ts'
import { notifyOrganizers } from '../dialog/notify.ts'
import { endDetails } from '../dialog/role-details.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { readLimits } from '../domain/profile.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { move, recordFinished, recordPutBack } from '../domain/record/transitions.ts'
import { roleLabel, titleOf } from '../domain/record/whose.ts'
import { everyRecord, type RoadmapPart, type RoadmapRecord, roleOf, toldApart } from '../domain/roadmap.ts'
import { isFinished, type Roadmap } from '../service/wire.ts'
import { recordFiles } from '../storage/documents/kinds.ts'

/** The profile of this role exists already, while others are missing. */
function isRegistered({ auth_required: isMissing, test_records: all }: Roadmap, id: number) {
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
      ...roleOf(known, id),
      id,
      title,
      limits: readLimits(min_age, max_age, gender),
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

/** The profiles are there: every test of the package gets a file of its own and can be begun. */
export async function openBoard(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { roadmap } = file
  if (!roadmap) return
  if (await isMine(ctx, file)) roadmap.isOpened = true
  await endDetails(ctx, file)
  await openTests(ctx, file)
}

/** The same for the tests of one role, whose person gives the details for them first. */
export async function openTests(ctx: UpdateContext, file: RecordFile, only?: number): Promise<void> {
  const { roadmap } = file
  for (const record of roadmap?.records ?? []) {
    if (!roadmap || (only !== undefined && record.role !== only)) continue
    const kept = await ctx.work.get(recordFiles, record.s)
    const role = roleOf(roadmap, record.role)
    if (kept && role) kept.person = roleLabel(role)
    if (!kept && (await adopt(ctx, file, record))) continue
    if (!kept) beginRecordFile(ctx, file, record)
    // Whose answers finished it is told by those that are on their way.
    else if (record.isFinished && !isIn(kept, 'done', 'submitting', 'refused')) {
      if (isIn(kept, 'questions')) await notifyOvertaken(ctx, kept)
      else endAttempt(ctx, record.s)
      move(kept, recordFinished)
    } else if (!record.isFinished && isIn(kept, 'done')) move(kept, recordPutBack)
  }
}

/**
 * A record that somebody has begun by a link of its own, before its roadmap was opened here, stays whose it is: one
 * record has one attempt, whatever link opens it.
 */
async function adopt(ctx: UpdateContext, { s }: RecordFile, record: RoadmapRecord): Promise<boolean> {
  const begun = await knownFile(ctx, record.token)
  if (!begun || begun.parent || !begun.isBegun || !isIn(begun, ...ANSWERED)) return false
  record.s = begun.s
  begun.parent = { s, role: record.role }
  return true
}

/** The stages of a record in which its profile exists, or will be seen to, and its result does not. */
const ANSWERED = ['waiting', 'loading', 'questions', 'submitting', 'refused'] as const

/** A test that is being answered here was finished elsewhere: what was answered stays until its term is over. */
async function notifyOvertaken(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const contact = ctx.deps.config.organizerContact
  if (await isMine(ctx, file))
    await ctx.send({ text: ctx.t('overtaken-elsewhere', { title: titleOf(file), contact }) })
  await notifyOrganizers(ctx, file, 'notice-finished-elsewhere', { title: file.test.title })
}

function beginRecordFile(ctx: UpdateContext, file: RecordFile, record: RoadmapRecord): void {
  const { s, token, title } = record
  const role = roleOf(file.roadmap, record.role)
  // Its own link leads to the board, and nobody else anywhere.
  keepIndex(ctx, record)
  ctx.work.put(recordFiles, s, {
    s,
    token,
    state: { stage: record.isFinished ? 'done' : 'new' },
    test: { title, limits: role?.limits ?? { minAge: null, maxAge: null, gender: 'both' } },
    testsAuthRequired: file.testsAuthRequired,
    seenAt: ctx.now,
    parent: { s: file.s, role: record.role },
    ...(role && { person: roleLabel(role) }),
    isBegun: true,
  })
}
