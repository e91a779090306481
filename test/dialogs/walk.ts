import { test as base, type TestAPI } from 'vitest'
import type { PersonDriver, WireMessage } from '../../src/emulator/emulator.ts'
import type { RecordSpec } from '../../src/sandbox/sandbox.ts'
import { createAccount, dataOf, withMore, word, wordInEnglish } from '../account.ts'
import { type World, type WorldOptions, withWorlds } from '../world.ts'
import { readQuestion, type ShownQuestion } from './screen.ts'

export { word, wordInEnglish }

/** What the chat is about, as the person sees it in the newest message of the bot. */
export type Place =
  | 'introduction'
  | 'waiting'
  | 'name'
  | 'birth'
  | 'guardian'
  | 'gender'
  | 'mobile'
  | 'mobile-confirm'
  | 'summary'
  | 'code'
  | 'question'
  | 'review'
  | 'paused'
  | 'refused'
  | 'result-ready'
  | 'elsewhere'

export type Meeting = WorldOptions & {
  /** Where the story begins; without it nothing has been opened yet. */
  at?: Place
  record?: Partial<RecordSpec>
  /** Other settings of the person's app. */
  person?: { firstName?: string; phone?: string; languageCode?: string }
}

export type Participant = ReturnType<typeof createParticipant>

export const ORGANIZER = 'کلینیک آرامش'
export const CONTACT = '021-12345678'
/** What a participant gives who does nothing unusual. */
export const ZAHRA = {
  name: 'زهرا محمدی',
  birth: 'birth:j:1375:5:12',
  iso: '1996-08-02',
  mobile: '09123456789',
}

type Fixtures = {
  /** Opens a world of its own with one participant in it, at the wished place of the dialog. */
  meet: (meeting?: Meeting) => Promise<Participant>
}

const extended: TestAPI<Fixtures> = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from this pattern
  meet: async ({}, use) => {
    await withWorlds(use, (open) => async ({ at, record, person, ...options } = {}) => {
      const world = await open(options)
      const token = world.sandbox.addRecord({ testId: 'mood-7', ...record })
      const participant = createParticipant(world, world.emulator.person(person), token)
      if (at) await participant.walksTo(at)
      return participant
    })
  },
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
export function createParticipant(world: World, person: PersonDriver, token: string) {
  const { sandbox, emulator } = world
  const payload = `record_${token}`
  const account = createAccount(world, person, payload)
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
    goesOn: () => nextStep(participant),
    async walksTo(wished: Place) {
      for (let steps = 0; participant.place !== wished; steps++) {
        if (steps > 40)
          throw new Error(`no way to ${wished} from ${participant.place}\n${person.transcript()}`)
        await nextStep(participant)
      }
    },

    get place(): Place | undefined {
      const newest = fromBot().at(-1)
      return newest && placeOf(newest)
    },
    /** The question of the newest message that has one. Throws when there is none. */
    get question(): ShownQuestion {
      return readQuestion(person.lastWith('a:'), person.transcript)
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
  return participant
}

/** The calendar's button of a birth date so many years before today, and some days more or less. */
export function born({ world }: Participant, years: number, days = 0): string {
  const now = new Date(world.now())
  const date = new Date(Date.UTC(now.getUTCFullYear() - years, now.getUTCMonth(), now.getUTCDate() - days))
  return `birth:g:${date.getUTCFullYear()}:${date.getUTCMonth() + 1}:${date.getUTCDate()}`
}

/** Does what the bot asks, in the usual way. */
async function nextStep(participant: Participant): Promise<void> {
  const { taps, says, forges } = participant
  switch (participant.place) {
    case undefined:
      return void (await participant.opens())
    case 'introduction':
      return void (await taps(/^begin:/))
    case 'name':
      return void (await says(ZAHRA.name))
    case 'birth':
      return void (await forges(ZAHRA.birth))
    case 'guardian':
      return void (await taps('guardian:yes'))
    case 'gender':
      return void (await taps('gender:female'))
    case 'mobile':
      return void (await says(ZAHRA.mobile))
    case 'summary':
      return void (await taps('profile:ok'))
    case 'code':
      return void (await says(participant.codes[0] ?? ''))
    case 'question':
      return participant.answers(participant.question.position % participant.question.options.length)
    case 'review':
      return void (await taps(/^submit:/))
    default:
      throw new Error(`nothing to do at ${participant.place}\n${participant.person.transcript()}`)
  }
}

const signs: readonly [Place, RegExp][] = [
  ['introduction', /^begin:/],
  ['waiting', /^refresh:/],
  ['birth', /^birth:/],
  ['guardian', /^guardian:/],
  ['gender', /^gender:/],
  ['mobile-confirm', /^mobile:ok/],
  ['summary', /^profile:ok/],
  ['code', /^sms:again/],
  ['question', /^a:/],
  ['review', /^submit:/],
  ['paused', /^open:/],
  ['refused', /^retry:/],
  ['result-ready', /^result:/],
]

const saidThere: readonly [Place, string][] = [
  ['name', word('name-ask')],
  ['mobile', word('mobile-ask').slice(0, 40)],
  ['elsewhere', word('finished-elsewhere')],
]

function placeOf(message: WireMessage): Place | undefined {
  const data = dataOf(message)
  const byButton = signs.find(([, sign]) => data.some((each) => sign.test(each)))
  return byButton?.[0] ?? saidThere.find(([, said]) => message.text?.includes(said))?.[0]
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
