import type { Locator, Page } from 'playwright-core'
import { PATIENCE_MS, withBrowser } from './chromium.ts'
import { type FakeServer, startFakeServer } from './fake-server.ts'
import { type Chat, openChat } from './open-chat.ts'

export type World = { server: FakeServer; page: Page; chat: Chat; phone: Chat['phone'] }

type Options = {
  width?: number
  height?: number
  /** Follows the server's address, for example `?lang=en`. */
  path?: string
  names?: string[]
  colorScheme?: 'light' | 'dark'
  /** The first person has pressed START already; default true. */
  started?: boolean
  /** Fills the server before the page opens. */
  before?: (server: FakeServer) => void
}

/** The id of the first person of every world. */
export const sara = 1001
export const ali = 1002

export { withoutChromium } from './chromium.ts'

/** How many pixels of an element's content are hidden, sideways. */
export function hiddenWidth(element: Locator): Promise<number> {
  return element.evaluate((e: { scrollWidth: number; clientWidth: number }) => e.scrollWidth - e.clientWidth)
}

type Fixtures = {
  /** A tab for all tests of a file. */
  tab: Tab
  /** Opens the page with a server of the test, and therefore with an empty origin. */
  open: (options?: Options) => Promise<World>
}
type Tab = { page: Page; faults: string[] }

export const test = withBrowser.extend<Fixtures>({
  tab: [
    async ({ browser }, use) => {
      const faults: string[] = []
      const permissions = ['clipboard-read', 'clipboard-write']
      const page = await browser.newPage({ reducedMotion: 'reduce', permissions })
      page.setDefaultTimeout(PATIENCE_MS)
      page.on('pageerror', (error) => faults.push(error.message))
      await use({ page, faults })
      await page.close()
    },
    { scope: 'file' },
  ],
  open: async ({ tab: { page, faults } }, use) => {
    const servers: FakeServer[] = []
    faults.length = 0
    await use(async (options = {}) => {
      const { width = 412, height = 800, path = '', names = ['سارا'], colorScheme = 'light' } = options
      const server = await startFakeServer(names)
      servers.push(server)
      if (options.started !== false) server.begin(sara)
      options.before?.(server)
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme })
      const chat = await openChat(page, server.url + path)
      return { server, page, chat, phone: chat.phone }
    })
    await page.unrouteAll()
    for (const server of servers) await server.close()
    if (faults.length > 0) throw new Error(`the page failed: ${faults.join('; ')}`)
  },
})
