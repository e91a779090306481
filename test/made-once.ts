import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { madeFolder } from './compiled.ts'
import { until } from './until.ts'

/** The folder of something that several workers need: whoever needs it first makes it. */
export async function madeOnce(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  // As deep below the project as the modules that look for assets.
  const folder = join(madeFolder(inject('compiled')), name)
  const made = join(folder, '.made')
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  )
  if (isFirst) {
    await make(folder)
    await writeFile(made, '')
  }
  await until(() => existsSync(made))
  return folder
}
