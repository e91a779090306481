import { describeProblems, loadConfig } from '../config.ts'
import { findAll } from './checks.ts'
import type { Output } from './output.ts'

/** `npm run check`: one line for each part; returns the exit code. */
export async function runCheck(env: NodeJS.ProcessEnv, { out, err }: Output): Promise<number> {
  const loaded = loadConfig(env)
  if (!loaded.ok) {
    err(describeProblems(loaded.problems))
    return 1
  }
  if (loaded.warnings.length > 0) err(describeProblems(loaded.warnings))
  const findings = await findAll(loaded.config)
  for (const { name, isOk, detail } of findings) {
    out(`${isOk ? 'ok    ' : 'FAILED'}  ${name.padEnd(8)}  ${detail}`)
  }
  return findings.every(({ isOk }) => isOk) ? 0 : 1
}
