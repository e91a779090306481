import { parseMobile } from '../domain/persian/mobile.ts'
import { isSameName } from '../domain/persian/name.ts'
import type { CallOptions, ServiceClient } from '../service/client.ts'
import type { ProfileRequest, RoadmapVerifyReply, RolesRequest, VerifyReply } from '../service/endpoints.ts'

/** The details of a person as typed here so far, under the field names of the service. */
type Typed = Pick<ProfileRequest, 'name'> & {
  [K in 'birth' | 'is_male' | 'mobile']: ProfileRequest[K] | undefined
}

/**
 * Whether a profile at the service is that of the person who was typed here: the name must be there and be
 * the same, and no other field may differ.
 */
export function isSamePerson(typed: Typed, profile: VerifyReply['profile'] | undefined): boolean {
  const { name, birth, is_male: isMale, mobile } = profile ?? {}
  if (!name || !isSameName(name, typed.name)) return false
  return (
    isSame(typed.birth, birth?.slice(0, 10)) &&
    isSame(typed.is_male, isMale) &&
    isSame(typed.mobile && nationalOf(typed.mobile), mobile && nationalOf(mobile))
  )
}

/** A value that is missing on either side contradicts nothing. */
const isSame = <T>(typed: T | undefined, known: T | null | undefined): boolean =>
  typed === undefined || known == null || known === '' || typed === known

function nationalOf(mobile: string): string {
  const read = parseMobile(mobile)
  return read.ok ? read.mobile : mobile
}

/** The finding of a check: the profile exists; `undefined`: it does not; `of another`: its details differ. */
export type Seen<V> = V | undefined | 'of another'

type Checks = Pick<ServiceClient, 'record' | 'roadmap'>

/** Checks whether a record has the typed profile, which calls of earlier versions do not carry. */
export async function checkProfile(
  service: Checks,
  token: string,
  typed: ProfileRequest | undefined,
  how: CallOptions,
): Promise<Seen<VerifyReply>> {
  const { auth_required: isMissing, profile } = await service.record(token, how)
  if (isMissing) return undefined
  return !typed || isSamePerson(typed, profile) ? { profile } : 'of another'
}

/**
 * Checks whether the sent roles have the typed profiles. A roadmap shows no profiles, so the first test of
 * each role is read, at one call each.
 */
export async function checkRoles(
  service: Checks,
  token: string,
  typed: RolesRequest | undefined,
  how: CallOptions,
): Promise<Seen<RoadmapVerifyReply>> {
  const roadmap = await service.roadmap(token, how)
  if (!typed) return roadmap.auth_required ? undefined : { roles: [] }
  const testsOf = (id: number) => roadmap.test_records.filter(({ role }) => role === id)
  const isThere = (id: number) => {
    const own = testsOf(id)
    return own.length > 0 ? own.every((record) => !record.auth_required) : !roadmap.auth_required
  }
  const roles: RoadmapVerifyReply['roles'] = []
  for (const { id, profile } of typed.roles) {
    const [first] = testsOf(id)
    if (!first || !isThere(id)) continue
    const known = (await service.record(first.token, how)).profile
    if (!isSamePerson({ ...profile, mobile: typed.mobile }, known)) return 'of another'
    roles.push({ role_id: id, profile: known })
  }
  // Profiles are made all at once (spec, Rules): if one is missing, none of ours exists.
  return typed.roles.every(({ id }) => isThere(id)) ? { roles } : undefined
}
