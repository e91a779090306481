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

/** The bot's whole environment: nothing set for a real bot on this machine, a Redis for example, may leak into it. */
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
    // Whoever tries the demo at night sees the notices, too.
    QUIET_HOURS: '0-0',
    DATA_DIR: parts.dataDir,
    HOST: '127.0.0.1',
    PORT: '0',
    // Someone who tries the demo watches it: an analysis of 20 s should not be looked at after minutes.
    POLL_SECONDS: '4',
    LOG_LEVEL: parts.logLevel,
  }
}
