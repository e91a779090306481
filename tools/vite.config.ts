import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { textKeys } from './texts/plugin.ts'

/** Programs for developers, one file each; simulation and chaos change the bot and have their own builds. */
const programs = {
  bench: 'bench/main',
  'use-report': 'bench/use-report',
  'open-attempts-process': 'bench/open-attempts-process',
  'telegram-stub-process': 'bench/telegram-stub-process',
  'webhook-process': 'bench/webhook-process',
  demo: 'demo/main',
  faults: 'faults/main',
  fonts: 'demo/make-fonts',
  mutate: 'mutate/main',
  pages: 'pages/main',
  sandbox: 'sandbox/main',
  screens: 'screens/main',
}

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  logLevel: 'error',
  publicDir: false,
  plugins: [textKeys],
  build: {
    ssr: true,
    target: 'node20',
    sourcemap: true,
    // As deep below the project as the source files, which look for texts, fonts and the page.
    outDir: 'dist-tools/programs',
    rollupOptions: {
      input: Object.fromEntries(Object.entries(programs).map(([name, file]) => [name, `tools/${file}.ts`])),
      // All in one folder, where a program finds the programs that it starts.
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
})
