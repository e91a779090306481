import { parseMobile } from '../domain/persian/mobile.ts'
import { isSameName } from '../domain/persian/name.ts'
import type { CallOptions, ServiceClient } from '../service/client.ts'
import type { ProfileRequest, RoadmapVerifyReply, RolesRequest, VerifyReply } from '../service/endpoints.ts'

/** A person as typed here so far, under the names of the service. */
type Typed = Pick<ProfileRequest, 'name'> & {
  [K in 'birth' | 'is_male' | 'mobile']: ProfileRequest[K] | undefined
}

/**
 * Whether a profile at the service is that of the person who was typed here: its name has to be there and be the same, and
 * so has whatever else it shows.
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

/** What is not there on both sides contradicts nothing. */
const isSame = <T>(typed: T | undefined, known: T | null | undefined): boolean =>
  typed === undefined || known == null || known === '' || typed === known

function nationalOf(mobile: string): string {
  const read = parseMobile(mobile)
  return read.ok ? read.mobile : mobile
}

/** What a look found: the profile is made; `undefined`: not; `of another`: it is there, with other details. */
export type Seen<V> = V | undefined | 'of another'

type Checks = Pick<ServiceClient, 'record' | 'roadmap'>

/** Looks whether a record has the profile that was typed. A call of an earlier version did not say what that was. */
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
 * Looks whether the roles that were sent have the profiles that were typed. A roadmap names no profiles: the first test
 * of each role does, at one call each.
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
  // Profiles are made all at once (spec, Rules): with one missing none of ours is there.
  return typed.roles.every(({ id }) => isThere(id)) ? { roles } : undefined
}
