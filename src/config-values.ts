import { z } from 'zod'

// Every value arrives as text without outer spaces, an unset variable as undefined. Messages never repeat it.
export const needed = (accepted: string) => z.string({ error: `is required: ${accepted}` })
export const text = z.string({ error: 'is required' })
/** The limit of a text that shares a message with other texts, as Telegram refuses long messages. */
export const letters = (most: number) =>
  [most, `must be at most ${most} characters: it shares a message with other words`] as const
export const decimal = (value: string) => (/^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN)
const count = (isGood: (value: number) => boolean, accepted: string) =>
  text.transform(decimal).refine(isGood, accepted)

export const isPositive = (value: number) => value > 0
export const isWhole = (value: number) => value > 0 && Number.isSafeInteger(value)
export const number = count(
  (value) => value >= 0,
  'must be a number from 0 on, in plain digits, such as 45 or 0.5',
)
export const positive = count(
  isPositive,
  'must be a number greater than 0, in plain digits, such as 45 or 0.5',
)
export const whole = count(isWhole, 'must be a whole number from 1 on, in plain digits')
export const port = count(
  (value) => Number.isInteger(value) && value <= 65_535,
  'must be a port: a whole number up to 65535',
)

export const choice = <const T extends string>(...values: [T, ...T[]]) =>
  text.pipe(z.enum(values, { error: `must be one of ${values.join(', ')}` }))

export const flag = z.stringbool({ truthy: ['true'], falsy: ['false'], error: 'must be true or false' })

export const parseUrl = (value = ''): URL | undefined => (URL.canParse(value) ? new URL(value) : undefined)
const withoutSlash = (value: string): string => value.replace(/\/+$/, '')
const isAddress = (value: string, schemes: readonly string[]) =>
  schemes.includes(parseUrl(value)?.protocol.slice(0, -1) ?? '')
const begins = (schemes: readonly string[]) =>
  `must be an address that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`
/** The address as it is given: its end may matter to the server. */
export const address = (...schemes: string[]) =>
  text.refine((value) => isAddress(value, schemes), begins(schemes))
export const url = (...schemes: string[]) => address(...schemes).transform(withoutSlash)
export const WITHOUT_CREDENTIALS = [
  (value: string) => !/^[^/]*\/\/[^/?#]*@/.test(value),
  'must not hold a name or a password: they would not be sent',
] as const

const PROXIES = ['http', 'https', 'socks5']
const PROXY_FORM = `${begins(PROXIES)}, as in socks5://user:password@host:1080, with % in a password as %25`
/** Only credentials and host: a path or query has no use there, or is the rest of a password. */
export const proxyUrl = text.transform(withoutSlash).refine((value) => {
  const { pathname, search, hash, username, password } = parseUrl(value) ?? {}
  const isBare = ['', '/'].includes(`${pathname}${search}${hash}`)
  return isAddress(value, PROXIES) && isBare && isEncoded(`${username}:${password}`)
}, PROXY_FORM)

function isEncoded(value: string): boolean {
  try {
    return decodeURIComponent(value) !== ''
  } catch {
    return false
  }
}

const SERVICE_FORM = `${begins(['https', 'http'])} and ends in /v2`
export const serviceUrl = needed(
  'the base address of the testing service, such as https://service.example.org/v2',
)
  .refine((value) => isAddress(value, ['https', 'http']), SERVICE_FORM)
  .transform(withoutSlash)
  .refine((value) => value.endsWith('/v2'), SERVICE_FORM)
  .refine(...WITHOUT_CREDENTIALS)

/** Refuses a value for which `parse` throws, with the message of its error. */
export const refuseMalformed =
  (parse: (value: string) => unknown) =>
  (value: string, context: { addIssue: (problem: string) => void }) => {
    try {
      parse(value)
    } catch (error) {
      context.addIssue(error instanceof Error ? error.message : 'is malformed')
    }
  }

/** Values between commas; `read` returns `undefined` for one that is wrong. */
export const list = <T>(read: (part: string) => T | undefined, accepted: string) =>
  text.transform((value, context) => {
    const parts = value.split(',').flatMap((part) => part.trim() || [])
    const items = parts.flatMap((part) => read(part) ?? [])
    if (items.length === parts.length) return items
    context.addIssue(accepted)
    return z.NEVER
  })

export const numbers = (isGood: (value: number) => boolean, accepted: string) =>
  list((part) => (isGood(decimal(part)) ? decimal(part) : undefined), accepted).transform((all) => [
    ...new Set(all),
  ])

export const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }
export const duration = text.transform((value, context) => {
  const [, count = '', unit = ''] = /^(\d+(?:\.\d+)?)([mhd])$/.exec(value) ?? []
  const ms = Number(count) * (UNIT_MS[unit] ?? 0)
  if (ms >= 60_000) return ms
  context.addIssue('must be a time of a minute or more: a number and m, h or d, such as 24h')
  return z.NEVER
})

export const KEY_FORM =
  'must be 32 bytes in base64 (openssl rand -base64 32), or several of them between commas'

export const SECRET_FORM =
  'must be 16 characters or more; while it is replaced two of them, with a comma between'

export const hours = text.transform((value, context) => {
  const [, from = 24, to = 24] = /^(\d{1,2})-(\d{1,2})$/.exec(value)?.map(Number) ?? []
  if (from < 24 && to < 24) return { from, to }
  context.addIssue('must be two hours from 0 to 23 with a dash between, such as 22-8')
  return z.NEVER
})
