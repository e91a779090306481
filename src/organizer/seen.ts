import type { Found } from '../jobs/call-table.ts'
import { type RecordItem, type Roadmap, type TestRecord, titleOf } from '../service/wire.ts'
import type { ServiceState } from '../views/tests.ts'

/** A record or roadmap as the service shows it to its organizer. */
export type SeenTarget = ReturnType<typeof seenRecord> | ReturnType<typeof seenRoadmap>

type State = Pick<RecordItem, 'status' | 'is_finished' | 'auth_required'>

/** The state in the service. A value that a list does not give readably counts as false. */
export const stateOf = ({ status, is_finished, auth_required }: State): ServiceState => ({
  status,
  isFinished: is_finished ?? false,
  needsProfile: auth_required ?? false,
})

/** Also for an item of a list. */
export const seenRecord = (record: TestRecord | RecordItem) => ({
  kind: 'record' as const,
  token: record.token.toLowerCase(),
  title: record.test?.title || record.test?.id || record.token,
  ...stateOf(record),
  profile: record.profile,
})

const seenRoadmap = (roadmap: Roadmap) => ({
  kind: 'roadmap' as const,
  token: roadmap.token.toLowerCase(),
  title: titleOf(roadmap),
  ...stateOf(roadmap),
  roles: roadmap.roles.map(({ id, title }) => ({
    id,
    title,
    tests: roadmap.test_records
      .filter(({ role }) => role === id)
      .map((record) => ({ token: record.token, title: record.test_title, ...stateOf(record) })),
  })),
})

/** What the service has under a token; `undefined` where it has nothing. */
export function seenIn(found: Found): SeenTarget | undefined {
  if (found.found === 'nothing') return undefined
  return found.found === 'record' ? seenRecord(found.record) : seenRoadmap(found.roadmap)
}
