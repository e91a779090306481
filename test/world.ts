import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../src/config.ts'
import { createEmulator, type EmulatorOptions } from '../src/demo/emulator/emulator.ts'
import { createLog } from '../src/observe/logger.ts'
import { run, type Running } from '../src/run.ts'
import { createSandbox, type SandboxOptions } from '../src/sandbox/sandbox.ts'

export type WorldOptions = {
  environment?: Record<string, string>
  sandbox?: SandboxOptions
  emulator?: EmulatorOptions
}

export type World = Awaited<ReturnType<typeof createTestWorld>>

/** The real bot over HTTP between an emulated Telegram and the sandbox; its clock can be moved. */
export async function createTestWorld({ environment = {}, sandbox: options = {}, emulator: settings = {} }: WorldOptions = {}) {
  let movedMs = 0
  const now = () => Date.now() + movedMs
  const dir = await mkdtemp(join(tmpdir(), 'porsa-'))
  const sandbox = createSandbox({ key: randomBytes(8).toString('hex'), now, rateLimits: false, ...options })
  const emulator = createEmulator({ now, spinGuardMs: 0, ...settings })
  const serviceUrl = await sandbox.listen(0)
  const apiRoot = await emulator.listen(0)
  const lines: string[] = []
  const env = {
    BOT_TOKEN: emulator.token,
    TELEGRAM_API_ROOT: apiRoot,
    SERVICE_URL: serviceUrl,
    SERVICE_KEY: sandbox.key,
    ORGANIZER_NAME: 'کلینیک آرامش',
    ORGANIZER_CONTACT: '021-12345678',
    DATA_DIR: join(dir, 'data'),
    PORT: '0',
    ...environment,
  }
  let running: Running | undefined

  async function start(changes: Record<string, string> = {}): Promise<void> {
    const loaded = loadConfig({ ...env, ...changes })
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
    const log = createLog('info', { write: (line: string) => void lines.push(line) })
    running = await run(loaded.config, { log, now })
  }

  async function stop(): Promise<void> {
    await running?.stop()
    running = undefined
  }

  const settled = () => emulator.settled({ idle: () => running?.isIdle() ?? true })

  return {
    sandbox,
    emulator,
    env,
    lines,
    now,
    start,
    stop,
    settled,
    get address() {
      return running?.address ?? ''
    },
    /** Lets time pass for the bot, the service and Telegram alike. */
    pass(ms: number) {
      movedMs += ms
    },
    async close() {
      await stop()
      await Promise.all([sandbox.close(), emulator.close()])
      await rm(dir, { recursive: true, force: true })
    },
  }
}
