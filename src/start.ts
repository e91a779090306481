import { describeProblems, loadConfig } from './config.ts'
import { EXIT, exitCodeOf } from './observe/away.ts'
import { createLog } from './observe/logger.ts'
import { keepHeapSmall } from './observe/small-heap.ts'

/** What is not finished by then is found at the next start: messages by their lease, calls by their note. */
const STOP_WITHIN_MS = 9_500

/** Runs the bot as a process: it ends when its work ends, by a signal, or when it cannot go on. */
export async function start(env: NodeJS.ProcessEnv): Promise<void> {
  keepHeapSmall()
  const loaded = loadConfig(env)
  if (!loaded.ok) return fail(describeProblems(loaded.problems))
  const { config, warnings } = loaded
  const log = createLog(config.logLevel)
  for (const { name, problem } of warnings) log.warn({ variable: name, problem }, 'unusual setting')
  // A defect of ours is no wrong setting: the supervisor starts the process again.
  process.on('uncaughtException', (err) => {
    log.error({ err }, 'the process breaks off')
    process.exit(EXIT.broken)
  })

  // Loaded now, so that the garbage of loading does not enlarge the heap.
  const starting = import('./run.ts').then(({ run }) => run(config, { log }))
  let isStopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isStopping) return
      isStopping = true
      log.info({ signal }, 'stopping')
      setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref()
      void starting.then((running) => running.stop()).then(() => process.exit(0), fail)
    })
  }
  const running = await starting.catch(fail)
  const reason = await running?.ended
  if (reason) fail(reason)
}

function fail(reason: unknown): void {
  process.stderr.write(`${reason instanceof Error ? reason.message : String(reason)}\n`)
  process.exit(exitCodeOf(reason))
}
