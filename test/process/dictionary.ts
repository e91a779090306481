import { createHash } from 'node:crypto'
import type { Update } from 'grammy/types'

const HASHES = ['sha256', 'sha1', 'md5'] as const
/** This much of a hash identifies it: a shortened hash is a leak, too. */
const HASH_BYTES = 12

/** A secret that a thief looks for, and every form in which it may appear. */
export type Sought = { what: string; forms: Buffer[] }

/** A text or bytes, plain and hashed. */
export function sought(what: string, secret: string | Buffer): Sought {
  return { what, forms: [...plainForms(secret), ...hashedForms(secret)] }
}

/** A text as a file may have it: plain, in UTF-16, escaped in JSON, in hex, in base64 at any offset. */
function plainForms(secret: string | Buffer): Buffer[] {
  const bytes = Buffer.from(secret)
  const inBase64 = [0, 1, 2].map((offset) => {
    const all = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    // The first and the last group depend on the neighbouring bytes.
    return all.slice(offset === 0 ? 0 : 4, Math.floor((offset + bytes.length) / 3) * 4)
  })
  const texts = [bytes.toString('hex'), ...inBase64]
  if (typeof secret === 'string') {
    const escaped = [...secret].map((letter) => `\\u${letter.codePointAt(0)?.toString(16).padStart(4, '0')}`)
    texts.push(escaped.join(''))
  }
  const wide = typeof secret === 'string' ? [Buffer.from(secret, 'utf16le')] : []
  return [bytes, ...wide, ...texts.map((text) => Buffer.from(text))].filter(({ length }) => length >= 5)
}

function hashedForms(secret: string | Buffer): Buffer[] {
  return HASHES.flatMap((name) => {
    const digest = createHash(name).update(secret).digest().subarray(0, HASH_BYTES)
    const texts = [digest.toString('hex'), digest.toString('base64'), digest.toString('base64url')]
    return [digest, ...texts.map((text) => Buffer.from(text))]
  })
}

/** The contents of each update: the whole, without its number, its message, text and button. */
export function soughtOfUpdates(updates: readonly Update[]): Sought[] {
  return updates.flatMap((update) => {
    const { update_id: id, ...rest } = update
    const { message, callback_query: query } = update
    const text = message?.text && message.text.length > 7 ? message.text : undefined
    // Taps that tell the option; the other buttons have the id of a test, as its jobs do.
    const data = query?.data?.startsWith('a:') ? query.data : undefined
    const parts = [update, rest, message, message?.from, query].flatMap((part) =>
      part ? [JSON.stringify(part)] : [],
    )
    return [...parts, text, data].flatMap((part) =>
      part ? [sought(`update ${id}: ${part.slice(0, 60)}`, part)] : [],
    )
  })
}

/** The secrets that appear there, in one pass: there are thousands of forms and megabytes to search. */
export function foundIn(dictionary: readonly Sought[], where: Buffer): string[] {
  const byStart = new Map<number, { what: string; form: Buffer }[]>()
  for (const { what, forms } of dictionary)
    for (const form of forms) {
      const start = form.readUInt32LE()
      byStart.set(start, [...(byStart.get(start) ?? []), { what, form }])
    }
  const isStart = new Uint8Array(0x1_0000)
  for (const start of byStart.keys()) isStart[start & 0xffff] = 1
  const found = new Set<string>()
  for (let at = 0; at + 4 <= where.length; at += 1) {
    if (!isStart[(where[at] ?? 0) | ((where[at + 1] ?? 0) << 8)]) continue
    for (const { what, form } of byStart.get(where.readUInt32LE(at)) ?? [])
      if (where.subarray(at, at + form.length).equals(form)) found.add(what)
  }
  return [...found]
}
