import { describe, expect, test } from 'vitest'
import { openChat } from './page/open-chat.ts'
import { ali, sara, useBrowser, withoutChromium } from './page/world.ts'

describe.skipIf(withoutChromium)('people, invitations and the page around the chat', () => {
  const open = useBrowser()

  test('a deep link opens the chat with START and its payload, once', async () => {
    const { server, page, chat, phone } = await open({ started: false, path: '?start=record_42' })
    expect(await phone.locator('.description').textContent()).toContain('آزمون‌های روان‌شناسی')
    await chat.start()
    expect(server.calls).toEqual([{ person: sara, action: 'start', body: { payload: 'record_42' } }])
    expect(page.url()).toBe(server.url)
    await page.reload()
    const followed = await chat.waitFor('/start')
    expect(await followed.textContent()).not.toContain('record_42')
    expect(await phone.locator('.bottom-bar').isVisible()).toBe(false)
  })

  test('a deep link with a payload Telegram would refuse opens the plain chat', async () => {
    const { server, chat } = await open({ started: false, path: '?start=%3Cscript%3E' })
    await chat.start()
    expect(server.calls).toEqual([{ person: sara, action: 'start', body: {} }])
  })

  test('a ready invitation opens in the chat of the person looked at last', async () => {
    const link = 'https://t.me/porsa_bot?start=record_1'
    const { server, page } = await open({
      width: 1280,
      names: ['سارا', 'علی'],
      before: (fake) => fake.invitations.push({ title: 'خواب', kind: '۷ پرسش', link, payload: 'record_1' }),
    })
    await page.locator(`.phone[data-person="${ali}"] .middle`).click()
    await page.getByRole('button', { name: 'خواب' }).click()
    await page.locator(`.phone[data-person="${ali}"] .bar-button.start`).click()
    await expect
      .poll(() => server.calls)
      .toEqual([{ person: ali, action: 'start', body: { payload: 'record_1' } }])
  })

  test('two people sit side by side and do not see each other’s messages', async () => {
    const { server, page, chat } = await open({ width: 1280, names: ['سارا', 'علی'] })
    const other = await openChat(page, page.url(), { person: ali })
    await other.start()
    server.post(ali, { text: 'برای علی' })
    await chat.say('از سارا')
    await other.waitFor('برای علی')
    expect(await page.locator('.phone:visible').count()).toBe(2)
    expect(await chat.phone.textContent()).not.toContain('برای علی')
    expect(await other.phone.textContent()).not.toContain('از سارا')
  })

  test('a new person gets a phone; on a narrow screen one switches between them', async () => {
    const { server, page } = await open({ width: 360 })
    await page.locator('.back:visible').click()
    await page.getByRole('button', { name: 'افزودن شخص' }).click()
    await page.getByLabel('نام', { exact: true }).fill('مریم')
    await page.getByLabel('شمارهٔ همراه').fill('+989351112233')
    await page.getByRole('button', { name: 'افزودن', exact: true }).click()
    await page.locator(`.phone[data-person="${ali}"] .bar-button.start`).click()
    await expect.poll(() => server.calls.at(-1)).toMatchObject({ person: ali, action: 'start' })
    expect(await page.locator('.phone:visible').count()).toBe(1)
    await page.locator('.switcher').getByRole('button', { name: 'سارا' }).click()
    await page.locator(`.phone[data-person="${sara}"]`).waitFor()
    await expect.poll(() => server.openStreams()).toBe(2) // one chat and the SMS: the other phone rests
  })

  test('an SMS arrives on the small phone, and as a notification on a narrow screen', async () => {
    const sms = { mobile: '09120000000', code: '48213', at: Date.now() }
    const wide = await open({ width: 1280 })
    await expect.poll(() => wide.server.openStreams()).toBe(2)
    wide.server.sendSms(sms)
    const received = wide.page.locator('.sms-phone .sms')
    await received.getByRole('button', { name: 'رونوشت کد' }).click()
    await expect.poll(() => wide.page.evaluate('navigator.clipboard.readText()')).toBe('48213')
    expect(await received.textContent()).toContain('09120000000')

    const narrow = await open({ width: 360 })
    await expect.poll(() => narrow.server.openStreams()).toBe(2)
    narrow.server.sendSms(sms)
    await narrow.page.locator('.sms-banner').getByRole('button', { name: 'درج در گفت‌وگو' }).click()
    expect(await narrow.phone.locator('.input').inputValue()).toBe('48213')
    await narrow.page.locator('.sms-banner').waitFor({ state: 'hidden' })
  })

  test('a lost connection is shown, comes back by itself and brings what was missed', async () => {
    const { server, phone, chat } = await open()
    server.cut(2)
    await phone.locator('.connecting', { hasText: 'در حال اتصال' }).waitFor()
    server.post(sara, { text: 'در نبود شما' })
    await chat.waitFor('در نبود شما')
    await phone.locator('.phone-header:not(.connecting)').waitFor()
    expect(await phone.locator('.message').count()).toBe(1)
  })

  test('the bot is seen typing until it stops', async () => {
    const { server, phone } = await open()
    server.push(sara, 'typing', { action: 'typing', until: Date.now() + 5000 })
    await phone.locator('.subtitle', { hasText: 'در حال نوشتن' }).waitFor()
    server.push(sara, 'typing', { until: 0 })
    await phone.locator('.subtitle', { hasText: /^ربات$/ }).waitFor()
  })

  test('a blocked bot leaves only the way to unblock it', async () => {
    const { server, phone } = await open()
    await phone.locator('.more').click()
    await phone.getByRole('menuitem', { name: 'مسدود کردن ربات' }).click()
    await phone.getByRole('dialog').getByRole('button', { name: 'مسدود کردن ربات' }).click()
    await phone.locator('.bar-button.unblock').click()
    await phone.locator('.input').waitFor()
    expect(server.calls.map(({ action }) => action)).toEqual(['block', 'unblock'])
  })

  test('dark follows the system until somebody chooses, and the choice survives a reload', async () => {
    const { page } = await open({ width: 1280, colorScheme: 'dark' })
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const dark = await background()
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(background).not.toBe(dark)
    await page.getByRole('button', { name: 'نمای تیره' }).click()
    await expect.poll(background).toBe(dark)
    await page.reload()
    await page.getByRole('button', { name: 'نمای روشن' }).waitFor()
    await expect.poll(background).toBe(dark)
  })

  test('the page speaks Persian from right to left, English on request', async () => {
    const { page, server, phone } = await open({ width: 1280 })
    expect(await page.evaluate('document.documentElement.lang + document.documentElement.dir')).toBe('fartl')
    expect(await phone.locator('.subtitle').textContent()).toBe('ربات')
    const english = await openChat(page, `${server.url}?lang=en`)
    expect(await page.evaluate('document.documentElement.lang + document.documentElement.dir')).toBe('enltr')
    expect(await english.phone.locator('.subtitle').textContent()).toBe('bot')
    expect(await page.getByRole('heading', { name: 'Ready invitations' }).count()).toBe(1)
  })
})
