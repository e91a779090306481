import { type Form, parseMultipart, type Upload } from './multipart.ts'
import { badRequest } from './refusal.ts'

/** The arguments of a method call, whether they came by query, form, JSON or multipart. */
export type Arguments = {
  /** As plain data, for the log of calls; nested JSON text is decoded, and files appear by name. */
  payload: Record<string, unknown>
  text(name: string): string
  integer(name: string): number | undefined
  flag(name: string): boolean
  /** An object or array, also when it came as JSON text. */
  object(name: string): unknown
  /** The upload under this name, or the one that `attach://…` points at. */
  upload(nameOrAttachment: string): Upload | undefined
}

const NESTED = new Set([
  'allowed_updates',
  'caption_entities',
  'commands',
  'entities',
  'link_preview_options',
  'media',
  'menu_button',
  'message_ids',
  'reply_markup',
  'reply_parameters',
  'scope',
])
const NUMBERS = new Set(['chat_id', 'message_id', 'offset', 'limit', 'timeout'])

export type RawRequest = { query: URLSearchParams; contentType: string; body: Buffer }

/** Reads the arguments of a call from its address, a form or JSON. */
export function readArguments({ query, contentType, body }: RawRequest): Arguments {
  const { fields, uploads } = readBody(contentType, body)
  const values: Record<string, unknown> = { ...Object.fromEntries(query), ...fields }

  function object(name: string): unknown {
    const value = values[name]
    if (typeof value !== 'string' || value === '') return value === '' ? undefined : value
    try {
      return JSON.parse(value)
    } catch {
      throw badRequest(`can't parse ${name.replaceAll('_', ' ')} JSON object`)
    }
  }

  return {
    get payload() {
      const payload: Record<string, unknown> = {}
      for (const [name, value] of Object.entries(values)) payload[name] = logged(name, value)
      for (const { fieldName, fileName, bytes } of uploads) {
        payload[fieldName] = { fileName, size: bytes.length }
      }
      return payload
    },
    text: (name) => (values[name] === undefined || values[name] === null ? '' : String(values[name])),
    integer(name) {
      const value = values[name]
      if (value === undefined || value === null || value === '') return undefined
      const number = Number(value)
      return Number.isSafeInteger(number) ? number : undefined
    },
    flag: (name) => ['true', '1', 'yes', 't', 'y'].includes(String(values[name]).toLowerCase()),
    object,
    upload(name) {
      const attached = /^attach:\/\/(.+)$/.exec(name)?.[1] ?? name
      return uploads.find(({ fieldName }) => fieldName === attached)
    },
  }
}

function logged(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (NUMBERS.has(name) && /^-?\d+$/.test(value)) return Number(value)
  if (!NESTED.has(name)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

function readBody(contentType: string, body: Buffer): { fields: Record<string, unknown>; uploads: Upload[] } {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (body.length === 0) return { fields: {}, uploads: [] }
  if (type === 'application/json') return { fields: readJson(body), uploads: [] }
  if (type === 'application/x-www-form-urlencoded') {
    return { fields: Object.fromEntries(new URLSearchParams(body.toString('utf8'))), uploads: [] }
  }
  return type === 'multipart/form-data' ? readForm(body, contentType) : { fields: {}, uploads: [] }
}

function readJson(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {}
  throw badRequest("can't parse JSON object")
}

function readForm(body: Buffer, contentType: string): Form {
  try {
    return parseMultipart(body, contentType)
  } catch {
    throw badRequest("can't parse multipart form data")
  }
}
