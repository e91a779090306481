import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { errorCode } from '../src/observe/scrub.ts'
import { madeFolder } from './compiled.ts'
import { until } from './until.ts'

// As deep below the project as the source files, because modules look for assets by relative paths.
const folderOf = (name: string) => join(madeFolder(inject('compiled')), name)
const DONE = '.made'

/** The folder of something that a worker has made already. */
export function made(name: string): string | undefined {
  const folder = folderOf(name)
  return existsSync(join(folder, DONE)) ? folder : undefined
}

/** The folder of something that several workers need: the first one makes it; if that fails, the next one. */
export async function madeOnce(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = folderOf(name)
  if (!(await isFirst(folder))) {
    await until(() => made(name) !== undefined || !existsSync(folder))
    return made(name) ?? madeOnce(name, make)
  }
  try {
    await make(folder)
    await writeFile(join(folder, DONE), '')
    return folder
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

async function isFirst(folder: string): Promise<boolean> {
  try {
    await mkdir(folder)
    return true
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    return false
  }
}
