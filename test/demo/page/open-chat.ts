import type { Locator, Page } from 'playwright-core'

/** The actions and views of one person on the chat page, in words of a story. */
export type Chat = {
  /** The phone, for actions that the words below do not cover. */
  phone: Locator
  /** Presses START; with a payload, after following a deep link with it. */
  start(payload?: string): Promise<void>
  say(text: string): Promise<void>
  /**
   * Presses the newest button with this label (of an inline or reply keyboard) or these callback data, once
   * it appears. Where the same label is repeated, as in a questionnaire, the data tell the buttons apart.
   */
  tap(labelOrData: string): Promise<void>
  /** The text of the newest message from the bot. */
  lastMessage(): Promise<string>
  /** Waits until a message contains the text, and returns the newest such message. */
  waitFor(text: string | RegExp): Promise<Locator>
}

/**
 * Opens the demo's chat page and drives the phone of one person (by default the first who reads its
 * language). `url` may carry `?start=…` and `lang=en`.
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
      // Waits for the response, not for the message: the bot may delete the message before it is seen.
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
