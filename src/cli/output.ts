import { type Config, describeProblems, loadConfig } from '../config.ts'
import { exitCodeOf } from '../observe/away.ts'

/** Where a command writes, so that a test can read it. */
export type Output = { out: (line: string) => void; err: (line: string) => void }

/** What a command is called with: what stands behind its name, and the settings. */
export type Called = {
  args: readonly string[]
  options: Readonly<Record<string, string | true>>
  env: NodeJS.ProcessEnv
  output: Output
}

export const terminal: Output = {
  out: (line) => console.log(line),
  err: (line) => console.error(line),
}

/** Runs a command; what keeps it from running is told in words. Returns the exit code. */
export async function orInWords({ err }: Output, run: () => Promise<number>): Promise<number> {
  try {
    return await run()
  } catch (error) {
    err(error instanceof Error ? error.message : 'failed')
    return exitCodeOf(error)
  }
}

/** What was asked for is no command. */
export class Misused extends Error {}

/** The settings, and what is unusual about them; throws what names every bad one. */
export function settingsOf(env: NodeJS.ProcessEnv): { config: Config; warnings: string } {
  const loaded = loadConfig(env)
  if (!loaded.ok) throw new Error(describeProblems(loaded.problems))
  return { config: loaded.config, warnings: describeProblems(loaded.warnings) }
}
