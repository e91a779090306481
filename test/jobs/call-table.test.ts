import { describe, expect, test } from 'vitest'
import { type Call, type CallKind, calls, readOutcome } from '../../src/jobs/call-table.ts'
import { makeCall } from '../../src/jobs/make-call.ts'
import type { CallOptions, ServiceClient } from '../../src/service/client.ts'
import { ServiceError, UnwantedCall } from '../../src/service/errors.ts'
import { recordData, roadmapData, token } from '../service/local-service.ts'
import { refused } from './refusal.ts'

const person = { name: 'نام', birth: '2000-01-01', is_male: true }
const mobile = '09120000000'
const verification = { token, draftToken: 'd', code: '1234' }
const requests: { [K in CallKind]: Extract<Call, { kind: K }> } = {
  open: { kind: 'open', token },
  auth: { kind: 'auth', token, profile: { ...person, mobile }, sms: true },
  verify: { kind: 'verify', ...verification, profile: { ...person, mobile } },
  questions: { kind: 'questions', token },
  openRoadmap: { kind: 'openRoadmap', token },
  authRoadmap: {
    kind: 'authRoadmap',
    token,
    roles: { mobile, roles: [{ id: 1, profile: person }] },
    sms: false,
  },
  verifyRoadmap: {
    kind: 'verifyRoadmap',
    ...verification,
    roles: { mobile, roles: [{ id: 1, profile: person }] },
  },
  listRecords: { kind: 'listRecords', query: { q: 'x', filter__is_finished: true } },
  listRoadmaps: { kind: 'listRoadmaps', query: { page: 2 } },
  search: { kind: 'search', records: { q: 'x' }, roadmaps: { q: 'x' } },
  find: { kind: 'find', token, first: 'roadmap' },
  findSome: { kind: 'findSome', tokens: [token], first: 'record' },
}
const kinds = Object.keys(calls) as CallKind[]

const sparseRoadmap = {
  token,
  roadmap: { roles: [{ id: '3', title: 'x' }] },
  status: '2',
  auth_required: 1,
  is_finished: 0,
}
const option = { id: '1', label: 'x' }

describe('a value kept as an outcome is the same when it is read again', () => {
  test.each<[CallKind, unknown]>([
    ['open', recordData],
    [
      'open',
      { ...recordData, test: { id: 7, title: 'x', categories: [{ id: 1 }, 'odd'] }, profile: { age: 'x' } },
    ],
    ['openRoadmap', roadmapData],
    ['openRoadmap', sparseRoadmap],
    ['auth', { tests_auth_required: 'true', draft_token: 'd' }],
    ['auth', { draft_token: 'd' }],
    ['auth', { tests_auth_required: false, profile: recordData.profile }],
    ['auth', {}],
    ['authRoadmap', { draft_token: 'd' }],
    ['authRoadmap', { roles: [{ role_id: '1', profile: { age: '40' } }, 'odd'] }],
    ['verify', {}],
    ['verify', { profile: recordData.profile }],
    ['verifyRoadmap', { roles: [{ role_id: 1 }] }],
    ['verifyRoadmap', {}],
    ['listRecords', { count: 1, next: null, results: [recordData] }],
    [
      'listRoadmaps',
      { count: '1', next: 'x?page=2', results: [sparseRoadmap], roadmaps_filter: [{ id: 1 }] },
    ],
    ['find', { found: 'record', record: recordData }],
    ['find', { found: 'roadmap', roadmap: sparseRoadmap }],
    ['find', { found: 'nothing' }],
    ['questions', { form: 'flat', sections: [{ questions: [{ id: '1', text: 'x', options: [option] }] }] }],
  ])('%s', (kind, wire) => {
    const value = JSON.parse(JSON.stringify(calls[kind].value.parse(wire)))
    expect(readOutcome(kind, { ok: true, value })).toEqual({ kind, outcome: { ok: true, value } })
  })
})

test('a failure can be read for every call', () => {
  const outcome = { ok: false, code: 'sms_unclear', reason: 'x' }
  for (const kind of kinds) expect(readOutcome(kind, outcome)).toEqual({ kind, outcome })
})

test.each<[string, string, unknown]>([
  ['another kind', 'constructor', { ok: false, code: 'billing' }],
  ['no outcome', 'open', undefined],
  ['an unknown code', 'open', { ok: false, code: 'odd' }],
  ['another value', 'open', { ok: true, value: { profile: null } }],
])('%s is refused', (_, kind, outcome) => {
  expect(() => readOutcome(kind, outcome)).toThrow()
})

/** A service whose methods give these answers, and the names of the methods that were called. */
function answering(answers: Record<string, () => unknown>) {
  const made: string[] = []
  const method = (name: string) => async () => {
    made.push(name)
    return answers[name]?.()
  }
  const service = new Proxy({}, { get: (_, name) => method(String(name)) }) as ServiceClient
  return { service, made }
}

const make = (service: ServiceClient, kind: CallKind, mayHaveHappened = false) =>
  makeCall({ service, now: () => 0 }, requests[kind], mayHaveHappened, {})
const throws = (error: ServiceError) => () => {
  throw error
}
const lost = refused('unavailable', { reached: 'unclear' }).error
const away = refused('unavailable', { reached: 'no' }).error
const taken = refused('external_id_taken', { status: 409 }).error
const stopping = refused('no_slot', { reached: 'no' }).error

const once = [
  ['auth', 'authRecord', 'record'],
  ['verify', 'verifyRecord', 'record'],
  ['authRoadmap', 'authRoadmap', 'roadmap'],
  ['verifyRoadmap', 'verifyRoadmap', 'roadmap'],
] as const

describe.each(once)('%s', (kind, method, look) => {
  const unclear = { ok: false, code: kind === 'auth' ? 'sms_unclear' : 'unavailable' }
  const isRoadmap = look === 'roadmap'
  const looked = isRoadmap ? ['roadmap', 'record'] : ['record']
  /** The record, or the roadmap and its first test, at the service. */
  const standing = (auth_required: boolean, profile: object | null) => ({
    roadmap: () => ({ auth_required, test_records: [{ token: 'nested', role: 1, auth_required }] }),
    record: () => ({ auth_required, profile }),
  })
  const known = { ...person, mobile, birth: `${person.birth}T00:00:00Z` }
  const seen = standing(false, known)
  const unseen = standing(true, null)
  const others = { ok: false, code: 'registered_elsewhere' }

  test('is made once', async () => {
    const { service, made } = answering({ [method]: () => 'value' })
    expect(await make(service, kind)).toEqual({ ok: true, value: 'value' })
    expect(made).toEqual([method])
  })

  test.each<[string, Record<string, () => unknown>, boolean, object, string[]]>([
    ['that may have been carried out, and was', seen, true, { ok: true }, looked],
    ['that may have been carried out, and was not', unseen, true, unclear, [look]],
    [
      'whose answer is lost, and that was carried out',
      { ...seen, [method]: throws(lost) },
      false,
      { ok: true },
      [method, ...looked],
    ],
    [
      'whose answer is lost, and that was not carried out',
      { ...unseen, [method]: throws(lost) },
      false,
      unclear,
      [method, look],
    ],
    [
      'whose answer is lost, and whose outcome is unknown',
      { [look]: throws(away), [method]: throws(lost) },
      false,
      unclear,
      [method, look],
    ],
    ['that was never sent', { [method]: throws(away) }, false, { ok: false, code: 'unavailable' }, [method]],
    [
      'that is refused as part of a roadmap, although it was carried out',
      { ...seen, [method]: throws(refused('belongs_to_roadmap').error) },
      false,
      { ok: true },
      [method, ...looked],
    ],
    [
      'that is refused as part of a roadmap',
      { ...unseen, [method]: throws(refused('belongs_to_roadmap').error) },
      false,
      { ok: false, code: 'belongs_to_roadmap' },
      [method, look],
    ],
    [
      'that is refused as part of a roadmap, with an unknown outcome',
      { [look]: throws(away), [method]: throws(refused('belongs_to_roadmap').error) },
      false,
      { ok: false, code: 'unavailable' },
      [method, look],
    ],
    [
      'that may have been carried out, and others registered',
      standing(false, { ...known, name: 'دیگر' }),
      true,
      others,
      looked,
    ],
    [
      'whose answer is lost, and others registered',
      { ...standing(false, { ...known, birth: '1999-01-01' }), [method]: throws(lost) },
      false,
      others,
      [method, ...looked],
    ],
    [
      'where others registered another mobile',
      { ...standing(false, { ...known, mobile: '+989121111111' }), [method]: throws(taken) },
      false,
      others,
      [method, ...looked],
    ],
    [
      'where others registered the other sex',
      { ...standing(false, { ...known, is_male: false }), [method]: throws(taken) },
      false,
      others,
      [method, ...looked],
    ],
    [
      'where someone registered, without a readable profile',
      { ...standing(false, null), [method]: throws(taken) },
      false,
      others,
      [method, ...looked],
    ],
    [
      'that was carried out, as far as the profile shows',
      { ...standing(false, { name: ' نا\u0640م' }), [method]: throws(taken) },
      false,
      { ok: true },
      [method, ...looked],
    ],
  ])('%s', async (_, answers, mayHaveHappened, expected, asked) => {
    const { service, made } = answering(answers)
    const outcome = await make(service, kind, mayHaveHappened)
    expect(outcome).toMatchObject(expected)
    expect(readOutcome(kind, JSON.parse(JSON.stringify(outcome)))).toMatchObject({ kind, outcome: expected })
    expect(made).toEqual(asked)
  })

  test.each<[string, ServiceError, string]>([
    ['call whose answer is lost is looked up by the next process', lost, 'unclear'],
    ['call that was refused is made again by the next process', refused('belongs_to_roadmap').error, 'no'],
  ])('when a process stops, a %s', async (_, error, reached) => {
    const { service } = answering({ [look]: throws(stopping), [method]: throws(error) })
    await expect(make(service, kind)).rejects.toMatchObject({ code: 'no_slot', reached })
  })
})

test.each([
  ['open', 'record'],
  ['openRoadmap', 'roadmap'],
  ['questions', 'questions'],
] as const)('%s is repeated, even if it may have been made', async (kind, method) => {
  const { service, made } = answering({ [method]: throws(lost) })
  expect(await make(service, kind, true)).toEqual({ ok: false, code: 'unavailable' })
  expect(made).toEqual([method])
})

test('questions that cannot be asked have a failure of their own', async () => {
  const { service } = answering({ questions: () => ({ odd: true }) })
  expect(await make(service, 'questions')).toEqual({
    ok: false,
    code: 'questions_unreadable',
    unshown: { why: 'unreadable' },
  })
})

test('only Persian messages of a refusal are passed on', async () => {
  const error = refused('profile_invalid', { messages: ['name: bad', 'نام درست نیست'] }).error
  const { service } = answering({ authRecord: throws(error) })
  expect(await make(service, 'auth')).toEqual({ ok: false, code: 'profile_invalid', reason: 'نام درست نیست' })
})

test.each(kinds)('a stopping process leaves no outcome: %s', async (kind) => {
  const stop = throws(stopping)
  const methods = [
    'record',
    'roadmap',
    'questions',
    'listRecords',
    'listRoadmaps',
    ...once.map(([, method]) => method),
  ]
  const { service } = answering(Object.fromEntries(methods.map((method) => [method, stop])))
  await expect(make(service, kind)).rejects.toBeInstanceOf(ServiceError)
})

describe.each(['verify', 'verifyRoadmap'] as const)('%s waits until its draft expires', (kind) => {
  test.each([
    ['before its end the call is made', 999, { ok: false, code: 'code_wrong' }],
    ['at its end the call is dropped, and a new code offered', 1_000, { ok: false, code: 'draft_expired' }],
  ])('%s', async (_, now, outcome) => {
    const made = async (_token: string, _body: unknown, how?: CallOptions) => {
      if (!(await how?.isWanted?.())) throw new UnwantedCall()
      throw new ServiceError('code_wrong', { reached: 'yes' })
    }
    // A service with these methods only.
    const service = { verifyRecord: made, verifyRoadmap: made } as unknown as ServiceClient
    const call = { ...requests[kind], until: 1_000 } as Call
    expect(await makeCall({ service, now: () => now }, call, false, {})).toEqual(outcome)
  })

  test('a call that is still in the queue at its end leaves the queue', async () => {
    const deadlines: unknown[] = []
    const made = async (_token: string, _body: unknown, how?: CallOptions) => {
      deadlines.push(how?.deadline)
      throw new ServiceError('too_late', { reached: 'no' })
    }
    const service = { verifyRecord: made, verifyRoadmap: made } as unknown as ServiceClient
    const call = { ...requests[kind], until: 1_000 } as Call
    const outcome = await makeCall({ service, now: () => 0 }, call, false, {})
    expect([outcome, deadlines]).toEqual([{ ok: false, code: 'draft_expired' }, [1_000]])
  })
})
