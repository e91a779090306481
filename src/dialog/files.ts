import { randomBytes } from 'node:crypto'
import { claims, recordFiles, type TokenClaim, tokenIndex } from '../background/kinds.ts'
import type { Config } from '../config.ts'
import { holdsOnlyCopy, type RecordFile } from '../domain/record-file.ts'
import type { Turn } from './turn.ts'

const DAY_MS = 86_400_000
/** Complete but unsent answers and owed results are kept so long (contract, RETENTION_DAYS). */
const OWED_DAYS = 90
/** What nobody has begun. */
const UNCLAIMED_DAYS = 7

/** Finds the file of a record by its token, or begins one with a new `S`. */
export async function fileOf(turn: Turn, token: string, externalId?: number): Promise<RecordFile> {
  const { work, now } = turn
  const tokenHash = hashToken(turn, token)
  const known = await work.get(tokenIndex, tokenHash)
  const file = known && (await work.get(recordFiles, known.s))
  if (file) return structuredClone(file)
  const s = known?.s ?? randomBytes(6).toString('base64url')
  if (!known) work.put(tokenIndex, tokenHash, { s })
  return {
    s,
    token,
    externalId,
    stage: 'new',
    test: { title: '', limits: { minAge: null, maxAge: null, gender: 'both' } },
    testsAuthRequired: true,
    seenAt: now,
  }
}

/** Reads a file that this account may see: its own, or one that nobody has begun. */
export async function visibleFile(turn: Turn, s: string): Promise<RecordFile | undefined> {
  const file = await turn.work.get(recordFiles, s)
  if (!file || (file.owner !== undefined && file.owner !== turn.who)) return undefined
  return structuredClone(file)
}

export async function claimOf(turn: Turn, token: string): Promise<TokenClaim | undefined> {
  return turn.work.get(claims, hashToken(turn, token))
}

/** Binds a record to this account; the commit fails if another account was faster, and the turn runs again. */
export function putClaim(turn: Turn, token: string, claim: TokenClaim): void {
  turn.work.put(claims, hashToken(turn, token), claim)
}

export function saveFile(turn: Turn, file: RecordFile): void {
  turn.work.put(recordFiles, file.s, file, turn.now + keepDays(turn.deps.config, file) * DAY_MS)
}

function keepDays({ retentionDays }: Config, file: RecordFile): number {
  if (file.owner === undefined) return UNCLAIMED_DAYS
  if (holdsOnlyCopy(file.stage) || file.stage === 'scored') return OWED_DAYS
  // Answers come without touching the file; the sitting has the exact term.
  if (file.stage === 'questions') return Math.max(OWED_DAYS, 2 * retentionDays)
  return retentionDays
}

const hashToken = (turn: Turn, token: string): string => turn.deps.vault.hash('token', token)
