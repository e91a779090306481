import { expect, onTestFinished, test, vi } from 'vitest'
import { createHealth } from '../../src/observe/health.ts'

/** A bot whose three parts can be switched off, in virtual time; `passes` lets time pass and checks again. */
function bot() {
  let time = 0
  const down = new Set<string>()
  const looks: string[] = []
  const changes: string[] = []
  const check = (part: string) => async () => {
    looks.push(part)
    if (down.has(part)) throw new Error(`${part} is down`)
  }
  const health = createHealth({
    checks: { storage: check('storage'), telegram: check('telegram'), service: check('service') },
    now: () => time,
    onChange: (part, isOk) => changes.push(`${part} ${isOk ? 'ok' : 'fails'}`),
  })
  const passes = async (seconds: number) => {
    time += seconds * 1000
    await health.checkNow()
  }
  return { health, down, looks, changes, passes }
}

test('not ready before Telegram has taken the token and the service the key', async () => {
  const { health, down, passes } = bot()
  down.add('service')
  await passes(0)
  expect(await health.readiness()).toEqual({
    isReady: false,
    parts: { storage: 'ok', telegram: 'ok', service: 'waiting' },
  })
  down.clear()
  await passes(15)
  expect((await health.readiness()).isReady).toBe(true)
})

test('a stopping bot is not ready, although everything works', async () => {
  const { health, passes } = bot()
  await passes(0)
  expect((await health.readiness()).isReady).toBe(true)
  health.stop()
  expect(await health.readiness()).toMatchObject({ isReady: false, parts: { storage: 'ok' } })
})

test('before the first check the bot is not ready', async () => {
  expect((await bot().health.readiness()).isReady).toBe(false)
})

test('a part that fails later is degraded, and people can continue to answer', async () => {
  const { health, down, passes } = bot()
  await passes(0)
  down.add('service').add('telegram')
  health.report('service', false)
  health.report('telegram', false)
  expect((await health.readiness()).parts.service).toBe('ok') // one failed call is not an outage
  await passes(15)
  expect(await health.readiness()).toEqual({
    isReady: true,
    parts: { storage: 'ok', telegram: 'degraded', service: 'degraded' },
  })
  down.clear()
  await passes(15)
  expect((await health.readiness()).parts).toEqual({ storage: 'ok', telegram: 'ok', service: 'ok' })
})

test('without storage the bot is not ready, at once and until storage works again', async () => {
  const { health, down, passes } = bot()
  await passes(0)
  down.add('storage')
  expect(await health.readiness()).toMatchObject({ isReady: false, parts: { storage: 'failing' } })
  down.clear()
  expect((await health.readiness()).isReady).toBe(true)
})

test('a storage that hangs counts as failing', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const checks = { telegram: async () => {}, service: async () => {}, storage: () => new Promise(() => {}) }
  const readiness = createHealth({ checks, now: Date.now }).readiness()
  await vi.advanceTimersByTimeAsync(2000)
  expect((await readiness).parts.storage).toBe('failing')
})

test('a queued check is the only one of its part, and its outcome still counts', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const calls: { resolve: () => void; reject: (error: Error) => void }[] = []
  const health = createHealth({
    now: Date.now,
    checks: {
      storage: async () => {},
      telegram: async () => {},
      service: () => new Promise<void>((resolve, reject) => calls.push({ resolve, reject })),
    },
  })
  const service = async () => (await health.readiness()).parts.service
  health.start()
  onTestFinished(() => health.stop())
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(calls).toHaveLength(1)
  expect(await service()).toBe('waiting')
  calls[0]?.resolve()
  await vi.advanceTimersByTimeAsync(0)
  expect(await service()).toBe('ok')

  // Once the check has settled, either way, the part is checked again.
  health.report('service', false)
  await vi.advanceTimersByTimeAsync(15_000)
  expect(calls).toHaveLength(2)
  calls[1]?.reject(new Error('refused'))
  await vi.advanceTimersByTimeAsync(0)
  expect(await service()).toBe('degraded')
  await vi.advanceTimersByTimeAsync(15_000)
  expect(calls).toHaveLength(3)
})

test('a part in use is not checked again, an idle one is checked every time', async () => {
  const { health, looks, passes } = bot()
  await passes(0)
  const count = (wanted: string) => looks.filter((part) => part === wanted).length
  await passes(7)
  // Checks of Telegram are free; a check of the service costs a call of its budget.
  expect([count('telegram'), count('service')]).toEqual([2, 1])
  await passes(1)
  expect(count('service')).toBe(2)
  health.report('service', true)
  await passes(7)
  expect(count('service')).toBe(2)
  // After a clock was set back the age of the last report is unknown.
  await passes(-60)
  expect(count('service')).toBe(3)
})

test('a success of the daily work does not prove that the key is accepted', async () => {
  const { health } = bot()
  health.report('service', true)
  expect((await health.readiness()).parts.service).toBe('waiting')
})

test('a change is reported once', async () => {
  const { down, changes, passes } = bot()
  down.add('service')
  await passes(0)
  await passes(15)
  down.clear()
  await passes(15)
  expect(changes.sort()).toEqual(['service fails', 'service ok', 'storage ok', 'telegram ok'])
})

test('further watched parts are reported when they change, without a request, and do not affect readiness', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const works = async () => {}
  let webhook: () => Promise<void> = works
  let storage: () => Promise<void> = works
  const changes: string[] = []
  const health = createHealth({
    now: Date.now,
    checks: { telegram: works, service: works, storage: () => storage() },
    watched: { webhook: () => webhook() },
    onChange: (part, isOk) => changes.push(`${part} ${isOk ? 'ok' : 'fails'}`),
  })
  health.start()
  onTestFinished(() => health.stop())
  await vi.advanceTimersByTimeAsync(0)
  changes.length = 0
  webhook = async () => {
    throw new Error('gone')
  }
  storage = () => new Promise(() => {})
  await vi.advanceTimersByTimeAsync(17_000)
  expect(changes.sort()).toEqual(['storage fails', 'webhook fails'])
  expect(health.failing().sort()).toEqual(['storage', 'webhook'])
  storage = works
  expect(await health.readiness()).toMatchObject({
    isReady: true,
    parts: { webhook: 'failing', storage: 'ok' },
  })
  webhook = works
  await vi.advanceTimersByTimeAsync(15_000)
  expect(health.failing()).toEqual([])
})

test('a queued check proves nothing, delays no other one, and its time counts from when it is sent', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const lines: { leaves: () => void; answers: () => void }[] = []
  const looks: string[] = []
  const health = createHealth({
    now: Date.now,
    checks: {
      storage: async () => {},
      telegram: async () => looks.push('telegram'),
      service: (leaves) => new Promise<void>((answers) => lines.push({ leaves, answers })),
    },
    watched: { clock: async () => looks.push('clock') },
  })
  const service = async () => (await health.readiness()).parts.service
  health.start()
  onTestFinished(() => health.stop())
  lines[0]?.answers()
  await vi.advanceTimersByTimeAsync(15_000)
  looks.length = 0
  await vi.advanceTimersByTimeAsync(600_000)
  expect([lines.length, looks.length, await service(), health.failing()]).toEqual([2, 80, 'ok', []])
  lines[1]?.leaves()
  await vi.advanceTimersByTimeAsync(9_999)
  expect(await service()).toBe('ok')
  await vi.advanceTimersByTimeAsync(1)
  expect([await service(), health.failing()]).toEqual(['degraded', ['service']])
  lines[1]?.answers()
  await vi.advanceTimersByTimeAsync(0)
  expect(await service()).toBe('ok')
})

test.each([
  ['that means an outage is reported', true, ['service']],
  ['that proves nothing is ignored', false, []],
])('a failure %s', async (_, isNews, failing) => {
  const works = async () => {}
  const service = () => Promise.reject(new Error('no'))
  const health = createHealth({
    now: () => 0,
    isNews: () => isNews,
    checks: { storage: works, telegram: works, service },
  })
  await health.checkNow()
  expect([health.failing(), (await health.readiness()).parts.service]).toEqual([failing, 'waiting'])
})

test('the clock is checked again as soon as the service has sent its time', async () => {
  let time = 0
  let isRight = true
  const works = async () => {}
  const health = createHealth({
    now: () => time,
    checks: {
      storage: works,
      telegram: works,
      async service() {
        isRight = time === 0
      },
    },
    watched: {
      clock: async () => {
        if (!isRight) throw new Error('wrong')
      },
    },
  })
  await health.checkNow()
  time += 15_000
  await health.checkNow()
  expect(health.failing()).toEqual(['clock'])
})

test('a hanging part is reported within half a minute, whatever its check does', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let standsStill = false
  const answers = () => (standsStill ? new Promise<void>(() => {}) : Promise.resolve())
  const health = createHealth({
    now: Date.now,
    checks: {
      storage: answers,
      telegram: answers,
      service(leaves) {
        leaves()
        return answers()
      },
    },
  })
  onTestFinished(() => health.stop())
  health.start()
  await vi.advanceTimersByTimeAsync(15_001)
  expect(health.failing()).toEqual([])
  standsStill = true
  await vi.advanceTimersByTimeAsync(30_000)
  expect(health.failing().sort()).toEqual(['service', 'storage', 'telegram'])
})
