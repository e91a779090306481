import { z } from 'zod'
import type { CallOptions } from '../service/call.ts'
import type { ServiceClient } from '../service/client.ts'
import { ServiceError } from '../service/errors.ts'
import { recordPageSchema, recordSchema, roadmapPageSchema, roadmapSchema } from '../service/wire.ts'
import { recordQuery, roadmapQuery } from '../service/wire-exchanges.ts'
import { defineCall } from './call.ts'

const found = z.discriminatedUnion('found', [
  z.object({ found: z.literal('record'), record: recordSchema }),
  z.object({ found: z.literal('roadmap'), roadmap: roadmapSchema }),
  z.object({ found: z.literal('nothing') }),
])
/** What the service has under a token. */
export type Found = z.output<typeof found>

/** Looks for a token among records and roadmaps, first where it is expected. */
export async function findToken(
  service: Pick<ServiceClient, 'record' | 'roadmap'>,
  token: string,
  first: 'record' | 'roadmap',
  how: CallOptions,
): Promise<Found> {
  for (const kind of [first, first === 'record' ? 'roadmap' : 'record'] as const) {
    try {
      if (kind === 'record') return { found: kind, record: await service.record(token, how) }
      return { found: kind, roadmap: await service.roadmap(token, how) }
    } catch (error) {
      const isUnknown = error instanceof ServiceError && (error.code === 'not_found' || error.status === 404)
      if (!isUnknown) throw error
    }
  }
  return { found: 'nothing' }
}

const kind = z.enum(['record', 'roadmap'])

/** Every call that an organizer causes. They wait behind participants. */
export const organizerCalls = {
  listRecords: defineCall('listRecords', {
    request: z.object({ kind: z.literal('listRecords'), query: recordQuery }),
    value: recordPageSchema,
    lane: 'background',
    make: (service, { query }, how) => service.listRecords(query, how),
  }),
  listRoadmaps: defineCall('listRoadmaps', {
    request: z.object({ kind: z.literal('listRoadmaps'), query: roadmapQuery }),
    value: roadmapPageSchema,
    lane: 'background',
    make: (service, { query }, how) => service.listRoadmaps(query, how),
  }),
  search: defineCall('search', {
    request: z.object({ kind: z.literal('search'), records: recordQuery, roadmaps: roadmapQuery }),
    value: z.object({ records: recordPageSchema, roadmaps: roadmapPageSchema }),
    lane: 'background',
    make: async (service, { records, roadmaps }, how) => ({
      records: await service.listRecords(records, how),
      roadmaps: await service.listRoadmaps(roadmaps, how),
    }),
  }),
  find: defineCall('find', {
    request: z.object({ kind: z.literal('find'), token: z.string(), first: kind }),
    value: found,
    lane: 'background',
    make: (service, { token, first }, how) => findToken(service, token, first, how),
  }),
  findSome: defineCall('findSome', {
    request: z.object({ kind: z.literal('findSome'), tokens: z.array(z.string()), first: kind }),
    value: z.array(found),
    lane: 'background',
    async make(service, { tokens, first }, how) {
      const all: Found[] = []
      for (const token of tokens) all.push(await findToken(service, token, first, how))
      return all
    },
  }),
}
