import { expect } from 'vitest'
import { freePort } from '../storage/redis-server.ts'
import type { Participant } from './participant.ts'
import { finishesElsewhere } from './second-writer.ts'
import { knownPerson } from './short-tests.ts'
import { type Meeting, story, word } from './walk.ts'

const ours = ({ person }: Participant) => person.messages.filter(({ from }) => from.is_bot)

const places: Record<string, { meeting: Meeting; leads?: (sara: Participant) => Promise<unknown> }> = {
  'the introduction': { meeting: { at: 'introduction' } },
  'the name': { meeting: { at: 'name' } },
  'the birth date': { meeting: { at: 'birth' } },
  'the gender': { meeting: { at: 'gender' } },
  'the mobile': { meeting: { at: 'mobile' } },
  'the summary': { meeting: { at: 'summary' } },
  'the code': { meeting: { at: 'code' } },
  'a question': { meeting: { at: 'question' } },
  'the review': { meeting: { at: 'review' } },
  'a test that waits': { meeting: { record: { status: 0 } }, leads: (sara) => sara.opens() },
  'a test put aside': { meeting: { at: 'question' }, leads: (sara) => sara.taps(/^pause:/) },
  'a profile put aside': { meeting: { at: 'birth' }, leads: (sara) => sara.says('/cancel') },
  'the result': { meeting: { at: 'review' }, leads: (sara) => sara.taps(/^submit:/) },
}

const misplaced: Record<string, (sara: Participant) => unknown> = {
  'an old button': ({ person }) => person.rawTap(person.last, 'go:nowhere:0'),
  'a button of the dialog': ({ person }) => person.rawTap(person.messages[0] ?? 0, 'profile:ok'),
  'a sticker': ({ person }) => person.sendSticker(),
  'another one’s contact': ({ person }) => person.shareContact({ own: false }),
  'a voice message': ({ person }) => person.sendFile('voice'),
  'an unknown command': ({ person }) => person.say('/strat'),
  'an edited message': ({ person }) => person.edit(person.messages[0] ?? 0, 'چیز دیگر'),
  words: ({ person }) => person.say('چه خبر است این‌جا؟'),
}

for (const [where, { meeting, leads }] of Object.entries(places)) {
  story(`six misplaced messages of each kind leave one message more at ${where}`, async ({ meet }) => {
    const tooMany: string[] = []
    for (const [what, send] of Object.entries(misplaced)) {
      const sara = await meet(meeting)
      await leads?.(sara)
      const before = ours(sara).length
      for (let count = 0; count < 6; count++) await sara.acts(() => send(sara))
      const more = ours(sara).slice(before)
      if (ours(sara).length - before > 1) tooMany.push(`${what}: ${more.length}`)
      const introductions = ours(sara).filter(({ text }) => text?.includes(word('intro-consent')))
      if (introductions.length > 1) tooMany.push(`${what}: ${introductions.length} introductions`)
    }
    expect(tooMany).toEqual([])
  })

  story(`/cancel at ${where} answers with one message, and six of them answer once`, async ({ meet }) => {
    const sara = await meet(meeting)
    await leads?.(sara)
    const before = ours(sara).at(-1)?.message_id ?? 0
    await sara.says('/cancel')
    expect(ours(sara).filter(({ message_id: id }) => id > before).length).toBeLessThanOrEqual(1)
    const isOver = where === 'the result' || where.includes('profile put')
    if (isOver) expect(sara.heard).toContain(word('cancel-nothing'))
    else expect(sara.heard).not.toContain(word('cancel-nothing'))
    for (let count = 0; count < 6; count++) await sara.says('/cancel')
    expect(ours(sara).filter(({ message_id: id }) => id > before).length).toBeLessThanOrEqual(2)
  })
}

story('a text after the end is answered with where the result is, not with a way on', async ({ meet }) => {
  const sara = await meet({ at: 'review' })
  await sara.taps(/^submit:/)
  await sara.opens()
  await sara.says('ممنون')
  expect(sara.heard).toContain(word('result-ready', { title: 'حال این دو هفته (نمونه) · زهرا' }))
  expect(sara.data.some((data) => data.startsWith('result:'))).toBe(true)
  const reza = await meet({ at: 'review' })
  await finishesElsewhere(reza)
  await reza.taps(/^submit:/)
  await reza.opens()
  await reza.says('سلام')
  expect(reza.heard).toContain(word('finished-elsewhere'))
  expect(reza.heard).not.toContain('برای ادامه دادن')
})

for (const [what, change] of [
  ['pins the question', (pinned_message: object) => ({ pinned_message })],
  ['sets a timer', () => ({ message_auto_delete_timer_changed: { message_auto_delete_time: 86_400 } })],
  ['chooses a background', () => ({ chat_background_set: { type: { type: 'fill' } } })],
] as const)
  story(`a participant who ${what} has written nothing; the question keeps its buttons`, async ({ meet }) => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/telegram`
    const environment = { PORT: String(port), WEBHOOK_URL: url, WEBHOOK_SECRET: 'of-the-test' }
    const sara = await meet({ at: 'question', ...knownPerson(), environment })
    const { last, id } = sara.person
    const chat = { id, type: 'private' }
    const from = { id, is_bot: false, first_name: 's' }
    const message = { message_id: 9_000, date: last.date, from, chat, ...change(last) }
    const headers = { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': 'of-the-test' }
    await fetch(url, { method: 'POST', headers, body: JSON.stringify({ update_id: 9_000, message }) })
    await sara.answers(1)
    expect(sara.person.last.message_id).toBe(last.message_id)
    expect(sara.question.position).toBe(2)
    expect(sara.chat).not.toContain(word('only-text'))
  })
