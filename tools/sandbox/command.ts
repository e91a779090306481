import { randomBytes } from 'node:crypto'
import { createSandbox, type Sandbox } from './sandbox.ts'

interface CommandDeps {
  readonly env: NodeJS.ProcessEnv
  readonly print: (line: string) => void
  readonly complain: (line: string) => void
}

/**
 * Starts the sandbox with the settings of the environment and prints its address, key and invitations. When
 * it cannot start it names every bad variable, without its value, and returns undefined.
 */
export async function runSandbox({ env, print, complain }: CommandDeps): Promise<Sandbox | undefined> {
  const port = Number(env.SANDBOX_PORT || 8090)
  const generationSeconds = Number(env.SANDBOX_GENERATION_SECONDS || 20)
  const problems = [
    ...(env.NODE_ENV === 'production' ? ['NODE_ENV: the sandbox does not run in production'] : []),
    ...(isBetween(port, 0, 65_535) && Number.isInteger(port) ? [] : ['SANDBOX_PORT: not a port number']),
    ...(isBetween(generationSeconds, 0, 86_400)
      ? []
      : ['SANDBOX_GENERATION_SECONDS: not a number up to 86400']),
  ]
  for (const problem of problems) complain(problem)
  if (problems.length > 0) return undefined

  const key = env.SANDBOX_KEY || `sandbox-${randomBytes(12).toString('hex')}`
  const sandbox = createSandbox({ key, generationSeconds })
  const seeds = sandbox.seed()
  try {
    const url = await sandbox.listen(port)
    print('This is a sandbox: samples only, nothing is kept, never for real participants.')
    print(`SERVICE_URL=${url}`)
    print(`SERVICE_KEY=${env.SANDBOX_KEY ? '(the one in SANDBOX_KEY)' : key}`)
    for (const { payload, title, note } of seeds) print(`${payload}  ${title}: ${note}`)
    return sandbox
  } catch (error) {
    complain(`SANDBOX_PORT: ${error instanceof Error ? error.message : 'cannot listen'}`)
    return undefined
  }
}

function isBetween(value: number, least: number, most: number): boolean {
  return value >= least && value <= most
}
