import { writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { createCamera, sameClock, webp } from './camera.ts'
import { openStudio, PATIENCE_MS } from './studio.ts'
import { createVisitor } from './visitor.ts'

const SIZE = { width: 1280, height: 820 }
const ANSWERED = 11
const STREAM_MS = 400

/** Scrolls only the chat, so that the page around it keeps its place. */
const SCROLL_TO_RESULT = `(() => {
  const message = document.querySelector('.photo').closest('.message')
  message.closest('.scroller').scrollTop = message.offsetTop
})()`

/** The picture of the README: the whole demo, with a person in the middle of a test and one with a result. */
export async function takePortrait(browser: Browser, path: string): Promise<void> {
  const studio = await openStudio('fa')
  const camera = await createCamera(browser, { url: studio.url, language: 'fa', width: 360 })
  const context = await browser.newContext({
    viewport: SIZE,
    deviceScaleFactor: 1.5,
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(PATIENCE_MS)
  const people = studio.emulator.people()
  const visitorAt = (index: number) => {
    const person = people[index] ?? studio.emulator.person()
    return createVisitor(studio, { camera, person, take: () => undefined })
  }
  try {
    const answering = visitorAt(0)
    await answering.begins('life-60', { testsAuthRequired: true })
    await answering.introduces()
    await answering.taps('profile:ok')
    await answering.says(answering.code)
    for (let at = 0; at < ANSWERED; at++) await answering.taps(new RegExp(`^a:[^:]+:${at}:${at % 5}:`))
    const finished = visitorAt(1)
    await finished.begins('mood-7')
    await finished.introduces()
    await finished.taps('profile:ok')
    await finished.answersAll()
    await finished.taps(/^submit:/)

    const page = await context.newPage()
    await page.goto(studio.url)
    await page.locator('.photo img').waitFor()
    await pause(STREAM_MS)
    await page.evaluate(sameClock('۱۰:۲۴'))
    await page.evaluate(SCROLL_TO_RESULT)
    await pause(STREAM_MS)
    await writeFile(path, await webp(page, { ...SIZE, quality: 75 }))
  } finally {
    await context.close()
    await camera.close()
    await studio.close()
  }
}
