import { freePort } from '../storage/redis-server.ts'
import { until } from '../until.ts'
import { DELIVERED, meet } from './crashes.ts'
import { story } from './world.ts'

const bySms = { testId: 'mood-7', testsAuthRequired: true }

story('a whole test works over the webhook, with every update twice', async ({ open, expect }) => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/hooks/porsa`
  const world = await open({ environment: { PORT: String(port), WEBHOOK_URL: url } })
  const { emulator, sandbox, bot } = world
  emulator.fault({ kind: 'duplicate', times: 500 })
  const zahra = meet(world, bySms)
  await zahra.goesOnUntil(() => zahra.result.documents > 0)
  expect(zahra.accepted).toEqual([zahra.chosen])
  expect(zahra.result).toEqual(DELIVERED)
  expect(sandbox.sms()).toHaveLength(1)
  expect(emulator.calls.some(({ method }) => method === 'getUpdates')).toBe(false)
  expect(await bot.stop()).toEqual({ code: 0, signal: null })
})

story('a wrong secret gets 401 and changes nothing', async ({ open, expect }) => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/telegram`
  const world = await open({ environment: { PORT: String(port), WEBHOOK_URL: url, WEBHOOK_SECRET: 'right' } })
  const { emulator, sandbox, bot } = world
  bot.start()
  await bot.ready()
  const person = emulator.person()
  const token = sandbox.addRecord(bySms)
  const update = {
    update_id: 1,
    message: {
      message_id: 1,
      date: Math.floor(Date.now() / 1000),
      chat: { id: person.id, type: 'private' },
      from: { id: person.id, is_bot: false, first_name: 'z' },
      text: `/start record_${token}`,
    },
  }
  const post = (headers: Record<string, string>) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(update),
    })
  for (const headers of [{}, { 'x-telegram-bot-api-secret-token': 'wrong' }]) {
    expect((await post(headers)).status).toBe(401)
  }
  // What comes after them is answered, they are not.
  const other = emulator.person()
  other.start()
  await until(() => other.messages.length === 2, world)
  expect(person.messages).toEqual([])
  expect(sandbox.calls.filter(({ path }) => path.includes(token))).toEqual([])
})
