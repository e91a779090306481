import { test as base, type TestAPI } from 'vitest'
import type { RecordSpec } from '../../tools/sandbox/sandbox.ts'
import type { Place } from '../places.ts'
import { createWays } from '../ways.ts'
import { INVITER } from '../words.ts'
import { type Standing, type WorldOptions, withWorlds } from '../world.ts'
import { createParticipant, type Participant } from './participant.ts'

export type { Place } from '../places.ts'
export { ZAHRA } from '../usual-way.ts'
export { word, wordInEnglish } from '../words.ts'
export { another, born, createParticipant, type Participant, withAnother } from './participant.ts'

/** The places of the usual way, in the order of the dialog. */
export const PLACES: readonly Place[] = [
  'introduction',
  'name',
  'birth',
  'gender',
  'mobile',
  'summary',
  'code',
  'question',
  'review',
]

export type Meeting = WorldOptions & {
  /** Where the story begins; without it nothing has been opened yet. */
  at?: Place
  /** Walks the whole way in this story, which looks at the answers to its taps. */
  onFoot?: true
  record?: Partial<RecordSpec>
  /** Other settings of the person's app. */
  person?: { firstName?: string; phone?: string; languageCode?: string }
}

export const { organizerName: ORGANIZER, organizerContact: CONTACT } = INVITER
type Fixtures = {
  /** Opens a world of its own with one participant in it, at the wished place of the dialog. */
  meet: (meeting?: Meeting) => Promise<Participant>
}

const notifying = (always: WorldOptions = {}): TestAPI<Fixtures> =>
  base.extend<Fixtures>({
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from this pattern
    meet: async ({}, use) => {
      await withWorlds(use, (open) => async (meeting = {}) => {
        const { at, onFoot, record, person, ...options } = { ...always, ...meeting }
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
            if (stations.review?.includes(place))
              ways.passes(`${place} ${name}`, () => standingOf(participant))
          })
          here = participant
          return standingOf(participant)
        })
        const isUsual = nameOf({ ...usual, ...options }) === nameOf(usual)
        return here && isUsual ? here : resumes(options, known)
      })
    },
  })

/** The state of a walk to a place. */
type Reached = { world: Standing; personId: number; token: string; read: number }

/** Equal meetings share one walk. */
const ways = createWays<Reached>()

/** The places from which the walk to a place can go on, the nearest first. */
const stations: Partial<Record<Place, readonly Place[]>> = {
  gender: ['birth'],
  mobile: ['birth'],
  summary: ['birth'],
  code: ['summary', 'birth'],
  question: ['summary', 'birth'],
  review: ['question', 'summary', 'birth'],
}

/** Leaves out the settings that matter only after the question: organizers, sockets and waits. */
function withoutWhatMattersLater(options: WorldOptions): WorldOptions {
  const { environment, sandbox, overSockets, isHasty, ...others } = options
  const { ORGANIZERS, SUPPORT_TEXT, ...usual } = environment ?? {}
  const { billingRefusal, scoringSeconds, ...service } = sandbox ?? {}
  return { ...others, environment: environment?.RESULT_TO ? environment : usual, sandbox: service }
}

/** A name that equal meetings share; none if functions are part of them. */
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

/** A story with its own world. Stories run side by side, since they mostly wait. */
export const story = notifying().concurrent

/** A story over real connections, for cases in which those fail. */
export const storyOverSockets = notifying({ overSockets: true }).concurrent

/** The person's messages that are still in the chat, without commands. */
export const written = ({ person }: Pick<Participant, 'person'>) =>
  person.messages
    .filter(({ from }) => !from.is_bot)
    .flatMap(({ text = 'contact' }) => (/^\//.test(text) ? [] : [text]))
