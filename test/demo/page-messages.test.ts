import type { Locator } from 'playwright-core'
import { describe, expect } from 'vitest'
import type { Entity } from '../../tools/demo/api.ts'
import { hiddenWidth, sara, test, withoutChromium } from './page/world.ts'

/** A text with its marked parts as entities. */
function marked(text: string, ...parts: [Entity['type'], string, Partial<Entity>?][]) {
  const entities = parts.map(([type, part, more]) => ({
    type,
    offset: text.indexOf(part),
    length: part.length,
    ...more,
  }))
  return { text, entities }
}

describe.skipIf(withoutChromium)('messages on the chat page', () => {
  test('every line has its own direction inside a bubble that stays on its side', async ({ open }) => {
    const { server, phone, chat } = await open()
    const text = 'سلام، این خط فارسی است و بلند\nan English line\n۱۲۳ باز هم فارسی'
    server.post(sara, marked(text, ['bold', 'سلام'], ['italic', 'an'], ['underline', '۱۲۳']))
    await chat.say('hello')
    const box = async (selector: string) => {
      const found = await phone.locator(selector).boundingBox()
      return { left: found?.x ?? 0, right: (found?.x ?? 0) + (found?.width ?? 0) }
    }
    const bubble = await box('[data-from="bot"] .text')
    const near = (a: number, b: number) => expect(Math.abs(a - b)).toBeLessThan(2)
    near((await box('strong')).right, bubble.right)
    near((await box('em')).left, bubble.left)
    near((await box('u')).right, bubble.right)
    expect((await box('[data-from="bot"] .bubble')).left).toBeLessThan(20)
    expect((await box('[data-from="person"] .bubble')).right).toBeGreaterThan(412 - 20)
  })

  test('brackets behind an empty line are not mirrored', async ({ open }) => {
    const { server, page, chat, phone } = await open()
    const line = 'ایرانی (نسخهٔ سوم، فرم کوتاه SCL-90-R) ویرایش'
    server.post(sara, { text: `${line}\n\n${line}` })
    await chat.waitFor('ایرانی')
    // The place of the last bracket, measured from the beginning of its line.
    const places = await page.evaluate(`[...document.querySelectorAll('.text > div')].map((line) => {
      const at = line.textContent.lastIndexOf(')')
      const range = document.createRange()
      range.setStart(line.firstChild, Math.max(at, 0))
      range.setEnd(line.firstChild, Math.max(at, 0) + 1)
      return Math.round(line.getBoundingClientRect().right - range.getBoundingClientRect().right)
    })`)
    expect(places).toEqual([expect.any(Number), expect.any(Number), (places as number[])[0]])
    expect(await phone.locator('.text').last().textContent()).toBe(`${line}\n\n${line}`)
  })

  test('the time stands under Persian and beside English, and never moves a line off its edge', async ({
    open,
  }) => {
    const { server, chat } = await open()
    server.post(sara, { text: 'سلام' })
    server.post(sara, { text: 'PHQ سنجش حال' })
    server.post(sara, { text: 'hello' })
    const places = async (words: string) => {
      const message = await chat.waitFor(words)
      const [text, meta, bubble] = await Promise.all(
        ['.text', '.meta', '.bubble'].map((part) => message.locator(part).boundingBox()),
      )
      const right = (box: typeof text) => (box?.x ?? 0) + (box?.width ?? 0)
      return {
        under: (meta?.y ?? 0) >= (text?.y ?? 0) + (text?.height ?? 0),
        fromEdge: right(bubble ?? null) - right(text ?? null),
      }
    }
    expect(await places('سلام')).toEqual({ under: true, fromEdge: 10 })
    expect(await places('PHQ')).toEqual({ under: true, fromEdge: 10 })
    expect(await places('hello')).toMatchObject({ under: false })
  })

  test('every message names its sender and its time to a screen reader', async ({ open }) => {
    const { server, phone, chat } = await open()
    server.post(sara, { text: 'پرسش', date: new Date(2026, 0, 5, 9, 41).getTime() })
    await chat.waitFor('پرسش')
    await phone.getByRole('article', { name: 'پرسا، ۰۹:۴۱', exact: true }).waitFor()
    await chat.say('پاسخ')
    await phone.getByRole('article', { name: /^شما، / }).waitFor()
  })

  test('a Persian command menu, caption and reply never push the chat sideways', async ({ open }) => {
    const { page, server, chat } = await open({ width: 360 })
    server.post(sara, { text: 'ن'.repeat(900) })
    server.post(sara, {
      text: `https://example.org/${'x'.repeat(300)}`,
      inlineKeyboard: [[{ text: 'و'.repeat(99), url: 'https://example.org' }]],
    })
    await chat.waitFor('example.org')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    expect(await hiddenWidth(chat.phone.locator('.scroller'))).toBe(0)
  })

  test('entities become elements, and markup in a text stays text', async ({ open }) => {
    const { server, phone, chat } = await open()
    const text = '<img src=x> <b>no</b> 😀 پررنگ کج زیر خط code spoiler /help quote'
    server.post(sara, {
      ...marked(
        text,
        ['bold', 'پررنگ'],
        ['italic', 'کج'],
        ['underline', 'زیر'],
        ['strikethrough', 'خط'],
        ['code', 'code'],
        ['spoiler', 'spoiler'],
        ['bot_command', '/help'],
        ['blockquote', 'quote'],
      ),
    })
    const message = await chat.waitFor('<img src=x>')
    expect(await message.locator('img, b').count()).toBe(0)
    for (const [tag, words] of [
      ['strong', 'پررنگ'],
      ['em', 'کج'],
      ['u', 'زیر'],
      ['s', 'خط'],
      ['blockquote', 'quote'],
    ]) {
      expect(await message.locator(tag as string).textContent()).toBe(words)
    }
    await message.locator('.spoiler').press('Enter')
    await message.locator('.spoiler.revealed').waitFor()
    await message.locator('code').click()
    await phone.locator('.toast').waitFor()
    expect(await phone.page().evaluate('navigator.clipboard.readText()')).toBe('code')
    await message.locator('.command').click()
    await chat.waitFor(/^\/help/)
    await expect.poll(() => server.calls.at(-1)).toMatchObject({ action: 'say', body: { text: '/help' } })
  })

  test('a link whose words hide its address asks first; a script is no link', async ({ open }) => {
    const { server, phone, chat } = await open()
    server.post(
      sara,
      marked(
        'راهنما بد',
        ['text_link', 'راهنما', { url: 'https://example.org/help' }],
        ['text_link', 'بد', { url: 'javascript:alert(1)' }],
      ),
    )
    const message = await chat.waitFor('راهنما')
    expect(await message.getByText('بد', { exact: true }).getAttribute('href')).toBeNull()
    await message.getByText('راهنما', { exact: true }).click()
    expect(await phone.getByRole('dialog').textContent()).toContain('https://example.org/help')
    await phone.page().keyboard.press('Escape')
    await phone.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('a long expandable quote opens and a short one has no arrow', async ({ open }) => {
    const { server, chat } = await open()
    const long = 'این تفسیر بلند است. '.repeat(20).trim()
    server.post(sara, marked(`بلند\n${long}`, ['expandable_blockquote', long]))
    server.post(sara, marked('کوتاه\nیک خط', ['expandable_blockquote', 'یک خط']))
    const quote = (await chat.waitFor('بلند')).locator('blockquote')
    const folded = (await quote.boundingBox())?.height ?? 0
    await quote.getByRole('button').click()
    expect((await quote.boundingBox())?.height).toBeGreaterThan(folded * 1.5)
    const short = (await chat.waitFor('کوتاه')).locator('blockquote')
    await expect.poll(() => short.getByRole('button').count()).toBe(0)
  })

  test('an edit by the bot changes the message in place, unmarked; a deleted message disappears', async ({
    open,
  }) => {
    const { server, page, phone, chat } = await open()
    const tails = () =>
      page.evaluate(
        "[...document.querySelectorAll('.bubble')].map((each) => getComputedStyle(each, '::after').content !== 'none')",
      )
    const first = server.post(sara, { text: 'پرسش یک' })
    server.post(sara, { text: 'دیگری' })
    const last = server.post(sara, { text: 'آخری' })
    await chat.waitFor('آخری')
    expect(await tails()).toEqual([false, false, true])
    server.edit(sara, first, { text: 'پرسش دو' })
    const edited = await chat.waitFor('پرسش دو')
    expect(await edited.getAttribute('data-message-id')).toBe(String(first))
    expect(await edited.locator('.edited').count()).toBe(0)
    expect(await phone.locator('.messages > [aria-live="polite"]').textContent()).toBe('پرسش دو')
    server.remove(sara, [first, last])
    await edited.waitFor({ state: 'detached' })
    await expect.poll(() => phone.locator('.message').count()).toBe(1)
    expect(await tails()).toEqual([true])
  })

  test('the chat follows new messages only while the reader is at the newest', async ({ open }) => {
    const { server, phone, chat, page } = await open()
    const top = async (message: Locator) => (await message.boundingBox())?.y
    for (let count = 0; count < 40; count += 1) server.post(sara, { text: `پیام ${count}` })
    const last = await chat.waitFor('پیام 39')
    expect(await top(last)).toBeLessThan(800)
    const newest = phone.locator('.newest')
    expect(await newest.isVisible()).toBe(false)
    await phone.locator('.scroller').hover()
    // A turn of the wheel during the layout of the list may be lost, so it is repeated.
    const readBack = async () => {
      await page.mouse.wheel(0, -900)
      return newest.isVisible()
    }
    await expect.poll(readBack).toBe(true)
    server.post(sara, { text: 'تازه' })
    await phone.locator('.badge', { hasText: '۱' }).waitFor()
    const fresh = await chat.waitFor('تازه')
    expect(await top(fresh)).toBeGreaterThan(800)
    await newest.click()
    await newest.waitFor({ state: 'hidden' })
    expect(await top(fresh)).toBeLessThan(800)
  })

  test('Shift+Enter breaks the line, Enter sends; an unsent text comes back', async ({ open }) => {
    const { server, phone, chat, page } = await open()
    const input = phone.locator('.input')
    const height = (await input.boundingBox())?.height ?? 0
    await input.pressSequentially('یک')
    await input.press('Shift+Enter')
    await input.pressSequentially('دو')
    expect((await input.boundingBox())?.height).toBeGreaterThan(height)
    await input.press('Enter')
    await chat.waitFor('یک')
    await expect.poll(() => server.calls.at(-1)?.body).toEqual({ text: 'یک\nدو' })
    await page.route('**/say', (route) => route.abort())
    await input.fill('گم نشود')
    await input.press('Enter')
    await phone.locator('.toast').waitFor()
    await expect.poll(() => input.inputValue()).toBe('گم نشود')
  })

  test('one’s own message can be edited and answered from its menu; a protected one cannot be copied', async ({
    open,
  }) => {
    const { server, phone, chat, page } = await open()
    await chat.say('اشتباه')
    await (await chat.waitFor('اشتباه')).locator('.bubble').click({ button: 'right' })
    await phone.getByRole('menuitem', { name: 'ویرایش' }).click()
    await phone.locator('.input').fill('درست')
    await phone.locator('.input').press('Enter')
    expect(await (await chat.waitFor('درست')).locator('.meta').textContent()).toContain('ویرایش‌شده')
    await expect.poll(() => server.calls.at(-1)).toMatchObject({ action: 'edit', body: { text: 'درست' } })
    const id = server.post(sara, { text: 'پرسش نگه‌داشته', protected: true })
    const question = (await chat.waitFor('پرسش نگه‌داشته')).locator('.bubble')
    await question.click({ clickCount: 3 })
    expect(await page.evaluate('String(getSelection())')).not.toContain('پرسش')
    await question.click({ button: 'right' })
    await phone.getByRole('menuitem', { name: 'پاسخ' }).click()
    await chat.say('این هم پاسخ')
    await expect.poll(() => server.calls.at(-1)).toMatchObject({ action: 'say', body: { replyTo: id } })
    expect(await phone.locator('.reply-quote').last().textContent()).toBe('پرسش نگه‌داشته')
  })

  test('a report opens in a new tab, a photo over the page until Escape', async ({ open }) => {
    const { server, phone, chat, page } = await open()
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    server.files.set('f1', { type: 'text/html', body: '<meta charset=utf-8><title>گزارش</title>' })
    server.files.set('f2', { type: 'image/png', body: Buffer.from(pixel, 'base64') })
    server.post(sara, {
      document: { fileId: 'f1', fileName: 'report-1.html', mimeType: 'text/html', size: 2048 },
    })
    server.post(sara, { photo: { fileId: 'f2', width: 300, height: 200 }, caption: 'کارت' })
    const file = await chat.waitFor('report-1.html')
    expect(await file.textContent()).toContain('۲ کیلوبایت')
    const [tab] = await Promise.all([page.waitForEvent('popup'), file.locator('.file-open').click()])
    await tab.waitForLoadState()
    expect(await tab.title()).toBe('گزارش')
    await phone.locator('.photo').click()
    await page.locator('.lightbox[open]').waitFor()
    await page.locator('.lightbox-photo').click()
    await page.locator('.lightbox.zoomed').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.lightbox').waitFor({ state: 'detached' })
  })
})
