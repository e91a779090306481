import { test as base, type TestAPI } from 'vitest'
import { toAsciiDigits } from '../../src/domain/persian/digits.ts'
import type { PersonDriver, WireMessage } from '../../src/emulator/emulator.ts'
import type { RoadmapSpec } from '../../src/sandbox/sandbox.ts'
import { createAccount, withMore } from '../account.ts'
import { dataOf, isBoard } from '../places.ts'
import { createWays } from '../ways.ts'
import { type Standing, type World, type WorldOptions, withWorlds } from '../world.ts'
import { MOBILE, people, products, tests } from './kin.ts'

export { word, wordInEnglish } from '../words.ts'

export type Party = ReturnType<typeof createParty>
export type Person = ReturnType<typeof createPerson>

/** Where a story can begin: the board with everybody introduced, the same with a second person, all tests finished. */
type Stage = 'board' | 'shared board' | 'finished' | 'shared and finished'

type Gathering = WorldOptions & {
  productId?: string
  /** With SMS codes; the default is without. */
  sms?: boolean
  roadmap?: Partial<RoadmapSpec>
  /** Where the story begins; without it nothing has been opened yet. Its own settings hold from there on. */
  at?: Stage
}

type Fixtures = {
  /** A world of its own with one roadmap and the person who is going to begin it. */
  gather: (gathering?: Gathering) => Promise<Party>
}

const extended: TestAPI<Fixtures> = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from this pattern
  gather: async ({}, use) => {
    await withWorlds(
      use,
      (open) =>
        async ({ at, productId = 'kin', sms = false, roadmap, ...options } = {}) => {
          const own = { tests, products, testsAuthRequired: sms, generationSeconds: 120 }
          const spec = { productId, ...roadmap }
          const gathered = async (
            known?: Reached,
            { environment = {}, sandbox = {}, emulator = {} } = options,
          ) => {
            const all = { environment, emulator, sandbox: { ...own, ...sandbox } }
            const world = await open(all, known?.world)
            if (!known) return createParty(world, { productId, token: world.sandbox.addRoadmap(spec) })
            await world.settled()
            return createParty(world, { productId, ...known })
          }
          if (!at) return gathered()

          async function reach(stage: Stage): Promise<Reached> {
            const before = comesFrom[stage]
            return walked.reach(JSON.stringify(['roadmap', stage, sms, spec]), async () => {
              const party = await gathered(before && (await reach(before)), {})
              await ways[stage](party)
              return party.stand()
            })
          }

          return gathered(await reach(at))
        },
    )
  },
})

/** What a party had come to who stood at a stage. */
type Reached = { world: Standing; token: string; readUpTo: ReadonlyMap<number, number> }

/** The way to a stage is walked in a world of the usual settings. */
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

/** A story of its own world. Stories run side by side: they mostly wait for the network. */
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

  /** Somebody new, or who was there before the story began. */
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
    /** Who opens the link of the roadmap. */
    owner: join('مریم'),
    /** Who takes over the second role. */
    get other(): Person {
      other ??= join(people[second]?.name.split(' ')[0] ?? '')
      return other
    },
    roles,
    join,
    /** Everything at this moment, in which the bot does nothing. */
    stand: (): Reached => ({
      world: world.stand(),
      token,
      readUpTo: new Map(joined.map((one) => [one.person.id, one.readUpTo])),
    }),
    /** Calls of the service so far, without the health check's own. */
    calls: (method: string, path: RegExp) =>
      sandbox.calls.filter((call) => call.method === method && path.test(call.path)).length,
    /** The tokens of the nested records, in the order of the product. */
    get records(): string[] {
      const { roadmaps } = sandbox.snapshot() as { roadmaps: Record<string, { records: string[] }> }
      return roadmaps[token]?.records ?? []
    },
    /** Answers a nested record from somewhere else, as the organizer's own system could. */
    async answersElsewhere(record: string) {
      const body = { record: { s1: ['q1o1', 'q2o1'] }, doing_duration_in_minutes: 1 }
      const { status } = await fetch(`${world.env.SERVICE_URL}/record/${record}/`, {
        method: 'POST',
        headers: { 'API-KEY': sandbox.key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (status !== 200) throw new Error(`answers refused with ${status}`)
    },
    /** Lets time pass for everybody. Any update makes the bot look at once at what has become due. */
    async waits(ms: number) {
      world.passWith(ms)
      await world.settled()
    },
    restarts: world.restarts,
  }
}

/** One account, its chat with the bot, and what a person does there. */
export function createPerson(world: World, driver: PersonDriver, token: string, read = 0) {
  const { sandbox, settled } = world
  const account = createAccount(world, driver, `roadmap_${token}`, read)
  const { taps, says, fromBot } = account

  const person = withMore(account, {
    /** Types the details of everybody, up to the summary. */
    async introducesAll(roles: readonly number[]) {
      for (const role of roles) await person.introduces(role)
      await says(MOBILE)
    },
    /** Types the details of one role. */
    async introduces(role: number) {
      const details = people[role]
      if (!details) throw new Error(`nobody plays role ${role}`)
      await says(details.name)
      await person.forges(details.birth)
      if (person.place === 'guardian') await taps('guardian:yes')
      if (details.gender) await taps(details.gender)
    },
    /** Begins a roadmap and comes as far as the summary of everybody. */
    async reachesSummary(roles: readonly number[]) {
      await person.opens()
      await taps(/^begin:/)
      await person.introducesAll(roles)
    },
    /** Begins a roadmap and comes as far as its board. */
    async comesToBoard(roles: readonly number[]) {
      await person.reachesSummary(roles)
      await taps('profile:ok')
      if (person.place === 'code') await says(sandbox.sms()[0]?.code ?? '')
    },
    /** Answers what is shown with the option at this position, up to the review. */
    async answers(option = 0) {
      while (person.place === 'question') await taps(new RegExp(`^a:[^:]+:\\d+:${option}:`), driver.last)
    },
    /** Opens the n-th test that the board offers, and comes through it. */
    async takes(index = 0, option = 0) {
      if (index >= person.offered.length) await person.unfolds()
      const open = person.offered[index]
      if (!open) throw new Error(`no test ${index} on the board\n${driver.transcript()}`)
      await taps(open, person.board)
      if (person.place === 'curtain') await taps(/^ready:/, driver.last)
      await person.answers(option)
      await taps(/^submit:/)
    },
    /** Has the board show a button for each test that is left. */
    unfolds: () => taps(/^tests:[^:]+:all$/, person.board),
    async takesAll() {
      while (person.offered.length > 0) await person.takes()
    },
    /** Gives a role away; returns the payload of the invitation. */
    async hands(role: number): Promise<string> {
      await taps(new RegExp(`^hand:[^:]+:${role}$`), person.board)
      const link = /start=(i_[a-z2-7]{12})/.exec(person.heard)?.[1]
      if (!link) throw new Error(`no invitation\n${driver.transcript()}`)
      return link
    },
    /** Opens an invitation to a role and agrees. */
    async accepts(invitation: string) {
      await person.opens(invitation)
      await taps(/^begin:/)
      if (person.place === 'guardian') await taps('guardian:yes')
    },

    /** The person deletes a message of the bot from the chat, for both sides. */
    async deletes({ message_id }: WireMessage) {
      const { TELEGRAM_API_ROOT: root, BOT_TOKEN: botToken } = world.env
      const body = JSON.stringify({ chat_id: driver.id, message_id })
      const headers = { 'content-type': 'application/json' }
      await fetch(`${root}/bot${botToken}/deleteMessage`, { method: 'POST', headers, body })
      await settled()
    },

    /** Every board that stands in the chat; there should never be two. */
    get boards(): WireMessage[] {
      return fromBot().filter(isBoard)
    },
    /** The newest board. */
    get board(): WireMessage {
      const board = person.boards.at(-1)
      if (!board) throw new Error(`no board\n${driver.transcript()}`)
      return board
    },
    /** The tests that the board offers to open. */
    get offered(): string[] {
      const board = person.boards.at(-1)
      return board ? dataOf(board).filter((data) => data.startsWith('open:')) : []
    },
    /** How many tests the board has left for this account. */
    get left(): number {
      const buttons = person.board.reply_markup?.inline_keyboard.flat() ?? []
      const all = buttons.find(({ callback_data: data }) => data?.endsWith(':all'))
      return all ? Number(toAsciiDigits(all.text).replace(/\D/g, '')) : person.offered.length
    },
    /** The roles that the board offers to give away (`hand`) or to take back (`unhand`). */
    rolesOf: (verb: 'hand' | 'unhand'): number[] =>
      dataOf(person.board)
        .flatMap((data) => (data.startsWith(`${verb}:`) ? [Number(data.split(':')[2])] : []))
        .sort(),
    /** The combined reports that have arrived. */
    get reports() {
      return fromBot().filter(({ document }) => document)
    },
    get pictures() {
      return fromBot().filter(({ photo }) => photo)
    },
  })
  return person
}
