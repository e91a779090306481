import { readApplicant, readApplicants } from './applicants.ts'
import { link } from './enrolment.ts'
import { productById, testById, type World } from './world.ts'

/**
 * Registers a record, or some roles of a roadmap, as the organizer does in the panel: with the body of the
 * auth call and without a code. False when the token is unknown. @throws Refusal 400
 */
export function register(world: World, token: string, body: unknown): boolean {
  const record = world.state.records[token]
  if (record) link(world, record, readApplicant(world, body, testById(world, record.testId)))
  const roadmap = world.state.roadmaps[token]
  if (roadmap) link(world, roadmap, readApplicants(world, body, productById(world, roadmap.productId)))
  return record !== undefined || roadmap !== undefined
}
