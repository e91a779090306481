import { expect } from 'vitest'
import { ORGANIZED, organizerOf } from '../organizers/office.ts'
import { FIRST_HOUR } from '../world.ts'
import { story, word } from './gather.ts'

const PAIR = [11, 12]
const MINUTE_MS = 60_000

story('a roadmap that waits for the organizer says so, and opens by the button', async ({ gather }) => {
  const { owner, world, token } = await gather({ productId: 'pair', roadmap: { status: 0 } })
  await owner.opens()
  const contact = { title: 'زوج', organizer: 'کلینیک آرامش', contact: '021-12345678' }
  expect(owner.screen).toBe(word('waiting', contact))
  await owner.taps(/^refresh:/)
  expect(owner.screen).toContain(word('waiting', contact))
  world.sandbox.update(token, { status: 2 })
  await owner.taps(/^refresh:/)
  expect(owner.data).toEqual([expect.stringMatching(/^begin:/)])
})

story('a slow look tells when it was opened, survives restarts and then ends', async ({ gather }) => {
  const { owner, world, token, waits, restarts, calls } = await gather({
    productId: 'pair',
    roadmap: { status: 0 },
  })
  await owner.opens()
  await waits(9 * MINUTE_MS)
  expect(calls('GET', /roadmap/)).toBe(1)
  await waits(2 * MINUTE_MS)
  expect(calls('GET', /roadmap/)).toBe(2)
  await restarts()
  world.sandbox.update(token, { status: 2 })
  await waits(16 * MINUTE_MS)
  expect(owner.heard).toContain(word('opened-now'))
  expect(owner.data).toEqual([expect.stringMatching(/^begin:/)])
  const before = calls('GET', /roadmap/)
  for (let hour = 0; hour < 4; hour += 1) await waits(60 * MINUTE_MS)
  expect(calls('GET', /roadmap/)).toBe(before)
  await owner.taps(/^begin:/)
  await owner.introducesAll(PAIR)
  await owner.taps('profile:ok')
  expect(owner.left).toBe(2)
})

story('the slow look goes on through failures, and becomes slower', async ({ gather }) => {
  const { owner, world, token, waits, calls } = await gather({ productId: 'pair', roadmap: { status: 0 } })
  await owner.opens()
  world.sandbox.fault({ kind: 'status', status: 503, method: 'GET', path: `^/roadmap/${token}$`, times: 3 })
  for (let minute = 0; minute < 240; minute += 10) await waits(10 * MINUTE_MS)
  const looks = calls('GET', /roadmap/)
  expect(looks).toBeGreaterThan(4)
  expect(looks).toBeLessThan(12)
  world.sandbox.update(token, { status: 2 })
  for (let hour = 0; hour < 3; hour += 1) await waits(60 * MINUTE_MS)
  expect(owner.chat).toContain(word('opened-now'))
})

story('a test of the package that waits for the organizer says so and opens later', async ({ gather }) => {
  const { owner, world, records } = await gather({ productId: 'pair', at: 'board', environment: ORGANIZED })
  const manager = await organizerOf({ world })
  world.sandbox.update(records[0] ?? '', { status: 0 })
  await owner.taps(owner.offered[0] ?? '', owner.board)
  expect(owner.data).toEqual([expect.stringMatching(/^refresh:/)])
  await owner.taps(/^refresh:/)
  expect(manager.chat.split(word('notice-waiting', { title: 'خانهٔ ما' }))).toHaveLength(2)
  world.sandbox.update(records[0] ?? '', { status: 2 })
  await owner.taps(/^refresh:/)
  expect(owner.screen).toContain('گرم است؟')
})

story('at night nothing is told', async ({ gather }) => {
  const environment = { QUIET_HOURS: `${FIRST_HOUR}-${FIRST_HOUR + 3}` }
  const { owner, world, token, waits } = await gather({
    productId: 'pair',
    roadmap: { status: 0 },
    environment,
  })
  await owner.opens()
  world.sandbox.update(token, { status: 2 })
  await waits(60 * MINUTE_MS)
  expect(owner.chat).not.toContain(word('opened-now'))
  await waits(121 * MINUTE_MS)
  expect(owner.chat).toContain(word('opened-now'))
})
