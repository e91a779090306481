import { type Config, describeProblems, loadConfig } from '../config.ts'

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

/** What was asked for is no command. */
export class Misused extends Error {}

/** The settings, and what is unusual about them; throws what names every bad one. */
export function settingsOf(env: NodeJS.ProcessEnv): { config: Config; warnings: string } {
  const loaded = loadConfig(env)
  if (!loaded.ok) throw new Error(describeProblems(loaded.problems))
  return { config: loaded.config, warnings: describeProblems(loaded.warnings) }
}
