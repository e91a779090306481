import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { createSqliteStore } from '../../src/storage/sqlite.ts'
import { story, word } from './walk.ts'

const callsOf = (calls: readonly { path: string }[], token: string) =>
  calls.filter(({ path }) => path.includes(token)).length

story(
  'an account that tries made-up links makes ten calls an hour, and can open its test afterwards',
  async ({ meet }) => {
    const sara = await meet()
    const tokens = Array.from({ length: 14 }, () => randomUUID())
    for (const token of tokens) await sara.opens(`record_${token}`)
    const { calls } = sara.world.sandbox
    expect(tokens.map((token) => callsOf(calls, token))).toEqual(tokens.map((_, at) => (at < 10 ? 1 : 0)))
    expect(sara.heard).toBe(word('visits-many', { minutes: 60 }))
    await sara.waits(3_600_000)
    await sara.opens()
    expect(sara.place).toBe('introduction')
  },
)

story(
  'an unknown token is looked up at the service once an hour, whichever account opens it',
  async ({ meet }) => {
    const sara = await meet()
    const token = randomUUID()
    const other = sara.world.emulator.person({ firstName: 'رضا' })
    await sara.opens(`record_${token}`)
    await sara.world.settled()
    other.start(`record_${token}`)
    await sara.world.settled()
    expect(other.last.text).toBe(word('invitation-unknown'))
    expect(callsOf(sara.world.sandbox.calls, token)).toBe(1)
    await sara.waits(3_600_001)
    await sara.opens(`record_${token}`)
    expect(callsOf(sara.world.sandbox.calls, token)).toBe(2)
  },
)

story('a retry while the service fails counts like an opened link', async ({ meet }) => {
  const sara = await meet()
  const { sandbox } = sara.world
  sandbox.fault({ kind: 'status', status: 400, times: 1_000 })
  await sara.opens()
  for (let tries = 0; tries < 12 && sara.buttons.some((data) => /^retry:/.test(data)); tries += 1) {
    await sara.opens('')
    await sara.taps(/^retry:/)
  }
  expect(callsOf(sandbox.calls, sara.token)).toBe(10)
  expect(sara.chat).toContain(word('visits-many', { minutes: 60 }))
})

story(
  'a result can be requested as often as a person needs it, but not as often as a program asks',
  async ({ meet }) => {
    const sara = await meet({ at: 'review', record: { testsAuthRequired: false } })
    await sara.taps(/^submit:/)
    const had = () => callsOf(sara.world.sandbox.calls, `${sara.token}/result/json`)
    for (let times = 0; times < 12; times += 1) {
      await sara.says('/tests')
      await sara.taps(/^result:/)
    }
    expect(had()).toBe(11)
    expect(sara.heard).toContain(word('results-many', { minutes: 60 }))
    await sara.waits(3_600_000)
    await sara.says('/tests')
    await sara.taps(/^result:/)
    expect(had()).toBe(12)
  },
)

story('a newcomer behind hundreds of waiting calls is told the place in line at once', async ({ meet }) => {
  const sara = await meet()
  await sara.world.stop()
  const store = await createSqliteStore({ dir: sara.world.env.DATA_DIR ?? '', now: sara.world.now })
  const dueAt = sara.world.now() + 86_400_000
  for (let one = 0; one < 600; one += 1)
    await store.post({ actor: `visit:${one}`, id: `${one}`, body: Buffer.alloc(0), dueAt })
  await store.close()
  await sara.world.start()
  await sara.opens()
  // The message with the place in line says by now that it is reached.
  expect(sara.chat).toContain(word('place-reached'))
  expect(sara.place).toBe('introduction')
})
