import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { made, madeOnce } from './made-once.ts'

/**
 * Ways that are walked once per run of the tests, by the story that needs their end first; other stories, in
 * other workers too, start from that end. The reached state is plain data.
 */
export function createWays<Reached>() {
  const reached = new Map<string, Promise<Reached>>()
  const endIn = (folder: string) => join(folder, 'end')
  const load = async (folder: string) => deserialize(await readFile(endIn(folder))) as Reached

  /** Walks, or waits for the worker that is walking already. */
  const walk = async (name: string, way: () => Promise<Reached>) =>
    load(await madeOnce(nameOf(name), async (folder) => writeFile(endIn(folder), serialize(await way()))))

  /** The end of this way, if a story has walked it, or is walking it in this worker. */
  function known(name: string): Promise<Reached> | undefined {
    const folder = made(nameOf(name))
    if (!reached.has(name) && folder) reached.set(name, load(folder))
    return reached.get(name)
  }

  return {
    known,
    /** The end of this way; walks it now unless it is known. */
    reach(name: string, way: () => Promise<Reached>): Promise<Reached> {
      const found = known(name) ?? walk(name, way)
      reached.set(name, found)
      return found
    },
    /** Records a place on the way to another one. */
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
