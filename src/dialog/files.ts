import { randomBytes } from 'node:crypto'
import { claims, recordFiles, type TokenClaim, tokenIndex } from '../background/kinds.ts'
import type { Config } from '../config.ts'
import { DAY_MS, OWED_DAYS } from '../domain/durations.ts'
import { holdsOnlyCopy, type RecordFile } from '../domain/record-file.ts'
import type { Hand } from '../domain/roadmap.ts'
import type { Turn } from './turn.ts'

/** So often the term of a file is begun anew while its questions are answered. */
export const KEPT_ANEW_DAYS = 7
/** What nobody has begun. */
const UNCLAIMED_DAYS = 7

/** Finds the file of a record by its token, or begins one with a new `S`. */
export async function fileOf(
  turn: Turn,
  { kind, token, externalId }: { kind: 'record' | 'roadmap'; token: string; externalId?: number | undefined },
): Promise<RecordFile> {
  const { work, now } = turn
  const tokenHash = hashToken(turn, token)
  const known = await work.get(tokenIndex, tokenHash)
  const file = known && (await work.get(recordFiles, known.s))
  if (file) return structuredClone(file)
  const s = known?.s ?? randomBytes(6).toString('base64url')
  if (!known) work.put(tokenIndex, tokenHash, { s }, now + UNCLAIMED_DAYS * DAY_MS)
  return {
    s,
    token,
    externalId,
    stage: 'new',
    test: { title: '', limits: { minAge: null, maxAge: null, gender: 'both' } },
    testsAuthRequired: true,
    seenAt: now,
    ...(kind === 'roadmap' ? { roadmap: { roles: [], records: [], hands: [] } } : {}),
  }
}

/** Whether the token of a file leads to it, and not to another one made since. */
export async function isFileOf(turn: Turn, { s, token }: RecordFile): Promise<boolean> {
  const known = await turn.work.get(tokenIndex, hashToken(turn, token))
  return known === undefined || known.s === s
}

/** Reads a file that this account may see: its own, one that nobody has begun, a roadmap it was invited to. */
export async function visibleFile(turn: Turn, s: string): Promise<RecordFile | undefined> {
  const file = await turn.work.get(recordFiles, s)
  if (!file) return undefined
  const isVisible = file.owner === undefined || takesPart(turn, file) || openedHand(turn, file) !== undefined
  return isVisible ? structuredClone(file) : undefined
}

/** Puts a file last in what this account has opened. */
export function rememberOpened({ account }: Turn, { s }: RecordFile): void {
  account.items = [...account.items.filter((item) => item !== s), s]
}

/** Everything this account has opened and that is still kept, the newest first. */
export async function openFiles(turn: Turn): Promise<RecordFile[]> {
  const files: RecordFile[] = []
  const kept: string[] = []
  for (const s of turn.account.items) {
    const file = await visibleFile(turn, s)
    if (!file) continue
    kept.push(s)
    if (file.stage !== 'new') files.unshift(file)
  }
  turn.account.items = turn.account.items.filter(
    (s) => kept.includes(s) || turn.account.pending[s] !== undefined,
  )
  return files
}

/** The same with the records of its roadmaps that this account answers. */
export async function allFiles(turn: Turn): Promise<RecordFile[]> {
  const files = await openFiles(turn)
  for (const { roadmap } of [...files]) {
    for (const { s } of roadmap?.records ?? []) {
      const record = await visibleFile(turn, s)
      if (record) files.push(record)
    }
  }
  return files
}

/** Whether this account has begun it, or accepted a role of it. */
export const takesPart = (turn: Turn, file: RecordFile): boolean =>
  file.owner === turn.who || acceptedHands(turn, file).length > 0

/** The roles of somebody else's roadmap that this account has accepted. */
export const acceptedHands = (turn: Turn, { roadmap }: RecordFile): Hand[] =>
  roadmap?.hands.filter(({ who }) => who === turn.who) ?? []

/** The invitation to a role that this account has opened, while nobody has accepted it. */
export function openedHand(turn: Turn, { s, roadmap }: RecordFile): Hand | undefined {
  const code = turn.account.invited?.[s]
  return roadmap?.hands.find((hand) => hand.who === undefined && hand.code === code)
}

/** The record or roadmap that the chat is about now. */
export async function focusedFile(turn: Turn): Promise<RecordFile | undefined> {
  const { focus } = turn.account
  return focus === undefined ? undefined : visibleFile(turn, focus)
}

export async function claimOf(turn: Turn, token: string): Promise<TokenClaim | undefined> {
  return turn.work.get(claims, hashToken(turn, token))
}

/** Binds a record to this account; the commit fails if another account was faster, and the turn runs again. */
export function putClaim(turn: Turn, token: string, claim: TokenClaim): void {
  turn.work.put(claims, hashToken(turn, token), claim)
}

/** Keeps the way from a token to its file for as long as the claim. */
export function keepIndex(turn: Turn, { s, token }: Pick<RecordFile, 's' | 'token'>): void {
  turn.work.put(tokenIndex, hashToken(turn, token), { s })
}

export function saveFile(turn: Turn, file: RecordFile): void {
  turn.work.put(recordFiles, file.s, file, turn.now + keepDays(turn.deps.config, file) * DAY_MS)
}

function keepDays({ retentionDays }: Config, file: RecordFile): number {
  if (file.owner === undefined) return UNCLAIMED_DAYS
  if (holdsOnlyCopy(file) || file.stage === 'scored' || file.isOwed) return OWED_DAYS
  // Answers come without touching the file; the sitting has the exact term.
  // A test of a roadmap that nobody has begun yet stays as long as its board.
  if (file.parent || ['questions', 'board', 'generating', 'failed'].includes(file.stage))
    return Math.max(OWED_DAYS, 2 * retentionDays) + KEPT_ANEW_DAYS
  return retentionDays
}

const hashToken = (turn: Turn, token: string): string => turn.deps.vault.hash('token', token)
