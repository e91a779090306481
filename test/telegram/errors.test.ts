import { GrammyError, HttpError } from 'grammy'
import { expect, test } from 'vitest'
import * as errors from '../../src/telegram/errors.ts'

const refusal = (code: number, description: string, parameters = {}) =>
  new GrammyError('failed', { ok: false, error_code: code, description, parameters }, 'sendMessage', {})
const network = (cause: Error) => new HttpError('failed', cause)

const kinds = {
  isNotModified: errors.isNotModified,
  isQueryTooOld: errors.isQueryTooOld,
  isMessageGone: errors.isMessageGone,
  isBlocked: errors.isBlocked,
  isUnreachable: errors.isUnreachable,
  isUnclear: errors.isUnclear,
  isRefused: errors.isRefused,
}

test.each<[(keyof typeof kinds)[], unknown]>([
  [
    ['isNotModified', 'isRefused'],
    refusal(400, 'Bad Request: message is not modified: specified new message …'),
  ],
  [
    ['isQueryTooOld', 'isRefused'],
    refusal(400, 'Bad Request: query is too old and response timeout expired or query ID is invalid'),
  ],
  [['isMessageGone', 'isRefused'], refusal(400, 'Bad Request: message to edit not found')],
  [['isMessageGone', 'isRefused'], refusal(400, "Bad Request: message can't be edited")],
  [['isMessageGone', 'isRefused'], refusal(400, 'Bad Request: message to delete not found')],
  [['isBlocked', 'isRefused'], refusal(403, 'Forbidden: bot was blocked by the user')],
  [['isBlocked', 'isRefused'], refusal(403, 'Forbidden: user is deactivated')],
  [['isBlocked', 'isRefused'], refusal(400, 'Bad Request: chat not found')],
  [['isRefused'], refusal(400, 'Bad Request: BUTTON_DATA_INVALID')],
  [['isRefused'], refusal(401, 'Unauthorized')],
  [[], refusal(429, 'Too Many Requests: retry after 3', { retry_after: 3 })],
  [['isUnclear'], refusal(502, 'Bad Gateway')],
  [['isUnclear'], network(new Error('other side closed'))],
  [['isUnclear'], network(Object.assign(new Error('reset'), { code: 'ECONNRESET' }))],
  [['isUnreachable'], network(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }))],
  [
    ['isUnreachable'],
    network(new Error('proxy', { cause: Object.assign(new Error(), { code: 'ENOTFOUND' }) })),
  ],
  [['isUnreachable'], network(Object.assign(new Error('no'), { code: 'UND_ERR_SOCKS5_REPLY_5' }))],
  [[], new TypeError('ours')],
])('an error is recognised as %j', (expected, error) => {
  const found = Object.entries(kinds).flatMap(([name, is]) => (is(error) ? [name] : []))
  expect(found).toEqual(expected)
})

test('only a rate-limit refusal has a time to wait', () => {
  expect(errors.pauseMsOf(refusal(429, 'Too Many Requests', { retry_after: 3 }))).toBe(3_000)
  expect(errors.pauseMsOf(refusal(400, 'Bad Request'))).toBeUndefined()
})
