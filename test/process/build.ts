import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build as bundleWithVite } from 'vite'
import { inject } from 'vitest'
import { until } from '../until.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

export type Build = { entry(path: string): URL; remove(): Promise<void> }

/**
 * Compiles `src` as `npm run build` does, into a folder of its own beside `dist`: assets are found by the depth. Types
 * were checked before the tests.
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

/**
 * The bot in one file, the same for all workers: whoever needs it first makes it. It starts in half the time, which
 * counts where it is killed again and again.
 */
export async function bundledBot(): Promise<URL> {
  const folder = inject('bundle')
  // As deep below the project as the modules that look for assets.
  const outDir = join(folder, 'bundle')
  const made = join(folder, 'made')
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  )
  if (isFirst) {
    await bundleInto(outDir)
    await writeFile(made, '')
  }
  await until(() => existsSync(made))
  return pathToFileURL(join(outDir, 'main.js'))
}

async function bundleInto(outDir: string): Promise<void> {
  await bundleWithVite({
    root,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      ssr: 'src/main.ts',
      outDir,
      rollupOptions: { output: { entryFileNames: 'main.js' } },
    },
    // Prebuilt binaries and workers are found from where their package lies.
    ssr: { noExternal: true, external: ['@resvg/resvg-js', '@photostructure/sqlite', 'pino'] },
  })
}
