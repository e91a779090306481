import { type Config, describeProblems, loadConfig } from '../config.ts'

/** Where a command writes, so that a test can read it. */
export type Output = { out: (line: string) => void; err: (line: string) => void }

/** The input of a command: what follows its name, the settings, and where it writes. */
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

/** The command line is wrong. */
export class Misused extends Error {}

/** The settings with their warnings; throws an error that names every bad one. */
export function settingsOf(env: NodeJS.ProcessEnv): { config: Config; warnings: string } {
  const loaded = loadConfig(env)
  if (!loaded.ok) throw new Error(describeProblems(loaded.problems))
  return { config: loaded.config, warnings: describeProblems(loaded.warnings) }
}
