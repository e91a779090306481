import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import { isRightToLeft, LANGUAGE_CODES, type Language } from '../../src/texts/languages.ts'
import { createCamera, type Shot, THEMES, writeSheet } from './camera.ts'
import { chromiumPath, launchChromium } from './chromium.ts'
import { takePortrait } from './portrait.ts'
import { openStudio } from './studio.ts'
import { type Chapter, tour } from './tour.ts'
import { createVisitor } from './visitor.ts'

/** `npm run screens`: every view in every language and both themes, as sheets of pictures to compare. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: 'docs/screens' },
      width: { type: 'string', default: '360' },
      language: { type: 'string', multiple: true, default: LANGUAGE_CODES },
      chapter: { type: 'string', multiple: true, default: [] },
    },
  })
  const executable = chromiumPath()
  if (!executable) throw new Error('Chromium was not found; install it or set CHROMIUM_PATH.')
  const browser = await launchChromium(executable)
  const chapters = tour.filter(
    ({ name }) => values.chapter.length === 0 || values.chapter.some((wanted) => name.includes(wanted)),
  )
  const folder = resolve(values.out)
  await mkdir(folder, { recursive: true })
  try {
    if (values.chapter.length === 0) await takePortrait(browser, join(folder, 'chat.webp'))
    for (const language of values.language as Language[]) {
      await photograph(browser, { language, chapters, width: Number(values.width), folder })
    }
  } finally {
    await browser.close()
  }
}

/** Walks through the chapters in one language, each in its own world; writes a sheet per theme of each. */
async function photograph(
  browser: Browser,
  given: { language: Language; chapters: readonly Chapter[]; width: number; folder: string },
): Promise<void> {
  const { language, chapters, width, folder } = given
  const context = await browser.newContext()
  for (const { name, tell, isLivedIn } of chapters) {
    const studio = await openStudio(language, isLivedIn)
    const camera = await createCamera(browser, { url: studio.url, language, width })
    const shots: Shot[] = []
    try {
      await tell(async (as) => {
        const firstName = isRightToLeft(language) ? 'زهرا' : 'Zahra'
        const known = studio.emulator
          .people()
          .find(({ id }) => as === 'organizer' && id === studio.organizerId)
        const person = known ?? studio.emulator.person({ firstName, languageCode: language })
        await camera.openPhone(person.id)
        return createVisitor(studio, { camera, person, take: (shot) => shots.push(shot) })
      })
    } finally {
      await camera.close()
      await studio.close()
    }
    for (const theme of THEMES) {
      const path = join(folder, `${name}-${language}-${theme}.webp`)
      await rm(path, { force: true })
      await writeSheet(context, { shots, theme, width, path })
    }
    console.log(`${name} ${language}: ${shots.length} views`)
  }
  await context.close()
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
