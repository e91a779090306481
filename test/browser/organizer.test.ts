import { describe, expect } from 'vitest'
import type { Demo } from '../../tools/demo/server.ts'
import type { Chat } from '../demo/page/open-chat.ts'
import { word } from '../words.ts'
import { accepted, story, withoutChromium } from './world.ts'

const TITLE = 'حال این دو هفته (نمونه)'
const MOBILE = '09123456789'

describe.skipIf(withoutChromium)('an organizer in one window, participants in others', () => {
  story('an organizer invites, sees stages and result, and releases in mid-test', async ({ visit }) => {
    const { demo, chat, window } = await visit((own) => `/?person=${own.organizerId}`)
    const [sara, ali] = demo.emulator.people()
    const token = demo.sandbox.addRecord({ testId: 'mood-7', testsAuthRequired: false, authRequired: false })
    await chat.start()
    await chat.say(`/records ${token}`)
    await chat.tap(`invite:r:${token}`)
    const payload = await invitation(chat, 1)
    const participant = await window(`/?person=${sara?.id}&start=${payload}`)
    await participant.start()
    await press(participant, 'begin:')
    await answers(participant, 0, 7)
    await press(participant, 'submit:')
    // The result comes without a request, while the other window works.
    await chat.waitFor(word('validity-resumes', { count: 0, usual: 2 }).slice(0, 12))
    await press(chat, 'send:')
    await chat.phone.locator('.file-name').first().waitFor()
    await chat.say('/status')
    await chat.waitFor(word('status-calls', { used: 0, limit: 3_000 }).split(':')[0] ?? '')
    expect(await chat.lastMessage()).toContain(word('board-stage.delivered'))

    const known = await knownRecord(demo)
    await begins(participant, known)
    await answers(participant, 0, 2)
    await releases(chat, known, 'same')
    await chat.waitFor(word('release-same-done', { title: TITLE }).slice(0, 60))
    await participant.waitFor(word('released-told', { title: TITLE }).slice(0, 40))
    const third = await window(`/?person=${ali?.id}&start=${await invitation(chat, 2)}`)
    await third.start()
    await third.waitFor(word('takeover-ask', { tries: 3 }).slice(0, 40))
    await third.say(MOBILE)
    await answers(third, 2, 7)
    await press(third, 'submit:')
    await third.phone.locator('.file-name').first().waitFor()
    expect(accepted(demo, known)).toEqual([[1, 1, 1, 1, 1, 1, 1]])

    const mistaken = demo.sandbox.addRecord({ testId: 'mood-7', testsAuthRequired: false })
    await begins(participant, mistaken)
    await participant.waitFor(word('name-ask'))
    await releases(chat, mistaken, 'other')
    await chat.waitFor(word('release-anew-done', { title: TITLE }).slice(0, 40))
    await begins(third, mistaken)
    await third.waitFor(word('name-ask'))
  })
})

/** Presses the newest button whose data begins with this. */
const press = ({ phone }: Chat, data: string) => phone.locator(`[data-callback^="${data}"]`).last().click()

/** The start payload of an invitation's link; counted from 1 in the order of the chat. */
async function invitation({ phone }: Chat, number: number): Promise<string> {
  const invited = phone
    .locator('[data-message-id]')
    .filter({ hasText: /start=i_/ })
    .nth(number - 1)
  return /start=(i_[a-z2-7]{12})/.exec((await invited.textContent()) ?? '')?.[1] ?? ''
}

/** Opens one more record and presses the button of its introduction; earlier introductions may be shown. */
async function begins(chat: Chat, token: string): Promise<void> {
  const wanted = '[data-callback^="begin:"]'
  const earlier = await chat.phone
    .locator(wanted)
    .evaluateAll((all) => all.map((each) => each.getAttribute('data-callback')))
  const others = earlier.map((data) => `:not([data-callback="${data}"])`).join('')
  await chat.say(`record_${token}`)
  await chat.phone.locator(`${wanted}${others}`).click()
}

/** Answers the questions of a range with the second option. */
async function answers({ phone }: Chat, from: number, to: number): Promise<void> {
  for (let question = from; question < to; question++)
    await phone.locator(`[data-callback^="a:"][data-callback*=":${question}:1:"]`).last().click()
}

/** A record whose profile was made by the organizer's own software. */
async function knownRecord({ sandbox, serviceUrl }: Demo): Promise<string> {
  const token = sandbox.addRecord({ testId: 'mood-7', testsAuthRequired: false })
  const { status } = await fetch(`${serviceUrl}/record/${token}/auth/`, {
    method: 'POST',
    headers: { 'API-KEY': sandbox.key, 'content-type': 'application/json' },
    body: JSON.stringify({ mobile: MOBILE, name: 'زهرا محمدی', birth: '1990-01-01', is_male: false }),
  })
  expect(status).toBe(200)
  return token
}

/** Releases a claim on the card of its record. */
async function releases(chat: Chat, token: string, who: 'same' | 'other'): Promise<void> {
  await chat.say(`/records ${token}`)
  await chat.phone.locator(`[data-callback="card:r:${token}"]`).last().waitFor()
  await press(chat, 'release:')
  await chat.phone.locator(`[data-callback$=":${who}"][data-callback^="release:"]`).last().click()
}
