import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { findChromium, launchChromium } from './chromium.ts'
import { type FakeServer, startFakeServer } from './fake-server.ts'
import { type Chat, openChat } from './open-chat.ts'

export type World = { server: FakeServer; page: Page; chat: Chat; phone: Chat['phone'] }

type Options = {
  width?: number
  height?: number
  /** Behind the server's address, for example `?lang=en`. */
  path?: string
  names?: string[]
  colorScheme?: 'light' | 'dark'
  /** The first person has pressed START already; default true. */
  started?: boolean
  /** What the server holds before the page opens. */
  before?: (server: FakeServer) => void
}

/** The id of the first person of every world. */
export const sara = 1001
export const ali = 1002

const chromiumPath = findChromium()
export const withoutChromium = chromiumPath === undefined

/** How many pixels of an element's content lie outside of it, sideways. */
export function hiddenWidth(element: Locator): Promise<number> {
  return element.evaluate((e: { scrollWidth: number; clientWidth: number }) => e.scrollWidth - e.clientWidth)
}

/** One browser and one tab for a test file; each test gets a server of its own, and with it an empty origin. */
export function useBrowser() {
  let browser: Browser | undefined
  let page: Page
  const faults: string[] = []

  beforeAll(async () => {
    if (!chromiumPath) return
    browser = await launchChromium(chromiumPath)
    const permissions = ['clipboard-read', 'clipboard-write']
    page = await browser.newPage({ reducedMotion: 'reduce', permissions })
    page.on('pageerror', (error) => faults.push(error.message))
  })
  afterAll(() => browser?.close())

  return async (options: Options = {}): Promise<World> => {
    const { width = 412, height = 800, path = '', names = ['سارا'], colorScheme = 'light' } = options
    const server = await startFakeServer(names)
    if (options.started !== false) server.begin(sara)
    options.before?.(server)
    faults.length = 0
    onTestFinished(async () => {
      await page.unrouteAll()
      await page.goto('about:blank')
      await server.close()
      if (faults.length > 0) throw new Error(`the page failed: ${faults.join('; ')}`)
    })
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme })
    const chat = await openChat(page, server.url + path)
    return { server, page, chat, phone: chat.phone }
  }
}
