import type { Locator, Page } from 'playwright-core'

/** What one person sees and does on the chat page, in words of a story. */
export type Chat = {
  /** The phone, for whatever the words below do not cover. */
  phone: Locator
  /** Presses START; with a payload, as after following a deep link with it. */
  start(payload?: string): Promise<void>
  say(text: string): Promise<void>
  /**
   * Presses the newest button with this label (of an inline or reply keyboard) or these callback data, and waits for
   * it to appear. Where the same label follows itself, as in a questionnaire, the data tell them apart.
   */
  tap(labelOrData: string): Promise<void>
  /** The text of the newest message from the bot. */
  lastMessage(): Promise<string>
  /** Waits until a message contains the text, and returns the newest such message. */
  waitFor(text: string | RegExp): Promise<Locator>
}

/**
 * Opens the demo's chat page and drives the phone of one person (unless told: the first who reads its language).
 * `url` may carry `?start=…` and `lang=en`.
 */
export async function openChat(page: Page, url: string, { person }: { person?: number } = {}): Promise<Chat> {
  await page.goto(url)
  const id = person ?? (await page.locator('.phone.active').getAttribute('data-person'))
  const phone = page.locator(`.phone[data-person="${id}"]`)
  await phone.locator('.phone-header:not(.connecting)').waitFor()
  const address = new URL(url)

  return {
    phone,
    async start(payload) {
      if (payload !== undefined) {
        address.searchParams.set('start', payload)
        await page.goto(address.href)
      }
      const button = phone.locator('.bar-button.start')
      await button.click()
      await button.waitFor({ state: 'hidden' })
    },
    async say(text) {
      await phone.locator('.input').fill(text)
      // not until the message is seen: the bot may delete it before that
      const sent = page.waitForResponse((response) => response.url().endsWith(`/people/${id}/say`))
      await phone.locator('.input').press('Enter')
      await sent
    },
    async tap(labelOrData) {
      const quoted = JSON.stringify(labelOrData)
      const byData = phone.locator(`[data-message-id] [data-callback=${quoted}]`)
      const keyboards = phone.locator('.inline-keyboard, .reply-keyboard')
      const byLabel = keyboards.getByRole('button', { name: labelOrData, exact: true })
      await byData.or(byLabel).last().click()
    },
    async lastMessage() {
      const text = await phone.locator('[data-from="bot"][data-message-id] .text').last().textContent()
      return text ?? ''
    },
    async waitFor(text) {
      const found = phone.locator('[data-message-id]').filter({ hasText: text }).last()
      await found.waitFor()
      return found
    },
  }
}
