import { defineTest } from '../../tools/sandbox/sandbox.ts'
import { until } from '../until.ts'
import { DELIVERED, describeCrashes, killedAndStarted, meet, withoutSms } from './crashes.ts'
import { type ProcessWorld, story } from './world.ts'

const bySms = { testId: 'mood-7', testsAuthRequired: true }

describeCrashes('the embedded store', {
  dialogSteps: [1, 3, 5],
  parts: ['sendPhoto', 'sendMessage', 'sendDocument'],
})

story('killed while an SMS goes out: no second one without being asked for', async ({ open, expect }) => {
  const world: ProcessWorld = await open({ sandbox: { onSms: () => void world.bot.kill() } })
  const { sandbox, bot } = world
  const zahra = meet(world, bySms)
  await zahra.goesOnUntil(() => sandbox.sms().length === 1)
  await bot.exit()
  bot.start()
  await until(() => zahra.offers('sms:again'), world)
  expect(sandbox.sms()).toHaveLength(1)
})

story('killed while a code is verified: the code is sent to the service once', async ({ open, expect }) => {
  const world = await open()
  const { sandbox } = world
  const zahra = meet(world, bySms)
  sandbox.fault({ kind: 'slow', ms: 60_000, executed: true, method: 'PUT' })
  const called = () => sandbox.calls.filter(({ method }) => method === 'PUT').length
  await zahra.goesOnUntil(() => called() === 1)
  await until(() => Object.keys(sandbox.snapshot().profiles).length === 1, world) // done, but the answer is under way
  await killedAndStarted(world)
  await zahra.goesOnUntil(() => zahra.place === 'question')
  expect(called()).toBe(1)
  expect(sandbox.sms()).toHaveLength(1)
})

story('killed before the service took the answers: they count once', async ({ open, expect }) => {
  const world = await open()
  const { sandbox } = world
  const zahra = meet(world, withoutSms)
  sandbox.fault({ kind: 'cut', method: 'POST', path: '^/record/[^/]+/$' })
  const isSubmission = ({ method, path }: { method: string; path: string }) =>
    method === 'POST' && !path.includes('auth')
  await zahra.goesOnUntil(() => sandbox.calls.some(isSubmission))
  await killedAndStarted(world)
  await zahra.goesOnUntil(() => zahra.result.documents > 0)
  expect(zahra.accepted).toEqual([zahra.chosen])
  expect(sandbox.submissions(zahra.token)).toHaveLength(1)
  expect(zahra.result).toEqual(DELIVERED)
})

story('killed while a second picture is sent: both come, in order, none twice', async ({ open, expect }) => {
  const names = Array.from({ length: 16 }, (_, at) => `scale${at}`)
  const words = { tone: 'style', low: 'کم', middle: 'میانه', high: 'زیاد' } as const
  const wide = defineTest({
    ...{ id: 'wide', title: 'پهناور', about: 'نمونه', minutes: 1 },
    sections: [{ title: 'یک', items: [{ text: 'کدام؟', options: names.map((name) => [name, name]) }] }],
    scales: Object.fromEntries(names.map((name) => [name, { title: name, ...words }])),
  })
  const world: ProcessWorld = await open({ sandbox: { tests: [wide] } })
  const { emulator, bot } = world
  const zahra = meet(world, { testId: 'wide', testsAuthRequired: false })
  const isSecond = ({ caption }: Record<string, unknown>) => String(caption).includes('تصویر ۲')
  const death = emulator.fault({
    kind: 'cut',
    method: 'sendPhoto',
    when: (payload) => isSecond(payload) && Boolean(bot.kill()),
  })
  await zahra.goesOnUntil(() => death.hits === 1)
  await bot.exit()
  bot.start()
  await until(() => zahra.result.documents > 0, world)
  const captions = zahra.person.messages.flatMap(({ photo, caption = '' }) => (photo ? [caption] : []))
  expect(captions.map((caption) => /تصویر (.) از ۲/.exec(caption)?.[1])).toEqual(['۱', '۲'])
})
