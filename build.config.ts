import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

/** What is started, a file of `dist` each; what several of them need lies in chunks that they share. */
const programs = [
  'main',
  'bench/main',
  'bench/open-sittings-process',
  'bench/telegram-stub-process',
  'bench/webhook-process',
  'cli/check',
  'cli/link',
  'demo/main',
  'demo/make-fonts',
  'sandbox/main',
  'texts/generate',
]

/** Few files, because Node takes longer to import a module than to run it; packages stay where npm has put them. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  logLevel: 'error',
  publicDir: false,
  build: {
    ssr: true,
    target: 'node20',
    sourcemap: true,
    rollupOptions: {
      input: Object.fromEntries(programs.map((name) => [name, `src/${name}.ts`])),
      // One folder deep, as the modules that look for texts, fonts and the page.
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
    },
  },
})
