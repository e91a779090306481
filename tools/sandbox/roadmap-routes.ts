import { listRoadmaps } from './lists.ts'
import {
  authenticateRoadmap,
  generate,
  readGenerationStatus,
  readRoadmapReport,
  readRoadmapResult,
  verifyRoadmap,
} from './roadmaps.ts'
import { queryOf, type Request, type Routes } from './routes.ts'
import type { RoadmapState } from './state.ts'
import { wireRoadmap } from './wire.ts'
import { findRoadmap, type World } from './world.ts'

/** Cognitive roadmaps; the trailing slashes are those of the specification. */
export function roadmapRoutes(world: World): Routes {
  const on =
    (operation: (world: World, roadmap: RoadmapState, body: unknown) => unknown) =>
    ({ organizer, token, body }: Request) =>
      operation(world, findRoadmap(world, organizer, token), body)

  return {
    'GET /roadmap/': ({ organizer, address }) => listRoadmaps(world, organizer, address, queryOf(address)),
    'GET /roadmap/:token': on(wireRoadmap),
    'POST /roadmap/:token/auth/': on(authenticateRoadmap),
    'PUT /roadmap/:token/auth/verify/': on(verifyRoadmap),
    'POST /roadmap/:token/generate/': on(generate),
    'GET /roadmap/:token/generate/status/': on(readGenerationStatus),
    'GET /roadmap/:token/result/html/': on(readRoadmapReport),
    'GET /roadmap/:token/result/json/': on(readRoadmapResult),
  }
}
