import type { Fault as EdgeFault } from '../emulator/emulator.ts'
import type { Fault as ServiceFault } from '../sandbox/sandbox.ts'
import { type Chance, createChance } from '../simulate/chance.ts'

export const storeKinds = ['redis', 'embedded', 'sentinel'] as const
export type StoreKind = (typeof storeKinds)[number]

/** `beside`: each start picks this or a former version; `upgrade`: the last release until the middle. */
export const versionKinds = ['this', 'beside', 'upgrade'] as const
export type Versions = (typeof versionKinds)[number]

export const isStoreKind = (text: string): text is StoreKind => storeKinds.some((kind) => kind === text)

export const isVersions = (text: string): text is Versions => versionKinds.some((kind) => kind === text)

/** A fault for the bot or its surroundings; `ms` is how long it lasts, or how far the store is put back. */
export type Deed =
  | { kind: 'kill' | 'restart'; replica: number }
  | { kind: 'freeze'; replica: number; ms: number }
  | { kind: 'rolling restart' | 'upgrade' }
  | { kind: 'store killed' | 'store frozen' | 'store put back' | 'failover'; ms: number }
  | { kind: 'telegram down'; ms: number }
  | { kind: 'telegram'; fault: EdgeFault }
  | { kind: 'service'; fault: ServiceFault }

/** A deed comes after this many more calls to Telegram, and a pause. */
export type Fault = { after: number; pauseMs: number; deed: Deed }

/** All that a seed decides about a world beforehand. */
export type Plan = {
  seed: number
  store: StoreKind
  replicas: number
  isPolled: boolean
  versions: Versions
  /** For each person: the number of faults after which they arrive. */
  people: readonly number[]
  faults: readonly Fault[]
}

/** The deeds that kill a process. */
const DEADLY: ReadonlySet<Deed['kind']> = new Set(['kill', 'store killed', 'store put back', 'failover'])
export const isDeadly = ({ kind }: Deed): boolean => DEADLY.has(kind)

type Size = { kills: number; people: number }
type Drawn = { seed: number; stores: readonly StoreKind[]; versions: readonly Versions[]; size: Size }
/** The share of the faults after which all replicas are upgraded. */
const UPGRADED_AT = 0.4

/** Draws the plan of a world from its chance. */
export function drawPlan(chance: Chance, { seed, stores, versions: among, size }: Drawn): Plan {
  const store = chance.pick(stores)
  const replicas = store === 'embedded' ? 1 : chance.between(2, 4)
  const isPolled = chance.is(0.4)
  const deeds = deedsOf({ store, replicas }, chance)
  const faults: Fault[] = []
  for (let kills = 0; kills < size.kills; ) {
    const deed = deeds()
    faults.push({ after: chance.between(1, 16), pauseMs: chance.below(300), deed })
    if (isDeadly(deed)) kills += 1
  }
  const early = Math.ceil(faults.length * 0.8)
  const people = Array.from({ length: size.people }, (_, number) => (number < 3 ? 0 : chance.below(early)))
  // With a chance of its own, so that a seed keeps its faults and people.
  const versions = createChance(-1 - seed).pick(among)
  const upgrade: Fault = { after: 1, pauseMs: 0, deed: { kind: 'upgrade' } }
  if (versions === 'upgrade') {
    const at = Math.floor(faults.length * UPGRADED_AT)
    // Records begun by the last release cannot detect a store that comes back older: their answers would be
    // taken for those of another person who finished elsewhere.
    for (const fault of faults.slice(at))
      if (fault.deed.kind === 'store put back') fault.deed = { kind: 'kill', replica: 0 }
    faults.splice(at, 0, upgrade)
  }
  return { seed, store, replicas, isPolled, versions, people, faults }
}

/** Draws one deed after the other, by weight. */
function deedsOf({ store, replicas }: Pick<Plan, 'store' | 'replicas'>, chance: Chance): () => Deed {
  const replica = () => chance.below(replicas)
  const isServed = store !== 'embedded'
  const table: [weight: number, draw: () => Deed][] = [
    [12, () => ({ kind: 'kill', replica: replica() })],
    // The lease is 10 s: the first freeze is shorter, the second one longer.
    [1, () => ({ kind: 'freeze', replica: replica(), ms: chance.between(500, 6_000) })],
    [0.7, () => ({ kind: 'freeze', replica: replica(), ms: chance.between(11_000, 15_000) })],
    [1, () => ({ kind: 'restart', replica: replica() })],
    [isServed ? 0.5 : 0, () => ({ kind: 'rolling restart' })],
    [store === 'redis' ? 1.2 : 0, () => ({ kind: 'store killed', ms: chance.between(0, 3_000) })],
    [store === 'redis' ? 0.5 : 0, () => ({ kind: 'store frozen', ms: chance.between(300, 5_000) })],
    [store === 'sentinel' ? 0 : 1, () => ({ kind: 'store put back', ms: chance.between(300, 1_500) })],
    [store === 'sentinel' ? 1.2 : 0, () => ({ kind: 'failover', ms: chance.between(0, 3_000) })],
    [0.3, () => ({ kind: 'telegram down', ms: chance.between(500, 5_000) })],
    [3, () => ({ kind: 'telegram', fault: telegramFault(chance) })],
    [3, () => ({ kind: 'service', fault: serviceFault(chance) })],
  ]
  const all = table.reduce((sum, [weight]) => sum + weight, 0)
  return () => {
    let place = chance.next() * all
    const [, draw = () => ({ kind: 'kill' as const, replica: 0 })] =
      table.find(([weight]) => {
        place -= weight
        return place < 0
      }) ?? []
    return draw()
  }
}

function telegramFault(chance: Chance): EdgeFault {
  const [times, executed] = [chance.between(1, 8), chance.is(0.5)]
  const faults: EdgeFault[] = [
    { kind: 'duplicate', times: 3 * times },
    { kind: 'shuffle', times },
    { kind: 'flood', retryAfter: chance.between(0, 3), times },
    { kind: 'error', status: chance.pick([500, 502, 503]), executed, times },
    { kind: 'html', executed, times },
    { kind: 'delay', ms: chance.between(100, 6_000), times },
    { kind: 'cut', executed, times },
  ]
  return chance.pick(faults)
}

function serviceFault(chance: Chance): ServiceFault {
  const [times, executed] = [chance.between(1, 3), chance.is(0.5)]
  const faults: ServiceFault[] = [
    { kind: 'slow', ms: chance.between(500, 8_000), executed, times },
    { kind: 'cut', executed, times },
    { kind: 'rate-limit', retryAfter: chance.between(1, 4), times: 1 },
    { kind: 'status', status: chance.pick([500, 502, 503]), executed, times },
    { kind: 'garbage', executed, times },
  ]
  return chance.pick(faults)
}
