import { randomBytes } from 'node:crypto'
import { type AttemptMove, type AttemptReply, attemptKeptUntil, newAttempt } from '../domain/attempt.ts'
import { type Attempt, encodeAttempt } from '../domain/attempt-layout.ts'
import type { PlacedQuestion } from '../domain/questionnaire.ts'
import { isIn, type Questions, questionsOf, type RecordFile } from '../domain/record/record.ts'
import { type Standing, standingOf } from '../domain/record/standing.ts'
import {
  attemptKey,
  attemptOwner,
  openAttemptOf,
  ownerOf,
  readAttemptOf,
  resealed,
  type Whose,
} from '../storage/documents/attempts.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import { attemptExpiry } from '../storage/documents/retention.ts'
import type { Language } from '../texts/languages.ts'
import type { NamedTest } from '../views/tests.ts'
import { acceptedAssignments, awaitsBeginning, titleHere } from './access.ts'
import { noteGoingOn } from './files.ts'
import type { UpdateContext } from './update-context.ts'

/** Begins an attempt at its first question; an attempt of another account is never overwritten. */
export async function beginAttempt(
  ctx: UpdateContext,
  s: string,
  { content, count }: Questions,
): Promise<'begun' | 'another is there'> {
  const { vault, config } = ctx.deps
  if (await ctx.work.readBytes(attemptKey(s))) return 'another is there'
  const { retentionDays } = config
  const id = randomBytes(8)
  const attempt = newAttempt({
    owner: attemptOwner(vault, { who: ctx.who, s }, { id }),
    id,
    contentHash: Buffer.from(content, 'hex'),
    questions: count,
    language: ctx.language,
    isLarge: ctx.account.isLarge,
    dataKey: vault.dataKey,
    retentionSeconds: retentionDays * 86_400,
    at: ctx.now,
  })
  ctx.work.note('begun')
  ctx.work.putBytes(attemptKey(s), attempt, attemptExpiry({ now: ctx.now, retentionDays }))
  return 'begun'
}

/** Deletes the answers. */
export const endAttempt = ({ work }: UpdateContext, s: string): void => work.putBytes(attemptKey(s), null)

/** Releases an attempt with every answer accepted so far: no account can move it until one takes it over. */
export const releaseAttempt = (ctx: UpdateContext, s: string, from: string): Promise<void> =>
  passAttempt(ctx, s, from, { who: undefined })

/** Gives a released attempt to this account, in the commit that gives it the record. */
export const takeAttempt = (ctx: UpdateContext, s: string): Promise<void> =>
  passAttempt(ctx, s, undefined, {
    who: ctx.who,
    language: ctx.language,
    isLarge: ctx.account.isLarge === true,
  })

/** Changes an attempt's owner in this update's commit; an answer in between makes the update run again. */
async function passAttempt(
  { work, deps, now }: UpdateContext,
  s: string,
  from: string | undefined,
  { who, ...changes }: { who: string | undefined; language?: Language; isLarge?: boolean },
): Promise<void> {
  const { vault } = deps
  const entry = await work.readBytes(attemptKey(s))
  const attempt = entry && openAttemptOf(vault, { who: from, s }, entry)
  if (!attempt) return
  const passed = resealed(vault, s, attempt, {
    ...changes,
    owner: attemptOwner(vault, { who, s }, attempt),
  })
  work.putBytes(attemptKey(s), encodeAttempt(passed), attemptKeptUntil(attempt, now))
}

type MoveOfKind<M> = M extends AttemptMove ? Omit<M, 'owner'> : never

/** Moves an attempt that was just read. */
export async function moveAttempt(
  ctx: UpdateContext,
  s: string,
  attempt: Attempt,
  move: MoveOfKind<AttemptMove>,
): Promise<AttemptReply> {
  const { store, vault } = ctx.deps
  const owner = attemptOwner(vault, { who: ctx.who, s }, attempt)
  const file = move.kind === 'answer' ? await ctx.work.get(recordFiles, s) : undefined
  if (file) await noteGoingOn(ctx, file)
  return store.answer(attemptKey(s), { ...move, owner })
}

/** Reads the attempt of a record if the account of the record owns it; a released attempt has no owner. */
export async function readAttempt(ctx: UpdateContext, s: string): Promise<Attempt | undefined> {
  const file = await ctx.work.get(recordFiles, s)
  return file && readAttemptOf(ctx.deps, { s, who: await ownerOf(ctx.work, file) })
}

/** The revision of a test, and the last activity in it or in a test on a screen here (the store's clock). */
export async function progressHere(ctx: UpdateContext, s: string) {
  const all = [s, ...Object.keys(ctx.account.screens).filter((other) => other !== s)]
  const tests = await Promise.all(all.map((each) => readAttempt(ctx, each)))
  return { revision: tests[0]?.revision, at: Math.max(0, ...tests.map((test) => test?.lastActivityAt ?? 0)) }
}

/** The standing of a record, with how many of its questions are answered. */
export const readStanding = async (ctx: UpdateContext, file: RecordFile): Promise<Standing> =>
  standingOf(file, isIn(file, 'questions') ? await readAttempt(ctx, file.s) : undefined)

/** The standing of a record for this account, which may only be invited to a role of it. */
export async function standingHere(ctx: UpdateContext, file: RecordFile): Promise<Standing> {
  if (awaitsBeginning(ctx, file)) return { at: 'new' }
  // An account that has given the details of all its roles waits for the owner of the roadmap.
  const own = isIn(file, 'profile', 'code') ? acceptedAssignments(ctx, file) : []
  if (own.length > 0 && own.every(({ hasGiven }) => hasGiven)) return { at: 'given' }
  return readStanding(ctx, file)
}

/** A test as it is named in the chat of this account. */
export const testHere = async (ctx: UpdateContext, file: RecordFile): Promise<NamedTest> => {
  return { s: file.s, title: await titleHere(ctx, file), standing: await standingHere(ctx, file) }
}

/** Whether the record has an attempt, of any account. */
export async function hasAttempt({ deps }: UpdateContext, s: string): Promise<boolean> {
  const [entry] = await deps.store.read([attemptKey(s)])
  return entry !== undefined
}

/** The questions of a record in their order; `undefined` if they are no longer stored. */
export async function placedQuestions(
  { deps, work }: UpdateContext,
  file: RecordFile,
): Promise<readonly PlacedQuestion[] | undefined> {
  const content = questionsOf(file)?.content
  return content === undefined ? undefined : deps.contents.placed(work, content)
}

/** Adds the MAC to a complete attempt: it proves the answers unchanged, and is checked before sending. */
export async function seal(ctx: UpdateContext, s: string, shown: Attempt): Promise<void> {
  const { attemptCipher } = ctx.deps.vault
  const { revision } = shown
  const isUnsealed = (attempt: Attempt) =>
    isOpenAt(attempt, revision) && attemptCipher.verify(s, attempt) === 'unsealed'
  if (!isUnsealed(shown)) return
  await rewrite(ctx, { who: ctx.who, s }, (attempt) =>
    isUnsealed(attempt)
      ? { ...attempt, mac: attemptCipher.mac(s, attempt), macRevision: revision }
      : undefined,
  )
}

/**
 * Locks a sealed attempt that was shown. The MAC then covers the lock, too, so that no earlier state of the
 * attempt passes for this one. Resolves to whether it is locked now.
 */
export async function lock(ctx: UpdateContext, s: string, shown: Attempt): Promise<'locked' | 'changed'> {
  const { vault } = ctx.deps
  // Another attempt with this revision has another MAC.
  const isShown = (attempt: Attempt) => isOpenAt(attempt, shown.revision) && attempt.mac.equals(shown.mac)
  const stored = await rewrite(ctx, { who: ctx.who, s }, (attempt) =>
    isShown(attempt) ? resealed(vault, s, attempt, { state: 'locked' }) : undefined,
  )
  return stored?.state === 'locked' ? 'locked' : 'changed'
}

const isOpenAt = (attempt: Attempt, revision: number): boolean =>
  attempt.state !== 'locked' && attempt.revision === revision && attempt.answered === attempt.questions

/**
 * Replaces an attempt if the stored one is still exactly what was read: after a restore of the store another
 * attempt may have the same revision. Resolves to the attempt that is stored then.
 */
async function rewrite(
  { deps }: UpdateContext,
  whose: Whose,
  become: (attempt: Attempt) => Attempt | undefined,
): Promise<Attempt | undefined> {
  const key = attemptKey(whose.s)
  for (;;) {
    const [entry] = await deps.store.read([key])
    const attempt = entry && openAttemptOf(deps.vault, whose, entry)
    const changed = attempt && become(attempt)
    if (!changed) return attempt
    const write = { key, value: encodeAttempt(changed), expiresAt: attemptKeptUntil(changed, deps.now()) }
    if (await deps.store.put(write, entry.version)) return changed
  }
}
