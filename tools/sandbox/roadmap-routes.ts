import type { FastifyInstance, FastifyRequest } from 'fastify'
import { listRoadmaps } from './lists.ts'
import { addressOf, organizerOf } from './record-routes.ts'
import {
  authenticateRoadmap,
  generate,
  readGenerationStatus,
  readRoadmapReport,
  readRoadmapResult,
  verifyRoadmap,
} from './roadmaps.ts'
import type { RoadmapState } from './state.ts'
import { wireRoadmap } from './wire.ts'
import { findRoadmap, type World } from './world.ts'

/** Cognitive roadmaps; the final slashes are those of the specification. */
export function roadmapRoutes(app: FastifyInstance, world: World) {
  const on =
    (operation: (world: World, roadmap: RoadmapState, body: unknown) => unknown) =>
    async (request: FastifyRequest<{ Params: { token: string } }>) =>
      operation(world, findRoadmap(world, organizerOf(request), request.params.token), request.body)

  app.get('/roadmap/', async (request) =>
    listRoadmaps(world, organizerOf(request), addressOf(request), request.query),
  )
  app.get('/roadmap/:token', on(wireRoadmap))
  app.post('/roadmap/:token/auth/', on(authenticateRoadmap))
  app.put('/roadmap/:token/auth/verify/', on(verifyRoadmap))
  app.post('/roadmap/:token/generate/', on(generate))
  app.get('/roadmap/:token/generate/status/', on(readGenerationStatus))
  app.get('/roadmap/:token/result/html/', on(readRoadmapReport))
  app.get('/roadmap/:token/result/json/', on(readRoadmapResult))
}
