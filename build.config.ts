import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { textKeys } from './tools/texts/plugin.ts'

/** What is started, a file of `dist` each; what several of them need lies in chunks that they share. */
const programs = ['main', 'cli/porsa']

/** What is built: given from outside (an image has no git), else what git says. */
function commitOf(): string {
  if (process.env.PORSA_COMMIT) return process.env.PORSA_COMMIT.slice(0, 12)
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as ['ignore', 'pipe', 'ignore']
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8', stdio }).trim()
  } catch {
    return ''
  }
}

/**
 * Few files, because Node takes longer to import a module than to run it. Packages stay where npm has put them,
 * except for zod.
 */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  logLevel: 'error',
  publicDir: false,
  define: { PORSA_COMMIT: JSON.stringify(commitOf()) },
  plugins: [textKeys],
  // The index of zod loads messages in fifty languages, unless the bundler leaves them out.
  ssr: { noExternal: ['zod'] },
  build: {
    ssr: true,
    target: 'node20',
    sourcemap: true,
    rollupOptions: {
      input: Object.fromEntries(programs.map((name) => [name, `src/${name}.ts`])),
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name].js',
        // For memory: comments are kept with the source, and one Persian letter doubles what a whole file takes.
        comments: false,
        minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
        // What looks for texts, fonts and the version lies as deep below the project as it was written.
        codeSplitting: {
          groups: [{ name: 'beside', test: /src\/(texts\/texts|pictures\/fonts|observe\/version)\.ts$/ }],
        },
      },
    },
  },
})
