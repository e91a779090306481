import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { planting } from '../simulate/planting.ts'
import { textKeys } from '../texts/plugin.ts'
import { chaosPlants, PLANT } from './plants.ts'

/** Builds the proof and the bot into one file each: a bot that is often killed has to start quickly. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  logLevel: 'error',
  publicDir: false,
  plugins: [textKeys, planting(chaosPlants, (name) => `process.env.${PLANT} === '${name}'`)],
  build: {
    ssr: true,
    // As deep below the project as the source files, because modules look for texts by relative paths.
    outDir: 'dist-tools/chaos',
    rollupOptions: {
      input: { main: 'tools/chaos/main.ts', bot: 'src/main.ts' },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
  // Prebuilt binaries and workers are loaded from the folder of their package.
  ssr: { noExternal: true, external: ['@resvg/resvg-js', '@photostructure/sqlite', 'pino'] },
})
