import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEmulator } from '../emulator/emulator.ts'
import { createSandbox, type SandboxOptions } from '../sandbox/sandbox.ts'

/** An emulated Telegram, the sandbox, a folder, and the environment of a bot that runs between them. */
export async function createSurroundings(options: SandboxOptions = {}) {
  const dir = await mkdtemp(join(tmpdir(), 'porsa-bench-'))
  const sandbox = createSandbox({ rateLimits: false, ...options })
  const emulator = createEmulator({ spinGuardMs: 0 })
  const env = {
    BOT_TOKEN: emulator.token,
    TELEGRAM_API_ROOT: await emulator.listen(0),
    SERVICE_URL: await sandbox.listen(0),
    SERVICE_KEY: sandbox.key,
    ORGANIZER_NAME: 'سنجش',
    ORGANIZER_CONTACT: '@bench',
    DATA_DIR: join(dir, 'data'),
    DATA_KEY: randomBytes(32).toString('base64'),
    PORT: '0',
  }
  return {
    sandbox,
    emulator,
    env,
    async close() {
      await Promise.all([sandbox.close(), emulator.close()])
      await rm(dir, { recursive: true, force: true })
    },
  }
}
