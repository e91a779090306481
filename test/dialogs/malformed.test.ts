import { expect } from 'vitest'
import { freePort } from '../storage/redis-server.ts'
import { knownPerson } from './short-tests.ts'
import { story } from './walk.ts'

story(
  'an update that Telegram would never send is dropped: it does no harm and does not come again',
  async ({ meet }) => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/telegram`
    const environment = { PORT: String(port), WEBHOOK_URL: url, WEBHOOK_SECRET: 'of-the-test' }
    const sara = await meet({ at: 'question', ...knownPerson(), environment })
    const post = async (body: string) => {
      const headers = { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': 'of-the-test' }
      return (await fetch(url, { method: 'POST', headers, body })).status
    }
    const from = { id: sara.person.id, is_bot: false, first_name: 's' }
    const message = { message_id: 9_000, date: 1, from, chat: { id: from.id, type: 'private' }, text: '۱' }
    const { s, revision } = sara.question
    const tap = { id: '1', from, chat_instance: '1', data: `a:${s}:0:0:${revision}`, message }
    const malformed: object[] = [
      { message: null },
      { message: {} },
      { message: { ...message, text: 1 } },
      { message: { ...message, message_id: 'last' } },
      { message: { ...message, chat: from.id } },
      { message: { ...message, text: undefined, contact: { phone_number: 98 } } },
      { edited_message: [] },
      { my_chat_member: { chat: message.chat } },
      { callback_query: { ...tap, from: undefined } },
      { callback_query: { ...tap, data: 5 } },
      { callback_query: { ...tap, message: { message_id: 1 } } },
      { inline_query: { id: 1 } },
    ]
    const answered = malformed.map((update, number) => post(JSON.stringify({ update_id: number, ...update })))
    expect(await Promise.all(answered)).toEqual(malformed.map(() => 200))
    const bodies = ['', 'null', '[]', '"x"', '{}', '{"update_id":"x"}', '{"update_id":1', '['.repeat(100_000)]
    expect(await Promise.all(bodies.map(post))).toEqual(bodies.map(() => 400))
    expect(await post(JSON.stringify({ update_id: 1, message: 'x'.repeat(2 ** 20) }))).toBe(413)
    await sara.acts(() => sara.person.sendSticker())
    expect(sara.question).toMatchObject({ s, position: 1, revision })
    expect(sara.world.lines.filter((line) => line.includes('"level":"error"'))).toEqual([])
    expect(sara.world.lines.filter((line) => line.includes('not understood'))).toHaveLength(malformed.length)
    await sara.answers(1, 2, 0)
    await sara.taps(/^submit:/)
    expect(sara.submissions).toMatchObject([{ record: ['q1o2', 'q2o3', 'q3o1'], accepted: true }])
  },
)
