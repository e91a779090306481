import { resolve } from 'node:path'
import { describeProblems, loadConfig } from '../../src/config.ts'
import { isLoopback } from '../emulator/loopback-guard.ts'

export type DemoSettings = {
  host: string
  port: number
  dataDir: string
  /** Forget everything of earlier demos first. */
  fresh: boolean
  generationSeconds: number
  logLevel: string
}

/** Reads the settings of the demo, or lists the problem of each wrong one. */
export function readSettings(
  env: NodeJS.ProcessEnv,
  args: readonly string[],
): DemoSettings | { problems: string[] } {
  const problems: string[] = []
  const host = env.HOST || '127.0.0.1'
  const port = Number(env.PORT || 8080)
  const generationSeconds = Number(env.SANDBOX_GENERATION_SECONDS || 20)
  if (env.BOT_TOKEN)
    problems.push('BOT_TOKEN is set: the demo never runs beside a real bot. Unset it and try again.')
  if (env.NODE_ENV === 'production') problems.push('NODE_ENV is production: the demo never runs there.')
  if (!isLoopback(host))
    problems.push('HOST must be 127.0.0.1, localhost or ::1: the demo serves its own machine only.')
  if (!Number.isInteger(port) || port < 0 || port > 65_535) problems.push('PORT must be a port.')
  if (!Number.isFinite(generationSeconds) || generationSeconds < 0) {
    problems.push('SANDBOX_GENERATION_SECONDS must be a number.')
  }
  problems.push(...botProblems(env, 'LOG_LEVEL'))
  const unknown = args.filter((arg) => arg !== '--fresh')
  if (unknown.length > 0) problems.push('The demo knows one option: --fresh.')
  if (problems.length > 0) return { problems }
  return {
    host,
    port,
    dataDir: resolve(env.DATA_DIR || './demo-data'),
    fresh: args.includes('--fresh'),
    generationSeconds,
    logLevel: env.LOG_LEVEL || 'error',
  }
}

/** The bot's own complaints about a variable that is passed on to it. */
function botProblems(env: NodeJS.ProcessEnv, name: string): string[] {
  const loaded = loadConfig({ [name]: env[name] })
  return loaded.ok
    ? []
    : loaded.problems.filter((each) => each.name === name).map((each) => describeProblems([each]))
}
