import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../', import.meta.url))

export type Build = { entry(path: string): URL; remove(): Promise<void> }

/**
 * Compiles `src` as `npm run build` does, into a folder of its own beside `dist`: assets are found by the depth, and
 * several test files at once do not disturb each other. Types were checked before the tests.
 */
export async function build(): Promise<Build> {
  const folder = await mkdtemp(`${root}dist-test-`)
  const compiler = `${root}node_modules/typescript/bin/tsc`
  const how = ['--noCheck', '--sourceMap', 'false', '--outDir', folder]
  await promisify(execFile)(process.execPath, [compiler, '-p', `${root}tsconfig.build.json`, ...how])
  return {
    entry: (path) => new URL(path, pathToFileURL(`${folder}/`)),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
