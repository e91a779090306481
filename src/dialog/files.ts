import { randomBytes } from 'node:crypto'
import type { Account } from '../domain/account.ts'
import { type Assignee, FREE, isAssignee } from '../domain/assignee.ts'
import { isIn, isRoadmap, newRecordFile, type RecordFile } from '../domain/record/record.ts'
import { assignmentOf, everyRecord } from '../domain/roadmap.ts'
import { strike } from '../jobs/stage-counts.ts'
import { attemptKey } from '../storage/documents/attempts.ts'
import {
  assignees,
  owedResults,
  recordFiles,
  talks,
  tokenIndex,
  tokenKey,
} from '../storage/documents/kinds.ts'
import { mayBeSeen } from './access.ts'
import { isPending } from './call.ts'
import { leadTo, type UpdateContext } from './update-context.ts'

/** Finds the file of a record by its token, or makes one with a new record id, which `remember` stores. */
export async function fileOf(
  ctx: UpdateContext,
  { kind, token }: { kind: 'record' | 'roadmap'; token: string },
): Promise<RecordFile> {
  const { work, now } = ctx
  const known = await indexed(ctx, token)
  const file = known && (await work.get(recordFiles, known.s))
  // Until the service is asked, the kind is only that of the link, which may be wrong.
  const isGuess = file && !file.isBegun && isIn(file, 'new') && !file.parent
  const isMistaken = isGuess && isRoadmap(file) !== (kind === 'roadmap')
  if (file && !isMistaken) return file
  const s = known && !isMistaken ? known.s : newShortId()
  if (s !== known?.s) work.put(tokenIndex, hashToken(ctx, token), { s })
  return newRecordFile({ s, token, seenAt: now }, kind)
}

/** The service does not know a link: removes its file unless begun, and its index entry unless claimed. */
export async function removeOpened(ctx: UpdateContext, file: RecordFile): Promise<void> {
  forgetOpened(ctx, file.s)
  if (file.isBegun || file.parent) return
  const known = await indexed(ctx, file.token)
  if (known?.s === file.s && !known.isClaimed) forgetToken(ctx, file.token)
  await strike(ctx.work, file)
  ctx.work.remove(recordFiles, file.s)
}

/** Removes the waiting step of a dialog; the commit fails if the step was changed meanwhile. */
export async function endTalk({ work }: UpdateContext, s: string): Promise<void> {
  await work.guard(talks, s)
  work.remove(talks, s)
}

/**
 * Removes a file with the tests of its package, its waiting step and its owed results; the commit fails if
 * these were changed meanwhile. A test that was begun by its own link keeps its owner and becomes standalone.
 */
export async function removeFile(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { work } = ctx
  const { s, roadmap } = file
  for (const test of roadmap ? everyRecord(roadmap) : []) {
    if (isAssignee(await assigneeOf(ctx, test.token), 'taken', 'over', 'released')) {
      delete (await work.get(recordFiles, test.s))?.parent
      continue
    }
    work.putBytes(attemptKey(test.s), null)
    work.remove(recordFiles, test.s)
  }
  await endTalk(ctx, s)
  await work.guard(owedResults, s)
  work.remove(owedResults, s)
  await strike(work, file)
  work.remove(recordFiles, s)
}

/** A short random id for a record in callback data; it reveals nothing. */
export const newShortId = (): string => randomBytes(6).toString('base64url')

/** Whether the token of a file leads to it, and not to a newer file. */
export async function isFileOf(ctx: UpdateContext, { s, token }: RecordFile): Promise<boolean> {
  const known = await indexed(ctx, token)
  return known === undefined || known.s === s
}

/** Reads a file that this account may see. */
export async function visibleFile(ctx: UpdateContext, s: string): Promise<RecordFile | undefined> {
  const file = await ctx.work.get(recordFiles, s)
  return file && (await mayBeSeen(ctx, file)) ? file : undefined
}

/** Stores a file, and puts it last among the files this account has opened. */
export async function remember({ account, work }: UpdateContext, file: RecordFile): Promise<void> {
  if (!(await work.get(recordFiles, file.s))) work.put(recordFiles, file.s, file)
  putLast(account, file.s)
}

/** The button of a test was pressed: it, or its package, is the newest of those this account has opened. */
export function openAgain({ account }: UpdateContext, file: RecordFile): void {
  const s = itemOf(account, file)
  if (account.items.includes(s)) putLast(account, s)
}

function putLast(account: Account, s: string): void {
  account.items = [...account.items.filter((item) => item !== s), s]
}

/** The id under which an account has opened a file: a test of a package has none of its own. */
const itemOf = ({ items }: Account, { s, parent }: RecordFile): string =>
  parent && !items.includes(s) ? parent.s : s

/** Whether the chat is in the dialog, or at a question, of a test that was opened after this one. */
export async function isLeftForNewer(ctx: UpdateContext, file: RecordFile): Promise<boolean> {
  const other = await focusedFile(ctx)
  const at = (each: RecordFile) => ctx.account.items.indexOf(itemOf(ctx.account, each))
  const isNewer = other !== undefined && at(other) > at(file)
  return isNewer && isIn(other, 'intro', 'profile', 'code', 'loading', 'questions')
}

/** Removes a file from those this account has opened. */
export function forgetOpened({ account }: UpdateContext, s: string): void {
  account.items = account.items.filter((item) => item !== s)
  if (account.focus === s) delete account.focus
  delete account.externalIds?.[s]
}

/** All files that this account has opened and that are still stored, the newest first. */
export async function openFiles(ctx: UpdateContext): Promise<RecordFile[]> {
  const { account } = ctx
  const files: RecordFile[] = []
  const kept: string[] = []
  for (const s of account.items) {
    const file = await visibleFile(ctx, s)
    if (file) kept.push(s)
    if (file && !isIn(file, 'new')) files.unshift(file)
  }
  const left = account.items.filter((s) => kept.includes(s) || isPending(ctx, s))
  if (left.length < account.items.length) account.items = left
  return files
}

/** The newest opened file that is not finished. */
export const unfinishedFile = async (ctx: UpdateContext): Promise<RecordFile | undefined> =>
  (await openFiles(ctx)).find((file) => !isIn(file, 'scored', 'done', 'elsewhere'))

/** All opened files, with the tests of their roadmaps that this account may see. */
export async function allFiles(ctx: UpdateContext): Promise<RecordFile[]> {
  const files = await openFiles(ctx)
  for (const { roadmap } of [...files]) {
    for (const { s } of roadmap ? everyRecord(roadmap) : []) {
      // A test that was begun by its own link is already in the list.
      const record = files.some((each) => each.s === s) ? undefined : await visibleFile(ctx, s)
      if (record) files.push(record)
    }
  }
  return files
}

/** The record or roadmap in focus. */
export async function focusedFile(ctx: UpdateContext): Promise<RecordFile | undefined> {
  const { focus } = ctx.account
  return focus === undefined ? undefined : visibleFile(ctx, focus)
}

/** Leads back to the record in focus at the end of this update. */
export async function hereAgain(ctx: UpdateContext): Promise<void> {
  const file = await focusedFile(ctx)
  if (file) leadTo(ctx, file)
}

/** Reads the roadmap of one of its records. */
export async function parentOf(ctx: UpdateContext, { parent }: RecordFile): Promise<RecordFile | undefined> {
  return parent && ctx.work.get(recordFiles, parent.s)
}

/** The participant goes on: neither the record nor its roadmap counts as stuck. */
export async function noteGoingOn(ctx: UpdateContext, file: RecordFile): Promise<void> {
  delete file.stuckAt
  const parent = await parentOf(ctx, file)
  if (parent) delete parent.stuckAt
}

/** A whole record or roadmap, which its token names as well, or one role of it. */
type Part = string | { s: string; token: string; role?: number | undefined }

const wholeOf = (ctx: UpdateContext, part: Part): string =>
  hashToken(ctx, typeof part === 'string' ? part : part.token)

/** The assignment of a role; `whole` if the part is no role. */
async function roleAssignmentOf({ work }: UpdateContext, part: Part) {
  if (typeof part === 'string' || part.role === undefined) return 'whole'
  const { roadmap } = (await work.get(recordFiles, part.s)) ?? {}
  return roadmap && assignmentOf(roadmap, part.role)
}

/** The assignee of a part, who may answer it. */
export async function assigneeOf(ctx: UpdateContext, part: Part): Promise<Assignee> {
  const hand = await roleAssignmentOf(ctx, part)
  const kept = hand === 'whole' ? await ctx.work.get(assignees, wholeOf(ctx, part)) : hand?.assignee
  return kept ?? FREE
}

/** Whether an organizer has released the record, or a role of it, and no account has taken that over yet. */
export const isReleased = async (ctx: UpdateContext, { token, roadmap }: RecordFile): Promise<boolean> =>
  [await assigneeOf(ctx, token), ...(roadmap?.hands ?? []).map(({ assignee }) => assignee)].some(
    ({ is }) => is === 'released',
  )

/**
 * Applies a transition to the assignee of a part. Returns `undefined`, without a change, if the transition
 * does not apply. The commit fails if another account was faster, and the update runs again.
 */
export async function assign<A extends readonly unknown[]>(
  ctx: UpdateContext,
  part: Part,
  transition: (assignee: Assignee, ...args: A) => Assignee | undefined,
  ...args: A
): Promise<Assignee | undefined> {
  const hand = await roleAssignmentOf(ctx, part)
  const next = hand && transition(await assigneeOf(ctx, part), ...args)
  if (!next || hand === undefined) return undefined
  if (hand === 'whole') return ctx.work.put(assignees, wholeOf(ctx, part), next)
  hand.assignee = next
  return next
}

/** Keeps the index entry of a token as long as the claim. */
export function keepIndex(ctx: UpdateContext, { s, token }: Pick<RecordFile, 's' | 'token'>): void {
  ctx.work.put(tokenIndex, hashToken(ctx, token), { s, isClaimed: true })
}

/** Removes the assignee of a token. */
export const forgetAssignee = (ctx: UpdateContext, token: string): void =>
  ctx.work.remove(assignees, hashToken(ctx, token))

/** Removes a token from the index, so that its next file gets another record id. */
export const forgetToken = (ctx: UpdateContext, token: string): void =>
  ctx.work.remove(tokenIndex, hashToken(ctx, token))

/** The record id of a token, and whether it is claimed, also if the file is no longer stored. */
export const indexed = (ctx: UpdateContext, token: string) => ctx.work.get(tokenIndex, hashToken(ctx, token))

const hashToken = (ctx: UpdateContext, token: string): string => tokenKey(ctx.work.vault, token)
