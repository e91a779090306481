import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build as bundleWithVite } from 'vite'

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
  return built(folder, folder)
}

/** The same program in one file: it starts in half the time, which counts where it is killed again and again. */
export async function bundle(): Promise<Build> {
  const folder = await mkdtemp(`${root}dist-test-`)
  // As deep below the project as the modules that look for assets.
  const outDir = `${folder}/bundle`
  await bundleWithVite({
    root,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      ssr: 'src/main.ts',
      outDir,
      minify: true,
      rollupOptions: { output: { entryFileNames: 'main.js' } },
    },
    // Prebuilt binaries and workers are found from where their package lies.
    ssr: { noExternal: true, external: ['@resvg/resvg-js', '@photostructure/sqlite', 'pino'] },
  })
  return built(folder, outDir)
}

const built = (folder: string, entries: string): Build => ({
  entry: (path) => new URL(path, pathToFileURL(`${entries}/`)),
  remove: () => rm(folder, { recursive: true, force: true }),
})
