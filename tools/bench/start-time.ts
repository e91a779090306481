import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Place } from './place.ts'
import { createSurroundings } from './surroundings.ts'
import { middle, milliseconds, type Table } from './table.ts'

/** The time from the start of the process until it polls Telegram. */
export async function measureStart({ isShort }: Place): Promise<Table> {
  const rounds = isShort ? 2 : 10
  const { emulator, env, close } = await createSurroundings()
  const times: number[] = []
  try {
    for (let round = 0; round < rounds; round += 1) {
      const seen = emulator.calls.length
      // The first call of a bot without a webhook to forget; polling begins right after it.
      const polls = () =>
        emulator.calls.slice(seen).some(({ method, ok }) => method === 'deleteWebhook' && ok)
      const startedAt = performance.now()
      const bot = spawn(process.execPath, [fileURLToPath(new URL('../../dist/main.js', import.meta.url))], {
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
  return {
    title: 'A start',
    about: `On SQLite, ${rounds} times.`,
    rows: [
      {
        what: 'until updates are taken',
        ...middle(times),
        show: milliseconds,
        goal: { most: 1_000 },
        means: 'From the start of the process until its first word to Telegram, after which it polls.',
      },
    ],
  }
}
