import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { textKeys } from '../texts/plugin.ts'
import { planting } from './planting.ts'
import { plants } from './plants.ts'

const standIn = (name: string) => fileURLToPath(new URL(`stand-ins/${name}.ts`, import.meta.url))
const standIns = new Map([
  ['node:crypto', standIn('crypto')],
  ['node:timers/promises', standIn('timers-promises')],
  ['undici', standIn('undici')],
  ['ioredis', standIn('ioredis')],
  ['@photostructure/sqlite', standIn('sqlite')],
])
/** Modules whose random values (names of claims, versions, seals) differ between the stores. */
const STORES = /\/src\/storage\/(aes-gcm|store|redis[^/]*|sqlite[^/]*)\.ts$/

/** Replaces Node's clock, randomness, network and disk by the simulation's, in this bundle only. */
const standing: Plugin = {
  name: 'stand-ins',
  enforce: 'pre',
  resolveId: (source, importer = '') =>
    source === 'node:crypto' && STORES.test(importer) ? standIn('crypto-of-stores') : standIns.get(source),
}

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  logLevel: 'error',
  publicDir: false,
  plugins: [textKeys, planting(plants, (name) => `globalThis.isPlanted?.('${name}')`), standing],
  build: {
    ssr: true,
    // The modules find the texts relative to this depth below the project.
    outDir: 'dist-tools/simulate',
    rollupOptions: {
      input: ['main', 'fuzz', 'worker'].map((name) => `tools/simulate/${name}.ts`),
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
})
