import { describe, expect } from 'vitest'
import type { Invitation } from '../../tools/demo/api.ts'
import { openChat } from './page/open-chat.ts'
import { ali, sara, test, type World, withoutChromium } from './page/world.ts'

describe.skipIf(withoutChromium)('people, invitations and the page around the chat', () => {
  test('a deep link opens the chat with START and its payload, once', async ({ open }) => {
    const { server, page, chat, phone } = await open({ started: false, path: '?start=record_42' })
    expect(await phone.locator('.description').textContent()).toContain('آزمون‌های روان‌شناسی')
    const start = phone.locator('.bar-button.start')
    const isFocused = () =>
      start.evaluate((each: { matches: (state: string) => boolean }) => each.matches(':focus'))
    await expect.poll(isFocused).toBe(true)
    // Later events do not move the focus.
    server.push(sara, 'typing', { action: 'typing', until: Date.now() + 5000 })
    await phone.locator('.subtitle', { hasText: 'در حال نوشتن' }).waitFor()
    expect(await isFocused()).toBe(true)
    await chat.start()
    await expect
      .poll(() => server.calls)
      .toEqual([{ person: sara, action: 'start', body: { payload: 'record_42' } }])
    expect(page.url()).toBe(server.url)
    await page.reload()
    const followed = await chat.waitFor('/start')
    expect(await followed.textContent()).not.toContain('record_42')
    expect(await phone.locator('.bottom-bar').isVisible()).toBe(false)
  })

  test('a deep link with a payload Telegram would refuse opens the plain chat', async ({ open }) => {
    const { server, chat } = await open({ started: false, path: '?start=%3Cscript%3E' })
    await chat.start()
    await expect.poll(() => server.calls).toEqual([{ person: sara, action: 'start', body: {} }])
  })

  test('a ready invitation opens in the chat of the last used phone', async ({ open }) => {
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

  const sleep: Invitation = {
    title: 'خواب',
    kind: 'بدون پیامک',
    kindInEnglish: 'no SMS',
    link: 'https://t.me/porsa_bot?start=record_1',
    payload: 'record_1',
  }
  const couple: Invitation = { ...sleep, title: 'زوج', payload: 'roadmap_2', waiting: true }

  test('tests and packages are separate, one press apart, with notes in each language', async ({ open }) => {
    const many = Array.from({ length: 30 }, (_, index) => ({ ...sleep, payload: `record_${index}` }))
    const { page, server } = await open({
      width: 1440,
      before: (fake) => fake.invitations.push(...many, couple),
    })
    const list = (name: string) => page.locator('.invitations').getByRole('grid', { name })
    await list('آزمون‌ها').getByText('بدون پیامک').first().waitFor()
    expect(await list('آزمون‌ها').textContent()).not.toContain('زوج')
    const tab = page.getByRole('tab', { name: 'بسته‌ها' })
    for (const inSight of [tab, list('بسته‌ها').getByRole('button', { name: 'زوج' })]) {
      const place = await inSight.boundingBox() // an invisible one has none
      expect((place?.y ?? 800) + (place?.height ?? 0)).toBeLessThan(800)
      await inSight.click()
    }
    expect(await list('آزمون‌ها').count()).toBe(0)
    await page.goto(`${server.url}?lang=en`)
    await list('Tests').getByText('no SMS').first().waitFor()
    expect(await page.locator('.invitations').textContent()).not.toContain('بدون پیامک')
  })

  test('an invitation shows who has followed it', async ({ open }) => {
    const { page, server } = await open({
      width: 1440,
      before: (fake) => fake.invitations.push(sleep),
    })
    const invitation = page.locator('.invitation')
    await invitation.getByText('بدون پیامک', { exact: true }).waitFor()
    server.invitations.splice(0, 1, { ...sleep, openedBy: 'سارا' })
    await invitation.click()
    await page.locator('.bar-button.start').click()
    await invitation.getByText('بدون پیامک · «سارا» بازش کرده است').waitFor()
  })

  test('an invitation that waits for the organizer can be opened', async ({ open }) => {
    const { page, server } = await open({
      width: 1440,
      before: (fake) => fake.invitations.push(sleep, structuredClone(couple)),
    })
    const opens = page.locator('.invitations').getByRole('button', { name: 'باز کردن' })
    await page.getByRole('tab', { name: 'بسته‌ها' }).click()
    await opens.click()
    await page.locator('.invitations .done', { hasText: 'باز شد' }).waitFor()
    expect(await opens.count()).toBe(0)
    expect(server.invitations.some(({ waiting }) => waiting)).toBe(false)
  })

  test('a restarted server brings its own people, chats and invitations', async ({ open }) => {
    const { page, server, chat } = await open({
      width: 1440,
      names: ['سارا', 'علی'],
      before: (fake) => fake.invitations.push(sleep),
    })
    await chat.say('پیام کهنه')
    await chat.waitFor('پیام کهنه')
    server.replace(['سارا', 'نگار'], [couple])
    server.post(sara, { text: 'تازه' })
    await page.getByRole('button', { name: 'زوج' }).waitFor()
    expect(await page.getByRole('button', { name: 'خواب' }).count()).toBe(0)
    expect(await page.locator('.people .person-chip bdi').allTextContents()).toEqual(['سارا', 'نگار'])
    await page.getByRole('region', { name: 'گوشی نگار' }).waitFor()
    const fresh = await chat.waitFor('تازه')
    expect(await fresh.getAttribute('data-from')).toBe('bot') // though its number was that of Sara’s
    await expect.poll(() => chat.phone.locator('.message').count()).toBe(1)
  })

  test('START puts the cursor into the input only where no keyboard opens over the chat', async ({
    open,
  }) => {
    const isFocused = ({ page }: World) => page.evaluate("document.activeElement.className === 'input'")
    const desk = await open({ started: false })
    await desk.chat.start()
    await expect.poll(() => isFocused(desk)).toBe(true)
    const hand = await open({ started: false })
    // The page asks this just before it would move the cursor.
    await hand.page.evaluate(`window.matchMedia = (query) => {
      window.hasAsked ||= query === '(hover: hover)'
      return { matches: query !== '(hover: hover)' }
    }`)
    await hand.chat.start()
    await hand.page.waitForFunction('window.hasAsked')
    expect(await isFocused(hand)).toBe(false)
  })

  test('two people sit side by side and do not see each other’s messages', async ({ open }) => {
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

  test('a new person gets a phone; a narrow screen switches between the phones', async ({ open }) => {
    const { server, page } = await open({ width: 360 })
    await page.locator('.back:visible').click()
    await page.getByRole('button', { name: 'افزودن شخص' }).click()
    await page.getByLabel('نام', { exact: true }).fill('مریم')
    await page.getByLabel('شمارهٔ موبایل').fill('+989351112233')
    await page.getByRole('button', { name: 'افزودن', exact: true }).click()
    await page.locator(`.phone[data-person="${ali}"] .bar-button.start`).click()
    await expect.poll(() => server.calls.at(-1)).toMatchObject({ person: ali, action: 'start' })
    expect(await page.locator('.phone:visible').count()).toBe(1)
    await page.locator('.switcher').getByRole('button', { name: 'سارا' }).click()
    await page.locator(`.phone[data-person="${sara}"]`).waitFor()
    await expect.poll(() => server.openStreams()).toBe(2) // one chat and the SMS
  })

  test('an SMS arrives on the small phone, and as a notification on a narrow screen', async ({ open }) => {
    const sms = { mobile: '09120000000', code: '48213', at: Date.now() }
    const wide = await open({ width: 1280 })
    await expect.poll(() => wide.server.openStreams()).toBe(2)
    wide.server.sendSms(sms)
    const received = wide.page.locator('.sms-phone .sms')
    await received.getByRole('button', { name: 'کپی کد' }).click()
    await expect.poll(() => wide.page.evaluate('navigator.clipboard.readText()')).toBe('48213')
    expect(await received.textContent()).toContain('09120000000')

    const narrow = await open({ width: 360 })
    await expect.poll(() => narrow.server.openStreams()).toBe(2)
    const topOf = async () => (await narrow.phone.boundingBox())?.y ?? 0
    const before = await topOf()
    const banner = narrow.page.locator('.sms-banner')
    for (const use of ['نوشتن در گفتگو', 'کپی کد', 'بستن']) {
      narrow.server.sendSms(sms)
      await banner.waitFor()
      const { y = 0, height = 0 } = (await banner.boundingBox()) ?? {}
      // The chat begins below it.
      expect(await topOf()).toBeGreaterThanOrEqual(y + height)
      await banner.getByRole('button', { name: use }).click()
      await banner.waitFor({ state: 'hidden' })
      expect(await narrow.phone.locator('.input').inputValue()).toBe('48213')
      expect(await topOf()).toBe(before)
    }
  })

  test('a forwarded message gives a hidden phone a mark, a notification and START', async ({ open }) => {
    const { server, page, chat, phone } = await open({ names: ['سارا', 'علی'] })
    await expect.poll(() => server.openStreams()).toBe(2)
    const messageId = server.post(sara, { text: 'دعوت: https://t.me/porsa_bot?start=i_1' })
    const menu = async (text: string) => {
      await (await chat.waitFor(text)).locator('.bubble').click({ button: 'right', position: { x: 9, y: 9 } })
      await phone.getByRole('menuitem', { name: 'فرستادن برای دیگری' }).click()
    }
    await menu('دعوت')
    await phone.getByRole('menuitem', { name: 'علی' }).click()
    await phone.locator('.toast', { hasText: 'برای علی' }).waitFor()
    expect(server.calls.at(-1)).toMatchObject({
      person: sara,
      action: 'forward',
      body: { messageId, to: ali },
    })
    const chip = (name: string | RegExp) => page.locator('.switcher').getByRole('button', { name })
    await chip(/علی پیام تازه دارد/).click()
    const other = page.locator(`.phone[data-person="${ali}"]`)
    const card = other.getByRole('article', { name: 'سارا' })
    expect(await card.locator('.origin').textContent()).toBe('فرستاده‌شده از «پرسا»')
    await page.locator('.switcher .unread').waitFor({ state: 'detached' })

    server.post(ali, { text: 'برای علی' }) // a shown person gets no mark
    server.post(sara, { text: 'نه این', protected: true })
    await chip(/سارا پیام تازه دارد/).waitFor()
    expect(await page.locator('.switcher .unread').count()).toBe(1)
    await card.getByRole('link').click()
    await other.locator('.bar-button.start').click()
    await card.waitFor({ state: 'detached' })
    await expect
      .poll(() => server.calls.map(({ action, body }) => [action, body.payload]))
      .toContainEqual(['start', 'i_1'])

    await chip('سارا').click()
    await menu('نه این')
    await phone.locator('.toast', { hasText: 'نمی‌شود' }).waitFor()
    const share = `https://t.me/share/url?url=${encodeURIComponent('https://t.me/x')}&text=ok`
    server.post(sara, { text: 'پخش', inlineKeyboard: [[{ text: 'فرستادن دعوت', url: share }]] })
    await chat.tap('فرستادن دعوت')
    await phone.getByRole('menuitem', { name: 'علی' }).click()
    await expect
      .poll(() => server.calls.at(-1))
      .toEqual({ person: sara, action: 'share', body: { text: 'https://t.me/x\nok', to: ali } })
  })

  test('a lost connection is shown, comes back and brings the missed messages', async ({ open }) => {
    const { server, phone, chat } = await open()
    server.cut(2)
    await phone.locator('.connecting', { hasText: 'در حال اتصال' }).waitFor()
    server.post(sara, { text: 'در نبود شما' })
    await chat.waitFor('در نبود شما')
    await phone.locator('.phone-header:not(.connecting)').waitFor()
    expect(await phone.locator('.message').count()).toBe(1)
  })

  test('the bot is seen typing until it stops', async ({ open }) => {
    const { server, phone } = await open()
    server.push(sara, 'typing', { action: 'typing', until: Date.now() + 5000 })
    await phone.locator('.subtitle', { hasText: 'در حال نوشتن' }).waitFor()
    server.push(sara, 'typing', { until: 0 })
    await phone.locator('.subtitle', { hasText: /^ربات$/ }).waitFor()
  })

  test('a blocked bot leaves only a button to unblock it', async ({ open }) => {
    const { server, phone } = await open()
    await phone.locator('.more').click()
    await phone.getByRole('menuitem', { name: 'مسدود کردن ربات' }).click()
    await phone.getByRole('dialog').getByRole('button', { name: 'مسدود کردن ربات' }).click()
    await phone.locator('.bar-button.unblock').click()
    await phone.locator('.input').waitFor()
    await expect.poll(() => server.calls.map(({ action }) => action)).toEqual(['block', 'unblock'])
  })

  test('the dark theme follows the system until a visitor chooses, and the choice survives a reload', async ({
    open,
  }) => {
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

  test('the page speaks Persian from right to left, English on request', async ({ open }) => {
    const { page, server, phone } = await open({ width: 1280 })
    expect(await page.evaluate('document.documentElement.lang + document.documentElement.dir')).toBe('fartl')
    expect(await phone.locator('.subtitle').textContent()).toBe('ربات')
    const english = await openChat(page, `${server.url}?lang=en`)
    expect(await page.evaluate('document.documentElement.lang + document.documentElement.dir')).toBe('enltr')
    expect(await english.phone.locator('.subtitle').textContent()).toBe('bot')
    expect(await page.getByRole('heading', { name: 'Ready invitations' }).count()).toBe(1)
  })
})
