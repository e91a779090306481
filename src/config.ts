import { createHmac } from 'node:crypto'
import { resolve, sep } from 'node:path'
import { z } from 'zod'
import {
  address,
  choice,
  decimal,
  duration,
  flag,
  hours,
  isPositive,
  isWhole,
  KEY_FORM,
  letters,
  list,
  needed,
  number,
  numbers,
  parseUrl,
  port,
  positive,
  proxyUrl,
  refuseMalformed,
  SECRET_FORM,
  serviceUrl,
  text,
  UNIT_MS,
  url,
  WITHOUT_CREDENTIALS,
  whole,
} from './config-values.ts'
import { nearest } from './environment.ts'
import { parseRedisUrl } from './redis-url.ts'
import { FIRST_LANGUAGE, LANGUAGE_CODES } from './texts/languages.ts'

const PUBLIC_TELEGRAM = 'https://api.telegram.org'

const variables = z.object({
  BOT_TOKEN: needed('the token that @BotFather gives, such as 123456:ABC…').regex(
    /^\d+:[\w-]+$/,
    'must look like 123456:ABC…, as @BotFather gives it',
  ),
  TELEGRAM_API_ROOT: url('https', 'http')
    .refine(...WITHOUT_CREDENTIALS)
    .default(PUBLIC_TELEGRAM),
  SERVICE_URL: serviceUrl,
  SERVICE_KEY: needed('the API key of your account at the testing service').regex(
    /^[\x21-\x7e]+$/,
    'must be printable ASCII without spaces',
  ),
  HTTP_PROXY_URL: proxyUrl.optional(),
  ORGANIZER_NAME: needed('the name of who invites, as participants know it').max(...letters(200)),
  ORGANIZER_CONTACT: needed('how a participant reaches you: a phone, an address, a @name').max(
    ...letters(200),
  ),
  PRIVACY_URL: address('https', 'http').optional(),
  SECURITY_CONTACT: text
    .regex(
      /^(https:\/\/\S+|[^\s@]+@[^\s@]+\.[^\s@]+|@\w{4,})$/,
      'must be an e-mail, an https:// address or a @name',
    )
    .optional(),
  SUPPORT_TEXT: text.max(...letters(2_000)).optional(),
  WELCOME_TEXT: text.max(...letters(500)).optional(),
  REDIS_URL: text.superRefine(refuseMalformed(parseRedisUrl)).optional(),
  DATA_DIR: text.default('./data').transform((path) => resolve(path)),
  DATA_KEY: list(parseDataKey, KEY_FORM)
    .refine((keys) => keys.length > 0, KEY_FORM)
    .optional(),
  DATA_KEY_FILE: text.transform((path) => resolve(path)).optional(),
  WEBHOOK_URL: url('https', 'http').optional(),
  WEBHOOK_SECRET: text.regex(/^[\w-]{1,256}$/, 'must be 1 to 256 of A-Z a-z 0-9 _ -').optional(),
  HOST: text.default('127.0.0.1'),
  PORT: port.default(8080),
  ORGANIZERS: list(
    parseOrganizer,
    'must be Telegram user ids: whole numbers between commas, with :desk behind one who gets no results',
  ).default([]),
  OPERATORS: numbers(isWhole, 'must be Telegram user ids: whole numbers between commas').default([]),
  BACKUP_DIR: text.transform((path) => resolve(path)).optional(),
  BACKUP_EVERY: duration.default(UNIT_MS.d ?? 0),
  LOCALE: choice(...LANGUAGE_CODES).default(FIRST_LANGUAGE),
  RESULT_TO: choice('participant', 'organizer', 'both').default('participant'),
  ALLOW_BACK: flag.default(true),
  INVITATION_ONLY: flag.default(false),
  RATE_PER_MINUTE: whole.default(100),
  RATE_PER_HOUR: whole.default(3000),
  POLL_SECONDS: positive.default(45),
  SMS_PER_HOUR: whole.default(5),
  SMS_COOLDOWN_SECONDS: number.default(60),
  REMINDER_HOURS: numbers(isPositive, 'must be hours between commas, such as 24,72; empty: never').default([
    24, 72,
  ]),
  QUIET_HOURS: hours.default({ from: 22, to: 8 }),
  EVENTS_URL: address('https', 'http')
    .refine(...WITHOUT_CREDENTIALS)
    .optional(),
  EVENTS_SECRET: list((part) => (part.length >= 16 ? part : undefined), SECRET_FORM)
    .refine((secrets) => secrets.length > 0, SECRET_FORM)
    .optional(),
  // An attempt keeps its term as seconds, in four bytes.
  RETENTION_DAYS: positive.refine((days) => days <= 49_710, 'must be at most 49710').default(30),
  NAME_HAMZA: choice('keep', 'fold').default('keep'),
  SANDBOX_GENERATION_SECONDS: number.default(20),
  LOG_LEVEL: choice('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent').default('info'),
})

/** Every variable that the process reads. */
export const variableNames: readonly string[] = Object.keys(variables.shape)

type Variables = z.infer<typeof variables>
type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<Camel<Tail>>}`
  : Lowercase<Name>

/** The environment by camelCase names: `BOT_TOKEN` is `botToken`; units are found of the variable. */
export type Config = {
  [Name in Exclude<keyof Variables, 'DATA_KEY' | 'ORGANIZERS'> as Camel<Name>]: Variables[Name]
} & {
  /** All user ids in `ORGANIZERS`. */
  organizers: number[]
  /** Those with `:desk`, who list, invite, remind and answer, and get no result, release, export or audit. */
  desk: number[]
  /** The first wraps, all unwrap. Absent without `DATA_KEY`: then `dataKeyFile` has the key, or gets one. */
  dataKeys?: readonly Buffer[] | undefined
  dataKeyFile: string
  webhookSecret: string
}

type ConfigProblem = { name: string; problem: string }
type LoadedConfig =
  | { ok: true; config: Config; warnings: ConfigProblem[] }
  | { ok: false; problems: ConfigProblem[] }

/** Reads and checks the whole environment at once. An empty variable is unset; no value is ever repeated. */
export function loadConfig(env: NodeJS.ProcessEnv): LoadedConfig {
  const given = Object.fromEntries(variableNames.flatMap((name) => givenValue(name, env[name])))
  const parsed = variables.safeParse(given)
  const refused = parsed.error?.issues ?? []
  const problems = [
    ...refused.map(({ path, message }) => ({ name: String(path[0]), problem: message })),
    ...contradictions(given),
    ...misspelt(env),
  ]
  if (!parsed.success || problems.length > 0) return { ok: false, problems: firstOfEach(problems) }

  const { DATA_KEY: dataKeys, ...rest } = parsed.data
  // The compiler does not know that `camelCase` makes the names of `Camel`.
  const config = {
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [camelCase(name), value])),
    organizers: [...new Set(rest.ORGANIZERS.map(({ id }) => id))],
    desk: [...new Set(rest.ORGANIZERS.flatMap(({ id, isDesk }) => (isDesk ? [id] : [])))],
    dataKeys,
    dataKeyFile: rest.DATA_KEY_FILE ?? `${rest.DATA_DIR}.key`,
    webhookSecret: rest.WEBHOOK_SECRET ?? defaultSecret(rest.BOT_TOKEN),
  } as Config
  return { ok: true, config, warnings: warningsOf(config) }
}

/** A key as it is written down; `undefined` unless it is 32 bytes in base64. */
export function parseDataKey(text: string): Buffer | undefined {
  return /^[A-Za-z0-9+/]{43}=$/.test(text) ? Buffer.from(text, 'base64') : undefined
}

/** The problems as an operator reads them, one a line. */
export function describeProblems(problems: readonly ConfigProblem[]): string {
  return problems.map(({ name, problem }) => `${name} ${problem}`).join('\n')
}

function givenValue(name: string, value: string | undefined): [string, string][] {
  const trimmed = value?.trim()
  if (trimmed) return [[name, trimmed]]
  // An empty list of hours is a setting: never remind.
  return name === 'REMINDER_HOURS' && trimmed === '' ? [[name, '']] : []
}

/** A name is long if no other program has a name that is a letter or two away. */
const isLong = (name: string) => name.replaceAll('_', '').length >= 7

/** Finds misspelt names: their settings would silently be the defaults. */
function misspelt(env: NodeJS.ProcessEnv): ConfigProblem[] {
  const ours = variableNames.filter(isLong)
  return Object.keys(env).flatMap((name) => {
    const meant = variableNames.includes(name) ? undefined : nearest(name, ours)
    return meant === undefined ? [] : [{ name, problem: `is no setting: ${meant} is meant` }]
  })
}

/** Problems between variables. Reads the raw values, so that it works even when another variable is bad. */
function contradictions(given: Record<string, string>): ConfigProblem[] {
  const { EVENTS_URL: eventsUrl, DATA_KEY_FILE: keyFile, DATA_DIR = './data' } = given
  const hasKey = Boolean(given.DATA_KEY || keyFile)
  // Only an own Bot API server calls webhooks over http or on other ports.
  const isPublic = (given.TELEGRAM_API_ROOT ?? PUBLIC_TELEGRAM).startsWith(PUBLIC_TELEGRAM)
  const webhook = isPublic ? parseUrl(given.WEBHOOK_URL) : undefined
  const isSecure = webhook?.protocol === 'https:'
  return found([
    [
      Boolean(given.REDIS_URL) && !hasKey,
      'DATA_KEY',
      'is required with REDIS_URL: 32 bytes in base64 (openssl rand -base64 32), or DATA_KEY_FILE',
    ],
    // A copy of the data must not include the key.
    [
      Boolean(keyFile) && `${resolve(keyFile ?? '')}${sep}`.startsWith(`${resolve(DATA_DIR)}${sep}`),
      'DATA_KEY_FILE',
      'must not lie inside DATA_DIR: a file beside it, such as ./data.key',
    ],
    // Events are signed but not encrypted, so http is allowed only within this machine.
    [isInClear(eventsUrl), 'EVENTS_URL', 'must begin with https:// except to this machine'],
    [Boolean(eventsUrl) && !given.EVENTS_SECRET, 'EVENTS_SECRET', 'is required with EVENTS_URL'],
    [webhook !== undefined && !isSecure, 'WEBHOOK_URL', 'must begin with https://'],
    [
      isSecure && !['', '80', '88', '443', '8443'].includes(webhook.port),
      'WEBHOOK_URL',
      'must use port 443, 80, 88 or 8443',
    ],
  ])
}

const IN_CLEAR = 'is not encrypted on its way'

function warningsOf(config: Config): ConfigProblem[] {
  const { pollSeconds, resultTo, organizers, desk, telegramApiRoot, serviceUrl, webhookUrl, redisUrl } =
    config
  const proxy = parseUrl(config.httpProxyUrl)
  const isFar = proxy !== undefined && !isLoopback(proxy.host)
  // A proxy elsewhere reads the http that it forwards, also to this machine.
  const isRead = (to: string) => isInClear(to) || (isFar && parseUrl(to)?.protocol === 'http:')
  return found([
    [isRead(telegramApiRoot), 'TELEGRAM_API_ROOT', `${IN_CLEAR}: use https://`],
    [isRead(serviceUrl), 'SERVICE_URL', `${IN_CLEAR}: use https://`],
    [isInClear(webhookUrl), 'WEBHOOK_URL', `${IN_CLEAR}: use https://`],
    [isInClear(redisUrl), 'REDIS_URL', `${IN_CLEAR}: use rediss:// unless the network is your own`],
    [config.webhookSecret.length < 16, 'WEBHOOK_SECRET', 'can be guessed: take 16 characters or more'],
    [pollSeconds < 30, 'POLL_SECONDS', 'is under 30: the service asks for 30 to 60 seconds between looks'],
    [
      resultTo === 'organizer' && organizers.length === desk.length,
      'ORGANIZERS',
      'names nobody who gets results: with RESULT_TO=organizer none is sent in Telegram',
    ],
  ])
}

const found = (problems: [isFound: boolean, name: string, problem: string][]): ConfigProblem[] =>
  problems.filter(([isFound]) => isFound).map(([, name, problem]) => ({ name, problem }))

/** Whether the traffic can be read on its way: no TLS, and a host other than this machine. */
function isInClear(address = ''): boolean {
  const url = parseUrl(address)
  if (url?.protocol === 'http:') return !isLoopback(url.host)
  const [, hosts = ''] = /^redis(?:\+\w+)?:\/\/(?:[^@/]*@)?([^/?#]+)/.exec(address) ?? []
  return hosts.split(',').some((host) => host !== '' && !isLoopback(host))
}

/** Whether a host, perhaps with its port, is this machine. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host)

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/** The first problem of each variable. */
const firstOfEach = (problems: readonly ConfigProblem[]): ConfigProblem[] =>
  problems.filter(({ name }, at) => problems.findIndex((other) => other.name === name) === at)

const defaultSecret = (token: string): string =>
  createHmac('sha256', token).update('porsa webhook').digest('base64url')

function parseOrganizer(part: string): { id: number; isDesk: boolean } | undefined {
  const [, digits = '', desk] = /^(\d+)(:desk)?$/.exec(part) ?? []
  return isWhole(decimal(digits)) ? { id: decimal(digits), isDesk: desk !== undefined } : undefined
}

const camelCase = (name: string): string =>
  name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
