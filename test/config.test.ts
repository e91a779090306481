import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeProblems, loadConfig, variableNames } from '../src/config.ts'

const required = {
  BOT_TOKEN: '123456:abc-DEF_1',
  SERVICE_URL: 'https://service.example.org/v2',
  SERVICE_KEY: 'the-key',
  ORGANIZER_NAME: 'کلینیک',
  ORGANIZER_CONTACT: '@clinic',
}
const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')

function configOf(env: NodeJS.ProcessEnv) {
  const loaded = loadConfig({ ...required, ...env })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  return loaded.config
}

function problemsOf(env: NodeJS.ProcessEnv) {
  const loaded = loadConfig({ ...required, ...env })
  return loaded.ok ? [] : loaded.problems
}

test('the required variables alone give the documented defaults', () => {
  expect(configOf({})).toMatchObject({
    botToken: required.BOT_TOKEN,
    telegramApiRoot: 'https://api.telegram.org',
    serviceUrl: required.SERVICE_URL,
    dataDir: resolve('data'),
    dataKeyFile: resolve('data.key'),
    webhookSecret: createHmac('sha256', required.BOT_TOKEN).update('porsa webhook').digest('base64url'),
    host: '127.0.0.1',
    port: 8080,
    organizers: [],
    locale: 'fa',
    resultTo: 'participant',
    allowBack: true,
    invitationOnly: false,
    ratePerMinute: 100,
    ratePerHour: 3000,
    pollSeconds: 45,
    smsPerHour: 5,
    smsCooldownSeconds: 60,
    reminderHours: [24, 72],
    quietHours: { from: 22, to: 8 },
    retentionDays: 30,
    nameHamza: 'keep',
    sandboxGenerationSeconds: 20,
    logLevel: 'info',
  })
})

test('every bad variable is named at once, and no value is shown', () => {
  const env = {
    BOT_TOKEN: 'sesame',
    SERVICE_KEY: '',
    PORT: 'sesame',
    REDIS_URL: 'redis://:sesame@host:port',
    ALLOW_BACK: 'sesame',
  }
  const problems = problemsOf(env)
  expect(problems.map(({ name }) => name).sort()).toEqual(
    ['ALLOW_BACK', 'BOT_TOKEN', 'DATA_KEY', 'PORT', 'REDIS_URL', 'SERVICE_KEY'].sort(),
  )
  expect(JSON.stringify(problems)).not.toContain('sesame')
  expect(problems.find(({ name }) => name === 'SERVICE_KEY')?.problem).toMatch(/^is required: the API key/)
})

test('the problems are listed one per line', () => {
  expect(describeProblems(problemsOf({ BOT_TOKEN: '', PORT: 'x' }))).toBe(
    'BOT_TOKEN is required: the token that @BotFather gives, such as 123456:ABC…\n' +
      'PORT must be a port: a whole number up to 65535',
  )
})

test.each([
  ['BOT_TOKEN', 'abc'],
  ['TELEGRAM_API_ROOT', 'api.telegram.org'],
  ['SERVICE_URL', 'https://service.example.org/v1'],
  ['SERVICE_URL', 'ftp://service.example.org/v2'],
  ['SERVICE_KEY', 'two words'],
  ['HTTP_PROXY_URL', 'socks4://127.0.0.1:1080'],
  ['PRIVACY_URL', 'javascript:alert(1)'],
  ['SECURITY_CONTACT', 'ask around'],
  ['DATA_KEY', Buffer.alloc(31).toString('base64')],
  ['DATA_KEY', `${key(1)},nonsense`],
  ['DATA_KEY', ' , '],
  ['DATA_KEY_FILE', './data/key'],
  ['WEBHOOK_URL', 'http://bot.example.org/telegram'],
  ['WEBHOOK_URL', 'https://bot.example.org:9000/telegram'],
  ['WEBHOOK_SECRET', 'has space'],
  ['PORT', '65536'],
  ['PORT', '0x50'],
  ['ORGANIZERS', '12,@name'],
  ['LOCALE', 'xx'],
  ['RESULT_TO', 'all'],
  ['ALLOW_BACK', 'maybe'],
  ['RATE_PER_MINUTE', '0'],
  ['RATE_PER_HOUR', '1.5'],
  ['POLL_SECONDS', '0'],
  ['POLL_SECONDS', '-3'],
  ['SMS_PER_HOUR', 'many'],
  ['REDIS_URL', 'redis+sentinels://a/b'],
  ['REMINDER_HOURS', '24;72'],
  ['QUIET_HOURS', '22-24'],
  ['QUIET_HOURS', 'night'],
  ['RETENTION_DAYS', '0'],
  ['NAME_HAMZA', 'drop'],
  ['LOG_LEVEL', 'loud'],
])('%s refuses %s', (name, value) => {
  expect(problemsOf({ DATA_KEY: key(1), [name]: value }).map((problem) => problem.name)).toEqual([name])
})

test.each([
  ['BOT_TOKEN', 'abc', '123456:ABC…'],
  ['SERVICE_URL', 'ftp://service.example.org/v2', 'https:// or http:// and ends in /v2'],
  ['SERVICE_URL', 'https://service.example.org', 'https:// or http:// and ends in /v2'],
  ['HTTP_PROXY_URL', '127.0.0.1:1080', 'http:// or https:// or socks5://'],
  ['HTTP_PROXY_URL', 'http://127.0.0.1:1080/path', 'as in socks5://user:password@host:1080'],
  ['HTTP_PROXY_URL', 'https://127.0.0.1:1080?x=1', 'as in socks5://'],
  ['HTTP_PROXY_URL', 'socks5://127.0.0.1:1080#a', 'as in socks5://'],
  ['HTTP_PROXY_URL', 'http://u:p%zz@127.0.0.1:1080', 'with % in a password as %25'],
  ['HTTP_PROXY_URL', 'socks5://u:p%zz@127.0.0.1:1080', 'with % in a password as %25'],
  ['REDIS_URL', 'localhost:6379', 'redis://'],
  ['REDIS_URL', 'redis://host:6379/x', 'only the number of a database'],
  ['DATA_KEY', 'nonsense', 'openssl rand -base64 32'],
  ['PORT', 'http', 'a whole number up to 65535'],
  ['ORGANIZERS', '12,@name', 'whole numbers between commas'],
  ['RATE_PER_MINUTE', '1.5', 'a whole number from 1 on'],
  ['REMINDER_HOURS', '24,0', 'such as 24,72'],
  ['QUIET_HOURS', '22', 'such as 22-8'],
  ['RATE_PER_HOUR', '1e9', 'from 1 on, in plain digits'],
  ['POLL_SECONDS', 'often', 'a number greater than 0'],
  ['POLL_SECONDS', '1e9', 'greater than 0, in plain digits, such as 45'],
  ['SMS_COOLDOWN_SECONDS', '-1', 'a number from 0 on'],
  ['SANDBOX_GENERATION_SECONDS', '1e9', 'from 0 on, in plain digits'],
  ['EVENTS_SECRET', ' , ', '16 characters or more'],
  ['LOCALE', 'xx', 'fa, en'],
  ['SUPPORT_TEXT', 'x'.repeat(2_001), 'at most 2000 characters: it shares a message with other words'],
  ['ORGANIZER_NAME', 'x'.repeat(201), 'at most 200 characters'],
  ['ORGANIZER_CONTACT', 'x'.repeat(201), 'at most 200 characters'],
  ['WELCOME_TEXT', 'x'.repeat(501), 'at most 500 characters'],
  ['RETENTION_DAYS', '49711', 'at most 49710'],
  ['TELEGRAM_API_ROOT', 'https://:key@telegram.example.org', 'a name or a password: they would not be sent'],
  ['SERVICE_URL', 'https://name@service.example.org/v2', 'a name or a password: they would not be sent'],
])('a wrong %s (%s) is reported with what is accepted', (name, value, accepted) => {
  const problems = problemsOf({ DATA_KEY: key(1), [name]: value })
  expect(problems).toEqual([{ name, problem: expect.stringContaining(accepted) }])
})

test.each([
  ['REDIS_URI', 'redis://x', 'REDIS_URL'],
  ['REDIS_URI', '', 'REDIS_URL'],
  ['ORGANISERS', '7', 'ORGANIZERS'],
  ['RATE_PER_MINUT', '5', 'RATE_PER_MINUTE'],
  ['BACKUPDIR', '/b', 'BACKUP_DIR'],
  ['DATADIR', '/d', 'DATA_DIR'],
])('%s=%s is refused with the probable name', (name, value, meant) => {
  expect(problemsOf({ [name]: value })).toEqual([{ name, problem: `is no setting: ${meant} is meant` }])
})

test.each(['HOSTNAME', 'LOG_FORMAT', 'PORTS', 'HTTP_PROXY', 'HTTPS_PROXY', 'LOCALES', 'REDIS_PASSWORD'])(
  'the foreign variable %s is ignored',
  (name) => expect(problemsOf({ [name]: 'x' })).toEqual([]),
)

test('the interval of copies needs a unit', () => {
  expect(configOf({ BACKUP_EVERY: '30m' }).backupEvery).toBe(1_800_000)
  expect(configOf({}).backupEvery).toBe(86_400_000)
  for (const BACKUP_EVERY of ['24', '0h', '1s', 'daily'])
    expect(problemsOf({ BACKUP_EVERY })).toEqual([
      { name: 'BACKUP_EVERY', problem: expect.stringContaining('24h') },
    ])
})

test('an empty or blank variable counts as unset', () => {
  expect(configOf({ PORT: '', LOCALE: ' ', REDIS_URL: '', WEBHOOK_URL: '' })).toEqual(configOf({}))
})

test('every setting is parsed into its form', () => {
  const config = configOf({
    ORGANIZERS: '12, 34,',
    REMINDER_HOURS: '0.5,24',
    QUIET_HOURS: '23-7',
    RETENTION_DAYS: '0.001',
    ALLOW_BACK: 'FALSE',
    SERVICE_URL: 'http://127.0.0.1:8090/v2/',
    HTTP_PROXY_URL: 'socks5://127.0.0.1:1080',
    DATA_KEY: `${key(1)},${key(2)}`,
    DATA_DIR: '/srv/porsa/',
  })
  expect(config).toMatchObject({
    organizers: [12, 34],
    reminderHours: [0.5, 24],
    quietHours: { from: 23, to: 7 },
    retentionDays: 0.001,
    allowBack: false,
    serviceUrl: 'http://127.0.0.1:8090/v2',
    httpProxyUrl: 'socks5://127.0.0.1:1080',
    dataDir: '/srv/porsa',
    dataKeyFile: '/srv/porsa.key',
  })
  expect(config.dataKeys).toEqual([Buffer.alloc(32, 1), Buffer.alloc(32, 2)])
})

test('empty reminder hours switch reminders off', () => {
  expect(configOf({ REMINDER_HOURS: '' }).reminderHours).toEqual([])
})

test('an own Bot API server may call the webhook over http', () => {
  const env = { TELEGRAM_API_ROOT: 'http://127.0.0.1:8081', WEBHOOK_URL: 'http://127.0.0.1:9000/telegram' }
  expect(configOf(env).webhookUrl).toBe('http://127.0.0.1:9000/telegram')
})

test('Redis requires a key that every replica knows', () => {
  expect(problemsOf({ REDIS_URL: 'redis://127.0.0.1' })).toEqual([
    { name: 'DATA_KEY', problem: expect.stringMatching(/^is required with REDIS_URL: 32 bytes in base64/) },
  ])
  expect(configOf({ REDIS_URL: 'rediss://127.0.0.1', DATA_KEY: key(1) }).dataKeys).toHaveLength(1)
})

test('too frequent polling is allowed, with a warning', () => {
  const loaded = loadConfig({ ...required, POLL_SECONDS: '29' })
  expect(loaded.ok && loaded.warnings.map(({ name }) => name)).toEqual(['POLL_SECONDS'])
  expect(loadConfig({ ...required, POLL_SECONDS: '30' })).toMatchObject({ warnings: [] })
})

test.each([
  ['SERVICE_URL', { SERVICE_URL: 'http://localhost:8090/v2' }],
  ['TELEGRAM_API_ROOT', { TELEGRAM_API_ROOT: 'HTTP://127.0.0.1:8081' }],
])('a plain-text address of this machine behind a remote proxy is warned about: %s', (name, given) => {
  const warnings = (HTTP_PROXY_URL: string) => {
    const loaded = loadConfig({ ...required, ...given, HTTP_PROXY_URL })
    return loaded.ok && loaded.warnings.map((each) => each.name)
  }
  expect(warnings('http://proxy.example.org:3128')).toEqual([name])
  expect(warnings('socks5://127.0.0.1:1080')).toEqual([])
})

test('a webhook secret that can be guessed is warned about', () => {
  const loaded = loadConfig({ ...required, WEBHOOK_SECRET: 'fifteen-letters' })
  expect(loaded.ok && loaded.warnings.map(({ name }) => name)).toEqual(['WEBHOOK_SECRET'])
})

test('results for organizers are warned about if no organizer is named', () => {
  const warnings = (given: Record<string, string>) => {
    const loaded = loadConfig({ ...required, RESULT_TO: 'organizer', ...given })
    return loaded.ok && loaded.warnings.map(({ name }) => name)
  }
  expect(warnings({})).toEqual(['ORGANIZERS'])
  expect(warnings({ ORGANIZERS: '7' })).toEqual([])
  expect(warnings({ ORGANIZERS: '7:desk' })).toEqual(['ORGANIZERS'])
})

test.each([
  ['SERVICE_URL', 'http://service.example.org/v2', 'http://localhost:8090/v2'],
  ['TELEGRAM_API_ROOT', 'http://192.0.2.7:8081', 'http://127.0.0.1:8081'],
  ['REDIS_URL', 'redis://:secret@redis.example.org:6379/1', 'redis://:secret@127.0.0.1:6379/1'],
  [
    'REDIS_URL',
    'redis+sentinel://127.0.0.1,192.0.2.7/master',
    'redis+sentinel://127.0.0.1,[::1]:26379/master',
  ],
  ['REDIS_URL', 'redis+cluster://localhost.example.org', 'rediss+cluster://localhost.example.org'],
])('a plain-text %s to another machine is warned about: %s, not %s', (name, remote, near) => {
  const warnings = (value: string) => {
    const loaded = loadConfig({ ...required, DATA_KEY: key(1), [name]: value })
    return loaded.ok && loaded.warnings
  }
  expect(warnings(remote)).toEqual([{ name, problem: expect.stringContaining('not encrypted') }])
  expect(JSON.stringify(warnings(remote))).not.toContain('secret')
  expect(warnings(near)).toEqual([])
})

test.each([
  'http://events.example.org',
  'HTTP://events.example.org',
  'http:events.example.org',
  'http:\\\\events.example.org',
])('a plain-text address for events is refused: %s', (address) => {
  const problems = problemsOf({ EVENTS_URL: address, EVENTS_SECRET: 'a'.repeat(16) })
  expect(problems).toEqual([{ name: 'EVENTS_URL', problem: expect.stringContaining('https://') }])
})

test('an organizer of the desk is marked in the setting', () => {
  const named = configOf({ ORGANIZERS: '12, 34:desk, 12, 34', OPERATORS: '5,5' })
  expect(named).toMatchObject({ organizers: [12, 34], desk: [34], operators: [5] })
  expect(problemsOf({ ORGANIZERS: '12:chief' })).toEqual([
    { name: 'ORGANIZERS', problem: expect.stringContaining(':desk') },
  ])
})

test('a secret of events has at least 16 characters, and two are allowed while it is replaced', () => {
  const of = (EVENTS_SECRET: string) => ({ EVENTS_URL: 'https://events.example.org', EVENTS_SECRET })
  expect(problemsOf(of('a'.repeat(15)))).toEqual([
    { name: 'EVENTS_SECRET', problem: expect.stringContaining('16 characters') },
  ])
  const named = { ...of('a'.repeat(16)), EVENTS_URL: 'https://name:word@events.example.org/?to=a@b' }
  expect(problemsOf(named)).toEqual([
    { name: 'EVENTS_URL', problem: expect.stringContaining('would not be sent') },
  ])
  expect(problemsOf({ ...named, EVENTS_URL: 'https://events.example.org?to=a@b' })).toEqual([])
  const [one, other] = ['a'.repeat(16), 'b'.repeat(16)]
  expect(configOf(of(`${one},${other}`)).eventsSecret).toEqual([one, other])
})

test('with Redis the data key is required, or the file that holds it', () => {
  const REDIS_URL = 'redis://127.0.0.1'
  expect(problemsOf({ REDIS_URL }).map(({ name }) => name)).toEqual(['DATA_KEY'])
  expect(configOf({ REDIS_URL, DATA_KEY_FILE: '/run/secrets/data-key' })).toMatchObject({
    dataKeyFile: '/run/secrets/data-key',
  })
})

describe('.env.example', () => {
  const lines = readFileSync(new URL('../.env.example', import.meta.url), 'utf8').split('\n')
  const settings = lines.flatMap((line, index) => {
    const match = /^(# )?([A-Z_]+)=(.*)$/.exec(line)
    return match
      ? [{ name: match[2] ?? '', value: match[3] ?? '', commented: match[1] !== undefined, index }]
      : []
  })

  test('contains every variable once', () => {
    expect(settings.map(({ name }) => name).sort()).toEqual([...variableNames].sort())
  })

  test('leaves only the required ones uncommented, and empty', () => {
    const open = settings.filter(({ commented }) => !commented)
    expect(open.map(({ name }) => name).sort()).toEqual(Object.keys(required).sort())
    expect(open.map(({ value }) => value).join('')).toBe('')
  })

  test('explains each variable in a line above it or above its group', () => {
    for (const { index, name } of settings) {
      const above = lines.slice(0, index).findLast((line) => !/^(# )?[A-Z_]+=/.test(line))
      expect(above, name).toMatch(/^# \S.{10}/)
    }
  })

  test('shows the real defaults', () => {
    const shown = settings.filter(({ commented }) => commented).map(({ name, value }) => [name, value])
    expect(configOf(Object.fromEntries(shown))).toEqual(configOf({}))
  })
})
