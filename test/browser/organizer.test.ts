import { describe, expect } from 'vitest'
import { word } from '../words.ts'
import { story, withoutChromium } from './world.ts'

describe.skipIf(withoutChromium)('an organizer in one window, a participant in another', () => {
  story('invites, and sees the stage, the notice, the validity card and the result', async ({ visit }) => {
    const { demo, chat, window } = await visit((own) => `/?person=${own.organizerId}`)
    const token = demo.sandbox.addRecord({ testId: 'mood-7', testsAuthRequired: false, authRequired: false })
    await chat.start()
    await chat.say(`/records ${token}`)
    await chat.tap(`invite:r:${token}`)
    const invited = await (await chat.waitFor(/start=i_/)).textContent()
    const payload = /start=(i_[a-z2-7]{12})/.exec(invited ?? '')?.[1]
    const participant = await window(`/?person=${demo.emulator.people()[0]?.id}&start=${payload}`)
    await participant.start()
    await participant.phone.locator('[data-callback^="begin:"]').last().click()
    for (let question = 0; question < 7; question++)
      await participant.phone
        .locator(`[data-callback^="a:"][data-callback*=":${question}:1:"]`)
        .last()
        .click()
    await participant.phone.locator('[data-callback^="submit:"]').last().click()
    // It comes by itself, while the other window works.
    await chat.waitFor(word('validity-resumes', { count: 0, usual: 2 }).slice(0, 12))
    await chat.phone.locator('[data-callback^="send:"]').last().click()
    await chat.phone.locator('.file-name').first().waitFor()
    await chat.say('/status')
    await chat.waitFor(word('board-stage.delivered'))
    expect(await chat.lastMessage()).toContain(word('status-calls', { used: 0, limit: 3_000 }).split(':')[0])
  })
})
