import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createEmulator } from '../demo/emulator/emulator.ts'
import { createSandbox } from '../sandbox/sandbox.ts'
import { median } from './table.ts'

const ROUNDS = 5

/** Milliseconds from the start of the process until it asks Telegram for updates. */
export async function measureStart(): Promise<number> {
  const dir = await mkdtemp(join(tmpdir(), 'porsa-bench-'))
  const sandbox = createSandbox({ rateLimits: false })
  const emulator = createEmulator({ spinGuardMs: 0 })
  const env = {
    PATH: process.env.PATH,
    BOT_TOKEN: emulator.token,
    TELEGRAM_API_ROOT: await emulator.listen(0),
    SERVICE_URL: await sandbox.listen(0),
    SERVICE_KEY: sandbox.key,
    ORGANIZER_NAME: 'سنجش',
    ORGANIZER_CONTACT: '@bench',
    DATA_DIR: join(dir, 'data'),
    PORT: '0',
  }
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const seen = emulator.calls.length
    const startedAt = performance.now()
    const bot = spawn(process.execPath, [fileURLToPath(new URL('../main.js', import.meta.url))], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const exited = once(bot, 'exit')
    // Its first words to a Telegram that has no webhook to forget: then it polls.
    while (!emulator.calls.slice(seen).some(({ method, ok }) => method === 'deleteWebhook' && ok)) {
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    times.push(performance.now() - startedAt)
    bot.kill('SIGTERM')
    await exited
  }
  await Promise.all([sandbox.close(), emulator.close()])
  await rm(dir, { recursive: true, force: true })
  return median(times)
}
