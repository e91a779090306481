import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // Every test builds its own world, so files can share what is imported; most of them wait more than they work.
    isolate: false,
    maxWorkers: 3,
  },
})
