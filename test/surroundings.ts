import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createEmulator, type EmulatorOptions } from '../src/emulator/emulator.ts'
import { createSandbox, type SandboxOptions } from '../src/sandbox/sandbox.ts'
import { temporaryFolder } from './store/worlds.ts'

export type WorldOptions = {
  environment?: Record<string, string>
  sandbox?: SandboxOptions
  emulator?: EmulatorOptions
}

/** What the bot lives between: an emulated Telegram, the sandbox, a folder, and the environment that names them. */
export async function createSurroundings(
  { environment = {}, sandbox: options = {}, emulator: settings = {} }: WorldOptions,
  now: () => number,
) {
  const dir = await temporaryFolder()
  const sandbox = createSandbox({ key: randomBytes(8).toString('hex'), now, rateLimits: false, ...options })
  const emulator = createEmulator({ now, spinGuardMs: 0, ...settings })
  const serviceUrl = await sandbox.listen(0)
  const apiRoot = await emulator.listen(0)
  const env: Record<string, string> = {
    BOT_TOKEN: emulator.token,
    TELEGRAM_API_ROOT: apiRoot,
    SERVICE_URL: serviceUrl,
    SERVICE_KEY: sandbox.key,
    ORGANIZER_NAME: 'کلینیک آرامش',
    ORGANIZER_CONTACT: '021-12345678',
    DATA_DIR: join(dir, 'data'),
    PORT: '0',
    // No story depends on the hour at which it is told.
    QUIET_HOURS: '0-0',
    ...environment,
  }
  return {
    dir,
    sandbox,
    emulator,
    env,
    async close() {
      await Promise.all([sandbox.close(), emulator.close()])
      await rm(dir, { recursive: true, force: true })
    },
  }
}
