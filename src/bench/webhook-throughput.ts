import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import { type Person, tapOf } from './hot-path.ts'
import { median } from './table.ts'
import type { TelegramStub } from './telegram-stub.ts'

export type WebhookOrder = { apiRoot: string; people: number; redisUrl?: string; dir: string; bare: boolean }
export type WebhookReady = { port: number; secret: string; crowd: Person[] }

const PEOPLE = 400
const IN_FLIGHT = 64
const ROUNDS = 9
const CALLS_PER_ANSWER = 2

/** Our answers a second over the webhook, every screen drawn, as a multiple of the bare bot's; they take turns. */
export async function compareThroughput(
  telegram: TelegramStub,
  redisUrl: string | undefined,
): Promise<number> {
  const dir = await mkdtemp(join(tmpdir(), 'porsa-bench-'))
  const order = { apiRoot: telegram.apiRoot, people: PEOPLE, dir, ...(redisUrl ? { redisUrl } : {}) }
  const servers = {
    ours: await startServer({ ...order, bare: false }),
    bare: await startServer({ ...order, bare: true }),
  }
  const ratios: number[] = []
  // The first rounds make the code warm, and the bot read what it reads once.
  for (let round = -3; round < ROUNDS; round += 1) {
    const took = { ours: 0, bare: 0 }
    for (const name of ['ours', 'bare'] as const) {
      await telegram.take()
      const startedAt = performance.now()
      await servers[name].tapAll()
      await telegram.reached(CALLS_PER_ANSWER * PEOPLE)
      took[name] = performance.now() - startedAt
    }
    if (round >= 0) ratios.push(took.bare / took.ours)
  }
  await Promise.all([servers.ours.stop(), servers.bare.stop()])
  await rm(dir, { recursive: true, force: true })
  return median(ratios)
}

async function startServer(order: WebhookOrder) {
  const child = fork(fileURLToPath(new URL('./webhook-process.js', import.meta.url)))
  child.send(order)
  const [{ port, secret, crowd }] = (await once(child, 'message')) as [WebhookReady]
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: IN_FLIGHT })
  const headers = { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret }

  async function tap(person: Person): Promise<void> {
    const body = JSON.stringify(tapOf(person))
    const answer = await pool.request({ path: '/telegram', method: 'POST', headers, body })
    await answer.body.dump()
    if (answer.statusCode !== 200) throw new Error(`the webhook answered ${answer.statusCode}`)
  }

  return {
    tapAll: () => Promise.all(crowd.map(tap)),
    async stop() {
      await pool.close()
      child.kill()
    },
  }
}
