import { expect, test } from 'vitest'
import { partsThatCameAgain } from '../../tools/chaos/deliveries.ts'

const START = Date.UTC(2026, 0, 5, 9)
const CHAT = 5
const send = (at: number, caption: string, more = {}) => ({
  method: 'sendDocument',
  payload: { chat_id: CHAT, caption, bot: '0' },
  at: START + at,
  ok: true,
  ...more,
})
/** A log line: a replica has committed the step that began then. */
const kept = (from: number, ms: number) =>
  `{"level":"info","time":"${new Date(START + from + ms).toISOString()}","actor":"result","ms":${ms},"outcome":"ok","trace":"a"}\n`

const log = kept(0, 20) + kept(100, 20)
const calls = [send(10, 'picture'), send(110, 'report'), send(5_000, 'report')]
const none = new Map<number, readonly number[]>()

function found(changes: Partial<Parameters<typeof partsThatCameAgain>[0]> = {}): number {
  return partsThatCameAgain({ calls, bots: [{ thaws: [], log }], older: [], asked: none, ...changes }).length
}

test('a part that was kept as delivered and comes again is found', () => {
  expect(found()).toBe(1)
})

test('a repeated part is right after a lost commit, a freeze, an older store or a request', () => {
  const unheard = calls.map((call) => ({ ...call, ok: false }))
  expect(found({ bots: [{ thaws: [], log: kept(0, 20) }] })).toBe(0)
  expect(found({ calls: unheard })).toBe(0)
  expect(found({ bots: [{ thaws: [START + 4_000], log }] })).toBe(0)
  expect(found({ older: [{ from: START + 3_000, to: START + 50 }] })).toBe(0)
  expect(found({ asked: new Map([[CHAT, [START + 4_000]]]) })).toBe(0)
  expect(found({ asked: new Map([[CHAT + 1, [START + 4_000]]]) })).toBe(1)
})
