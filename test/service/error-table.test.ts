import { describe, expect, test } from 'vitest'
import type { ServiceClient } from '../../src/service/client.ts'
import { classify } from '../../src/service/error-table.ts'
import { serviceErrorCodes } from '../../src/service/errors.ts'
import { answers, code, localService, profile, refusal, roles, testClient, token } from './local-service.ts'

type Call = (client: ServiceClient) => Promise<unknown>

const withId: Call = (c) => c.authRecord(token, { ...profile, external_id: 7 })
const rolesWithId: Call = (c) =>
  c.authRoadmap(token, {
    ...roles,
    roles: roles.roles.map((role) => ({ ...role, profile: { ...role.profile, external_id: 7 } })),
  })
const expired = 'Verification draft token is invalid or expired.'
const wrong = 'Verification code is invalid.'
const notRequired = 'SMS verification is not required for this organizer account.'

/** spec, "Errors": every row, over HTTP. */
test.each<[string, Call, number, string, string]>([
  ['any: missing or invalid key', (c) => c.connect(), 401, 'Invalid API key.', 'key_invalid'],
  ['any: key blocked', (c) => c.connect(), 403, 'Access denied.', 'forbidden'],
  ['any: rate limit', (c) => c.listRecords(), 429, 'Too many requests.', 'rate_limited'],
  [
    'roadmap auth: invalid profile',
    (c) => c.authRoadmap(token, roles),
    400,
    'Invalid profile data.',
    'profile_invalid',
  ],
  [
    'roadmap auth: missing fields',
    (c) => c.authRoadmap(token, roles),
    400,
    'birth is required.',
    'profile_invalid',
  ],
  [
    'roadmap auth: role mismatch',
    (c) => c.authRoadmap(token, roles),
    400,
    'Age does not match the role.',
    'role_mismatch',
  ],
  [
    'roadmap auth: gender mismatch',
    (c) => c.authRoadmap(token, roles),
    400,
    'Gender mismatch with role 1',
    'role_mismatch',
  ],
  [
    'roadmap auth: mobile limit',
    (c) => c.authRoadmap(token, roles),
    400,
    'Mobile duplicate limit reached.',
    'mobile_limit',
  ],
  [
    'roadmap auth: gone or finished',
    (c) => c.authRoadmap(token, roles),
    404,
    'Not found.',
    'finished_or_gone',
  ],
  ['roadmap auth: duplicate id', rolesWithId, 409, 'Duplicate external_id.', 'external_id_taken'],
  ['roadmap auth: misuse', (c) => c.authRoadmap(token, roles), 409, 'Conflict.', 'belongs_to_roadmap'],
  [
    'record auth: mobile limit',
    (c) => c.authRecord(token, profile),
    400,
    'Mobile duplicate limit reached',
    'mobile_limit',
  ],
  ['record auth: in a roadmap', (c) => c.authRecord(token, profile), 409, 'Conflict.', 'belongs_to_roadmap'],
  [
    'record auth: in a roadmap, with an id',
    withId,
    409,
    'The record belongs to a roadmap.',
    'belongs_to_roadmap',
  ],
  ['record auth: duplicate id', withId, 409, 'Duplicate external_id.', 'external_id_taken'],
  ['record auth: duplicate id, unsaid', withId, 409, 'Conflict.', 'external_id_taken'],
  ['record verify: draft', (c) => c.verifyRecord(token, code), 400, expired, 'draft_expired'],
  ['record verify: code', (c) => c.verifyRecord(token, code), 400, wrong, 'code_wrong'],
  ['record verify: not required', (c) => c.verifyRecord(token, code), 400, notRequired, 'sms_not_required'],
  ['roadmap verify: draft', (c) => c.verifyRoadmap(token, code), 400, expired, 'draft_expired'],
  ['roadmap verify: code', (c) => c.verifyRoadmap(token, code), 400, wrong, 'code_wrong'],
  ['roadmap verify: not required', (c) => c.verifyRoadmap(token, code), 400, notRequired, 'sms_not_required'],
  [
    'submit: no profile',
    (c) => c.submitAnswers(token, answers),
    403,
    'Profile not authenticated',
    'forbidden',
  ],
  [
    'submit: completed',
    (c) => c.submitAnswers(token, answers),
    409,
    'Record already completed',
    'already_finished',
  ],
  ['submit: billing', (c) => c.submitAnswers(token, answers), 402, 'Payment required', 'billing'],
  [
    'submit: billing by its words',
    (c) => c.submitAnswers(token, answers),
    400,
    'Not enough credits',
    'billing',
  ],
  [
    'submit: another form wanted',
    (c) => c.submitAnswers(token, answers),
    400,
    'Invalid answers',
    'bad_request',
  ],
  ['result json: not finished', (c) => c.recordResultJson(token), 409, 'Record not finished', 'not_finished'],
  ['result html: not finished', (c) => c.recordResultHtml(token), 409, 'Record not finished', 'not_finished'],
  ['GET record: unknown', (c) => c.record(token), 404, 'Not found.', 'not_found'],
  ['GET roadmap: unknown or foreign', (c) => c.roadmap(token), 404, 'Not found.', 'not_found'],
  ['generate: billing or VIP', (c) => c.generate(token), 403, 'VIP required', 'forbidden'],
  ['generate: unknown', (c) => c.generate(token), 404, 'Not found.', 'not_found'],
  [
    'generate: not all done',
    (c) => c.generate(token),
    409,
    'Records are not completed',
    'not_ready_to_generate',
  ],
  ['status: unknown', (c) => c.generationStatus(token), 404, 'Not found.', 'not_found'],
  ['roadmap result: unknown', (c) => c.roadmapResultHtml(token), 404, 'Not found.', 'not_found'],
  ['roadmap result: not finished', (c) => c.roadmapResultHtml(token), 409, 'Not finished', 'not_finished'],
  [
    'roadmap result json: not finished',
    (c) => c.roadmapResultJson(token),
    409,
    'Not finished',
    'not_finished',
  ],
  ['roadmap list: bad filter', (c) => c.listRoadmaps({ q: 'x' }), 400, 'Invalid filter', 'bad_request'],
  ['questions: no profile', (c) => c.questions(token), 409, 'Profile is not authenticated', 'forbidden'],
  [
    'questions: no profile, as 401',
    (c) => c.questions(token),
    401,
    'Profile is not authenticated',
    'forbidden',
  ],
  ['questions: finished', (c) => c.questions(token), 409, 'Record already completed', 'already_finished'],
])('%s', async (_row, call, status, message, expected) => {
  const service = await localService(refusal(status, message))
  await expect(call(testClient(service.url).client)).rejects.toMatchObject({
    name: 'ServiceError',
    code: expected,
    status,
    messages: [message],
  })
})

describe('a message in Persian has the same meaning', () => {
  test.each([
    ['authRecord', 400, 'سقف استفاده از این شماره موبایل پر شده است.', 'mobile_limit'],
    ['authRecord', 400, 'شمارهٔ همراه تکراری است', 'mobile_limit'],
    ['authRecord', 400, 'mobile: Phone number length is limited to 11 digits.', 'profile_invalid'],
    ['authRecord', 400, 'شماره موبایل باید حداکثر ۱۱ رقم باشد.', 'profile_invalid'],
    ['authRecord', 400, 'نام فقط باید حروف فارسی باشد.', 'profile_invalid'],
    ['authRoadmap', 400, 'سن با نقش «فرزند» همخوانی ندارد.', 'role_mismatch'],
    ['authRoadmap', 400, 'جنسيت با نقش مطابق نيست.', 'role_mismatch'], // Arabic letters
    ['authRoadmap', 400, 'سند معتبر نیست.', 'profile_invalid'],
    ['authRecord', 409, 'شناسه\u200cی خارجی تکراری است.', 'external_id_taken'],
    ['authRecord', 409, 'این آزمون متعلق به یک نقشه\u200cراه است.', 'belongs_to_roadmap'],
    ['authRecord', 409, 'این آزمون متعلق به یک نقشهٔ راه است.', 'belongs_to_roadmap'], // the ezafe's hamza
    ['authRecord', 409, 'این آزمون قبلاً تکمیل شده است.', 'already_finished'],
    ['verifyRecord', 400, 'کد تأیید نادرست است.', 'code_wrong'],
    ['verifyRecord', 400, 'مهلت کد تأیید منقضی شده است.', 'draft_expired'],
    ['verifyRoadmap', 400, 'برای این سازمان تأیید پیامکی لازم نیست.', 'sms_not_required'],
    ['submitAnswers', 409, 'اعتبار کافی نیست.', 'billing'],
    ['submitAnswers', 400, 'گزینهٔ انتخاب\u200cشده نامعتبر است.', 'bad_request'],
  ] as const)('%s %i %s', (endpoint, status, message, expected) => {
    expect(classify({ endpoint, status, messages: [message] })).toBe(expected)
  })
})

test('one of several messages is enough', () => {
  const messages = ['Bad request.', 'Verification draft token is invalid or expired.']
  expect(classify({ endpoint: 'verifyRecord', status: 400, messages })).toBe('draft_expired')
})

test('an unknown message is classified by its status alone', () => {
  const named = [400, 401, 402, 403, 404, 405, 409, 410, 418, 429].map((status) =>
    classify({ endpoint: 'record', status, messages: ['constructor'] }),
  )
  const [key, pay, no, gone, busy] = ['key_invalid', 'billing', 'forbidden', 'not_found', 'rate_limited']
  const bad = 'bad_request'
  expect(named).toEqual([bad, key, pay, no, gone, bad, bad, gone, bad, busy])
  expect(serviceErrorCodes).toEqual(expect.arrayContaining(named))
})
