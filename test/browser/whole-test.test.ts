import { describe, expect } from 'vitest'
import { loadTexts } from '../../src/texts/texts.ts'
import type { Chat } from '../demo/page/open-chat.ts'
import { word, wordInEnglish } from '../words.ts'
import { accepted, invitation, kill, story, withoutChromium } from './world.ts'

const DEMO = { organizerName: 'مرکز مشاورهٔ نمونه', organizerContact: 'demo@example.org' }
const tokenOf = (payload: string) => payload.slice('record_'.length)

describe.skipIf(withoutChromium)('in a browser', () => {
  story('a test with 60 questions and SMS goes on after three kills of the bot', async ({ visit }) => {
    const { demo, chat, killed } = await visit(
      (own) => `/?start=${invitation({ demo: own }, 'زندگی روزمره')}`,
    )
    const token = tokenOf(invitation({ demo }, 'زندگی روزمره'))
    await chat.start()
    await chat.tap('شروع می‌کنم')
    await chat.waitFor(word('name-ask'))
    await chat.say('زهرا محمدی')
    await chat.waitFor('تاریخ تولد')
    await chat.say('۱۳۷۵/۵/۱۲')
    await chat.tap('زن')
    await chat.waitFor(word('mobile-ask').slice(0, 30))
    await chat.tap(word('button-share-mobile'))
    await chat.phone.getByRole('dialog').getByRole('button', { name: 'فرستادن شماره' }).click()
    await chat.tap(word('button-profile-ok'))
    await chat.waitFor(loadTexts(DEMO).for('fa').plain('code-ask', { mobile: '09121234567', minutes: 5 }))
    await chat.phone.page().locator('.sms-banner').getByRole('button', { name: 'نوشتن در گفتگو' }).click()
    await chat.phone.locator('.input').press('Enter')

    const chosen: number[] = []
    for (let question = 0; question < 60; question++) {
      chosen.push((question * 7 + 3) % 5)
      await answer(chat, question, chosen[question] ?? 0)
      if (question % 20 === 10) kill(demo)
    }
    await chat.waitFor(word('all-answered', { total: 60 }).split('\n')[0] ?? '')
    await chat.tap(word('button-submit'))

    const report = chat.phone.locator('.file-name', { hasText: '.html' })
    await report.waitFor()
    expect(await report.textContent()).toMatch(/^report-.+\.html$/)
    expect(killed).toEqual(['SIGKILL', 'SIGKILL', 'SIGKILL'])
    expect(accepted(demo, token)).toEqual([chosen])
    expect(demo.sandbox.submissions(token)).toHaveLength(1)
    expect(demo.sandbox.sms()).toHaveLength(1)
    expect(await chat.phone.locator('[data-from="bot"] .photo').count()).toBe(1)
  })

  story('a whole short test in English', async ({ visit }) => {
    const { demo, chat } = await visit(
      (own) => `/?lang=en&start=${invitation({ demo: own }, 'حال این دو هفته، بی‌نام')}`,
    )
    const token = tokenOf(invitation({ demo }, 'حال این دو هفته، بی‌نام'))
    await chat.start()
    await chat.say('/language')
    await chat.tap('lang:en')
    // The first introduction loses its button: a press on it would be too late.
    await chat.phone.locator('[data-message-id]').filter({ hasText: 'invites you' }).nth(1).waitFor()
    await chat.tap('Start')
    const chosen = [0, 1, 2, 3, 2, 1, 0]
    for (const [question, option] of chosen.entries()) await answer(chat, question, option)
    await chat.waitFor('Send the answers, or look through them first.')
    await chat.tap(wordInEnglish('button-submit'))
    await chat.waitFor('The full report of')
    const result = await chat.waitFor('This result is not a medical diagnosis')
    expect(await result.textContent()).toContain('demo@example.org')
    expect(accepted(demo, token)).toEqual([chosen])
  })
})

/** Taps an option of a question once it is shown; both are counted from 0. */
async function answer(chat: Chat, question: number, option: number): Promise<void> {
  const shown = chat.phone.locator(`[data-callback^="a:"][data-callback*=":${question}:${option}:"]`)
  await shown.last().click()
}
