import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export type BotProcess = {
  /** Of the running process; `undefined` between two of them. */
  readonly pid: number | undefined
  stop(): Promise<void>
}

type Options = {
  /** The bot's compiled entry. */
  entry: URL
  /** Its whole environment. */
  env: Record<string, string>
  onExit?: (exit: BotExit) => void
  /** The pause before the third start in a row; the second follows at once, every further one waits twice as long. */
  firstPauseMs?: number
}

/** Without `restartInMs` it is not started again: it has refused its settings too often. */
export type BotExit = { code: number | null; signal: NodeJS.Signals | null; restartInMs?: number }

const STABLE_MS = 5000
const LONGEST_PAUSE_MS = 10_000
const STOP_LIMIT_MS = 8000
/** After so many starts in a row that ended at once with code 1 there is no hope that the next one is better. */
const REFUSALS_AT_MOST = 5

/** The bot must not outlive a demo that was killed: it ends when the channel to its parent closes. */
export const LEASH = `data:text/javascript,${encodeURIComponent(
  "process.once('disconnect',()=>process.exit());process.channel?.unref()",
)}`

/** Runs the bot as a process of its own and starts it again whenever it dies, unless it refuses to start at all. */
export function startBotProcess({ entry, env, onExit, firstPauseMs = 1000 }: Options): BotProcess {
  let child: ChildProcess | undefined
  let timer: NodeJS.Timeout | undefined
  let stopping = false
  let failures = 0
  let refusals = 0

  function start(): void {
    const startedAt = performance.now()
    const own = spawn(process.execPath, ['--import', LEASH, fileURLToPath(entry)], {
      env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    child = own
    own.once('exit', (code, signal) => {
      child = undefined
      if (stopping) return
      const wasStable = performance.now() - startedAt > STABLE_MS
      failures = wasStable ? 0 : failures + 1
      refusals = wasStable || code !== 1 ? 0 : refusals + 1
      if (refusals === REFUSALS_AT_MOST) return onExit?.({ code, signal })
      const restartInMs = failures < 2 ? 0 : Math.min(firstPauseMs * 2 ** (failures - 2), LONGEST_PAUSE_MS)
      onExit?.({ code, signal, restartInMs })
      timer = setTimeout(start, restartInMs)
    })
  }

  start()
  return {
    get pid() {
      return child?.pid
    },
    async stop() {
      stopping = true
      clearTimeout(timer)
      const last = child
      if (!last) return
      const exited = new Promise((resolve) => last.once('exit', resolve))
      last.kill('SIGTERM')
      const forced = setTimeout(() => last.kill('SIGKILL'), STOP_LIMIT_MS)
      await exited
      clearTimeout(forced)
    },
  }
}
