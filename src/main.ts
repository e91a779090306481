import { describeProblems, loadConfig } from './config.ts'
import { readEnvironment } from './environment.ts'
import { createLog } from './observe/logger.ts'
import { keepHeapSmall } from './observe/small-heap.ts'

/** What cannot be finished by then is found at the next start: a message with its lease, a call noted as begun. */
const STOP_WITHIN_MS = 9_500

async function main(): Promise<void> {
  keepHeapSmall()
  const loaded = loadConfig(readEnvironment(process.argv.slice(2), process.env).env)
  if (!loaded.ok) return fail(describeProblems(loaded.problems))
  const { config, warnings } = loaded
  const log = createLog(config.logLevel)
  for (const { name, problem } of warnings) log.warn({ variable: name, problem }, 'unusual setting')

  // Loaded now, so that what loading leaves behind does not stretch the heap.
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
  const { ended } = await starting
  const reason = await ended
  if (reason) fail(reason)
}

function fail(reason: unknown): void {
  process.stderr.write(`${reason instanceof Error ? reason.message : String(reason)}\n`)
  process.exit(1)
}

main().catch(fail)
