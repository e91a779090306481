import type { Product } from './catalogue/products.ts'
import type { TestDefinition } from './catalogue/test.ts'
import type { FaultQueue } from './faults.ts'
import { Refusal } from './refusal.ts'
import type { ProfileState, RecordState, RoadmapState, Sms, State } from './state.ts'

/** The sandbox's behaviour where the specification leaves a choice to the organizer or to the service. */
interface Settings {
  readonly testsAuthRequired: boolean
  readonly generationSeconds: number
  readonly scoringSeconds: number
  readonly authenticationsPerMobile: number
  readonly strictNames: boolean
  readonly billingRefusal: 402 | 403
  readonly newCode: () => string
  readonly onSms: (sms: Sms) => void
}

/** The dependencies of every operation; `reset` replaces `state`. */
export interface World {
  state: State
  readonly tests: ReadonlyMap<string, TestDefinition>
  readonly products: ReadonlyMap<string, Product>
  readonly settings: Settings
  readonly faults: FaultQueue
  readonly now: () => number
}

/** The record with this token, if the organizer owns it; a foreign one is reported as 404. */
export function findRecord(world: World, owner: string, token: string): RecordState {
  const record = world.state.records[token.toLowerCase()]
  if (!record || record.owner !== owner) throw new Refusal(404, 'Record not found.')
  return record
}

/** The roadmap with this token, if the organizer owns it; a foreign one is reported as 404. */
export function findRoadmap(world: World, owner: string, token: string): RoadmapState {
  const roadmap = world.state.roadmaps[token.toLowerCase()]
  if (!roadmap || roadmap.owner !== owner) throw new Refusal(404, 'Roadmap not found.')
  return roadmap
}

/** The nested records of a roadmap, in the order of its product. */
export function recordsOf(world: World, roadmap: RoadmapState): RecordState[] {
  return roadmap.records.flatMap((token) => world.state.records[token] ?? [])
}

/** The profile that is linked to a record, or null before authentication. */
export function profileOf(world: World, record: RecordState): ProfileState | null {
  return record.profile === null ? null : (world.state.profiles[record.profile] ?? null)
}

/** The definition of a test; throws for an unknown id, which is a mistake in the set-up of the sandbox. */
export function testById(world: World, id: string): TestDefinition {
  const test = world.tests.get(id)
  if (!test) throw new Error(`The sandbox has no test with the id ${id}.`)
  return test
}

/** The definition of a roadmap product; throws for an unknown id, which is a mistake in the set-up. */
export function productById(world: World, id: string): Product {
  const product = world.products.get(id)
  if (!product) throw new Error(`The sandbox has no roadmap product with the id ${id}.`)
  return product
}
