import { describe, expect } from 'vitest'
import { hiddenWidth, sara, test, withoutChromium } from './page/world.ts'

const answer = { messageId: 0, showAlert: false }

describe.skipIf(withoutChromium)('keyboards on the chat page', () => {
  test('a button spins until the bot answers, and a second press in between does nothing', async ({
    open,
  }) => {
    const { server, phone, chat } = await open()
    server.post(sara, { text: 'پرسش', inlineKeyboard: [[{ text: 'بله', callbackData: 'a:S:0:0:0' }]] })
    await chat.tap('a:S:0:0:0')
    const spinning = phone.locator('.spins[data-callback="a:S:0:0:0"]')
    await spinning.waitFor()
    await chat.tap('بله')
    const taps = () => server.calls.filter(({ action }) => action === 'tap')
    await expect.poll(taps).toMatchObject([{ body: { row: 0, column: 0 } }])
    server.push(sara, 'answer', { ...answer, callbackId: `c${server.calls.length}`, text: 'ثبت شد' })
    await spinning.waitFor({ state: 'detached' })
    expect(await phone.locator('.toast').textContent()).toBe('ثبت شد')
    await chat.tap('بله')
    await expect.poll(taps).toHaveLength(2)
  })

  test('a notice about a press is at the top, and reports a lost connection as the input line does', async ({
    open,
  }) => {
    const { server, phone, chat, page } = await open()
    server.post(sara, { text: 'پرسش', inlineKeyboard: [[{ text: 'بله', callbackData: 'x' }]] })
    await page.route('**/api/people/*/*', (route) => route.abort())
    await chat.tap('x')
    const toast = phone.locator('.toast')
    expect(await toast.textContent()).toBe('ارتباط برقرار نیست.')
    const room = await phone.locator('.middle').boundingBox()
    const word = await toast.boundingBox()
    expect((word?.y ?? 999) - (room?.y ?? 0)).toBeLessThan(40)
  })

  test('an answer that arrives before the response ends the spinning too', async ({ open }) => {
    const { server, phone, chat, page } = await open()
    server.post(sara, { text: 'x', inlineKeyboard: [[{ text: 'بله', callbackData: 'x' }]] })
    let release = () => {}
    await page.route('**/tap', async (route) => {
      const response = await route.fetch()
      await new Promise<void>((resolve) => {
        release = resolve
      })
      await route.fulfill({ response })
    })
    await chat.tap('x')
    await expect.poll(() => server.calls.length).toBe(1)
    server.push(sara, 'answer', { ...answer, callbackId: 'c1', text: 'زود' })
    await phone.locator('.toast').waitFor()
    expect(await phone.locator('.spins').count()).toBe(1)
    release()
    await phone.locator('.spins').waitFor({ state: 'detached' })
  })

  test('an alert waits to be closed and covers only this phone', async ({ open }) => {
    const { server, phone, chat } = await open()
    server.post(sara, { text: 'x', inlineKeyboard: [[{ text: 'بله', callbackData: 'x' }]] })
    await chat.tap('x')
    server.push(sara, 'answer', { ...answer, callbackId: 'c1', text: 'پیش‌تر پاسخ داده‌اید', showAlert: true })
    const alert = phone.getByRole('alertdialog')
    await alert.waitFor()
    expect(await alert.textContent()).toContain('پیش‌تر پاسخ داده‌اید')
    expect(await phone.locator('.bottom').getAttribute('inert')).toBe('')
    await alert.getByRole('button', { name: 'باشه' }).press('Enter')
    await alert.waitFor({ state: 'detached' })
    expect(await phone.locator('.bottom').getAttribute('inert')).toBeNull()
  })

  test('a keyboard as wide as its text is edited in place, the focus stays where the finger was', async ({
    open,
  }) => {
    const { server, phone, chat } = await open()
    const row = (revision: number) =>
      [1, 2, 3].map((n) => ({ text: `${n}`, callbackData: `a:S:0:${n}:${revision}` }))
    const id = server.post(sara, { text: 'پرسش ۱', inlineKeyboard: [row(0)] })
    await chat.waitFor('پرسش ۱')
    const sides = async (part: string) => {
      const box = await phone.locator(part).boundingBox()
      return [box?.x, box?.width]
    }
    const before = await sides('.bubble')
    expect(await sides('.inline-keyboard')).toEqual(before)
    await phone.locator('[data-callback="a:S:0:2:0"]').focus()
    server.edit(sara, id, {
      text: `پرسش ۲ ${'که درازتر است '.repeat(9)}`,
      inlineKeyboard: [row(1), [{ text: 'بعد', callbackData: 'pause:S' }]],
    })
    await chat.waitFor('پرسش ۲')
    expect(await phone.locator('.message').count()).toBe(1)
    expect(await phone.locator('[data-callback="a:S:0:2:1"]:focus').count()).toBe(1)
    expect([await sides('.bubble'), await sides('.inline-keyboard')]).toEqual([before, before])
    server.edit(sara, id, { text: 'پایان', inlineKeyboard: [] })
    await chat.waitFor('پایان')
    expect(await phone.locator('.inline-button').count()).toBe(0)
  })

  test('eight buttons share a row left to right, a long label ends in an ellipsis, styles are drawn', async ({
    open,
  }) => {
    const { server, phone, chat } = await open({ width: 360 })
    const eight = Array.from({ length: 8 }, (_, index) => ({
      text: `${index + 1}`,
      callbackData: `n:${index}`,
    }))
    const long = { text: 'برچسبی بسیار بلند '.repeat(6), callbackData: 'long', style: 'danger' as const }
    server.post(sara, {
      text: 'x',
      inlineKeyboard: [eight, [long, { text: 'نه', callbackData: 'no', style: 'success' }]],
    })
    await chat.waitFor('x')
    const left = async (data: string) =>
      (await phone.locator(`[data-callback="${data}"]`).boundingBox())?.x ?? -1
    expect(await left('n:0')).toBeGreaterThan(0)
    expect(await left('n:1')).toBeGreaterThan(await left('n:0'))
    const last = await phone.locator('[data-callback="n:7"]').boundingBox()
    expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(360)
    expect(last?.width).toBeGreaterThan(36)
    const label = phone.locator('[data-callback="long"] .inline-label')
    expect(await hiddenWidth(label)).toBeGreaterThan(0)
    expect(await phone.locator('.inline-button.danger, .inline-button.success').count()).toBe(2)
  })

  test('a button keeps its colour under the pointer', async ({ open }) => {
    const { server, phone, chat, page } = await open()
    const styles = ['primary', 'success', 'danger'] as const
    const row = [
      { text: 'ساده', callbackData: 'plain' },
      ...styles.map((style) => ({ text: style, callbackData: style, style })),
    ]
    server.post(sara, { text: 'x', inlineKeyboard: [row] })
    await chat.waitFor('x')
    const colors: unknown[] = []
    for (const { callbackData } of row) {
      const selector = `[data-callback="${callbackData}"]`
      const color = `getComputedStyle(document.querySelector('${selector}')).backgroundColor`
      const before = await page.evaluate(color)
      await phone.locator(selector).hover()
      await expect.poll(() => page.evaluate(color)).not.toBe(before)
      colors.push(before, await page.evaluate(color))
    }
    expect(new Set(colors).size).toBe(8)
  })

  test('a keyboard that opens below leaves the newest message in sight', async ({ open }) => {
    const { server, phone, chat } = await open()
    for (let count = 0; count < 30; count += 1) server.post(sara, { text: `پیام ${count}` })
    await chat.waitFor('پیام 29')
    const rows = [[{ text: 'فرستادن شمارهٔ من', requestContact: true as const }], [{ text: 'می‌نویسم' }]]
    for (let count = 0; count < 5; count += 1) {
      const messageId = server.post(sara, { text: `شماره؟ ${count}\n`.repeat(4) })
      server.change(sara, 'keyboard', { replyKeyboard: { messageId, rows, resize: true } })
      const message = await chat.waitFor(`شماره؟ ${count}`)
      await chat.phone.locator('.reply-keyboard').waitFor()
      await expect
        .poll(async () => {
          const [asked, below] = [await message.boundingBox(), await phone.locator('.bottom').boundingBox()]
          return (asked?.y ?? 999) + (asked?.height ?? 0) <= (below?.y ?? 0)
        })
        .toBe(true)
      expect(await phone.locator('.newest').isVisible()).toBe(false)
      server.change(sara, 'keyboard', {})
      await phone.locator('.reply-keyboard').waitFor({ state: 'hidden' })
    }
  })

  test('copy and link buttons stay in the page; a link of this bot offers START', async ({ open }) => {
    const { server, phone, chat, page } = await open()
    server.post(sara, {
      text: 'پی‌گیری',
      inlineKeyboard: [
        [
          { text: 'کپی', copyText: 'PR-7' },
          { text: 'دعوت', url: 'https://t.me/porsa_bot?start=record_9' },
        ],
      ],
    })
    await chat.tap('کپی')
    await phone.locator('.toast').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('PR-7')
    await chat.tap('دعوت')
    await chat.start()
    await expect
      .poll(() => server.calls)
      .toEqual([{ person: sara, action: 'start', body: { payload: 'record_9' } }])
  })

  test('a person’s own number is shared only after consent', async ({ open }) => {
    const { server, phone, chat, page } = await open()
    const messageId = server.post(sara, { text: 'شماره؟' })
    const rows = [[{ text: 'فرستادن شمارهٔ من', requestContact: true as const }], [{ text: 'می‌نویسم' }]]
    server.change(sara, 'keyboard', {
      replyKeyboard: { messageId, rows, resize: true, oneTime: true, placeholder: 'مثلاً ۰۹۱۲…' },
    })
    await expect.poll(() => phone.locator('.input').getAttribute('placeholder')).toBe('مثلاً ۰۹۱۲…')
    const direction = () => page.evaluate("getComputedStyle(document.querySelector('.input')).direction")
    expect(await direction()).toBe('rtl') // so the placeholder is at the right
    await chat.tap('فرستادن شمارهٔ من')
    const consent = phone.getByRole('dialog')
    expect(await consent.textContent()).toContain('+98912000000')
    await consent.getByRole('button', { name: 'انصراف' }).click()
    await consent.waitFor({ state: 'detached' })
    expect(server.calls).toEqual([])
    await phone.locator('.composer .keyboard').click()
    await chat.tap('فرستادن شمارهٔ من')
    await consent.getByRole('button', { name: 'فرستادن شماره' }).click()
    await chat.waitFor('+98912000000')
    await expect.poll(() => server.calls).toEqual([{ person: sara, action: 'contact', body: { messageId } }])
    server.change(sara, 'keyboard', {})
    await phone.locator('.composer .keyboard').waitFor({ state: 'hidden' })
  })

  test('a plain reply button sends its text; a one-time keyboard folds', async ({ open }) => {
    const { server, phone, chat } = await open()
    const messageId = server.post(sara, { text: 'کدام؟' })
    server.change(sara, 'keyboard', {
      replyKeyboard: { messageId, rows: [[{ text: 'این' }]], oneTime: true },
    })
    await chat.tap('این')
    await chat.waitFor(/^این/)
    await expect.poll(() => server.calls.at(-1)).toMatchObject({ action: 'say', body: { text: 'این' } })
    await phone.locator('.reply-keyboard').waitFor({ state: 'hidden' })
  })

  test('☰ lists the commands, typing a slash narrows them, a press sends', async ({ open }) => {
    const { server, phone, chat } = await open()
    server.change(sara, 'commands', [
      { command: 'tests', description: 'آزمون‌های من' },
      { command: 'help', description: 'راهنما' },
    ])
    await phone.locator('.commands').click()
    expect(await phone.locator('.command-item').count()).toBe(2)
    await phone.locator('.command-item').first().press('Escape')
    await phone.locator('.command-list').waitFor({ state: 'hidden' })
    await phone.locator('.input').pressSequentially('/he')
    expect(await phone.locator('.command-item').count()).toBe(1)
    await phone.locator('.command-item').click()
    await chat.waitFor('/help')
  })

  test('unexpected messages can be sent from the attachments', async ({ open }) => {
    const { server, phone } = await open()
    for (const [label, kind] of [
      ['استیکر', 'sticker'],
      ['مکان', 'location'],
      ['فایل', 'document'],
    ]) {
      await phone.locator('.attach').click()
      await phone.getByRole('menuitem', { name: label as string, exact: true }).click()
      await expect.poll(() => server.calls.at(-1)).toMatchObject({ action: 'file', body: { kind } })
    }
    await phone.locator('.attach').click()
    await phone.getByRole('menuitem', { name: 'مخاطب: دیگری' }).click()
    await expect.poll(() => server.calls.at(-1)).toMatchObject({ action: 'contact', body: { own: false } })
  })
})
