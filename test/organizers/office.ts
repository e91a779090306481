import { randomBytes } from 'node:crypto'
import { test as base, type TestAPI } from 'vitest'
import { createAccount, withMore } from '../account.ts'
import { createParticipant, type Participant } from '../dialogs/walk.ts'
import { findRedisServer, type RedisServer, startRedis } from '../storage/redis-server.ts'
import { type World, type WorldOptions, withWorlds } from '../world.ts'

export { word, wordInEnglish } from '../words.ts'

export type Office = ReturnType<typeof createOffice>

type Work = (options?: WorldOptions) => Promise<Office>
type Fixtures = {
  /** A world of its own with one organizer, who has sent /start. */
  work: Work
}

const ORGANIZER_ID = 4_001
/** Makes the account of `organizerOf` an organizer from the beginning of a world. */
export const ORGANIZED = { ORGANIZERS: String(ORGANIZER_ID) }

async function working(use: (work: Work) => Promise<void>, store: Record<string, string> = {}) {
  await withWorlds(use, (open) => async (options = {}) => {
    const world = await open({ ...options, environment: { ...ORGANIZED, ...store, ...options.environment } })
    return organizerOf({ world })
  })
}

const extended: TestAPI<Fixtures> = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from this pattern
  work: async ({}, use) => working(use),
})

/** A story with its own world. Stories run side by side, since they mostly wait. */
export const story = extended.concurrent

const program = findRedisServer()

const extendedOnRedis: TestAPI<Fixtures> = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from this pattern
  work: async ({}, use) => {
    const redis: RedisServer = await startRedis(program ?? '', ['--save', '', '--appendonly', 'no'])
    const store = { REDIS_URL: redis.url, DATA_KEY: randomBytes(32).toString('base64') }
    await working(use, store).finally(() => redis.remove())
  },
})

/** Tells the same story twice: on the embedded store, and on Redis. */
export function onBothStores(title: string, tell: (fixtures: Fixtures) => Promise<void>): void {
  story(title, ({ work }) => tell({ work }))
  extendedOnRedis.skipIf(!program).concurrent(`${title}, on Redis`, ({ work }) => tell({ work }))
}

/** The organizer of a world that has `ORGANIZED` in its environment. */
export async function organizerOf({ world }: { world: World }): Promise<Office> {
  const office = createOffice(world)
  await office.opens('')
  return office
}

/** An organizer, with what stories need of the service and of participants. */
function createOffice(world: World) {
  const { sandbox, emulator } = world
  const account = createAccount(world, emulator.person({ id: ORGANIZER_ID, firstName: 'مدیر' }), '')
  return withMore(account, {
    world,
    /** The reads of lists, records and roadmaps that reached the service. */
    get asked(): string[] {
      return sandbox.calls
        .filter(({ method, path }) => method === 'GET' && /\/(record|roadmap)\//.test(path))
        .map(({ path }) => path)
    },
    addRecord: (testId = 'mood-7') => sandbox.addRecord({ testId }),
    /** A record whose profile the service has: its participant comes straight to the questions. */
    addRecordOfSomebody: () => sandbox.addRecord({ testId: 'mood-7', authRequired: false }),
    /** A participant with a chat of their own. */
    join: (token: string, firstName = 'سارا') =>
      createParticipant(world, emulator.person({ firstName }), token),
    stranger: () => createAccount(world, emulator.person({ firstName: 'رهگذر' }), ''),
    /** The payload of the last invitation in the chat. */
    get invitation(): string {
      const found = /start=(i_[a-z2-7]{12})/.exec(account.heard)?.[1]
      if (!found) throw new Error(`no invitation\n${account.person.transcript()}`)
      return found
    },
    /** Makes an invitation by `/invite` with one line. */
    async invites(line: string): Promise<string> {
      await account.says(`/invite ${line}`)
      return this.invitation
    },
    /** The text of the newest document with this ending. */
    file(ending: string): string {
      const message = account.fromBot().findLast(({ document }) => document?.file_name?.endsWith(ending))
      const file = message?.document && emulator.file(message.document.file_id)
      return file?.bytes.toString('utf8') ?? ''
    },
  })
}

/** The record id of what this participant has open, as the buttons of the chat have it. */
export function shortIdOf({ buttons }: Pick<Participant, 'buttons'>): string {
  const s = buttons
    .map((data) => /^(?:a|submit|retry|result|open|begin):([\w-]+)/.exec(data)?.[1])
    .find(Boolean)
  if (!s) throw new Error('no S')
  return s
}
