import type { PersonDriver } from '../../tools/emulator/emulator.ts'
import type { RecordSpec } from '../../tools/sandbox/sandbox.ts'
import { createAccount, withMore } from '../account.ts'
import type { Place } from '../places.ts'
import { usualWay } from '../usual-way.ts'
import { isPdf } from '../words.ts'
import type { World } from '../world.ts'

export type Participant = ReturnType<typeof createParticipant>

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
    /** Lets time pass. The update that follows makes the bot look for due jobs at once. */
    async waits(ms: number) {
      await acts(() => world.passWith(ms))
    },
    /** The bot stops and starts again on the same store. */
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
    /** The calls that reached the service, as short names, without those of the health check. */
    get calls(): string[] {
      return sandbox.calls
        .map(({ method, path }) => callName(method, path))
        .filter((name) => name !== 'connect')
    },
    get submissions() {
      return sandbox.submissions(token)
    },
    /** Documents and pictures that the bot has sent, without the PDF of the report. */
    get files() {
      return fromBot().filter(({ document, photo }) => photo ?? (document && !isPdf(document)))
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

/** The calendar's button for a birth date this many years ago, moved by some days. */
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
