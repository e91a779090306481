import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that wait longest, for browsers, killed processes and leases, begin first; the compiler works meanwhile. */
const longest = ['/browser/', '/gate', '/process/', '/store/redis', '/demo/page']
const rank = ({ moduleId }: TestSpecification) => {
  const place = longest.findIndex((part) => moduleId.includes(part))
  return place < 0 ? longest.length : place
}

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/process/bundle-folder.ts',
    // Everything is slow where the machine is busy with something else. No test waits so long on a quiet one.
    testTimeout: 300_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // Every test builds its own world, so files can share what is imported; most of them wait more than they work.
    isolate: false,
    maxWorkers: 4,
    maxConcurrency: 8,
    sequence: { sequencer: LongestFirst },
  },
})
