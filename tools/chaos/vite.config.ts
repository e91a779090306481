import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { planting } from '../simulate/planting.ts'
import { textKeys } from '../texts/plugin.ts'
import { chaosPlants, PLANT } from './plants.ts'

/** The proof and the bot, each in one file: a bot that is killed every moment has to start quickly. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  logLevel: 'error',
  publicDir: false,
  plugins: [textKeys, planting(chaosPlants, (name) => `process.env.${PLANT} === '${name}'`)],
  build: {
    ssr: true,
    // As deep below the project as the modules that look for texts.
    outDir: 'dist-tools/chaos',
    rollupOptions: {
      input: { main: 'tools/chaos/main.ts', bot: 'src/main.ts' },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
  // Prebuilt binaries and workers are found from where their package lies.
  ssr: { noExternal: true, external: ['@resvg/resvg-js', '@photostructure/sqlite', 'pino'] },
})
