import { execFile } from 'node:child_process'
import { mkdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder with the compiled modules of `src` and of the tools that tests use. */
    compiled: string
  }
}

/** The folder for things that one worker makes for all of them. */
export const madeFolder = (compiled: string) => `${compiled}-made`

const root = fileURLToPath(new URL('../', import.meta.url))

/** Assets that modules find both from the compiled and from the source folder. */
const readAsWritten = ['locales', 'package.json', 'src/pictures/fonts', 'tools/demo/page']

/** Compiles for this run of the tests, and removes the result in the end. Another test checks the types. */
export default async function compile(project: TestProject): Promise<() => Promise<void>> {
  const { compiled } = project.getProvidedContext()
  const compiler = `${root}node_modules/typescript/bin/tsc`
  await mkdir(madeFolder(compiled))
  await promisify(execFile)(process.execPath, [
    compiler,
    '-p',
    `${root}test/tsconfig.compiled.json`,
    '--outDir',
    compiled,
  ])
  for (const path of readAsWritten) await symlink(join(root, path), join(compiled, path))
  return async () => {
    for (const folder of [compiled, madeFolder(compiled)]) await rm(folder, { recursive: true, force: true })
  }
}
