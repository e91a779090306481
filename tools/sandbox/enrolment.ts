import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type Enrolment, parse } from './applicants.ts'
import { persianYearOf } from './calendar.ts'
import { Refusal } from './refusal.ts'
import type { Applicant, ProfileState, RecordState, RoadmapState } from './state.ts'
import { recordsOf, type World } from './world.ts'

const DRAFT_LIFE_MS = 5 * 60_000
const SMS_KEPT = 200

/** The record or roadmap that an authentication links its profiles to. */
type Target = RecordState | RoadmapState

export interface Linked {
  readonly role: number | null
  readonly profile: ProfileState
}

/**
 * Begins an authentication: makes the profiles at once, or a draft and an SMS code, as the policy says.
 * @throws Refusal 409 taken external id, 400 mobile duplicate limit (SMS mode only)
 */
export function logEnrolment(
  world: World,
  target: Target,
  enrolment: Enrolment,
): { draft: string } | { linked: Linked[] } {
  refuseTakenIds(world, target.owner, enrolment.people)
  if (!target.testsAuthRequired) return { linked: link(world, target, enrolment) }

  const uses = authenticationsWith(world, target.owner, enrolment.mobile)
  if (uses >= world.settings.authenticationsPerMobile)
    throw new Refusal(400, 'Mobile duplicate limit reached for this mobile number.')
  const at = world.now()
  const draft = randomUUID()
  const code = world.settings.newCode()
  forgetDrafts(world, ({ expiresAt }) => expiresAt <= at)
  world.state.drafts[draft] = {
    token: draft,
    target: target.token,
    code,
    expiresAt: at + DRAFT_LIFE_MS,
    ...enrolment,
  }
  const sms = { mobile: enrolment.mobile, code, at }
  world.state.sms = [sms, ...world.state.sms].slice(0, SMS_KEPT)
  world.settings.onSms(sms)
  return { draft }
}

const verification = z.object({ draft_token: z.string(), vcode: z.string() })

/** Completes an authentication with the SMS code; the three messages are those of the specification. */
export function verify(world: World, target: Target, body: unknown): Linked[] {
  if (!target.testsAuthRequired)
    throw new Refusal(400, 'SMS verification is not required for this organizer account.')
  const { draft_token: token, vcode } = parse(verification, body)
  const draft = world.state.drafts[token]
  if (!draft || draft.target !== target.token || world.now() >= draft.expiresAt)
    throw new Refusal(400, 'Verification draft token is invalid or expired.')
  if (vcode !== draft.code) throw new Refusal(400, 'Verification code is invalid.')
  refuseTakenIds(world, target.owner, draft.people) // a draft reserves nothing
  return link(world, target, draft)
}

/** Links profiles at once, under any policy: registration in the panel needs no code. */
export function link(world: World, target: Target, { mobile, people }: Enrolment): Linked[] {
  const linked = people.map((person) => ({
    role: person.role,
    profile: makeProfile(world, target, mobile, person),
  }))
  const records = 'records' in target ? recordsOf(world, target) : [target]
  for (const record of records) {
    const own = linked.find(({ role }) => role === record.role)
    if (!own) continue
    record.profile = own.profile.token
    record.authRequired = false
  }
  target.authRequired = records.some((record) => record.authRequired)
  forgetDrafts(world, (draft) => draft.target === target.token)
  return linked
}

function makeProfile(world: World, { owner }: Target, mobile: string, person: Applicant): ProfileState {
  world.state.cases += 1
  const caseNumber = `PR-${persianYearOf(world.now())}/${String(world.state.cases).padStart(5, '0')}`
  const { name, birth, isMale, externalId } = person
  const profile = { token: randomUUID(), owner, externalId, caseNumber, mobile, name, birth, isMale }
  world.state.profiles[profile.token] = profile
  return profile
}

function refuseTakenIds(world: World, owner: string, people: readonly Applicant[]) {
  const ids = people.flatMap(({ externalId }) => externalId ?? [])
  const taken = Object.values(world.state.profiles).some(
    (profile) => profile.owner === owner && profile.externalId !== null && ids.includes(profile.externalId),
  )
  if (taken || new Set(ids).size < ids.length)
    throw new Refusal(
      409,
      'Duplicate external_id: it already belongs to a profile of this organizer account.',
    )
}

/** How many records and roadmaps were authenticated with this mobile. */
function authenticationsWith(world: World, owner: string, mobile: string): number {
  const own = Object.values(world.state.records).filter((record) => {
    const profile = record.profile === null ? undefined : world.state.profiles[record.profile]
    return profile?.owner === owner && profile.mobile === mobile
  })
  return new Set(own.map((record) => record.roadmap ?? record.token)).size
}

function forgetDrafts(world: World, gone: (draft: World['state']['drafts'][string]) => boolean) {
  for (const draft of Object.values(world.state.drafts))
    if (gone(draft)) delete world.state.drafts[draft.token]
}
