import { z } from 'zod'
import { toAsciiDigits } from './persian/clean.ts'

/** Who receives a result: the participant, the organizers, or both. */
export const resultTo = z.enum(['participant', 'organizer', 'both'])
export type ResultTo = z.infer<typeof resultTo>

/** The organizer's own id of the person who takes a role of a roadmap. */
export const roleId = z.object({ role: z.number(), title: z.string(), externalId: z.number() })
export type RoleId = z.infer<typeof roleId>

/** Details of a participant that an organizer gives along with an invitation. */
export const knownDetails = z.object({
  name: z.string().optional(),
  /** ISO date. */
  birth: z.string().optional(),
  mobile: z.string().optional(),
})
export type KnownDetails = z.infer<typeof knownDetails>

/** One line of an organizer's list of invitations to make. */
export const invitationLine = z.object({
  token: z.string(),
  /** The word before the token, if there was one. */
  kind: z.enum(['record', 'roadmap']).optional(),
  externalId: z.number().optional(),
  /** One id for each role of a roadmap, in their order; `null` for a role without one. */
  externalIds: z.array(z.number().nullable()).optional(),
  /** The known details of the participant, who only confirms them. */
  details: knownDetails.optional(),
})
export type InvitationLine = z.infer<typeof invitationLine>

/** What a deep link, a payload or a code asks to open. */
export type Invitation =
  | { kind: 'record'; token: string; externalId?: number | undefined }
  | { kind: 'roadmap'; token: string }
  /** `isBare`: typed without anything around it. A name of twelve letters looks the same. */
  | { kind: 'code'; code: string; isBare?: true }

/** Why an invitation is closed; `undefined` while it is open. */
export const whyClosed = (
  { over, until }: { over?: 'used' | 'revoked' | undefined; until?: number | undefined },
  now: number,
): 'used' | 'revoked' | 'expired' | undefined =>
  over ?? (until !== undefined && now >= until ? 'expired' : undefined)

/** The deep link that opens the bot with this payload. */
export const linkTo = (username: string, payload: string): string =>
  `https://t.me/${username}?start=${payload}`

export const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const PAYLOAD = new RegExp(`^(?:record_(${UUID})(?:_(-?\\d{1,16}))?|roadmap_(${UUID}))$`, 'i')
const CODE = /^(?=.*[a-z])[a-z2-7]{12}$/
export const LINK =
  /(?:https?:\/\/)?(?:www\.)?(?:t(?:elegram)?\.me|telegram\.dog)\/\w+\/?\?(?:\S*&)?start=([A-Za-z0-9_-]{1,64})|tg:\/\/resolve\?\S*start=([A-Za-z0-9_-]{1,64})/i
/** Invisible characters that are copied along with a link out of a right-to-left message. */
export const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

/** Reads the payload of `/start`; `undefined` when it opens nothing. */
export function parsePayload(payload: string): Invitation | undefined {
  const [, record, id, roadmap] = PAYLOAD.exec(payload) ?? []
  if (roadmap) return { kind: 'roadmap', token: roadmap.toLowerCase() }
  const externalId = id === undefined ? undefined : Number(id)
  if (record && (externalId === undefined || Number.isSafeInteger(externalId)))
    return { kind: 'record', token: record.toLowerCase(), externalId }
  if (payload.startsWith('i_') && CODE.test(payload.slice(2))) return { kind: 'code', code: payload.slice(2) }
  return undefined
}

/** Finds an invitation in a message: a link or a bare code in it, or a payload that is the whole of it. */
export function findInvitation(text: string): Invitation | undefined {
  const clean = text.replace(INVISIBLE, '').trim()
  const link = LINK.exec(clean)
  if (link) return parsePayload(link[1] ?? link[2] ?? '')
  // Phone keyboards begin with a capital letter.
  const code = clean.toLowerCase()
  return (
    parsePayload(clean) ??
    (code.startsWith('i_') ? parsePayload(code) : undefined) ??
    bareCode(toAsciiDigits(code))
  )
}

const LONGEST_WITH_CODE = 80
const ANY_UUID = new RegExp(UUID, 'i')
/** Digits that occur in no code, with the letters that they look like. */
const LOOKALIKES: Readonly<Record<string, string>> = { '0': 'o', '1': 'l' }

/** A code that was read out or copied from paper: whole or in groups, alone or in a sentence. */
function bareCode(text: string): Invitation | undefined {
  if (text.length > LONGEST_WITH_CODE || ANY_UUID.test(text)) return undefined
  const groups = text.match(/[a-z0-9]+/g) ?? []
  for (let end = groups.length; end > 0; end -= 1)
    for (let begin = end - 1; begin >= 0 && end - begin <= 6; begin -= 1) {
      const some = groups.slice(begin, end)
      const typed = some.join('')
      // Twelve letters in a row may be words. Groups of a code are equally long, or contain a digit.
      const isGrouped = some.every(({ length }) => length === some[0]?.length) || /[2-7]/.test(typed)
      const code = typed.replace(/[01]/g, (digit) => LOOKALIKES[digit] ?? digit)
      if (CODE.test(code) && (some.length === 1 || isGrouped)) return { kind: 'code', code, isBare: true }
    }
  return undefined
}
