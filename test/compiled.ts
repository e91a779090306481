import { execFile } from 'node:child_process'
import { mkdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder that has `src` and the tools that tests use compiled, module by module. */
    compiled: string
  }
}

/** Where lies what the first of several workers makes for all of them. */
export const madeFolder = (compiled: string) => `${compiled}-made`

const root = fileURLToPath(new URL('../', import.meta.url))

/** What is no module is found from one that is compiled as from the one that was written. */
const readAsWritten = ['locales', 'package.json', 'src/pictures/fonts', 'tools/demo/page']

/** Compiles for this run of the tests, and removes it in the end. Types are checked by a test of their own. */
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
