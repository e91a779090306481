import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import type { Update } from 'grammy/types'
import { freePort } from '../storage/redis-server.ts'
import { createBotProcess } from './bot-process.ts'

type Replicas = {
  program: URL
  env: Record<string, string>
  redisUrl: string
  /** How far the clock of each replica is ahead. */
  aheadMs: readonly number[]
  /** The replica that Telegram reaches with this update. */
  route: (update: Update) => number
}

/** Replicas on one Redis behind one webhook, with different clocks. */
export async function startReplicas({ program, env, redisUrl, aheadMs, route }: Replicas) {
  const ports = await Promise.all(aheadMs.map(() => freePort()))
  const gate = createServer(async (request, response) => {
    const update = (await json(request)) as Update
    const reply = await fetch(`http://127.0.0.1:${ports[route(update)]}/telegram`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-telegram-bot-api-secret-token': String(request.headers['x-telegram-bot-api-secret-token']),
      },
      body: JSON.stringify(update),
    }).catch(() => undefined)
    response.writeHead(reply?.status ?? 502).end(await reply?.text())
  })
  const port = await freePort()
  await new Promise<void>((resolve) => gate.listen(port, '127.0.0.1', resolve))
  const shared = {
    ...env,
    REDIS_URL: redisUrl,
    DATA_KEY: randomBytes(32).toString('base64'),
    WEBHOOK_URL: `http://127.0.0.1:${port}/telegram`,
  }
  const bots = ports.map((own, index) =>
    createBotProcess(program, {
      ...shared,
      PORT: String(own),
      NODE_OPTIONS: `--import=data:text/javascript,const%20now=Date.now;Date.now=()=>now()+(${aheadMs[index]})`,
    }),
  )
  for (const bot of bots) bot.start()
  await Promise.all(bots.map((bot) => bot.ready()))
  return {
    output: () => bots.map(({ output }) => output.stdout + output.stderr).join('\n'),
    async stop() {
      await Promise.all(bots.map((bot) => bot.kill()))
      gate.closeAllConnections()
      gate.close()
    },
  }
}
