import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { errorCode } from './observe/scrub.ts'

/** What a program was called with: its environment, and its arguments without those that are read here. */
export type Called = { env: NodeJS.ProcessEnv; args: string[] }

const FLAG = '--settings'

/**
 * The environment with the settings of a file below it: what the environment says already wins. The commands of
 * package.json name the file (`--settings .env`), which need not be there. Throws an `Error` when it cannot be read.
 */
export function readEnvironment(argv: readonly string[], env: NodeJS.ProcessEnv): Called {
  const at = argv.indexOf(FLAG)
  const file = at < 0 ? undefined : argv[at + 1]
  if (file === undefined) return { env, args: [...argv] }
  return { env: { ...parseEnv(readSettings(file)), ...env }, args: argv.toSpliced(at, 2) }
}

function readSettings(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT') return ''
    throw new Error(
      `${file} cannot be read (${code}): it holds the settings, and the bot's user must be able to`,
    )
  }
}
