import { dataOf, type Place, placeOf } from '../../test/places.ts'
import { readQuestion } from '../../test/question.ts'
import { ZAHRA } from '../../test/usual-way.ts'
import type { WireMessage } from '../emulator/emulator.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Chance } from './chance.ts'
import type { Family } from './family.ts'
import { ascii, type Memory } from './memory.ts'
import type { Profile } from './profile.ts'
import type { Days } from './time.ts'

type StepDeps = {
  time: Days
  chance: Chance
  sandbox: Pick<Sandbox, 'sms'>
  profile: Profile
  memory: Memory
  name: string
  mobile: string
  family: Family | undefined
  /** The number of an option is typed for a question. */
  onType?: (s: string, question: number, option: number) => void
  /** Whether a message is about a test whose result has not come. */
  lacksResult: (message: WireMessage) => boolean
  /** Called before a result is requested again. */
  asksForResult: () => void
  /** The message that the person looks at. */
  onScreen: () => WireMessage | undefined
  taps: (message: WireMessage, data: string) => void
  says: (text: string, shown?: string) => void
}

/** The time between seeing a question and sending a number. */
const WRITES_MS = [800, 3_000] as const
/** The pause before the next move, on any phone. */
const HESITATES_MS = 300
/** Two buttons are pressed within this time. */
const HURRIES_MS = 30
/** The time between two checks of a test that waits for the organizer, since the checks of an account are limited. */
const LOOKS_AGAIN_MS = 5_000

/** What a person does at each place of the dialog, by their profile. */
export function createSteps(deps: StepDeps) {
  const { time, chance, sandbox, profile, memory, name, mobile, family, onScreen, taps, says } = deps
  const typed = new Map<string, number>()
  let writesUntil = 0
  let lookedAt = Number.NEGATIVE_INFINITY

  const tapsWith = (prefix: string) => (message: WireMessage) =>
    taps(message, dataOf(message).find((data) => data.startsWith(prefix)) ?? prefix)

  /** Goes back to an earlier question, perhaps to change its answer. */
  function goBack(message: WireMessage, s: string, questions: number) {
    const back = chance.below(questions)
    if (chance.is(profile.changesMind)) memory.changeMind(s, back)
    taps(message, `go:${s}:${back}`)
  }

  /** Taps a button that a second phone still shows. */
  function tapOlder(message: WireMessage, s: string, question: number, data: readonly string[]) {
    const at = time.elapsed()
    const outdated = memory.outdated(s, question, data, at)
    if (!outdated || !chance.is(profile.olderButtons)) return
    const older = chance.pick(outdated.data)
    memory.attemptOlder(s, question, outdated.data.indexOf(older), { since: outdated.since, at })
    taps(message, older)
  }

  function saysNumber(s: string, question: number, option: number) {
    deps.onType?.(s, question, option)
    says('۱۲۳۴۵'[option] ?? '', `the number of option ${option}`)
  }

  /** Types the number of an option, which takes a while; if another question appears meanwhile, it is not sent. */
  function writes(s: string, position: number, option: number) {
    const takesMs = chance.between(...WRITES_MS)
    writesUntil = time.elapsed() + takesMs + HESITATES_MS
    time.after(takesMs, () => {
      const message = onScreen()
      if (!message || placeOf(message) !== 'question') return
      const shown = readQuestion(message, () => '')
      if (shown.s !== s || shown.position !== position) return
      memory.attempt(s, position - 1, option)
      saysNumber(s, position - 1, option)
      // An impatient person presses the button as well.
      const data = shown.data.find((each) => Number(each.split(':')[3]) === option)
      if (data !== undefined && chance.is(profile.doubleTaps)) taps(message, data)
    })
  }

  function answer(message: WireMessage) {
    const { s, position, data } = readQuestion(message, () => '')
    const question = position - 1
    const [only = ''] = data
    // The bot asks whether a typed number was meant for this question.
    if (data.length === 1) return confirms(message, s, question, only)
    if (question > 0 && chance.is(profile.goesBack)) return goBack(message, s, question)
    memory.sees(s, totalOf(message))
    tapOlder(message, s, question, data)
    const option = memory.wish(s, question, () => chance.below(data.length))
    if (chance.is(profile.types)) return writes(s, position, option)
    memory.attempt(s, question, option)
    if (chance.is(profile.isDouble ?? 0)) {
      taps(message, data[option] ?? '')
      return saysNumber(s, question, option)
    }
    // The review above still shows the former answer.
    const hurries = memory.hasReviewed(s) && chance.is(0.5)
    const submitMs = chance.between(-HURRIES_MS, HURRIES_MS)
    if (hurries && submitMs < 0) taps(message, `submit:${s}`)
    const tap = () => taps(message, data[option] ?? '')
    if (hurries && submitMs < 0) time.after(-submitMs, tap)
    else tap()
    if (hurries && submitMs >= 0) taps(message, `submit:${s}`)
    if (!chance.is(profile.doubleTaps)) return
    const other = chance.is(profile.changesMind) ? chance.below(data.length) : option
    memory.attempt(s, question, other)
    taps(message, data[other] ?? '')
  }

  /** Confirms the option if it is the wanted one, or goes back to all options. */
  function confirms(message: WireMessage, s: string, question: number, data: string) {
    const option = Number(data.split(':')[3])
    if (memory.wish(s, question, () => option) !== option) return tapsWith('go:')(message)
    memory.attempt(s, question, option)
    taps(message, data)
  }

  /** Reads the review, and goes back to a question with an unwanted answer. */
  function review(message: WireMessage) {
    const submit = dataOf(message).find((data) => data.startsWith('submit:')) ?? ''
    const s = submit.split(':')[1] ?? ''
    const wrong = memory.review(s, message, time.elapsed())
    if (wrong !== undefined) return taps(message, `go:${s}:${wrong}`)
    if (chance.is(profile.goesBack)) return goBack(message, s, memory.count(s))
    const pages = dataOf(message).filter((data) => data.startsWith('review:'))
    if (pages.length > 0 && chance.is(profile.reads)) return taps(message, chance.pick(pages))
    taps(message, submit)
    if (chance.is(profile.doubleTaps)) taps(message, submit)
  }

  function code(message: WireMessage) {
    const sent = sandbox.sms().find((sms) => sms.mobile.endsWith(mobile.slice(1)))?.code
    if (chance.is(profile.mistypes)) return says('۰۰۰۰۰', 'a wrong code')
    const times = typed.get(sent ?? '') ?? 0
    // The code failed twice: it is wrong or expired.
    if (sent === undefined || times >= 2) {
      if (chance.is(0.1)) typed.delete(sent ?? '')
      return taps(message, 'sms:again')
    }
    typed.set(sent, times + 1)
    says(sent, 'the code')
  }

  function lookAgain(message: WireMessage) {
    if (time.elapsed() - lookedAt < LOOKS_AGAIN_MS) return
    lookedAt = time.elapsed()
    tapsWith('refresh:')(message)
  }

  const at: Partial<Record<Place, (message: WireMessage) => void>> = {
    introduction: tapsWith('begin:'),
    name: ({ text = '' }) => says(family?.nameIn(text) ?? name, 'the name'),
    'name-confirm': (message) => taps(message, 'name:ok'),
    birth: (message) => taps(message, family?.birthIn(message.text ?? '') ?? ZAHRA.birth),
    guardian: (message) => taps(message, 'guardian:yes'),
    gender: (message) => taps(message, 'gender:female'),
    mobile: () => says(chance.is(profile.mistypes) ? '123' : mobile, 'the mobile'),
    'mobile-confirm': (message) => taps(message, 'mobile:ok'),
    summary: (message) => taps(message, 'profile:ok'),
    code,
    question: answer,
    review,
    paused: tapsWith('open:'),
    refused: tapsWith('retry:'),
    waiting: lookAgain,
    'hand-over': tapsWith('ready:'),
    'result-ready'(message) {
      if (!deps.lacksResult(message)) return
      deps.asksForResult()
      tapsWith('result:')(message)
    },
    board(message) {
      const offered = dataOf(message)
      const data = family ? family.atBoard(offered) : offered.find((each) => /^(generate|open):/.test(each))
      if (data) taps(message, data)
    },
  }

  return {
    at,
    isWriting: () => time.elapsed() < writesUntil,
    wander(message: WireMessage) {
      const s = memory.newest()
      if (s && chance.is(0.3)) return taps(message, `pause:${s}`)
      says(chance.pick(['/tests', '/help', 'سلام', '/start', '/privacy', '/language']))
    },
  }
}

/** The number of questions, from the message of a question. */
const totalOf = ({ text = '' }: WireMessage): number =>
  Number(ascii(/پرسش [^۰-۹]?[۰-۹]+[^۰-۹]? از [^۰-۹]?([۰-۹]+)/.exec(text)?.[1] ?? ''))
