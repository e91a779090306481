type BotParts = {
  botToken: string
  telegramUrl: string
  serviceUrl: string
  serviceKey: string
  dataDir: string
  organizerId: number
  logLevel: string
}

const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'TMP', 'TEMP', 'SystemRoot', 'TZ', 'LANG', 'LC_ALL']

/** The bot's whole environment: settings of a real bot on this machine, such as Redis, must not leak in. */
export function botEnvironment(parts: BotParts): Record<string, string> {
  const inherited = INHERITED.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    ...Object.fromEntries(inherited),
    BOT_TOKEN: parts.botToken,
    TELEGRAM_API_ROOT: parts.telegramUrl,
    SERVICE_URL: parts.serviceUrl,
    SERVICE_KEY: parts.serviceKey,
    ORGANIZER_NAME: 'مرکز مشاورهٔ نمونه',
    ORGANIZER_CONTACT: 'demo@example.org',
    ORGANIZERS: String(parts.organizerId),
    // People who try the demo at night get the notices, too.
    QUIET_HOURS: '0-0',
    DATA_DIR: parts.dataDir,
    HOST: '127.0.0.1',
    PORT: '0',
    // A visitor watches the demo: an analysis of 20 s should not be noticed only after minutes.
    POLL_SECONDS: '4',
    LOG_LEVEL: parts.logLevel,
  }
}
