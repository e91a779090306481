import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { usedBy } from './message-from.ts'

const started = z.object({ msg: z.literal('started') })
const fileAt = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Starts the built bot in a process of its own. */
export async function startBot(env: Readonly<Record<string, string>>) {
  const program = ['--import', fileAt('./use-report.js'), fileAt('../../dist/main.js')]
  const bot = spawn(process.execPath, program, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const exited = once(bot, 'exit')
  const lines = createInterface({ input: bot.stdout as NonNullable<typeof bot.stdout> })
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      if (started.safeParse(JSON.parse(line)).success) resolve()
    })
    void exited.then(() => reject(new Error('the bot ended at its start')))
  })

  return {
    used: () => usedBy(bot),
    /** The CPU time that the process has used until now. */
    cpuMs: async () => (await usedBy(bot)).cpuMs,
    /** The resident memory of the process. */
    bytes: async () => (await usedBy(bot)).bytes,
    async stop() {
      // The process would stay alive as long as its message channel is open.
      bot.disconnect()
      bot.kill('SIGTERM')
      await exited
    },
  }
}
