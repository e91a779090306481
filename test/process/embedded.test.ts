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

story('killed while a code is verified: it is spent once', async ({ open, expect }) => {
  const world = await open()
  const { sandbox } = world
  const zahra = meet(world, bySms)
  sandbox.fault({ kind: 'slow', ms: 60_000, executed: true, method: 'PUT' })
  const called = () => sandbox.calls.filter(({ method }) => method === 'PUT').length
  await zahra.goesOnUntil(() => called() === 1)
  await until(() => Object.keys(sandbox.snapshot().profiles).length === 1, world) // done, but the answer is on its way
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
