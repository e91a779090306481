import { expect, test } from 'vitest'
import { makeCall } from '../../src/jobs/make-call.ts'
import type { ServiceClient } from '../../src/service/client.ts'
import { ServiceError } from '../../src/service/errors.ts'

const profile = { name: 'سارا محمدی', birth: '1990-01-01', is_male: false, mobile: '09121234567' }
const call = { kind: 'verify', token: 't', draftToken: 'd', code: '1', until: 1_000, profile } as const
const how = { account: 'a', lane: 'participant', rank: 'underWay' } as const

/** A service that calls a draft expired, and whose record has this profile, or none. */
function verifying(known: object | undefined) {
  const calls: string[] = []
  const service = {
    async verifyRecord() {
      calls.push('verify')
      throw new ServiceError('draft_expired', { reached: 'yes', status: 400 })
    },
    async record() {
      calls.push('look')
      return { auth_required: known === undefined, profile: known }
    },
  }
  const verify = () =>
    makeCall({ service: service as unknown as ServiceClient, now: () => 0 }, call, false, how)
  return { calls, verify }
}

test('a draft that expired since an earlier attempt came through late has made the profile', async () => {
  const { calls, verify } = verifying(profile)
  expect(await verify()).toEqual({ ok: true, value: { profile } })
  expect(calls).toEqual(['verify', 'look'])
})

test('a draft that simply expired needs another code', async () => {
  expect(await verifying(undefined).verify()).toEqual({ ok: false, code: 'draft_expired' })
})

test('a profile of another person is reported as registered elsewhere', async () => {
  const other = { ...profile, name: 'مینا احمدی' }
  expect(await verifying(other).verify()).toEqual({ ok: false, code: 'registered_elsewhere' })
})
