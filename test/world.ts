import { setTimeout as delay } from 'node:timers/promises'
import { loadConfig } from '../src/config.ts'
import { DAY_MS, HOUR_MS, TEHRAN_MS } from '../src/domain/durations.ts'
import { createLog } from '../src/observe/logger.ts'
import { createCardRenderer } from '../src/pictures/card-renderer.ts'
import { type Running, run } from '../src/run.ts'
import { loadTexts } from '../src/texts/texts.ts'
import { drawnOnce } from './drawn-once.ts'
import { createSurroundings, type Standstill, type WorldOptions } from './surroundings.ts'
import { INVITER, texts } from './words.ts'

export type { WorldOptions } from './surroundings.ts'

/** The state of a world from which others can start, and the bot's log so far. */
export type Standing = Standstill & { lines: readonly string[] }

/** All worlds share these. */
const cards = drawnOnce(createCardRenderer())

export type World = Awaited<ReturnType<typeof createTestWorld>>

/** The hour in Tehran at which stories begin, at any real time: due jobs depend on the hour of the day. */
export const FIRST_HOUR = 10

function beginning(): number {
  const now = Date.now()
  return now + DAY_MS - ((now + TEHRAN_MS - FIRST_HOUR * HOUR_MS) % DAY_MS)
}

const hastily = (ms: number, signal?: AbortSignal) => delay(ms / 20, undefined, signal ? { signal } : {})

/** The real bot over HTTP between an emulated Telegram and the sandbox; its clock can be moved. */
export async function createTestWorld(options: WorldOptions = {}, standing?: Standing) {
  let movedMs = (standing?.at ?? beginning()) - Date.now()
  let heldAt: number | undefined
  const now = () => (heldAt ?? Date.now()) + movedMs
  const { sandbox, emulator, env, connect, stand, close } = await createSurroundings(options, now, standing)
  const lines = [...(standing?.lines ?? [])]
  let running: Running | undefined
  // In a saved state the bot has introduced itself to Telegram; few stories are about that.
  let isIntroduced = standing !== undefined || options.introducesItself !== true

  async function start(changes: Record<string, string> = {}): Promise<void> {
    const loaded = loadConfig({ ...env, ...changes })
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
    const log = createLog('info', { write: (line: string) => void lines.push(line) })
    const isUsual = loaded.config.organizerName === INVITER.organizerName
    const said = isUsual ? texts : loadTexts(loaded.config)
    const given = { log, now, texts: said, cards, isIntroduced, dispatcher: connect() }
    running = await run(loaded.config, options.isHasty ? { ...given, sleep: hastily } : given)
    isIntroduced = false
  }

  async function stop(): Promise<void> {
    await running?.stop()
    running = undefined
  }

  const settled = () => emulator.settled({ bot: running })

  /** Stops the bot and starts it again with its stored data. */
  async function restarts(changes: Record<string, string> = {}): Promise<void> {
    await stop()
    await start(changes)
    await settled()
  }

  return {
    sandbox,
    emulator,
    env,
    /** The state of everything while the bot is idle. */
    stand: (): Standing => ({ ...stand(), lines: [...lines] }),
    lines,
    now,
    start,
    stop,
    restarts,
    settled,
    get address() {
      return running?.address ?? ''
    },
    /** Stops the clock: from now on only `pass` moves it. */
    holdClock() {
      heldAt ??= Date.now()
    },
    /** Lets time pass for the bot, the service and Telegram alike. */
    pass(ms: number) {
      movedMs += ms
    },
    /** The same; then a stranger's message makes the bot check for due work at once. */
    passWith(ms: number) {
      movedMs += ms
      emulator.person({ firstName: 'رهگذر' }).start()
    },
    async close() {
      await stop()
      await close()
    },
  }
}

/** Opens the worlds that a story requests, and closes them after it. */
export async function withWorlds<T>(
  use: (made: T) => Promise<void>,
  make: (open: (options: WorldOptions, standing?: Standing) => Promise<World>) => T,
): Promise<void> {
  const worlds: World[] = []
  await use(
    make(async (options, standing) => {
      const settle = { timeoutMs: 200_000 }
      const world = await createTestWorld({ ...options, emulator: { settle, ...options.emulator } }, standing)
      worlds.push(world)
      await world.start()
      return world
    }),
  )
  await Promise.all(worlds.map((world) => world.close()))
}
