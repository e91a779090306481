import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { errorCode } from './observe/scrub.ts'

const BESIDE = '.env'

/**
 * The environment with the settings of a file added: values of the environment win. Without a name the file
 * is the `.env` of the folder, which may be absent; a named file has the syntax of systemd. Throws an `Error`
 * if it cannot be read.
 */
export function readEnvironment(env: NodeJS.ProcessEnv, file?: string): NodeJS.ProcessEnv {
  const settings = file === undefined ? parseEnv(read(BESIDE) ?? '') : parseSettings(read(file, true) ?? '')
  return { ...settings, ...env }
}

function read(file: string, isNeeded = false): string | undefined {
  try {
    // Notepad puts a byte order mark before the first name.
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' && !isNeeded) return undefined
    const advice = code === 'ENOENT' ? 'is there such a file?' : "the bot's user must be able to read it"
    throw new Error(`${file} cannot be read (${code}): it holds the settings; ${advice}`)
  }
}

/** A comment, or a name with its value: quoted parts first, then all else up to the end of the line. */
const ASSIGNMENT =
  /^[ \t]*(?:[#;](?:\\\n|.)*|(export[ \t]+)?([A-Za-z_]\w*)[ \t]*=((?:[ \t]*(?:"(?:\\[\s\S]|[^"\\])*"|'[^']*'))*)[ \t]*((?:\\[\s\S]|[^\n\\])*))/gm
const QUOTED = /"((?:\\[\s\S]|[^"\\])*)"|'([^']*)'/g

/** Parses settings like systemd's `EnvironmentFile`: `#` in a line is no comment, a backslash joins lines. */
function parseSettings(text: string): Record<string, string> {
  const assignments = [...text.replaceAll('\r\n', '\n').matchAll(ASSIGNMENT)]
  return Object.fromEntries(
    assignments.flatMap(([, exported, name, quoted = '', rest = '']) => {
      if (name === undefined) return []
      if (exported) throw new Error(`${name} has export before it, for which systemd leaves the line out`)
      const parts = [...quoted.matchAll(QUOTED)].map(([, double, single = '']) =>
        double === undefined ? single : double.replace(/\\\n/g, '').replace(/\\(["\\`$])/g, '$1'),
      )
      return [[name, parts.join('') + rest.trimEnd().replace(/\\\n/g, '').replace(/\\(.)/g, '$1')]]
    }),
  )
}

/** The name that is at most two letters away from the given one, the nearest of them; else `undefined`. */
export function nearest(given: string, names: readonly string[]): string | undefined {
  const near = names.map((name) => ({ name, away: distance(given, name) })).filter(({ away }) => away <= 2)
  return near.sort((one, other) => one.away - other.away)[0]?.name
}

/** How many letters have to be put in, taken out or changed. */
function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return Number.POSITIVE_INFINITY
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1]
    for (const [place, wanted] of [...other].entries()) {
      const [left = 0, above = 0, across = 0] = [next[place], row[place + 1], row[place]]
      next.push(Math.min(left + 1, above + 1, across + (letter === wanted ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
