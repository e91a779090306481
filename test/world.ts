import { loadConfig } from '../src/config.ts'
import { createLog } from '../src/observe/logger.ts'
import { type Running, run } from '../src/run.ts'
import { createSurroundings, type WorldOptions } from './surroundings.ts'

export type { WorldOptions } from './surroundings.ts'

export type World = Awaited<ReturnType<typeof createTestWorld>>

/** The real bot over HTTP between an emulated Telegram and the sandbox; its clock can be moved. */
export async function createTestWorld(options: WorldOptions = {}) {
  let movedMs = 0
  const now = () => Date.now() + movedMs
  const { sandbox, emulator, env, close } = await createSurroundings(options, now)
  const lines: string[] = []
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
      await close()
    },
  }
}
