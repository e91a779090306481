import { test as base, type TestAPI } from 'vitest'
import type { PersonDriver } from '../../tools/emulator/emulator.ts'
import type { RoadmapSpec } from '../../tools/sandbox/sandbox.ts'
import { createWays } from '../ways.ts'
import { type Standing, type World, type WorldOptions, withWorlds } from '../world.ts'
import { people, products, tests } from './kin.ts'
import { createPerson, type Person } from './person.ts'

export { word, wordInEnglish } from '../words.ts'
export type { Person } from './person.ts'

export type Party = ReturnType<typeof createParty>

/** Where a story can begin: at the board, at a board with a second account, after all tests. */
type Stage = 'board' | 'shared board' | 'finished' | 'shared and finished'

type Gathering = WorldOptions & {
  productId?: string
  /** With SMS codes; the default is without. */
  sms?: boolean
  roadmap?: Partial<RoadmapSpec>
  /** Where the story begins; without it nothing is opened yet. The story's settings apply from there on. */
  at?: Stage
}

type Fixtures = {
  /** A world of its own with one roadmap and the person who is going to begin it. */
  gather: (gathering?: Gathering) => Promise<Party>
}

const extended: TestAPI<Fixtures> = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from this pattern
  gather: async ({}, use) => {
    await withWorlds(use, (open) => async ({ at, ...gathering } = {}) => {
      const { begins, reach } = createBeginning(open, gathering)
      return begins(gathering, at && (await reach(at)))
    })
  },
})

type Open = (options: WorldOptions, standing?: Standing) => Promise<World>

/** Opens the world of a gathering: a new one, or one in which a party has come to a stage. */
function createBeginning(open: Open, { productId = 'kin', sms = false, roadmap }: Gathering) {
  const own = { tests, products, testsAuthRequired: sms, generationSeconds: 120 }
  const spec = { productId, ...roadmap }

  async function begins({ environment = {}, sandbox, emulator = {} }: WorldOptions, known?: Reached) {
    const world = await open({ environment, emulator, sandbox: { ...own, ...sandbox } }, known?.world)
    if (!known) return createParty(world, { productId, token: world.sandbox.addRoadmap(spec) })
    await world.settled()
    return createParty(world, { productId, ...known })
  }

  /** The walk to a stage uses the usual settings. */
  function reach(stage: Stage): Promise<Reached> {
    const before = comesFrom[stage]
    return walked.reach(JSON.stringify(['roadmap', stage, sms, spec]), async () => {
      const party = await begins({}, before && (await reach(before)))
      await ways[stage](party)
      return party.stand()
    })
  }

  return { begins, reach }
}

/** The state of a party at a stage. */
type Reached = { world: Standing; token: string; readUpTo: ReadonlyMap<number, number> }

const walked = createWays<Reached>()

const comesFrom: Readonly<Record<Stage, Stage | undefined>> = {
  board: undefined,
  'shared board': 'board',
  finished: 'board',
  'shared and finished': 'shared board',
}

const ways: Readonly<Record<Stage, (party: Party) => Promise<void>>> = {
  board: ({ owner, roles }) => owner.comesToBoard(roles),
  async 'shared board'({ owner, other, roles }) {
    await other.accepts(await owner.hands(roles[1] ?? 0))
  },
  finished: ({ owner }) => owner.takesAll(),
  async 'shared and finished'({ owner, other }) {
    await owner.takesAll()
    await other.takesAll()
  },
}

/** A story with its own world. Stories run side by side, since they mostly wait. */
export const story = extended.concurrent

function createParty(
  world: World,
  { productId, token, readUpTo }: Pick<Reached, 'token'> & Partial<Reached> & { productId: string },
) {
  const { sandbox, emulator } = world
  const roles = products.find(({ id }) => id === productId)?.roles.map(({ id }) => id) ?? []
  const [, second = 0] = roles
  const joined: Person[] = []
  let other: Person | undefined

  /** A new person, or the one of this name from before the story. */
  function join(firstName: string): Person {
    const isFree = ({ id }: PersonDriver) => joined.every(({ person }) => person.id !== id)
    const standing = emulator.people().find((one) => one.state.firstName === firstName && isFree(one))
    const driver = standing ?? emulator.person({ firstName })
    const person = createPerson(world, driver, token, readUpTo?.get(driver.id))
    joined.push(person)
    return person
  }

  return {
    world,
    token,
    /** The person who opens the link of the roadmap. */
    owner: join('مریم'),
    /** The person who accepts the second role. */
    get other(): Person {
      other ??= join(people[second]?.name.split(' ')[0] ?? '')
      return other
    },
    roles,
    join,
    /** The state at this moment, in which the bot does nothing. */
    stand: (): Reached => ({
      world: world.stand(),
      token,
      readUpTo: new Map(joined.map((one) => [one.person.id, one.readUpTo])),
    }),
    /** The number of such calls of the service, without those of the health check. */
    calls: (method: string, path: RegExp) =>
      sandbox.calls.filter((call) => call.method === method && path.test(call.path)).length,
    /** The tokens of the nested records, in the order of the product. */
    get records(): string[] {
      const { roadmaps } = sandbox.snapshot() as { roadmaps: Record<string, { records: string[] }> }
      return roadmaps[token]?.records ?? []
    },
    /** Answers a nested record at the service, as the organizer's own system could. */
    async answersElsewhere(record: string) {
      const body = { record: { s1: ['q1o1', 'q2o1'] }, doing_duration_in_minutes: 1 }
      const { status } = await fetch(`${world.env.SERVICE_URL}/record/${record}/`, {
        method: 'POST',
        headers: { 'API-KEY': sandbox.key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (status !== 200) throw new Error(`answers refused with ${status}`)
    },
    /** Lets time pass for everybody. The update that follows makes the bot look for due jobs at once. */
    async waits(ms: number) {
      world.passWith(ms)
      await world.settled()
    },
    restarts: world.restarts,
  }
}
