import { describeProblems, loadConfig } from '../config.ts'
import { findAll } from './checks.ts'
import type { Output } from './output.ts'

/** `npm run check`: one line for each part, and what to do about one that fails; returns the exit code. */
export async function runCheck(env: NodeJS.ProcessEnv, { out, err }: Output): Promise<number> {
  const loaded = loadConfig(env)
  if (!loaded.ok) {
    err(describeProblems(loaded.problems))
    return 1
  }
  if (loaded.warnings.length > 0) err(describeProblems(loaded.warnings))
  const findings = await findAll(loaded.config)
  for (const { name, isOk, detail, advice } of findings) {
    out(`${isOk ? 'ok    ' : 'FAILED'}  ${name.padEnd(9)} ${detail}`)
    if (advice) out(`${' '.repeat(18)}→ ${advice}`)
  }
  return findings.every(({ isOk }) => isOk) ? 0 : 1
}
