import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const NAME = 'demo.pid'

/**
 * Takes the demo's folder for this process and returns how to give it back. Throws, in words for the one who starts
 * the demo, when another demo has it or it cannot be written.
 */
export function lockFolder(dataDir: string): () => void {
  const path = join(dataDir, NAME)
  try {
    mkdirSync(dataDir, { recursive: true })
    const owner = take(path)
    if (owner !== undefined)
      throw new FolderInUse(
        `${dataDir} is in use by the demo with pid ${owner}; if that is no demo, delete demo.pid there`,
      )
  } catch (error) {
    if (error instanceof FolderInUse) throw error
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new Error(`DATA_DIR cannot be written (${code})`, { cause: error })
  }
  return () => rmSync(path, { force: true })
}

class FolderInUse extends Error {}

/** Makes the file, or tells which process has it. One that a killed demo left is taken over. */
function take(path: string): number | undefined {
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 })
      return undefined
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const owner = Number(readFileSync(path, 'utf8'))
      if (isAnotherProcess(owner)) return owner
      rmSync(path)
    }
  }
}

/** A file with our own number was left by an earlier life: in a container every process has the number of the last. */
function isAnotherProcess(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Somebody else's process may not be signalled, but it is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
