import type { Browser } from 'playwright-core'
import { test as base, type TestAPI } from 'vitest'
import { chromiumPath, launchChromium } from '../../../tools/screens/chromium.ts'

const path = chromiumPath()
if (!path) console.log('skipped: chromium not found')
/** Longer than any step takes, even on a busy machine. */
export const PATIENCE_MS = 90_000
export const withoutChromium = path === undefined

/** The browser of a worker: each kind of test has its own fixture, which all its files share. */
const shared: { browser?: Promise<Browser> | undefined; users: number } = { users: 0 }

/** A test with a browser, which all tests of a worker share. */
export const withBrowser: TestAPI<{ browser: Browser }> = base.extend<{ browser: Browser }>({
  browser: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from this pattern
    async ({}, use) => {
      shared.users += 1
      shared.browser ??= launchChromium(path ?? '')
      await use(await shared.browser)
      shared.users -= 1
      if (shared.users > 0) return
      await (await shared.browser).close()
      shared.browser = undefined
    },
    { scope: 'worker' },
  ],
})
