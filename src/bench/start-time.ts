import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createSurroundings } from './surroundings.ts'
import { median } from './table.ts'

const ROUNDS = 5

/** Milliseconds from the start of the process until it asks Telegram for updates. */
export async function measureStart(): Promise<number> {
  const { emulator, env, close } = await createSurroundings()
  const times: number[] = []
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const seen = emulator.calls.length
      // Its first words to a Telegram that has no webhook to forget: then it polls.
      const polls = () =>
        emulator.calls.slice(seen).some(({ method, ok }) => method === 'deleteWebhook' && ok)
      const startedAt = performance.now()
      const bot = spawn(process.execPath, [fileURLToPath(new URL('../main.js', import.meta.url))], {
        env: { PATH: process.env.PATH, ...env },
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      const exited = once(bot, 'exit')
      while (!polls()) {
        if (bot.exitCode !== null || bot.signalCode !== null) throw new Error('the bot ended at its start')
        await sleep(2)
      }
      times.push(performance.now() - startedAt)
      bot.kill('SIGTERM')
      await exited
    }
  } finally {
    await close()
  }
  return median(times)
}
