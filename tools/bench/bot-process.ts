import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const started = z.object({ msg: z.literal('started'), port: z.number() })

/** The bot as it runs, in a process of its own. */
export async function startBot(env: Readonly<Record<string, string>>) {
  const bot = spawn(process.execPath, [fileURLToPath(new URL('../../dist/main.js', import.meta.url))], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(bot, 'exit')
  const lines = createInterface({ input: bot.stdout })
  const port = await new Promise<number>((resolve, reject) => {
    lines.on('line', (line) => {
      const { data } = started.safeParse(JSON.parse(line))
      if (data) resolve(data.port)
    })
    void exited.then(() => reject(new Error('the bot ended at its start')))
  })

  return {
    /** A figure of its metrics, by name and labels as they stand there. */
    async figure(name: string): Promise<number> {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      const line = text.split('\n').find((one) => one.startsWith(`${name} `))
      return Number(line?.slice(name.length + 1) ?? 0)
    },
    async stop() {
      bot.kill('SIGTERM')
      await exited
    },
  }
}
