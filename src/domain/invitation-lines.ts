import { z } from 'zod'
import {
  INVISIBLE,
  type InvitationLine,
  type KnownDetails,
  LINK,
  parsePayload,
  type RoleId,
  UUID,
} from './invitation.ts'
import { parseBirth } from './persian/birth.ts'
import { toAsciiDigits } from './persian/clean.ts'
import { parseMobile } from './persian/mobile.ts'
import { parseName } from './persian/name.ts'

/** The upper limit for the lines of a batch. */
export const MOST_LINES = 1_000
/** The upper limit for the lines of a file, empty ones included. Lines behind it are not even counted. */
const MOST_READ = 100_000

/** The flaw of a line: an id of a wrong length, a part that may not follow, or no id at all. */
export const lineFlaw = z.union([
  z.object({ length: z.number() }),
  z.object({ part: z.string() }),
  z.object({}),
])
export type LineFlaw = z.infer<typeof lineFlaw>
type ReadLine = { line: InvitationLine } | { problem: 'line-bad'; token: string; flaw: LineFlaw }
/** A line as it was given, with its number. */
export type NumberedLine = { number: number; text: string }

/** Several ids need the word "roadmap", so that half of a cut line is not read as one. A mobile is no id. */
const IDS = '(?![\\s,;]*09\\d{9}[,;]*$)[\\s,;]+([-\\d\\s,;]*)'
const LINE = new RegExp(`^(?:(record|roadmap)[\\s,;]+)?(${UUID})(?:${IDS})?$`, 'i')
const HAS_UUID = new RegExp(UUID, 'i')

/** Plain text in UTF-8, or in UTF-16 as spreadsheets write it; `undefined` for anything else. */
export function textIn(bytes: Uint8Array): string | undefined {
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe
  try {
    const text = new TextDecoder(isWide ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes)
    return /[\u0000-\u0008\u000e-\u001f]/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

/**
 * The lines of a message or file, counted from 1, without empty lines and without a heading. The first line
 * may give their title: «# کلاس ۷ب».
 */
export function titledLines(text: string): { title: string | undefined; lines: NumberedLine[] } {
  const all = text
    .replace(INVISIBLE, '')
    .split(/\r\n|\r|\n/, MOST_READ)
    .map((line, index) => ({ number: index + 1, text: line.trim() }))
    .filter((line) => !/^[\s,;"]*$/.test(line.text))
  const [, title] = /^#(?!\s*-?\p{Nd}+$|\s*[,;])(.+?)[\s,;]*$/u.exec(all[0]?.text ?? '') ?? []
  const lines = title === undefined ? all : all.slice(1)
  return { title, lines: isHeading(lines[0]?.text ?? '') ? lines.slice(1) : lines }
}

/** A heading has known column names or words in columns; it has no number and no token, even mistyped. */
const isHeading = (line: string): boolean =>
  !HAS_UUID.test(line) &&
  !/[\da-f]{8}/i.test(toAsciiDigits(line)) &&
  (/^["\s]*(?:token|kind|uuid|record|roadmap|id|external[_ ]?id|type|توکن|شناسه|نوع)["\s]*(?:[,;\t ]|$)/i.test(
    line,
  ) ||
    /^[^,;\t\d]+(?:[,;\t][^,;\t\d]+)+$/.test(line))

/**
 * Reads `[record|roadmap] <uuid> [external id]`, `roadmap <uuid>` with an id for each role, a payload or its
 * link; for a record also name, birth date and mobile, in any order, between commas, semicolons or tabs.
 */
export function readLine(text: string, today = '2000-01-01'): ReadLine {
  const typed = toAsciiDigits(text)
    .replaceAll('"', '')
    .replace(/^[,;\s]+/, '')
    .trim()
  const opened = parsePayload(typed.replace(LINK, '$1$2'))
  const line = opened && opened.kind !== 'code' ? opened : readColumns(typed)
  if (line) return { line }
  const read = readDetailed(typed, today)
  if ('line' in read) return read
  return { problem: 'line-bad', token: HAS_UUID.exec(typed)?.[0].toLowerCase() ?? '', ...read }
}

const UUID_LENGTH = 36
/** A mobile as a spreadsheet leaves it. No mobile without its country code begins with 98. */
const MOBILE_WITHOUT_ZERO = /^(?:989|9(?!8))\d{9}$/
/** A part that looks like an id, whatever its length is. */
const NEARLY_UUID = /[0-9a-f][0-9a-f-]{19,}/i
const WITH_PARTS = new RegExp(`^((?:(?:record|roadmap)[\\s,;]+)?${UUID})[\\s,;،؛]+(.+)$`, 'i')

function readDetailed(typed: string, today: string): { line: InvitationLine } | { flaw: LineFlaw } {
  const [, head = '', rest = ''] = WITH_PARTS.exec(typed) ?? []
  const nearly = NEARLY_UUID.exec(typed)?.[0]
  if (head === '') return { flaw: nearly && nearly.length !== UUID_LENGTH ? { length: nearly.length } : {} }
  const line = readColumns(head)
  if (!line || line.kind === 'roadmap') return { flaw: { part: rest } }
  const details: KnownDetails = {}
  for (const part of rest.split(/[,;\t،؛]/).map((each) => each.trim())) {
    const isFirst = line.externalId === undefined && Object.keys(details).length === 0
    const isId = /^-?(?!0\d)\d{1,15}$/.test(part) && (isFirst || !MOBILE_WITHOUT_ZERO.test(part))
    const id = isId ? Number(part) : undefined
    const read = id === undefined ? readDetail(part, today) : {}
    const isTwice =
      id === undefined ? Object.keys(read ?? {}).some((key) => key in details) : line.externalId !== undefined
    if (!read || isTwice) return { flaw: { part } }
    if (id !== undefined) line.externalId = id
    Object.assign(details, read)
  }
  // Details are of one person, so a line with details is a record.
  return { line: Object.keys(details).length > 0 ? { ...line, kind: 'record', details } : line }
}

/** The details in one part of a line; `undefined` where the part is no detail. */
function readDetail(part: string, today: string): KnownDetails | undefined {
  if (part === '') return {}
  const mobile = /^[+0]/.test(part) || MOBILE_WITHOUT_ZERO.test(part) ? parseMobile(part) : undefined
  if (mobile?.ok) return { mobile: mobile.mobile }
  const birth = /\d/.test(part) ? parseBirth(part, { today }) : undefined
  if (birth?.ok) return { birth: birth.iso }
  const name = parseName(part, { hamza: 'keep' })
  return name.ok ? { name: name.name } : undefined
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

/** Joins a list that Telegram has cut, also where it was cut in the middle of a line. */
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
 * Gives the ids of a line to the roles of a roadmap, in their order; `null` is a role without one.
 * `undefined` where ids and roles differ in number, because it is unclear whose the ids are.
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

/** Reads ids separated by spaces or commas, `-` for none; `undefined` where one is no whole number. */
export function readIds(text: string): (number | null)[] | undefined {
  const ids = text.split(/[\s,;،؛]+/).filter((part) => part !== '')
  const read = ids.map((id) => (id === '-' ? null : /^-?\d{1,16}$/.test(id) ? Number(id) : Number.NaN))
  return read.every((id) => id === null || Number.isSafeInteger(id)) ? read : undefined
}
