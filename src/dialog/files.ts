import { randomBytes } from 'node:crypto'
import { type Assignee, FREE, isIn as isAssignee } from '../domain/assignee.ts'
import { isIn, isRoadmap, newRecordFile, type RecordFile } from '../domain/record/record.ts'
import { assignmentOf, everyRecord } from '../domain/roadmap.ts'
import { strike } from '../jobs/board.ts'
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

/** Finds the file of a record by its token, or makes one with a new record id, which `remember` begins to keep. */
export async function fileOf(
  ctx: UpdateContext,
  { kind, token }: { kind: 'record' | 'roadmap'; token: string },
): Promise<RecordFile> {
  const { work, now } = ctx
  const known = await indexed(ctx, token)
  const file = known && (await work.get(recordFiles, known.s))
  // Of another kind is only what the service has not been asked about: somebody's link was of the wrong one.
  const isGuess = file && !file.isBegun && isIn(file, 'new') && !file.parent
  const isMistaken = isGuess && isRoadmap(file) !== (kind === 'roadmap')
  if (file && !isMistaken) return file
  const s = known && !isMistaken ? known.s : newShortId()
  if (s !== known?.s) work.put(tokenIndex, hashToken(ctx, token), { s })
  return newRecordFile({ s, token, seenAt: now }, kind)
}

/** The service knows nothing behind a link: what nobody has begun leaves no file, and no way to one. */
export async function removeOpened(ctx: UpdateContext, file: RecordFile): Promise<void> {
  forgetOpened(ctx, file.s)
  if (file.isBegun || file.parent) return
  const known = await indexed(ctx, file.token)
  if (known?.s === file.s && !known.isClaimed) forgetToken(ctx, file.token)
  await strike(ctx.work, file)
  ctx.work.remove(recordFiles, file.s)
}

/** Where a dialog stood is not kept any more; a commit that finds it changed meanwhile fails. */
export async function endTalk({ work }: UpdateContext, s: string): Promise<void> {
  await work.guard(talks, s)
  work.remove(talks, s)
}

/**
 * Removes a file with the tests of a package, where its dialog stood, and what is owed of it: a commit that finds these changed
 * meanwhile fails. What was begun of a package by a link of its own stays whose it is, and stands alone.
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

/** Record id of the callback data: short, and nothing follows from it. */
export const newShortId = (): string => randomBytes(6).toString('base64url')

/** Whether the token of a file leads to it, and not to another one made since. */
export async function isFileOf(ctx: UpdateContext, { s, token }: RecordFile): Promise<boolean> {
  const known = await indexed(ctx, token)
  return known === undefined || known.s === s
}

/** Reads a file that this account may see: its own, one that nobody has begun, a roadmap it was invited to. */
export async function visibleFile(ctx: UpdateContext, s: string): Promise<RecordFile | undefined> {
  const file = await ctx.work.get(recordFiles, s)
  return file && (await mayBeSeen(ctx, file)) ? file : undefined
}

/** Keeps a file, and puts it last in what this account has opened. */
export async function remember({ account, work }: UpdateContext, file: RecordFile): Promise<void> {
  if (!(await work.get(recordFiles, file.s))) work.put(recordFiles, file.s, file)
  account.items = [...account.items.filter((item) => item !== file.s), file.s]
}

/** Takes a file out of what this account has opened. */
export function forgetOpened({ account }: UpdateContext, s: string): void {
  account.items = account.items.filter((item) => item !== s)
  if (account.focus === s) delete account.focus
  delete account.externalIds?.[s]
}

/** Everything this account has opened and that is still kept, the newest first. */
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

/** The newest of them that is not finished. */
export const unfinishedFile = async (ctx: UpdateContext): Promise<RecordFile | undefined> =>
  (await openFiles(ctx)).find((file) => !isIn(file, 'scored', 'done', 'elsewhere'))

/** The same with the records of its roadmaps that this account answers. */
export async function allFiles(ctx: UpdateContext): Promise<RecordFile[]> {
  const files = await openFiles(ctx)
  for (const { roadmap } of [...files]) {
    for (const { s } of roadmap ? everyRecord(roadmap) : []) {
      // What was begun by a link of its own stands there already.
      const record = files.some((each) => each.s === s) ? undefined : await visibleFile(ctx, s)
      if (record) files.push(record)
    }
  }
  return files
}

/** The record or roadmap that the chat is about now. */
export async function focusedFile(ctx: UpdateContext): Promise<RecordFile | undefined> {
  const { focus } = ctx.account
  return focus === undefined ? undefined : visibleFile(ctx, focus)
}

/** Leads back to what the chat is about, when all else of this update is done. */
export async function hereAgain(ctx: UpdateContext): Promise<void> {
  const file = await focusedFile(ctx)
  if (file) leadTo(ctx, file)
}

/** Reads the roadmap of one of its records. */
export async function parentOf(ctx: UpdateContext, { parent }: RecordFile): Promise<RecordFile | undefined> {
  return parent && ctx.work.get(recordFiles, parent.s)
}

/** Somebody goes on with it: neither it nor its roadmap is stuck any more. */
export async function noteGoingOn(ctx: UpdateContext, file: RecordFile): Promise<void> {
  delete file.stuckAt
  const parent = await parentOf(ctx, file)
  if (parent) delete parent.stuckAt
}

/** A record or roadmap as a whole, which its token names as well, or one role of it. */
type Part = string | { s: string; token: string; role?: number | undefined }

const wholeOf = (ctx: UpdateContext, part: Part): string =>
  hashToken(ctx, typeof part === 'string' ? part : part.token)

/** A role that has an assignee of its own; `whole` where the part is no role. */
async function roleAssignmentOf({ work }: UpdateContext, part: Part) {
  if (typeof part === 'string' || part.role === undefined) return 'whole'
  const { roadmap } = (await work.get(recordFiles, part.s)) ?? {}
  return roadmap && assignmentOf(roadmap, part.role)
}

/** Who may answer a part. */
export async function assigneeOf(ctx: UpdateContext, part: Part): Promise<Assignee> {
  const hand = await roleAssignmentOf(ctx, part)
  const kept = hand === 'whole' ? await ctx.work.get(assignees, wholeOf(ctx, part)) : hand?.assignee
  return kept ?? FREE
}

/** Whether an organizer has released it, or a role of it, and nobody has gone on with that yet. */
export const isReleased = async (ctx: UpdateContext, { token, roadmap }: RecordFile): Promise<boolean> =>
  [await assigneeOf(ctx, token), ...(roadmap?.hands ?? []).map(({ assignee }) => assignee)].some(
    ({ is }) => is === 'released',
  )

/**
 * Has a part become somebody else's, or nobody's; `undefined`, and nothing has changed, where that does not happen to what it
 * is. The commit fails if another account was faster, and the update runs again.
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

/** Keeps the way from a token to its file for as long as the claim. */
export function keepIndex(ctx: UpdateContext, { s, token }: Pick<RecordFile, 's' | 'token'>): void {
  ctx.work.put(tokenIndex, hashToken(ctx, token), { s, isClaimed: true })
}

/** Nobody has it by itself any more. */
export const forgetAssignee = (ctx: UpdateContext, token: string): void =>
  ctx.work.remove(assignees, hashToken(ctx, token))

/** The next file of this token gets another record id. */
export const forgetToken = (ctx: UpdateContext, token: string): void =>
  ctx.work.remove(tokenIndex, hashToken(ctx, token))

/** The record id of a token, and whether it is claimed, also of what is not kept any more. */
export const indexed = (ctx: UpdateContext, token: string) => ctx.work.get(tokenIndex, hashToken(ctx, token))

const hashToken = (ctx: UpdateContext, token: string): string => tokenKey(ctx.work.vault, token)
