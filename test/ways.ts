import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { inject } from 'vitest'
import { madeFolder } from './compiled.ts'
import { until } from './until.ts'

/**
 * Ways that are walked once in a run of the tests, by whoever wants to be at their end first; the others, in other
 * workers too, begin where that led. What is reached is plain data.
 */
export function createWays<Reached>() {
  const reached = new Map<string, Promise<Reached>>()
  const pathOf = (name: string) => join(madeFolder(inject('compiled')), `way-${hashOf(name)}`)

  async function keep(name: string, found: Reached): Promise<Reached> {
    const path = pathOf(name)
    // Whole or not at all: another worker may be looking.
    const draft = `${path}.${process.pid}`
    await writeFile(draft, serialize(found))
    await rename(draft, path)
    return found
  }

  const load = async (path: string) => deserialize(await readFile(path)) as Reached

  /** Walks, or waits for the worker that does so already. */
  async function walkOrWait(name: string, walk: () => Promise<Reached>): Promise<Reached> {
    const path = pathOf(name)
    const walker = `${path}.walker`
    const isFirst = await mkdir(walker).then(
      () => true,
      () => false,
    )
    if (isFirst) {
      return walk()
        .then((here) => keep(name, here))
        .catch(async (error) => {
          await rmdir(walker)
          throw error
        })
    }
    await until(() => existsSync(path) || !existsSync(walker))
    return existsSync(path) ? load(path) : walkOrWait(name, walk)
  }

  /** Where this way leads, if anybody has walked it, or somebody here does so now. */
  function known(name: string): Promise<Reached> | undefined {
    const path = pathOf(name)
    if (!reached.has(name) && existsSync(path)) reached.set(name, load(path))
    return reached.get(name)
  }

  return {
    known,
    /** Where this way leads, walked now unless that is known. */
    reach(name: string, walk: () => Promise<Reached>): Promise<Reached> {
      const found = known(name) ?? walkOrWait(name, walk)
      reached.set(name, found)
      return found
    },
    /** Notes a place on the way to another one. */
    passes(name: string, here: () => Reached): void {
      if (!known(name)) reached.set(name, keep(name, here()))
    },
  }
}

const hashOf = (name: string) => createHash('sha256').update(name).digest('hex')
