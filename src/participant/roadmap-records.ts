import { membersHere, takesPart, titleHere } from '../dialog/access.ts'
import { endAttempt, hasAttempt } from '../dialog/attempt.ts'
import { callService } from '../dialog/call.ts'
import { forgetAssignee, keepIndex, newShortId, parentOf, removeFile } from '../dialog/files.ts'
import { failed, notifyOrganizers } from '../dialog/notify-organizers.ts'
import { endDetails } from '../dialog/role-details.ts'
import { leadTo, type UpdateContext } from '../dialog/update-context.ts'
import { isMinor, readLimits } from '../domain/profile.ts'
import { roleLabel } from '../domain/record/names.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { move, questionsAsked, recordFinished, recordPutBack, seen } from '../domain/record/transitions.ts'
import { everyRecord, type RoadmapPart, type RoadmapRecord, roleOf, toldApart } from '../domain/roadmap.ts'
import type { Failure, OutcomeOf } from '../jobs/call-table.ts'
import { postEvent } from '../queue/chat-message.ts'
import { isFinished, type Roadmap, titleOf } from '../service/wire.ts'
import { ownerOf } from '../storage/documents/attempts.ts'
import { fileOfToken, recordFiles } from '../storage/documents/kinds.ts'
import { notifyFinishedTest, refreshOtherBoards, showBoard } from './board.ts'
import { awaitAnalysis } from './generation.ts'
import { loadQuestions, questionsFailed } from './load-questions.ts'
import { leaveReleased, releasedFrom } from './released.ts'
import { showWaiting } from './waiting.ts'

/** Whether the profile of this role exists already, while others are missing. */
function isRegistered({ auth_required: isMissing, test_records: all }: Roadmap, id: number) {
  const own = all.filter(({ role }) => role === id)
  return (isMissing && own.length > 0 && own.every((record) => !record.auth_required)) || undefined
}

/** Writes the service's description of a roadmap into its file; role assignments stay. */
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
      const isDone = isFinished(each) || (record?.isFinished === true && !known.isDoubted)
      return { s: record?.s ?? newShortId(), token, title, role, isFinished: isDone }
    }),
    dropped: dropped.length > 0 ? dropped : undefined,
    isDoubted: undefined,
  }
  file.seenAt = now
  file.test.title = titleOf(roadmap)
  file.testsAuthRequired = roadmap.tests_auth_required
}

/** The profiles exist: every test of the package gets its own file and can be begun. */
export async function openBoard(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { roadmap } = file
  if (!roadmap) return
  if (await takesPart(ctx, file)) {
    if (!roadmap.isOpened) await refreshOtherBoards(ctx, file)
    roadmap.isOpened = true
  }
  await endDetails(ctx, file)
  await openTests(ctx, file)
}

/** The same for the tests of one role, whose person gives the details first. */
export async function openTests(ctx: UpdateContext, file: RecordFile, only?: number): Promise<void> {
  const { roadmap } = file
  for (const record of roadmap?.records ?? []) {
    if (!roadmap || (only !== undefined && record.role !== only)) continue
    const kept = await ctx.work.get(recordFiles, record.s)
    const role = roleOf(roadmap, record.role)
    if (kept && role) kept.person = roleLabel(role)
    // Answers that are being submitted arrive first.
    if (kept?.parent && kept.parent.role !== record.role && !isIn(kept, 'submitting'))
      await changeRole(ctx, file, kept, record)
    if (!kept && (await adopt(ctx, file, record))) continue
    if (!kept) beginRecordFile(ctx, file, record)
    // A test that its submitted answers have finished gets its notice from the submission.
    else if (record.isFinished && !isIn(kept, 'done', 'submitting', 'refused')) {
      if (isIn(kept, 'questions')) await notifyOvertaken(ctx, file, kept)
      else endAttempt(ctx, record.s)
      move(kept, recordFinished)
      await awaitAnalysis(ctx, file)
    } else if (!record.isFinished && isIn(kept, 'done')) move(kept, recordPutBack)
  }
}

/** The service gave a test to another role: if that has another account, the previous one keeps nothing. */
async function changeRole(ctx: UpdateContext, whole: RecordFile, file: RecordFile, record: RoadmapRecord) {
  const { s, test, typed = [] } = file
  const before = await ownerOf(ctx.work, file)
  file.parent = { s: whole.s, role: record.role }
  if ((await ownerOf(ctx.work, file)) === before || isIn(file, 'done')) return
  const hadAttempt = await hasAttempt(ctx, s)
  await giveRecord(ctx, whole, record)
  const released = { title: test.title, typed, records: [s] }
  if (!hadAttempt) return
  if (before === ctx.who) return releasedFrom(ctx, whole.s, released)
  const member = (await membersHere(ctx, whole)).find(({ who }) => who === before)
  if (member) postEvent(ctx.work, member, whole.s, { kind: 'released', ...released })
}

/**
 * A record that was begun by its own link, before its roadmap was opened here, keeps its account: one record
 * has one attempt, whatever link opens it. Without a profile it cannot go on by that link, and is given up.
 */
async function adopt(ctx: UpdateContext, { s }: RecordFile, record: RoadmapRecord): Promise<boolean> {
  const known = await fileOfToken(ctx.work, record.token)
  // It may be begun at this moment.
  const begun = known && (await ctx.work.guard(recordFiles, known.s))
  if (!begun || begun.parent || !begun.isBegun || isIn(begun, 'scored', 'done')) return false
  if (!isIn(begun, ...ANSWERED)) {
    await giveUp(ctx, begun)
    return false
  }
  record.s = begun.s
  begun.parent = { s, role: record.role }
  return true
}

async function giveUp(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { s, token, chatId, test, typed = [] } = file
  const who = await ownerOf(ctx.work, file)
  if (who === undefined) return
  forgetAssignee(ctx, token)
  await removeFile(ctx, file)
  const released = { title: test.title, typed, records: [] }
  if (who === ctx.who) await leaveReleased(ctx, s, released)
  else if (chatId !== undefined)
    postEvent(ctx.work, { who, chatId }, s, { kind: 'released', ...released, isPart: true })
}

/** The stages of a record whose profile exists, or will be checked, and whose result does not exist yet. */
const ANSWERED = ['waiting', 'loading', 'questions', 'submitting', 'refused'] as const

/** A test was finished elsewhere while it was answered here: the answers stay until their term is over. */
async function notifyOvertaken(ctx: UpdateContext, whole: RecordFile, file: RecordFile): Promise<void> {
  const who = await ownerOf(ctx.work, file)
  const members = [...(await membersHere(ctx, whole)), ...(await membersHere(ctx, file))]
  const member = members.find((each) => each.who === who)
  if (who === ctx.who) await overtaken(ctx, file)
  else if (member) postEvent(ctx.work, member, file.s, { kind: 'overtaken' })
  await notifyOrganizers(ctx, file, 'notice-finished-elsewhere', { title: file.test.title })
}

/** Notifies the account that was answering the test, and removes its question. */
export async function overtaken(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { screens, focus } = ctx.account
  const screen = screens[file.s]
  if (screen !== undefined) ctx.takeAway(screen)
  delete screens[file.s]
  await ctx.send({ text: ctx.t('overtaken-elsewhere', { title: await titleHere(ctx, file) }) })
  if (focus === file.s) leadTo(ctx, file)
}

/** The fields about the account that had a test, which say nothing of how it went. */
const PERSONAL_FIELDS = ['chatId', 'externalId', 'linkId', 'shownAs', 'personKey', 'typed'] as const

/**
 * Takes a test of a package from its account: the account of its role begins it again, or no account until
 * one is found. A finished test stays finished, but nothing of the previous account stays.
 */
export async function giveRecord(
  ctx: UpdateContext,
  whole: RecordFile,
  record: RoadmapRecord,
): Promise<void> {
  const file = await ctx.work.get(recordFiles, record.s)
  endAttempt(ctx, record.s)
  if (!file || !isIn(file, 'done')) return beginRecordFile(ctx, whole, record)
  for (const known of PERSONAL_FIELDS) delete file[known]
}

function beginRecordFile(ctx: UpdateContext, file: RecordFile, record: RoadmapRecord): void {
  const { s, token, title } = record
  const role = roleOf(file.roadmap, record.role)
  // Its own link leads to the board, and no other account anywhere.
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

/** Takes the service's answer about a record of a roadmap: its duration, and whether it is still open. */
export async function recordOpened(ctx: UpdateContext, file: RecordFile, outcome: OutcomeOf<'open'>) {
  // A service that does not show nested records may still have their questions.
  if (!outcome.ok) return outcome.code === 'not_found' ? loadQuestions(ctx, file) : failed(ctx, file, outcome)
  const { test, status, auth_required: isRequired, profile } = outcome.value
  if (isFinished(outcome.value)) return showRecordFinished(ctx, file, ctx.t('finished-elsewhere'))
  const parent = await parentOf(ctx, file)
  if (isRequired) return parent && callService(ctx, parent.s, { kind: 'openRoadmap', token: parent.token })
  file.test.questions = test.questions_count ?? undefined
  file.test.minutes = test.doing_time_minutes ?? undefined
  const role = roleOf(parent?.roadmap, file.parent?.role)
  if (role && profile && isMinor(profile, ctx.today)) role.isMinor = true
  if (status !== 0) {
    // Through the place: a guardian may have to agree first.
    move(file, questionsAsked)
    return leadTo(ctx, file)
  }
  move(file, seen, { isFinished: false, status, needsProfile: false })
  await showWaiting(ctx, file)
}

/** The organizer has opened a record: its board offers it again, as another person may have the phone. */
export async function recordReady(ctx: UpdateContext, file: RecordFile): Promise<void> {
  move(file, recordPutBack)
  delete ctx.account.screens[file.s]
  const parent = await parentOf(ctx, file)
  if (parent && (await takesPart(ctx, parent))) return showBoard(ctx, parent, { isNews: true })
  // An account that began it by its own link has no board.
  leadTo(ctx, file)
}

/** The questions are refused: the next try checks the record first. */
export async function questionsRefused(ctx: UpdateContext, file: RecordFile, failure: Failure) {
  if (failure.code === 'already_finished') return showRecordFinished(ctx, file, ctx.t('finished-elsewhere'))
  move(file, recordPutBack)
  await questionsFailed(ctx, file, failure)
}

/** A record of a roadmap gives no result of its own: its board shows it as finished. */
export async function showRecordFinished(ctx: UpdateContext, file: RecordFile, text: string): Promise<void> {
  move(file, recordFinished)
  endAttempt(ctx, file.s)
  await showFinished(ctx, file, text)
}

/** The same for a record finished elsewhere; the answers given here stay until their term is over. */
export async function showFinished(ctx: UpdateContext, file: RecordFile, text: string): Promise<void> {
  const { account } = ctx
  delete account.screens[file.s]
  const parent = await parentOf(ctx, file)
  const record = parent?.roadmap && everyRecord(parent.roadmap).find(({ s }) => s === file.s)
  if (!parent || !record) return
  record.isFinished = true
  await awaitAnalysis(ctx, parent)
  await ctx.send({ text })
  await notifyFinishedTest(ctx, parent, record.role)
  // An account that began it by its own link takes no other part.
  if (!(await takesPart(ctx, parent))) return
  if (account.focus === file.s) account.focus = parent.s
  await showBoard(ctx, parent)
}
