import { expect } from 'vitest'
import { story, word } from './gather.ts'
import { ALL, CHILD, people } from './kin.ts'
import { OTHER_TOKEN, startOtherService } from './other-service.ts'

const POLL_MS = 45_000

for (const sms of [true, false]) {
  story(
    `a family of three on two accounts gets its report over restarts, ${sms ? 'with SMS' : 'without SMS'}`,
    async ({ gather }) => {
      const { owner, join, world, waits, restarts, records, calls } = await gather({ sms })
      await owner.comesToBoard(ALL)
      const child = join('سارا')
      await child.accepts(await owner.hands(CHILD))
      await owner.takes(2)
      await child.takes(1)
      await restarts()
      await owner.takesAll()
      await child.takesAll()
      if (!sms) world.sandbox.fault({ kind: 'generation-failure', errors: ['دوباره بکوشید.'] })
      await owner.taps(/^generate:/)
      await restarts()
      await waits(60_000)
      await restarts()
      await waits(5 * POLL_MS)
      if (!sms) {
        expect(owner.board.text).toContain('دوباره بکوشید.')
        await owner.taps(word('button-retry'))
        await restarts()
        await waits(5 * POLL_MS)
      }
      await restarts()
      await waits(5 * POLL_MS)
      expect([owner.reports.length, child.reports.length]).toEqual([1, 1])
      expect([owner.boards.length, child.boards.length]).toEqual([1, 1])
      expect(calls('POST', /generate\/$/)).toBe(sms ? 1 : 2)
      expect(calls('POST', /auth\/$/)).toBe(1)
      for (const record of records) expect(world.sandbox.submissions(record)).toHaveLength(1)
      expect(world.sandbox.sms()).toHaveLength(sms ? 1 : 0)
      const logged = world.lines.join('\n')
      for (const { name } of ALL.map((role) => people[role] ?? { name: '-' }))
        expect(logged).not.toContain(name)
      expect(logged).not.toContain('message not handled')
    },
  )
}

story('a roadmap can be finished at a service that differs from the sandbox', async ({ gather }) => {
  const service = await startOtherService()
  const { owner, join, waits, world } = await gather({ environment: { SERVICE_URL: service.url } })
  await owner.opens(`roadmap_${OTHER_TOKEN}`)
  expect(owner.screen).toContain('همراهی')
  await owner.taps(/^begin:/)
  await owner.says('رضا احمدی')
  await owner.forges('birth:j:1365:5:12')
  await owner.taps('gender:male')
  await owner.says('مریم احمدی')
  await owner.forges('birth:j:1370:5:12')
  await owner.says('09123456789')
  await owner.taps('profile:ok')
  const other = join('مریم')
  await other.accepts(await owner.hands(2))
  await owner.takes(0, 1)
  await other.takes(0, 0)
  expect(service.answers).toEqual([['2'], ['1']])
  await owner.taps(/^generate:/)
  await waits(5 * POLL_MS + 1_000)
  await waits(POLL_MS * 1.3)
  expect(service.generations).toBe(1)
  for (const person of [owner, other]) {
    expect(person.reports).toHaveLength(1)
    // The test that both took is shown side by side.
    expect(person.pictures).toHaveLength(1)
    expect(person.chat).toContain('نزدیک به هم.')
    expect(person.chat).toContain(word('roadmap-section-role', { title: 'همدلی', role: 'همسر اول (رضا)' }))
    expect(person.chat).toContain(word('roadmap-section-role', { title: 'همدلی', role: 'همسر دوم (مریم)' }))
    expect(person.chat).not.toContain('h1')
  }
  expect(world.lines.join('\n')).not.toContain('message not handled')
})
