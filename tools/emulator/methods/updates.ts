import type { Arguments } from '../arguments.ts'
import type { MethodTable, Parts } from '../parts.ts'
import type { Polling } from '../polling.ts'
import { badRequest, tooManyRequests } from '../refusal.ts'
import type { Webhook } from '../webhook.ts'
import { toSeconds } from '../world.ts'

type Receiving = { polling: Polling; webhook: Webhook; spinGuardMs: number }

const WEBHOOK_PORTS = new Set(['443', '80', '88', '8443'])

/** getUpdates, setWebhook, deleteWebhook, getWebhookInfo. */
export function updateMethods({ world, queue }: Parts, receiving: Receiving): MethodTable {
  const { polling, webhook, spinGuardMs } = receiving
  const { state } = world
  let nextSetAt = Number.NEGATIVE_INFINITY

  function dropPending(args: Arguments): void {
    if (args.flag('drop_pending_updates')) queue.remove(() => true)
  }

  function deleteWebhook(args: Arguments): true {
    dropPending(args)
    delete state.webhook
    world.changed()
    return true
  }

  return {
    getUpdates: (args, signal) => polling.getUpdates(args, signal),
    deleteWebhook,
    setWebhook(args) {
      const url = args.text('url')
      if (url === '') return deleteWebhook(args)
      if (performance.now() < nextSetAt) throw tooManyRequests(1)
      nextSetAt = performance.now() + Math.min(1000, spinGuardMs)
      checkUrl(url)
      const secret = checkSecret(args.text('secret_token'))
      const asked = args.integer('max_connections') ?? 40
      const allowed = args.object('allowed_updates')
      if (Array.isArray(allowed)) queue.allow(allowed.map(String))
      dropPending(args)
      const maxConnections = Math.min(Math.max(asked, 1), 100)
      state.webhook = { url, maxConnections, ...(secret ? { secret } : {}) }
      world.changed()
      polling.terminate('setWebhook request')
      webhook.pump()
      return true
    },
    getWebhookInfo() {
      const { url = '', maxConnections, lastErrorAt, lastErrorMessage } = state.webhook ?? {}
      return {
        url,
        has_custom_certificate: false,
        pending_update_count: queue.pending().length,
        ...(maxConnections ? { max_connections: maxConnections } : {}),
        ...(lastErrorAt
          ? { last_error_date: toSeconds(lastErrorAt), last_error_message: lastErrorMessage }
          : {}),
        ...(state.allowedUpdates.length > 0 ? { allowed_updates: state.allowedUpdates } : {}),
      }
    },
  }
}

/** Plain HTTP and any port are for this machine only, as with a self-hosted Bot API server (`--local`). */
function checkUrl(source: string): void {
  if (!URL.canParse(source)) throw badRequest('bad webhook: invalid URL specified')
  const url = new URL(source)
  if (['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)) return
  if (url.protocol !== 'https:') throw badRequest('bad webhook: An HTTPS URL must be provided for webhook')
  if (!WEBHOOK_PORTS.has(url.port || '443')) {
    throw badRequest('bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443')
  }
}

function checkSecret(secret: string): string {
  if (secret.length > 256) throw badRequest('secret token is too long')
  if (!/^[A-Za-z0-9_-]*$/.test(secret)) throw badRequest('secret token contains unallowed characters')
  return secret
}
