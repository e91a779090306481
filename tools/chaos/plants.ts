import type { Plant } from '../simulate/plants.ts'

const LEASE = 'lease outlives its process'

/** Faults that only show when processes are killed; the proof has to find each within a few worlds. */
export const chaosPlants: readonly Plant[] = [
  {
    name: LEASE,
    file: 'queue/worker.ts',
    find: 'store.claim(LEASE_MS, kinds)',
    instead: 'store.claim(LEASE_MS * 1_000, kinds)',
  },
  // The embedded store frees all leases as it opens, because no other process uses it.
  {
    name: LEASE,
    file: 'storage/sqlite-database.ts',
    find: 'db.prepare(sql)',
    instead: "(db.exec('UPDATE actor SET ready_at = ready_at + 10000000'), db.prepare(sql))",
  },
]

/** The variable that names the planted fault of a bot of this bundle. */
export const PLANT = 'CHAOS_PLANT'

export const chaosPlantNames: readonly string[] = [...new Set(chaosPlants.map(({ name }) => name))]
