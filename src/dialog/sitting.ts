import { randomBytes } from 'node:crypto'
import type { PlacedQuestion } from '../domain/questionnaire.ts'
import { isIn, type Questions, questionsOf, type RecordFile } from '../domain/record/record.ts'
import { type Standing, standingOf } from '../domain/record/standing.ts'
import {
  newSitting,
  type Sitting,
  type SittingMove,
  type SittingReply,
  sittingKeptUntil,
} from '../domain/sitting.ts'
import { encodeSitting, sittingLayout } from '../domain/sitting-layout.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import { sittingExpiry } from '../storage/documents/retention.ts'
import {
  attemptOwner,
  openSittingOf,
  readSittingOf,
  resealed,
  sittingKey,
  type Whose,
} from '../storage/documents/sittings.ts'
import type { Language } from '../texts/languages.ts'
import { ownerOf } from './access.ts'
import type { Turn } from './turn.ts'

/** Begins an attempt at its first question, where there is none: another account's is never overwritten. */
export async function beginSitting(
  turn: Turn,
  s: string,
  { content, count }: Questions,
): Promise<'begun' | 'another is there'> {
  const { vault, config } = turn.deps
  if (await turn.work.readBytes(sittingKey(s))) return 'another is there'
  const { retentionDays } = config
  const id = randomBytes(8)
  const sitting = newSitting({
    owner: attemptOwner(vault, { who: turn.who, s }, { layout: sittingLayout.version, id }),
    id,
    contentHash: Buffer.from(content, 'hex'),
    questions: count,
    language: turn.language,
    dataKey: vault.dataKey,
    retentionSeconds: retentionDays * 86_400,
    at: turn.now,
  })
  turn.work.note('begun')
  turn.work.putBytes(sittingKey(s), sitting, sittingExpiry({ now: turn.now, retentionDays }))
  return 'begun'
}

/** The answers leave. */
export const endSitting = ({ work }: Turn, s: string): void => work.putBytes(sittingKey(s), null)

/** From the commit on nobody moves it until somebody takes it over; every answer accepted before that is in it. */
export const releaseSitting = (turn: Turn, s: string, from: string): Promise<void> =>
  passSitting(turn, s, from, { who: undefined })

/** Gives a released attempt to this account, in the commit in which its record passes. */
export const takeSitting = (turn: Turn, s: string): Promise<void> =>
  passSitting(turn, s, undefined, { who: turn.who, language: turn.language })

/** The owner of an attempt changes with the commit of this turn, or, where an answer came in between, the turn runs again. */
async function passSitting(
  { work, deps, now }: Turn,
  s: string,
  from: string | undefined,
  { who, ...changes }: { who: string | undefined; language?: Language },
): Promise<void> {
  const { vault } = deps
  const entry = await work.readBytes(sittingKey(s))
  const sitting = entry && openSittingOf(vault, { who: from, s }, entry)
  if (!sitting) return
  const passed = resealed(vault, s, sitting, {
    ...changes,
    owner: attemptOwner(vault, { who, s }, sitting),
  })
  work.putBytes(sittingKey(s), encodeSitting(passed), sittingKeptUntil(sitting, now))
}

type MoveOfKind<M> = M extends SittingMove ? Omit<M, 'owner'> : never

/** Moves a sitting that was just read. */
export function moveSitting(
  turn: Turn,
  s: string,
  sitting: Sitting,
  move: MoveOfKind<SittingMove>,
): Promise<SittingReply> {
  const { store, vault } = turn.deps
  const owner = attemptOwner(vault, { who: turn.who, s }, sitting)
  return store.answer(sittingKey(s), { ...move, owner })
}

/** Reads the sitting of a record, if it is that of the account whose record it is, or nobody's while it is released. */
export async function readSitting(turn: Turn, s: string): Promise<Sitting | undefined> {
  const file = await turn.work.get(recordFiles, s)
  return file && readSittingOf(turn.deps, { s, who: await ownerOf(turn, file) })
}

/** Where a record stands, with how far its questions are answered. */
export const readStanding = async (turn: Turn, file: RecordFile): Promise<Standing> =>
  standingOf(file, isIn(file, 'questions') ? await readSitting(turn, file.s) : undefined)

/** Whether there is an attempt at this record, whoever's it is. */
export async function hasSitting({ deps }: Turn, s: string): Promise<boolean> {
  const [entry] = await deps.store.read([sittingKey(s)])
  return entry !== undefined
}

/** The questions of a record in their order; `undefined` when they are not kept any more. */
export async function placedQuestions(
  { deps, work }: Turn,
  file: RecordFile,
): Promise<readonly PlacedQuestion[] | undefined> {
  const content = questionsOf(file)?.content
  return content === undefined ? undefined : deps.contents.placed(work, content)
}

/** Writes the code that proves the answers unharmed, once all are there; it is checked before they are sent. */
export async function seal(turn: Turn, s: string, shown: Sitting): Promise<void> {
  const { sittingCipher } = turn.deps.vault
  const { revision } = shown
  const isUnsealed = (sitting: Sitting) =>
    isOpenAt(sitting, revision) && sittingCipher.verify(s, sitting) === 'unsealed'
  if (!isUnsealed(shown)) return
  await rewrite(turn, { who: turn.who, s }, (sitting) =>
    isUnsealed(sitting)
      ? { ...sitting, mac: sittingCipher.mac(s, sitting), macRevision: revision }
      : undefined,
  )
}

/**
 * Ends the answering of what was sealed and shown: from here on the code covers that, too, and no earlier state of the
 * sitting passes for this one. Resolves to whether it is locked now.
 */
export async function lock(turn: Turn, s: string, shown: Sitting): Promise<'locked' | 'changed'> {
  const { vault } = turn.deps
  // Another sitting of this revision has another code.
  const isShown = (sitting: Sitting) => isOpenAt(sitting, shown.revision) && sitting.mac.equals(shown.mac)
  const stands = await rewrite(turn, { who: turn.who, s }, (sitting) =>
    isShown(sitting) ? resealed(vault, s, sitting, { state: 'locked' }) : undefined,
  )
  return stands?.state === 'locked' ? 'locked' : 'changed'
}

const isOpenAt = (sitting: Sitting, revision: number): boolean =>
  sitting.state !== 'locked' && sitting.revision === revision && sitting.answered === sitting.questions

/**
 * Puts what becomes of a sitting in its place, if that still is exactly what was read: after a store was put back another
 * sitting may have the same revision. Resolves to what stands then.
 */
async function rewrite(
  { deps }: Turn,
  whose: Whose,
  become: (sitting: Sitting) => Sitting | undefined,
): Promise<Sitting | undefined> {
  const key = sittingKey(whose.s)
  for (;;) {
    const [entry] = await deps.store.read([key])
    const sitting = entry && openSittingOf(deps.vault, whose, entry)
    const changed = sitting && become(sitting)
    if (!changed) return sitting
    const write = { key, value: encodeSitting(changed), expiresAt: sittingKeptUntil(changed, deps.now()) }
    if (await deps.store.put(write, entry.version)) return changed
  }
}
