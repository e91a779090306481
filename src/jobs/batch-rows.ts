import type { RoleId } from '../domain/invitation.ts'
import { idsOfRoles, type NumberedLine, readLine } from '../domain/invitation-lines.ts'
import { isAgeAdmitted, readLimits } from '../domain/profile.ts'
import type { CallOptions, ServiceClient } from '../service/client.ts'
import { ServiceError } from '../service/errors.ts'
import { titleOf } from '../service/wire.ts'
import {
  type Batch,
  type BatchRow,
  invitationDetails,
  LINE_PROBLEMS,
} from '../storage/documents/invitations.ts'
import { codeKey } from '../storage/documents/kinds.ts'
import { findToken } from './call-table.ts'
import { invite, whyNotInvitable } from './invite.ts'

type MakeDeps = Parameters<typeof invite>[0]

/** Makes a row for each line, in order; a line that cannot be read has its reason. */
export function rowsOf(lines: readonly NumberedLine[], today: string): BatchRow[] {
  const first = new Map<string, number>()
  return lines.map(({ number: line, text: given }): BatchRow => {
    const read = readLine(given, today)
    if (!('line' in read))
      return { token: read.token, line, given, flaw: read.flaw, error: LINE_PROBLEMS.line }
    const { token, details } = read.line
    const sameAs = first.get(token)
    if (sameAs === undefined) first.set(token, line)
    return { ...read.line, line, ...(sameAs !== undefined && { sameAs }), person: details?.name }
  })
}

export const isLookedUp = ({ title, error }: BatchRow): boolean => title !== undefined || error !== undefined

/** Looks up a row at the service; throws if the service, not the row, is at fault. */
async function lookUp(
  service: Pick<ServiceClient, 'record' | 'roadmap'>,
  row: BatchRow,
  today: string,
  how: CallOptions,
): Promise<BatchRow> {
  try {
    const found = await findToken(service, row.token, row.kind ?? 'record', how)
    if (found.found === 'nothing') return { ...row, error: LINE_PROBLEMS.unknown }
    if (row.kind !== undefined && row.kind !== found.found)
      return { ...row, error: LINE_PROBLEMS[found.found] }
    const known = { ...row, kind: found.found }
    if (found.found === 'record') {
      const { test, is_finished: isFinished, profile } = found.record
      const limits = readLimits(test.min_age, test.max_age, null)
      const { birth } = row.details ?? {}
      const isUnfit = (birth && !isAgeAdmitted(limits, birth, today)) || undefined
      return { ...known, title: test.title, isFinished, isUnfit, person: profile?.name ?? row.person }
    }
    const { roles, is_finished: isFinished } = found.roadmap
    const roleIds = wantedIds(row, roles)
    if (!roleIds) return { ...known, error: LINE_PROBLEMS.ids }
    const ids = roleIds.length > 0 && { roleIds }
    return { ...known, ...ids, title: titleOf(found.roadmap), isFinished }
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'bad_request')
      return { ...row, error: LINE_PROBLEMS.refused }
    throw error
  }
}

/** The ids of a line by the roles of its roadmap: empty without ids, `undefined` if they do not fit. */
export function wantedIds(
  { externalId, externalIds }: Pick<BatchRow, 'externalId' | 'externalIds'>,
  roles: readonly { id: number; title: string }[],
): RoleId[] | undefined {
  const ids = externalIds ?? (externalId === undefined ? [] : [externalId])
  return ids.length === 0 ? [] : idsOfRoles(roles, ids)
}

const isMakable = ({ code, error }: BatchRow) => code === undefined && error === undefined

/** Makes the invitation of a row that was looked up, unless something here forbids it. */
async function makeRow(deps: MakeDeps, row: BatchRow, by: number): Promise<BatchRow> {
  const { token, kind, title, externalId, roleIds, isFinished = false } = row
  if (kind === undefined || title === undefined) return row
  const refusal = await whyNotInvitable(deps.work, { token, isFinished })
  if (refusal) return { ...row, error: LINE_PROBLEMS[refusal] }
  const ids = kind === 'roadmap' ? roleIds && { roleIds } : externalId !== undefined && { externalId }
  const made = { kind, token, title, by, ...ids }
  const { code, at } = await invite(deps, made)
  if (row.details) deps.work.put(invitationDetails, codeKey(deps.work.vault, code), { ...row.details, at })
  return { ...row, code }
}

/** How many rows are looked up, or made, before the result is kept. */
const ROWS_A_STEP = 25

/** Handles the next open rows; those done before a failure stay done. `false` when none is left. */
async function goOn(
  { rows }: Pick<Batch, 'rows'>,
  isOpen: (row: BatchRow) => boolean,
  act: (row: BatchRow) => Promise<BatchRow>,
): Promise<boolean> {
  const next = rows.flatMap((row, index) => (isOpen(row) ? [{ row, index }] : [])).slice(0, ROWS_A_STEP)
  for (const { row, index } of next) rows[index] = await act(row)
  return next.length > 0
}

/** Looks up the next rows; returns the failure if the service, not a row, is at fault. */
export async function lookUpNext(
  service: ServiceClient,
  batch: Batch,
  today: string,
  trace?: string,
): Promise<ServiceError | undefined> {
  const isOpen = (row: BatchRow) => !isLookedUp(row)
  try {
    await goOn(batch, isOpen, (row) => lookUp(service, row, today, { lane: 'background', trace }))
    return undefined
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return error
  }
}

/** Makes the next invitations; `false` when all are made. */
export const makeOn = (deps: MakeDeps, batch: Batch): Promise<boolean> =>
  goOn(batch, isMakable, (row) => makeRow(deps, row, batch.by))
