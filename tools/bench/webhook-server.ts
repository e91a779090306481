import { fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import { messageFrom, usedBy } from './message-from.ts'
import { type Person, tapOf } from './questionnaire.ts'

/** Which program handles an answer: the bot, bare grammY, or F0, which has no framework. */
export type Way = 'ours' | 'grammy' | 'bare'
export type WebhookOrder = { apiRoot: string; people: number; redisUrl?: string; dir: string; way: Way }
export type WebhookReady = { port: number; secret: string; crowd: Person[] }

export type WebhookServer = Awaited<ReturnType<typeof startWebhookServer>>

const IN_FLIGHT = 64
/** An update that was answered with 503 is sent again, as Telegram does; it counts once. */
const AGAIN = { times: 30, afterMs: 500 }

/** Starts a process that takes answers over the webhook, and makes people who send it answers. */
export async function startWebhookServer(order: WebhookOrder) {
  const child = fork(fileURLToPath(new URL('./webhook-process.js', import.meta.url)))
  child.send(order)
  const { port, secret, crowd } = await messageFrom<WebhookReady>(child, 'crowd')
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: IN_FLIGHT })
  const headers = { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret }

  /** Resolves with the webhook's 200: the answer is stored, the screen may follow. */
  async function tap(person: Person): Promise<void> {
    const body = JSON.stringify(tapOf(person))
    for (let tries = 1; ; tries += 1) {
      const answer = await pool.request({ path: '/telegram', method: 'POST', headers, body })
      await answer.body.dump()
      if (answer.statusCode === 200) return
      if (tries === AGAIN.times) throw new Error(`the webhook answered ${answer.statusCode}`)
      await sleep(AGAIN.afterMs)
    }
  }

  return {
    crowd,
    tap,
    /** The CPU time that the process has used until now. */
    cpuMs: async () => (await usedBy(child)).cpuMs,
    /** Every person taps once; as many at a time as there are connections. */
    async tapInTurn() {
      for (let at = 0; at < crowd.length; at += IN_FLIGHT) {
        await Promise.all(crowd.slice(at, at + IN_FLIGHT).map(tap))
      }
    },
    async stop() {
      await pool.close()
      child.kill()
    },
  }
}
