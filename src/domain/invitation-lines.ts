import { INVISIBLE, parsePayload, type RoleId, UUID } from './invitation.ts'
import { toAsciiDigits } from './persian/clean.ts'

/** A batch takes so many lines. */
export const MOST_LINES = 1_000

/** One line of what an organizer wants invitations for. */
export type InvitationLine = {
  token: string
  /** The word before it, if there was one. */
  kind?: 'record' | 'roadmap' | undefined
  externalId?: number | undefined
  /** Of a roadmap: one for each role, in their order; `null` for a role without one. */
  externalIds?: (number | null)[] | undefined
}
type ReadLine = { line: InvitationLine } | { problem: 'line-bad'; token: string }

/** Several ids only where the word says that it is a roadmap, so that a line cut in two is not read as such. */
const LINE = new RegExp(`^(?:(record|roadmap)[\\s,;]+)?(${UUID})(?:[\\s,;]+([-\\d\\s,;]*))?$`, 'i')
const HAS_UUID = new RegExp(UUID, 'i')

/** The lines of a message or file; empty ones are skipped, and so is a heading. */
export function splitLines(text: string): string[] {
  const lines = text
    .replace(INVISIBLE, '')
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => !/^[\s,;"]*$/.test(line))
  const [first = ''] = lines
  return isHeading(first) ? lines.slice(1) : lines
}

/** A heading names columns, in words we know or in columns of any words; it has no token and no number. */
const isHeading = (line: string): boolean =>
  !HAS_UUID.test(line) &&
  (/^["\s]*(?:token|kind|uuid|record|roadmap|id|external[_ ]?id|type|توکن|شناسه|نوع)["\s]*(?:[,;\t ]|$)/i.test(
    line,
  ) ||
    /^[^,;\t\d]+(?:[,;\t][^,;\t\d]+)+$/.test(line))

/** Reads `[record|roadmap] <uuid> [external id]`, `roadmap <uuid>` with an id for each role, or a payload. */
export function readLine(text: string): ReadLine {
  const typed = toAsciiDigits(text)
    .replaceAll('"', '')
    .replace(/^[,;\s]+/, '')
    .trim()
  const opened = parsePayload(typed)
  const line = opened && opened.kind !== 'code' ? opened : readColumns(typed)
  return line ? { line } : { problem: 'line-bad', token: HAS_UUID.exec(typed)?.[0].toLowerCase() ?? '' }
}

function readColumns(typed: string): InvitationLine | undefined {
  const [, word, uuid, list = ''] = LINE.exec(typed) ?? []
  const externalIds = readIds(list)
  if (!uuid || !externalIds) return undefined
  const token = uuid.toLowerCase()
  const kind = (['record', 'roadmap'] as const).find((each) => each === word?.toLowerCase())
  const [externalId, ...others] = externalIds
  if (externalId === undefined) return { token, kind }
  if (kind === 'roadmap') return { token, kind, externalIds }
  return externalId === null || others.length > 0 ? undefined : { token, kind, externalId }
}

/** Puts together what Telegram has cut, also where it was cut in the middle of a line. */
export function joinParts(parts: readonly string[]): string {
  const [first = '', ...rest] = parts.map((part) => part.trim())
  return rest.reduce((before, after) => {
    const last = before.slice(before.lastIndexOf('\n') + 1)
    const next = after.split('\n', 1)[0] ?? ''
    const isWhole = 'line' in readLine(last) && 'line' in readLine(next)
    const gap = isWhole ? undefined : [' ', ''].find((each) => 'line' in readLine(`${last}${each}${next}`))
    return `${before}${gap ?? '\n'}${after}`
  }, first)
}

/**
 * Gives the ids of a line to the roles of a roadmap, in their order; `null` is a role without one. `undefined` where
 * there are not as many as roles, since nobody could say whose they are.
 */
export function idsOfRoles(
  roles: readonly { id: number; title: string }[],
  ids: readonly (number | null)[],
): RoleId[] | undefined {
  if (ids.length !== roles.length) return undefined
  return roles.flatMap(({ id: role, title }, index) => {
    const externalId = ids[index] ?? undefined
    return externalId === undefined ? [] : [{ role, title, externalId }]
  })
}

/** Reads ids as they are typed one behind the other, `-` for none; `undefined` where one is no whole number. */
export function readIds(text: string): (number | null)[] | undefined {
  const ids = text.split(/[\s,;،؛]+/).filter((part) => part !== '')
  const read = ids.map((id) => (id === '-' ? null : /^-?\d{1,16}$/.test(id) ? Number(id) : Number.NaN))
  return read.every((id) => id === null || Number.isSafeInteger(id)) ? read : undefined
}
