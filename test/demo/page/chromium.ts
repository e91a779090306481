import type { Browser } from 'playwright-core'
import { test as base, type TestAPI } from 'vitest'
import { chromiumPath, launchChromium } from '../../../screens/chromium.ts'

const path = chromiumPath()
if (!path) console.log('skipped: chromium not found')
/** Longer than anything takes, also on a busy machine. */
export const PATIENCE_MS = 90_000
export const withoutChromium = path === undefined

/** A test with a browser, which all files of a worker share. */
export const withBrowser: TestAPI<{ browser: Browser }> = base.extend<{ browser: Browser }>({
  browser: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from this pattern
    async ({}, use) => {
      const browser = await launchChromium(path ?? '')
      await use(browser)
      await browser.close()
    },
    { scope: 'worker' },
  ],
})
