import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import project from './test/tsconfig.compiled.json' with { type: 'json' }
import { textKeys } from './tools/texts/plugin.ts'

/**
 * What takes long begins first, and of that what mostly waits (killed bots and replicas) beside what mostly works
 * (simulated worlds, the compiler, browsers).
 */
const longest = [
  '/simulate/',
  '/gate',
  '/process/watch',
  '/process/redis',
  '/demo/page',
  '/browser/family',
  '/browser/',
  '/process/',
  '/storage/redis',
]
const rank = ({ moduleId }: TestSpecification) => {
  const place = longest.findIndex((part) => moduleId.includes(part))
  return place < 0 ? longest.length : place
}

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

const root = fileURLToPath(new URL('./', import.meta.url))
const folders = project.include.map((folder) => join(root, 'test', folder, '/'))
const compiled = join(root, `dist-test-${randomUUID()}`)

/**
 * Tests read the bot, and what plays its surroundings, as the compiler has made them: Node imports that in a sixth of
 * the time that the modules take one by one. Only who puts another module in the place of one reads the sources; in
 * watch mode everybody does, since they change.
 */
const readsSources = [join(root, 'test/texts/languages.test.ts'), ...folders]
const fromCompiled: Plugin = {
  name: 'compiled-sources',
  enforce: 'pre',
  apply: () => process.argv.includes('run'),
  resolveId(source, importer = '') {
    if (!source.startsWith('.') || !source.endsWith('.ts')) return undefined
    if (!importer.startsWith(root) || readsSources.some((path) => importer.startsWith(path))) return undefined
    const path = join(dirname(importer), source)
    const isCompiled = folders.some((folder) => path.startsWith(folder))
    return isCompiled ? join(compiled, path.slice(root.length).replace(/ts$/, 'js')) : undefined
  },
}

export default defineConfig({
  plugins: [textKeys, fromCompiled],
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/compiled.ts',
    provide: { compiled },
    server: { deps: { external: [/\/dist-test-/] } },
    // Everything is slow where the machine is busy with something else. No test waits so long on a quiet one.
    testTimeout: 300_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // Every test builds its own world, so files can share what is imported; most of them wait more than they work.
    isolate: false,
    // Most lines run a few times in each world. Node 20 optimises them all the same, later versions with a lighter hand.
    // A larger young generation is collected less often: what a world has lives about as long as its story.
    execArgv: [
      '--max-semi-space-size=32',
      ...(process.versions.node.startsWith('20.') ? ['--interrupt-budget=400000'] : []),
    ],
    maxWorkers: 4,
    maxConcurrency: 8,
    sequence: { sequencer: LongestFirst },
  },
})
