import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export type BotProcess = {
  /** The id of the running process; `undefined` while none runs. */
  readonly pid: number | undefined
  stop(): Promise<void>
}

type Options = {
  /** The bot's compiled entry. */
  entry: URL
  /** The whole environment of the bot. */
  env: Record<string, string>
  onExit?: (exit: BotExit) => void
  /** The pause before the third start in a row; the second start is immediate, every later pause doubles. */
  firstPauseMs?: number
}

/** Without `restartInMs` the bot is not restarted: it has exited at once with code 1 too often. */
export type BotExit = { code: number | null; signal: NodeJS.Signals | null; restartInMs?: number }

const STABLE_MS = 5000
const LONGEST_PAUSE_MS = 10_000
const STOP_LIMIT_MS = 8000
/** After this many starts in a row that ended at once with code 1, another start is hopeless. */
const REFUSALS_AT_MOST = 5

/** Ends the bot when the channel to its parent closes, so that it does not outlive a killed demo. */
export const LEASH = `data:text/javascript,${encodeURIComponent(
  "process.once('disconnect',()=>process.exit());process.channel?.unref()",
)}`

/** Runs the bot in its own process and restarts it whenever it dies, unless it keeps refusing to start. */
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
