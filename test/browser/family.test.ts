import { describe, expect } from 'vitest'
import type { Chat } from '../demo/page/open-chat.ts'
import { isPdf, word } from '../words.ts'
import { invitation, kill, story, withoutChromium } from './world.ts'

const HELP = 'شروع یا ادامه'
const FAMILY = 'نقشهٔ راه خانواده'
const CHILD_ROLE = 23

describe.skipIf(withoutChromium)('a family in two windows', () => {
  story('a family takes six tests, with a role handed over and the bot killed', async ({ visit }) => {
    const { demo, chat, window, killed } = await visit(
      (own) => `/?start=${invitation({ demo: own }, FAMILY)}`,
    )
    await chat.start()
    await tap(chat, 'begin:')
    for (const [role, name, birth] of [
      ['مادر', 'زهرا محمدی', '۱۳۶۰/۵/۱۲'],
      ['پدر', 'علی رضایی', '۱۳۵۸/۱/۱'],
      ['فرزند', 'نگار رضایی', '۱۳۹۰/۲/۳'],
    ] as const) {
      await chat.waitFor(new RegExp(`نام و نام خانوادگی.*${role}`))
      await chat.say(name)
      await chat.waitFor('تاریخ تولد را بنویسید')
      await chat.say(birth)
      if (birth === '۱۳۹۰/۲/۳') {
        await tap(chat, 'guardian:yes')
        await tap(chat, 'gender:female')
      }
    }
    await chat.waitFor(word('mobile-ask').slice(0, 30))
    await chat.say('۰۹۱۲۳۴۵۶۷۸۹')
    await tap(chat, 'profile:ok')
    await chat.waitFor('این کد فقط با پیامک می‌آید')
    await chat.say(demo.sandbox.sms()[0]?.code ?? '')

    await tap(chat, 'hand:', `:${CHILD_ROLE}`)
    const forwarded = await (await chat.waitFor(/start=i_/)).textContent()
    const [, payload] = /start=(i_[a-z2-7]{12})/.exec(forwarded ?? '') ?? []
    const child = await window(`/?person=${demo.emulator.people()[1]?.id}&start=${payload}`)
    await child.start()
    await tap(child, 'begin:')
    await tap(child, 'guardian:yes')

    await takeTests(child, 2)
    await chat.waitFor(/فرزند نوجوان.*آزمون‌هایش را تمام کرد/)
    await boardIsLast(chat)
    await takeTests(chat, 4)
    await tap(chat, 'generate:')
    await chat.waitFor('گزارش ترکیبی در حال ساخته شدن است')
    kill(demo)

    for (const { phone } of [chat, child]) {
      const report = phone.locator('.file-name', { hasText: '.html' })
      await report.first().waitFor()
    }
    // The bot finishes its running work before it stops; a second report would come before the help.
    for (const each of [chat, child]) {
      await each.say('/help')
      await each.waitFor(HELP)
    }
    await demo.bot?.stop()
    for (const person of demo.emulator.people().slice(0, 2))
      expect(person.messages.filter(({ document }) => document && !isPdf(document))).toHaveLength(1)
    for (const { phone } of [chat, child])
      expect(await phone.locator('.file-name', { hasText: '.html' }).count()).toBe(1)
    expect(killed).toEqual(['SIGKILL'])
    const submitted = demo.sandbox.calls.filter(
      ({ method, path, status }) => method === 'POST' && /^\/record\/[^/]+\/$/.test(path) && status === 200,
    )
    expect(submitted).toHaveLength(6)
  })
})

/** Taps the newest button whose data begins (and ends) with these texts, once it is shown. */
async function tap({ phone }: Chat, begin: string, end = ''): Promise<void> {
  const button = phone.locator(`[data-callback^="${begin}"]${end && `[data-callback$="${end}"]`}`)
  await button.last().click()
}

/** Waits until the board is below all messages: a tap on the old board, about to go, would be lost. */
const boardIsLast = ({ phone }: Chat) =>
  phone.locator('[data-message-id]').last().locator('[data-callback^="ask:"]').waitFor()

/** Takes one test after another from the board, through the hand-over if there is one. */
async function takeTests(chat: Chat, count: number): Promise<void> {
  const { phone } = chat
  for (let taken = 1; taken <= count; taken++) {
    await tap(chat, 'open:')
    const next = phone.locator('[data-callback^="ready:"], [data-callback^="a:"]').last()
    await next.waitFor()
    if ((await next.getAttribute('data-callback'))?.startsWith('ready:')) await next.click()
    for (let question = 0; ; question++) {
      const answer = `[data-callback^="a:"][data-callback*=":${question}:${question % 3}:"]`
      const button = phone.locator(`${answer}, [data-callback^="submit:"]`).last()
      await button.waitFor()
      const isReview = (await button.getAttribute('data-callback'))?.startsWith('submit:')
      await button.click()
      if (isReview) break
    }
    const finished = phone.getByText('تمام شد و پاسخ‌ها پذیرفته شد')
    await finished.nth(taken - 1).waitFor()
    await boardIsLast(chat)
  }
}
