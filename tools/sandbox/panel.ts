import { readApplicant, readApplicants } from './applicants.ts'
import { link } from './enrolment.ts'
import { productById, testById, type World } from './world.ts'

/**
 * The organizer registers a record, or some roles of a roadmap, in his panel: with the body of the auth call, and without
 * a code. False when there is no such token. @throws Refusal 400
 */
export function register(world: World, token: string, body: unknown): boolean {
  const record = world.state.records[token]
  if (record) link(world, record, readApplicant(world, body, testById(world, record.testId)))
  const roadmap = world.state.roadmaps[token]
  if (roadmap) link(world, roadmap, readApplicants(world, body, productById(world, roadmap.productId)))
  return record !== undefined || roadmap !== undefined
}
