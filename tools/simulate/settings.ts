import { type Config, loadConfig } from '../../src/config.ts'
import type { ResultTo } from '../../src/domain/invitation.ts'
import { INVITER } from '../../test/words.ts'

export const HOSTS = {
  telegram: 'telegram.example',
  service: 'service.example',
  bot: 'bot.example',
  office: 'office.example',
}

/** The secret that signs events. */
export const EVENTS_SECRET = 'a secret of letters'

export type Limits = { perMinute: number; perHour: number }

/** The configuration of the bot in a simulated world: short intervals keep a run short. */
export function configOf({
  token,
  dir,
  limits,
  dataKeys,
  isPolling,
  replicas,
  organizers,
  isAnnounced,
  resultTo,
}: {
  token: string
  dir: string
  limits: Limits
  dataKeys: readonly Buffer[]
  /** Polls for updates instead of using a webhook. */
  isPolling: boolean
  replicas: number
  /** The ids of the organizers. */
  organizers: readonly number[]
  /** Events are posted. */
  isAnnounced: boolean
  resultTo: ResultTo
}): Config {
  const loaded = loadConfig({
    BOT_TOKEN: token,
    TELEGRAM_API_ROOT: `https://${HOSTS.telegram}`,
    SERVICE_URL: `https://${HOSTS.service}/v2`,
    SERVICE_KEY: 'key',
    ORGANIZER_NAME: INVITER.organizerName,
    ORGANIZER_CONTACT: INVITER.organizerContact,
    ...(!isPolling && { WEBHOOK_URL: `https://${HOSTS.bot}/telegram` }),
    // Nothing connects to it; it tells the bot that there may be other replicas.
    ...(replicas > 1 && { REDIS_URL: 'redis://127.0.0.1' }),
    ...(isAnnounced && {
      EVENTS_URL: `https://${HOSTS.office}/events`,
      EVENTS_SECRET,
    }),
    ORGANIZERS: organizers.join(','),
    RESULT_TO: resultTo,
    DATA_DIR: dir,
    DATA_KEY: dataKeys.map((key) => key.toString('base64')).join(','),
    RATE_PER_MINUTE: String(limits.perMinute),
    RATE_PER_HOUR: String(limits.perHour),
    POLL_SECONDS: '5',
    SMS_COOLDOWN_SECONDS: '5',
    SMS_PER_HOUR: '50',
    QUIET_HOURS: '0-0',
  })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  return loaded.config
}
