import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import type { FakeServer } from './page/fake-server.ts'
import { ali, sara, test, withoutChromium } from './page/world.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Content of every kind that the page draws. */
function fill(server: FakeServer): void {
  const link = 'https://t.me/porsa_bot?start=record_1'
  server.invitations.push(
    { title: 'خواب', kind: 'بدون پیامک', link, payload: 'record_1' },
    { title: 'زوج', kind: 'در انتظار', link, payload: 'roadmap_2', waiting: true },
  )
  server.sendSms({ mobile: '09120000000', code: '48213', at: Date.now() })
  server.change(sara, 'commands', [{ command: 'tests', description: 'آزمون‌های من' }])
  const id = server.post(sara, {
    text: 'پررنگ پنهان /help نقل',
    entities: [
      { type: 'bold', offset: 0, length: 5 },
      { type: 'spoiler', offset: 6, length: 5 },
      { type: 'bot_command', offset: 12, length: 5 },
      { type: 'blockquote', offset: 18, length: 3 },
    ],
  })
  server.post(sara, { photo: { fileId: 'f1', width: 30, height: 20 }, caption: 'کارت' })
  server.post(sara, {
    document: { fileId: 'f2', fileName: 'report.html', mimeType: 'text/html', size: 2048 },
  })
  server.post(sara, { from: 'person', text: 'پاسخ', replyTo: id, editDate: Date.now() })
  server.post(sara, {
    from: 'person',
    text: '/help example.org',
    entities: [
      { type: 'bot_command', offset: 0, length: 5 },
      { type: 'url', offset: 6, length: 11 },
    ],
  })
  server.post(sara, {
    text: 'پرسش',
    inlineKeyboard: [
      [
        { text: 'بله', callbackData: 'y' },
        { text: 'خیر', callbackData: 'n', style: 'danger' },
      ],
      [
        { text: 'کپی', copyText: '1' },
        { text: 'بعداً', disabled: true },
      ],
    ],
  })
  const rows = [[{ text: 'فرستادن شمارهٔ من', requestContact: true as const }]]
  server.change(sara, 'keyboard', { replyKeyboard: { messageId: id, rows, resize: true } })
  server.change(sara, 'received', [{ id: 99, date: Date.now(), sender: 'علی', origin: 'پرسا', text: 'سلام' }])
}

/** Waits until animations that begin with the next frames have ended. */
const STILL = `(async () => {
  for (let quiet = 0; quiet < 3; quiet += 1) {
    await new Promise(requestAnimationFrame)
    const moving = document.getAnimations().filter(({ effect }) => effect.getTiming().iterations !== Infinity)
    if (moving.length > 0) quiet = 0
    await Promise.allSettled(moving.map(({ finished }) => finished))
  }
})()`

/** The violations of axe's rules, once no animation on the page is running. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(STILL)
  const found = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as AxeResults
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

describe.skipIf(withoutChromium)('the chat page for everybody', () => {
  test('axe finds no violation, at any width, in either theme', async ({ open }) => {
    const { page, phone, chat } = await open({ width: 1440, names: ['سارا', 'علی', 'مریم'], before: fill })
    await chat.waitFor('پرسش')
    await page.evaluate(axe)
    await phone.locator('.attach').click() // its menu stays open
    for (const [width, height] of [
      [1440, 800],
      [640, 400],
      [412, 800],
      [360, 800],
    ] as const) {
      await page.setViewportSize({ width, height })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await violations(page), `${width} ${colorScheme}`).toEqual([])
      }
    }
    await page.keyboard.press('Escape')
    await page.locator('.back:visible').click()
    await page.locator('.home').waitFor()
    expect(await violations(page), 'the invitations at 360').toEqual([])
  })

  test('the chat follows a few Tab stops, each with arrow keys, and a link skips them', async ({ open }) => {
    const { page, phone, server } = await open({ width: 1440, names: ['سارا', 'علی'], before: fill })
    const focused = (selector: string) =>
      page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)
    let stops = 0
    do await page.keyboard.press('Tab')
    while (++stops < 20 && !(await focused('.phone *')))
    expect(stops - 1).toBeLessThanOrEqual(10)

    await page.getByRole('tab', { name: 'آزمون‌ها' }).focus()
    await page.keyboard.press('ArrowLeft') // on, since the page runs from right to left
    await page.keyboard.press('Tab')
    expect(await focused('[data-payload="roadmap_2"]')).toBe(true)
    await page.keyboard.press('End')
    expect(await focused('[aria-label="کپی لینک"]')).toBe(true)
    await page.locator('.people').getByRole('button', { name: 'سارا' }).focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    expect(await focused(`.people [data-choose-person="${ali}"][aria-pressed="true"]`)).toBe(true)
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')

    await page.locator('.skip-link').press('Enter')
    // The focus is on the newest button, and all messages are one stop.
    expect(await focused('.inline-button')).toBe(true)
    expect(await phone.locator('.log button[tabindex="0"]').count()).toBe(1)
    expect(page.url()).toBe(server.url)
  })
  test('eight photos have eight names, and all old buttons are one stop', async ({ open }) => {
    const { page, phone, chat, server } = await open({ width: 1440 })
    for (let number = 1; number <= 8; number++) {
      const albumId = number > 5 ? 'a' : undefined
      server.post(sara, {
        photo: { fileId: `f${number}`, width: 30, height: 20 },
        ...(albumId && { albumId }),
      })
      server.post(sara, {
        text: `پرسش ${number}`,
        inlineKeyboard: [[{ text: 'بله', callbackData: `y${number}` }]],
      })
    }
    await chat.waitFor('پرسش 8')
    const photos = phone.locator('.photo')
    const names = await photos.evaluateAll((all) => all.map((photo) => photo.getAttribute('aria-label')))
    expect(new Set(names).size).toBe(8)
    const focused = () => page.evaluate('document.activeElement.dataset.callback')
    await phone.locator('.bot-menu, .phone-header button').last().focus()
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('y8')
    await page.keyboard.press('Tab')
    expect(await page.evaluate("document.activeElement.closest('.log')")).toBeNull()
  })

  test.for(['Enter', 'a finger'])('after a press by %s the focus is on the reply', async (how, { open }) => {
    const { page, phone, chat, server } = await open()
    const ask = (data: string) =>
      server.post(sara, { text: data, inlineKeyboard: [[{ text: 'بله', callbackData: data }]] })
    const focused = () => page.evaluate('document.activeElement.dataset.callback')
    ask('first')
    const first = phone.locator('[data-callback="first"]')
    if (how === 'Enter') await first.press('Enter')
    else await first.click()
    await expect.poll(() => server.calls.filter(({ action }) => action === 'tap').length).toBe(1)
    ask('second')
    await chat.waitFor('second')
    expect(await focused()).toBe('second')
    // A message without a press does not move the focus, nor does a reply to a person who has begun to write.
    ask('third')
    await chat.waitFor('third')
    expect(await focused()).toBe('second')
    await phone.locator('[data-callback="third"]').press('Enter')
    await phone.locator('.input').focus()
    ask('fourth')
    await chat.waitFor('fourth')
    expect(await page.evaluate("document.activeElement.matches('.input')")).toBe(true)
  })
})
