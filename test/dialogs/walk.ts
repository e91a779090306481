import { test as base, type TestAPI } from 'vitest'
import type { PersonDriver } from '../../src/emulator/emulator.ts'
import type { RecordSpec } from '../../src/sandbox/sandbox.ts'
import { createAccount, withMore } from '../account.ts'
import type { Place } from '../places.ts'
import { usualWay } from '../usual-way.ts'
import { createWays } from '../ways.ts'
import { type Standing, type World, type WorldOptions, withWorlds } from '../world.ts'

export type { Place } from '../places.ts'
export { ZAHRA } from '../usual-way.ts'
export { word, wordInEnglish } from '../words.ts'

export type Meeting = WorldOptions & {
  /** Where the story begins; without it nothing has been opened yet. */
  at?: Place
  /** Walks the whole way there itself, to look at what was answered to its taps. */
  onFoot?: true
  record?: Partial<RecordSpec>
  /** Other settings of the person's app. */
  person?: { firstName?: string; phone?: string; languageCode?: string }
}

export type Participant = ReturnType<typeof createParticipant>

export const ORGANIZER = 'کلینیک آرامش'
export const CONTACT = '021-12345678'
type Fixtures = {
  /** Opens a world of its own with one participant in it, at the wished place of the dialog. */
  meet: (meeting?: Meeting) => Promise<Participant>
}

const extended: TestAPI<Fixtures> = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from this pattern
  meet: async ({}, use) => {
    await withWorlds(use, (open) => async (meeting = {}) => {
      const { at, onFoot, record, person, ...options } = meeting
      const meets = async (settings: WorldOptions) => {
        const world = await open(settings)
        const token = world.sandbox.addRecord({ testId: 'mood-7', ...record })
        return createParticipant(world, world.emulator.person(person), token)
      }
      const resumes = async (settings: WorldOptions, known: Reached) => {
        const world = await open(settings, known.world)
        await world.settled()
        return createParticipant(
          world,
          world.emulator.person({ id: known.personId }),
          known.token,
          known.read,
        )
      }
      const usual = withoutWhatMattersLater(options)
      const name = nameOf([usual, record, person])
      if (!at || onFoot || !name) {
        const participant = await meets(options)
        if (at) await participant.walksTo(at)
        return participant
      }

      let here: Participant | undefined
      const known = await ways.reach(`${at} ${name}`, async () => {
        const station = stations[at]?.find((one) => ways.known(`${one} ${name}`))
        const begun = station && (await ways.known(`${station} ${name}`))
        const participant = begun ? await resumes(usual, begun) : await meets(usual)
        await participant.walksTo(at, (place) => {
          if (stations.review?.includes(place)) ways.passes(`${place} ${name}`, () => standingOf(participant))
        })
        here = participant
        return standingOf(participant)
      })
      const isUsual = nameOf({ ...usual, ...options }) === nameOf(usual)
      return here && isUsual ? here : resumes(options, known)
    })
  },
})

/** Where somebody stood who had walked to a place. */
type Reached = { world: Standing; personId: number; token: string; read: number }

/** Meetings that are the same begin where the first of them has walked. */
const ways = createWays<Reached>()

/** From where the way to a place goes on, the nearest first. */
const stations: Partial<Record<Place, readonly Place[]>> = {
  gender: ['birth'],
  mobile: ['birth'],
  summary: ['birth'],
  code: ['summary', 'birth'],
  question: ['summary', 'birth'],
  review: ['question', 'summary', 'birth'],
}

/** The settings that the way to the question can depend on. Who is told of what comes after it is none of them. */
function withoutWhatMattersLater({ environment, sandbox, ...others }: WorldOptions): WorldOptions {
  const { ORGANIZERS, SUPPORT_TEXT, ...usual } = environment ?? {}
  const { billingRefusal, scoringSeconds, ...service } = sandbox ?? {}
  return { ...others, environment: environment?.RESULT_TO ? environment : usual, sandbox: service }
}

/** The same for meetings that are the same; none where functions take part. */
function nameOf(meeting: unknown): string | undefined {
  let isPlain = true
  const name = JSON.stringify(meeting, (_, value: unknown) => {
    if (typeof value === 'function') isPlain = false
    return value
  })
  return isPlain ? name : undefined
}

const standingOf = ({ world, person, token, readUpTo }: Participant): Reached => ({
  world: world.stand(),
  personId: person.id,
  token,
  read: readUpTo,
})

/** A story of its own world. Stories run side by side: they mostly wait for the network. */
export const story = extended.concurrent

/** Another person with the same link. */
export const another = ({ world, token }: Participant): Participant =>
  createParticipant(world, world.emulator.person({ firstName: 'رضا' }), token)

/** The same person with one more record of the same organizer. */
export const withAnother = ({ world, person }: Participant, record: RecordSpec): Participant =>
  createParticipant(world, person, world.sandbox.addRecord(record))

/** One person with one invitation. */
export function createParticipant(world: World, person: PersonDriver, token: string, read = 0) {
  const { sandbox, emulator } = world
  const payload = `record_${token}`
  const account = createAccount(world, person, payload, read)
  const { acts, fromBot } = account

  const participant = withMore(account, {
    world,
    token,
    link: `https://t.me/${emulator.username}?start=${payload}`,

    /** Answers the shown question and those after it, by position of the option. */
    async answers(...options: number[]) {
      for (const option of options) {
        const { data } = participant.question
        await acts(() => person.tap(data[option] ?? ''))
      }
    },
    /** Lets time pass. Any update makes the bot look at once at what has become due. */
    async waits(ms: number) {
      await acts(() => world.passWith(ms))
    },
    /** The bot stops and starts again with what it has kept. */
    meetsRestart: world.restarts,
    /** Does what the bot asks now, in the usual way. */
    async goesOn() {
      const { place } = participant
      const step = place === undefined ? participant.opens : steps[place]
      if (!step) throw new Error(`nothing to do at ${place}\n${person.transcript()}`)
      await step()
    },
    async walksTo(wished: Place, passes?: (place: Place) => void) {
      for (let steps = 0; participant.place !== wished; steps++) {
        if (steps > 40)
          throw new Error(`no way to ${wished} from ${participant.place}\n${person.transcript()}`)
        await participant.goesOn()
        if (participant.place) passes?.(participant.place)
      }
    },

    /** The codes that were sent to this participant's mobiles, newest first. */
    get codes(): string[] {
      return sandbox.sms().map(({ code }) => code)
    },
    /** The calls that reached the service, as short names; the health check's own is left out. */
    get calls(): string[] {
      return sandbox.calls
        .map(({ method, path }) => callName(method, path))
        .filter((name) => name !== 'connect')
    },
    get submissions() {
      return sandbox.submissions(token)
    },
    /** Documents and pictures the bot has sent. */
    get files() {
      return fromBot().filter(({ document, photo }) => document ?? photo)
    },
  })
  const steps: Partial<Record<Place, () => Promise<unknown>>> = {
    ...usualWay(participant, () => participant.codes[0] ?? ''),
    question: () => {
      const { position, options } = participant.question
      return participant.answers(position % options.length)
    },
  }
  return participant
}

/** The calendar's button of a birth date so many years before today, and some days more or less. */
export function born({ world }: Participant, years: number, days = 0): string {
  const now = new Date(world.now())
  const date = new Date(Date.UTC(now.getUTCFullYear() - years, now.getUTCMonth(), now.getUTCDate() - days))
  return `birth:g:${date.getUTCFullYear()}:${date.getUTCMonth() + 1}:${date.getUTCDate()}`
}

const callNames: readonly [RegExp, string][] = [
  [/connect\/$/, 'connect'],
  [/\/auth\/verify\/$/, 'verify'],
  [/\/auth\/$/, 'auth'],
  [/\/questions\/$/, 'questions'],
  [/\/result\/(json|html)\/$/, 'result'],
]

function callName(method: string, path: string): string {
  const known = callNames.find(([pattern]) => pattern.test(path))?.[1]
  return known ?? (method === 'GET' ? 'look' : 'submit')
}
