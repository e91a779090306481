import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { textKeys } from '../texts/plugin.ts'
import { planting } from './planting.ts'
import { plants } from './plants.ts'

const standIns = new Map(
  ['crypto', 'timers-promises', 'undici', 'sqlite'].map((name) => [
    { crypto: 'node:crypto', 'timers-promises': 'node:timers/promises', sqlite: '@photostructure/sqlite' }[
      name
    ] ?? name,
    fileURLToPath(new URL(`stand-ins/${name}.ts`, import.meta.url)),
  ]),
)

/** Puts the simulation's own clock, randomness, network and disk in the place of Node's, in this bundle only. */
const standing: Plugin = {
  name: 'stand-ins',
  enforce: 'pre',
  resolveId: (source) => standIns.get(source),
}

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  logLevel: 'error',
  publicDir: false,
  plugins: [textKeys, planting(plants, (name) => `globalThis.isPlanted?.('${name}')`), standing],
  build: {
    ssr: true,
    // As deep below the project as the modules that look for texts.
    outDir: 'dist-tools/simulate',
    rollupOptions: {
      input: ['main', 'fuzz', 'worker'].map((name) => `tools/simulate/${name}.ts`),
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
})
