import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const candidates = ['/usr/bin/chromium', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable']

/** Where a Chromium is installed: `CHROMIUM_PATH`, else the usual places; says so when there is none. */
export function findChromium(): string | undefined {
  const found = [process.env.CHROMIUM_PATH, ...candidates].find((path) => path && existsSync(path))
  if (!found) console.log('skipped: chromium not found')
  return found
}

/** A browser that makes no calls of its own. */
export function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
