import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** The headless shell comes first: it renders the same as Chromium with two thirds of the work. */
const CANDIDATES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]

/** Where a Chromium is installed: `CHROMIUM_PATH`, else the usual places. */
export function chromiumPath(): string | undefined {
  return [process.env.CHROMIUM_PATH, ...CANDIDATES].find((path) => path && existsSync(path))
}

/** A browser that makes no network calls of its own. */
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
