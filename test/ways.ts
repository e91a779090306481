import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { made, madeOnce } from './made-once.ts'

/**
 * Ways that are walked once in a run of the tests, by whoever wants to be at their end first; the others, in other
 * workers too, begin where that led. What is reached is plain data.
 */
export function createWays<Reached>() {
  const reached = new Map<string, Promise<Reached>>()
  const endIn = (folder: string) => join(folder, 'end')
  const load = async (folder: string) => deserialize(await readFile(endIn(folder))) as Reached

  /** Walks, or waits for the worker that does so already. */
  const walk = async (name: string, way: () => Promise<Reached>) =>
    load(await madeOnce(nameOf(name), async (folder) => writeFile(endIn(folder), serialize(await way()))))

  /** Where this way leads, if anybody has walked it, or somebody here does so now. */
  function known(name: string): Promise<Reached> | undefined {
    const folder = made(nameOf(name))
    if (!reached.has(name) && folder) reached.set(name, load(folder))
    return reached.get(name)
  }

  return {
    known,
    /** Where this way leads, walked now unless that is known. */
    reach(name: string, way: () => Promise<Reached>): Promise<Reached> {
      const found = known(name) ?? walk(name, way)
      reached.set(name, found)
      return found
    },
    /** Notes a place on the way to another one. */
    passes(name: string, here: () => Reached): void {
      if (known(name)) return
      const place = here()
      reached.set(
        name,
        walk(name, async () => place),
      )
    },
  }
}

const nameOf = (way: string) => `way-${createHash('sha256').update(way).digest('hex')}`
