import { chromiumPath } from '../../../src/demo/screens/chromium.ts'

export { launchChromium } from '../../../src/demo/screens/chromium.ts'

/** Where a Chromium is installed; says so when there is none. */
export function findChromium(): string | undefined {
  const path = chromiumPath()
  if (!path) console.log('skipped: chromium not found')
  return path
}
