import { test as base, type TestAPI } from 'vitest'
import { createAccount, withMore } from '../account.ts'
import { createParticipant } from '../dialogs/walk.ts'
import { type World, type WorldOptions, withWorlds } from '../world.ts'

export { word, wordInEnglish } from '../words.ts'

export type Office = ReturnType<typeof createOffice>

type Fixtures = {
  /** A world of its own with an organizer in it who has said hello. */
  work: (options?: WorldOptions) => Promise<Office>
}

const extended: TestAPI<Fixtures> = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from this pattern
  work: async ({}, use) => {
    await withWorlds(use, (open) => async (options = {}) => {
      const world = await open(options)
      const office = createOffice(world)
      await world.restarts({ ORGANIZERS: String(office.person.id) })
      await office.opens('')
      return office
    })
  },
})

/** A story of its own world. Stories run side by side: they mostly wait for the network. */
export const story = extended.concurrent

/** An organizer, what stands at the service, and whoever takes part. */
function createOffice(world: World) {
  const { sandbox, emulator } = world
  const account = createAccount(world, emulator.person({ firstName: 'مدیر' }), '')
  return withMore(account, {
    world,
    /** The calls of organizers that reached the service: lists, and records or roadmaps looked at. */
    get asked(): string[] {
      return sandbox.calls
        .filter(({ method, path }) => method === 'GET' && /\/(record|roadmap)\//.test(path))
        .map(({ path }) => path)
    },
    addRecord: (testId = 'mood-7') => sandbox.addRecord({ testId }),
    /** Somebody with a chat of their own. */
    join: (token: string, firstName = 'سارا') =>
      createParticipant(world, emulator.person({ firstName }), token),
    stranger: () => createAccount(world, emulator.person({ firstName: 'رهگذر' }), ''),
    /** The payload of the invitation that was heard last. */
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
  })
}
