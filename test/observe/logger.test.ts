import { GrammyError, HttpError } from 'grammy'
import { expect, test, vi } from 'vitest'
import { createLog, createStandardOutput, type LogFields, onceAMinute } from '../../src/observe/logger.ts'

function logTo(level = 'info') {
  const lines: string[] = []
  const log = createLog(level, { write: (line: string) => lines.push(line) })
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? 'null') as Record<string, unknown> }
}

test('an event is one line of JSON with its fields', () => {
  const { log, lines, last } = logTo()
  log.info({ endpoint: 'submitAnswers', status: 200, ms: 240 }, 'service call')
  expect(lines).toHaveLength(1)
  expect(last()).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-/),
    endpoint: 'submitAnswers',
    status: 200,
    ms: 240,
    msg: 'service call',
  })
})

test('a field that is not on the list never reaches a line', () => {
  const { log, lines } = logTo()
  const personal = { name: 'Sara', mobile: '09123456789', answers: [1, 2], status: 200 }
  log.info(personal as LogFields, 'profile')
  log.info({ status: { name: 'Sara' } } as unknown as LogFields, 'profile')
  expect(lines.join()).not.toMatch(/Sara|0912|answers/)
  expect(lines).toHaveLength(2)
})

const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e'

test.each([
  ['123456789:AAF-abcdefghijklmnopqrstuvwxyz01234', 'AAF-'],
  [`https://api.telegram.org/bot123456789:AAFx/getMe`, 'AAFx'],
  [`GET /v2/record/${uuid} failed`, uuid],
  ['code 4711 was wrong', '4711'],
  ['کد ۴۷۱۱ نادرست است', '۴۷۱۱'],
  ['mobile +989123456789', '912345'],
  ['no place for سارا احمدی here', 'سارا'],
  [`Unexpected token in JSON: "{"name":"Sara","code":"12"}" is not valid JSON`, 'Sara'],
  ['key c2VjcmV0LWtleS1vZi10aGUtc2VydmljZQ==', 'c2Vj'],
])('a message or error that says "%s" is scrubbed', (text, secret) => {
  const { log, lines } = logTo()
  log.error({ err: new Error(text, { cause: new Error(text) }), problem: text }, text)
  expect(lines[0]).not.toContain(secret)
})

test('the kind of a notice is not treated as a secret, however long it is', () => {
  const { log, last } = logTo()
  log.info({ kind: 'notice-unreadable-question' }, 'told')
  expect(last().kind).toBe('notice-unreadable-question')
})

test('an error keeps what helps to find it: type, message, place, cause', () => {
  const { log, last } = logTo()
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  log.error({ err: new HttpError("Network request for 'sendMessage' failed!", cause) }, 'call failed')
  expect(last().err).toMatchObject({
    type: 'HttpError',
    message: "Network request for 'sendMessage' failed!",
    stack: expect.stringContaining('logger.test.ts'),
    cause: { type: 'Error', message: 'connect ECONNREFUSED', code: 'ECONNREFUSED' },
  })
})

test('a message that Telegram refused does not reach the line', () => {
  const { log, lines } = logTo()
  const refusal = { ok: false as const, error_code: 400, description: 'Bad Request: message is too long' }
  log.error({ err: new GrammyError('Call failed!', refusal, 'sendMessage', { text: 'Sara' }) }, 'refused')
  expect(lines[0]).toContain('message is too long')
  expect(lines[0]).not.toContain('Sara')
})

test('a thrown value that is not an error shows only its type', () => {
  const { log, last } = logTo()
  log.error({ err: 'Sara' }, 'odd')
  expect(last().err).toEqual({ type: 'string', message: '' })
})

test('events below the log’s level are not written', () => {
  const { log, lines } = logTo('warn')
  log.info({}, 'quiet')
  log.debug({}, 'quiet')
  expect(lines).toEqual([])
})

test('lines of one turn of the event loop are written together after it, and the remaining ones at the exit', async () => {
  const written: string[] = []
  const output = createStandardOutput((lines) => void written.push(lines))
  const log = createLog('info', output)
  log.info({}, 'first')
  log.info({}, 'second')
  expect(written).toEqual([])
  await new Promise(setImmediate)
  expect(written.map((lines) => lines.trim().split('\n').length)).toEqual([2])
  log.info({}, 'last words')
  output.flush()
  expect(written[1]).toContain('last words')
})

test('a repeated failure is reported once a minute, and at once if its reason changes', () => {
  const told: unknown[] = []
  const tell = onceAMinute((err) => told.push(err))
  const passed = vi.spyOn(performance, 'now')
  for (const [at, why] of [
    [0, 'away'],
    [59_000, 'away'],
    [60_000, 'away'],
    [61_000, 'full'],
  ] as const) {
    passed.mockReturnValue(at)
    tell(why)
  }
  passed.mockRestore()
  expect(told).toEqual(['away', 'away', 'full'])
})
