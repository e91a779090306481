import { writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type Language, perLanguage } from '../../src/texts/languages.ts'
import { PATIENCE_MS } from './studio.ts'

export const THEMES = ['light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** One view, photographed in each theme. */
export type Shot = { name: string; pictures: Record<Theme, Buffer> }

export type Camera = {
  /** Opens one person's phone; the payload of a deep link waits there for START. */
  openPhone(personId: number, payload?: string): Promise<void>
  /** Takes the messages from this id on, or the whole phone without an id. */
  take(name: string, fromMessage?: number): Promise<Shot>
  press(selector: string): Promise<void>
  close(): Promise<void>
}

/** High enough that no view has to be scrolled; empty space is cut off. */
const TALL = 4000
const PHONE = 680
/** The page follows the chat by a stream of events; this is many times the delay of one event. */
const STREAM_MS = 120
const BUSY_MS = 1_000

/** Two frames after a change of theme the whole page is painted in it. */
const PAINTED = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'

/** A plain wall without the pattern, which would only make the pictures larger, and no blinking cursor. */
const STYLE = `
  .messages, .middle, .screen { background: var(--wall-b) !important }
  .messages::before, .middle::before, .middle::after, .screen::before { background-image: none !important }
  * { caret-color: transparent !important; animation: none !important; transition: none !important }`

const clock = perLanguage(({ locale }) =>
  new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' }).format(
    Date.UTC(2026, 0, 1, 10, 24),
  ),
)

const MOST_LOOKS = PATIENCE_MS / STREAM_MS
const TO_ITS_END = `document.querySelectorAll('.phone.active .scroller').forEach((each) => { each.scrollTop = each.scrollHeight })`

export async function createCamera(
  browser: Browser,
  { url, language, width }: { url: string; language: Language; width: number },
): Promise<Camera> {
  const context = await browser.newContext({
    viewport: { width, height: PHONE },
    reducedMotion: 'reduce',
    bypassCSP: true,
  })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()

  return {
    async openPhone(personId, payload) {
      const query = new URLSearchParams({ lang: language, person: String(personId) })
      if (payload !== undefined) query.set('start', payload)
      await page.goto(`${url}/?${query}`)
      await page.locator('.phone.active .phone-header:not(.connecting)').waitFor()
      await page.addStyleTag({ content: STYLE })
    },
    async take(name, fromMessage) {
      const height = fromMessage === undefined ? PHONE : TALL
      await page.setViewportSize({ width, height })
      await page.waitForFunction(`innerHeight === ${height}`)
      await pause(STREAM_MS)
      // A chat whose height has grown scrolls to its end first.
      await page.evaluate(PAINTED)
      await page.evaluate(sameClock(clock(language)))
      const capture = async () => {
        if (fromMessage === undefined) return page.screenshot()
        return page.screenshot({ clip: await extentAtEnd(page, fromMessage, width) })
      }
      const pictures = {} as Shot['pictures']
      for (const theme of THEMES) {
        await page.emulateMedia({ colorScheme: theme })
        await page.evaluate(PAINTED)
        // On a busy machine a capture by Chromium may fail once.
        pictures[theme] = await capture().catch(() => pause(BUSY_MS).then(capture))
      }
      return { name, pictures }
    },
    async press(selector) {
      await page.setViewportSize({ width, height: PHONE })
      await page.locator(selector).last().click()
    },
    close: () => context.close(),
  }
}

/** Shows one time at all messages, so that a picture changes only when its view does. */
export const sameClock = (clock: string) =>
  `document.querySelectorAll('time').forEach((time) => { time.textContent = '${clock}' })`

/** From the top of a message to the end of the chat, with the open keyboard under it. */
async function extent(page: Page, fromMessage: number, width: number) {
  const [top, bottom] = (await page.evaluate(`(() => {
    const phone = document.querySelector('.phone.active')
    const boxOf = (found) => (found?.getClientRects().length === 0 ? found.querySelector('.photo') : found)
    const edge = (selector, side) => boxOf(phone.querySelector(selector))?.getBoundingClientRect()[side]
    const top = edge('[data-message-id="${fromMessage}"]', 'top')
    const keyboard = phone.querySelector('.reply-keyboard')
    const bottom = keyboard?.hidden === false ? innerHeight : edge('.log', 'bottom')
    return [top, bottom]
  })()`)) as [number, number]
  const y = Math.max(0, Math.floor(top) - 2)
  return { x: 0, y, width, height: Math.ceil(bottom) - y }
}

/** The same extent, wholly in the view and with the chat at its end, to which it scrolls if needed. */
async function extentAtEnd(page: Page, fromMessage: number, width: number) {
  for (let looks = 0; ; looks += 1) {
    const found = await extent(page, fromMessage, width)
    const isInView = found.height > 0 && found.y + found.height <= TALL
    if (isInView || looks > MOST_LOOKS) return found
    await page.evaluate(TO_ITS_END)
    await pause(STREAM_MS)
  }
}

const sheetStyle = {
  light: 'background: #fff; color: #17212b',
  dark: 'background: #0b1013; color: #eef3f5',
}

/** Lays shots out in columns on one sheet and writes it as WebP, sharp at a tenth of a PNG's size. */
export async function writeSheet(
  context: BrowserContext,
  { shots, theme, width, path }: { shots: readonly Shot[]; theme: Theme; width: number; path: string },
): Promise<void> {
  const columns = Math.min(4, shots.length)
  const sheetWidth = columns * (width + 24) + 24
  const figures = shots.map(({ name, pictures }) => {
    const source = `data:image/png;base64,${pictures[theme].toString('base64')}`
    return `<figure><figcaption>${name}</figcaption><img src="${source}"></figure>`
  })
  const page = await context.newPage()
  await page.setViewportSize({ width: sheetWidth, height: 800 })
  await page.setContent(`<!doctype html><style>
    body { margin: 24px 24px 0; ${sheetStyle[theme]}; columns: ${columns}; column-gap: 24px }
    figure { margin: 0; padding-bottom: 24px; break-inside: avoid }
    figcaption { font: 15px system-ui, sans-serif; padding-bottom: 6px }
    img { display: block }
  </style>${figures.join('')}`)
  await writeFile(path, await webp(page, { width: sheetWidth, quality: 40 }))
  await page.close()
}

/** A picture of a page as WebP, of its whole height if no height is given. */
export async function webp(
  page: Page,
  { width, height, quality }: { width: number; height?: number; quality: number },
): Promise<Buffer> {
  const whole = (await page.evaluate('document.documentElement.scrollHeight')) as number
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality,
    captureBeyondViewport: height === undefined,
    clip: { x: 0, y: 0, width, height: height ?? whole, scale: 1 },
  })
  return Buffer.from(data, 'base64')
}
