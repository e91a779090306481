import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { inject } from 'vitest'
import { bundleFolder } from '../compiled.ts'
import { until } from '../until.ts'

/**
 * The bot in one file, the same for all workers: whoever needs it first makes it. It starts in half the time, which
 * counts where it is killed again and again.
 */
export async function bundledBot(): Promise<URL> {
  const folder = bundleFolder(inject('compiled'))
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
  await build({
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
