import { readApplicants } from './applicants.ts'
import { type Linked, logEnrolment, verify } from './enrolment.ts'
import { Refusal } from './refusal.ts'
import { analyse } from './report/analysis.ts'
import { roadmapReport } from './report/roadmap-report.ts'
import type { RoadmapState } from './state.ts'
import { generationStatus, isRecordFinished, roadmapStatus, wireProfile } from './wire.ts'
import { productById, recordsOf, type World } from './world.ts'

/** POST /roadmap/{token}/auth/ */
export function authenticateRoadmap(world: World, roadmap: RoadmapState, body: unknown) {
  if (roadmapStatus(world, roadmap) === 1) throw new Refusal(404, 'Roadmap not found or already finished.')
  if (!roadmap.authRequired) throw new Refusal(409, 'The profiles of this roadmap are already authenticated.')
  if (roadmap.waiting)
    throw new Refusal(403, 'This roadmap is waiting for a VIP or billing action of the organizer.')
  const begun = logEnrolment(
    world,
    roadmap,
    readApplicants(world, body, productById(world, roadmap.productId)),
  )
  if ('draft' in begun) return { tests_auth_required: true, draft_token: begun.draft }
  return { tests_auth_required: false, roles: wireRoles(world, begun.linked) }
}

/** PUT /roadmap/{token}/auth/verify/ */
export function verifyRoadmap(world: World, roadmap: RoadmapState, body: unknown) {
  return { tests_auth_required: true, roles: wireRoles(world, verify(world, roadmap, body)) }
}

/** POST /roadmap/{token}/generate/: one job at a time; after a failure the next call starts another one. */
export function generate(world: World, roadmap: RoadmapState) {
  const status = generationStatus(world, roadmap)
  const processing = () => ({
    status: 'processing',
    estimated_wait_minutes: waitInMinutes(world.settings.generationSeconds),
  })
  // spec, States: while a generation is in progress the answer is the same, whatever has changed.
  if (status === 'processing') return processing()
  if (roadmap.waiting || roadmap.billing === 'refused')
    throw new Refusal(403, 'A VIP or billing action of the organizer is required before the analysis.')
  if (roadmap.authRequired) throw new Refusal(409, 'Not all profiles of this roadmap are authenticated.')
  if (!recordsOf(world, roadmap).every((record) => isRecordFinished(world, record)))
    throw new Refusal(409, 'Not all records of this roadmap are completed.')

  // spec, generate: the answer is `processing`. A finished analysis is not made again; its status says so.
  if (status === 'completed') return processing()
  const startedAt = world.now()
  const errors = world.faults.takeGenerationFailure(`/roadmap/${roadmap.token}/generate/`) ?? null
  roadmap.generation = { startedAt, endsAt: startedAt + world.settings.generationSeconds * 1000, errors }
  return processing()
}

/** GET /roadmap/{token}/generate/status/ */
export function readGenerationStatus(world: World, roadmap: RoadmapState) {
  const status = generationStatus(world, roadmap)
  if (status === undefined) throw new Refusal(404, 'No analysis of this roadmap was requested.')
  return status === 'failed' ? { status, errors: roadmap.generation?.errors ?? [] } : { status }
}

/** GET /roadmap/{token}/result/json/ */
export function readRoadmapResult(world: World, roadmap: RoadmapState) {
  refuseUnfinished(world, roadmap)
  return analyse(world, roadmap).wire
}

/** GET /roadmap/{token}/result/html/ */
export function readRoadmapReport(world: World, roadmap: RoadmapState) {
  refuseUnfinished(world, roadmap)
  return { html: roadmapReport(world, roadmap, analyse(world, roadmap)) }
}

function refuseUnfinished(world: World, roadmap: RoadmapState) {
  if (roadmapStatus(world, roadmap) !== 1) throw new Refusal(409, 'This roadmap is not yet finished.')
}

function wireRoles(world: World, linked: readonly Linked[]) {
  return linked.map(({ role, profile }) => ({ role_id: role, profile: wireProfile(world, profile) }))
}

/** A range of whole minutes: five minutes of work are announced as `5-10`. */
function waitInMinutes(seconds: number): string {
  const least = Math.max(1, Math.ceil(seconds / 60))
  return `${least}-${Math.max(least + 1, Math.ceil((2 * seconds) / 60))}`
}
