import { expect } from 'vitest'
import { eventually } from '../until.ts'
import type { World } from '../world.ts'
import { story, word } from './walk.ts'

/** Many people whose first call waits for the budget of the service. */
function crowd(world: World) {
  for (let person = 0; person < 40; person++) {
    const token = world.sandbox.addRecord({ testId: 'mood-7' })
    world.emulator.person({ firstName: `نفر ${person}` }).start(`record_${token}`)
  }
}
story('other chats are answered while forty people wait for the budget', async ({ meet }) => {
  const sara = await meet({ environment: { RATE_PER_MINUTE: '2' } })
  crowd(sara.world)
  await eventually(() => expect(sara.calls.length).toBeGreaterThan(0))
  sara.person.say('/tests')
  await eventually(() => expect(sara.person.last.text).toBe(word('tests-none')))
})

story('a stop while forty people wait for the budget makes none of their calls', async ({ meet }) => {
  const sara = await meet({ environment: { RATE_PER_MINUTE: '2' } })
  crowd(sara.world)
  await eventually(() => expect(sara.world.sandbox.calls.length).toBeGreaterThan(1))
  const before = sara.world.sandbox.calls.length
  await sara.world.stop()
  expect(sara.world.sandbox.calls.length - before).toBeLessThanOrEqual(2)
  expect(sara.world.lines.join('\n')).not.toContain('message set aside')
})
