import { toAsciiDigits } from './persian/clean.ts'
import { readIds } from './role-ids.ts'

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

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const LINE = new RegExp(
  `^(?:(record|roadmap)[\\s,;\\t]+)?(${UUID})(?:[\\s,;\\t]+(?:(-?\\d{1,16})[\\s,;\\t]*)?)?$`,
  'i',
)
/** The ids of a roadmap's roles: only where the word says that it is one, so that a line cut in two is not read as such. */
const OF_ROLES = new RegExp(
  `^roadmap[\\s,;\\t]+(${UUID})[\\s,;\\t]+((?:-?\\d{1,16}|-)(?:[\\s,;\\t]+(?:-?\\d{1,16}|-))*)[\\s,;\\t]*$`,
  'i',
)
const PAYLOAD = new RegExp(`^(record|roadmap)_(${UUID})(?:_(-?\\d{1,16}))?$`, 'i')
const HAS_UUID = new RegExp(UUID, 'i')
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

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

const kinds = ['record', 'roadmap'] as const

/** Reads `[record|roadmap] <uuid> [external id]`, `roadmap <uuid>` with an id for each role, or a payload. */
export function readLine(text: string): ReadLine {
  const clean = toAsciiDigits(text)
    .replaceAll('"', '')
    .replace(/^[,;\s]+/, '')
    .trim()
  const [, ofRoles, ids] = OF_ROLES.exec(clean) ?? []
  const externalIds = ids === undefined ? undefined : readIds(ids)
  if (ofRoles && externalIds) return { line: { token: ofRoles.toLowerCase(), kind: 'roadmap', externalIds } }
  const match = PAYLOAD.exec(clean) ?? LINE.exec(clean)
  const [, kind, token, id] = match ?? []
  if (!token) return { problem: 'line-bad', token: HAS_UUID.exec(clean)?.[0].toLowerCase() ?? '' }
  const externalId = id === undefined ? undefined : Number(id)
  const named = kinds.find((each) => each === kind?.toLowerCase())
  if (externalId !== undefined && !Number.isSafeInteger(externalId))
    return { problem: 'line-bad', token: token.toLowerCase() }
  if (named === 'roadmap' && externalId !== undefined)
    return { problem: 'line-bad', token: token.toLowerCase() }
  return { line: { token: token.toLowerCase(), kind: named, externalId } }
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
