import type { ResultTo } from '../../src/domain/invitation.ts'
import { dataOf, type Place, placeOf } from '../../test/places.ts'
import type { Emulator, WireMessage } from '../emulator/emulator.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Chance } from './chance.ts'
import type { Desk } from './desk.ts'
import { createMemory } from './memory.ts'
import type { Moments } from './moments.ts'
import { nameOf } from './names.ts'
import { type Profile, profileOf } from './profile.ts'
import { createScreen, questionAbove } from './screen.ts'
import type { World } from './sizes.ts'
import { createSteps } from './steps.ts'
import type { Task } from './tasks.ts'
import type { Days } from './time.ts'
import type { Trace } from './trace.ts'
import { createWayIn, RELEASED } from './way-in.ts'

export type Participant = ReturnType<typeof createParticipant>

export type ParticipantDeps = {
  time: Days
  chance: Chance
  trace: Pick<Trace, 'note'>
  emulator: Emulator
  sandbox: Sandbox
  tasks: readonly Task[]
  number: number
  kind: Pick<World, 'lookMs' | 'profile'>
  /** Left to chance when absent. */
  profile?: Profile
  /** The link is followed once more: what was delivered may come again. */
  onOpen: (chat: number) => void
  /** A link is opened. */
  onStart?: (chat: number, payload: string, title: string) => void
  /** Who receives results; the participant where it is absent. */
  resultTo?: ResultTo
  /** The bot is in the middle of something, and somebody waits for that. */
  moments?: Pick<Moments, 'awaits'>
  /** Where invitations are asked for. */
  desk?: Desk | undefined
  /** Takes up an account that the bot does not know yet, and gives the mobile there. */
  onOtherPhone?: (chat: number) => void
  /** Whether somebody else has done it at the service, so that nobody goes on with it. */
  isTaken?: (token: string) => boolean
  /** What somebody sees. */
  onPlace?: (place: Place) => void
  onTap?: (chat: number, data: string) => void
  /** The number of an option is typed for a question. */
  onType?: (s: string, question: number, option: number) => void
  onMobile?: (chat: number) => void
}

const PATIENCE_MS = 12_000
const LEAVES_FOR_MS = 30_000
/** Before everything is forgotten. */
export const HESITATES_MS = 8_000

/** The data of a button that was pressed, and when. */
export type Pressed = { data: string; at: number }

/** Somebody with a task, a profile and one or two phones, who does not give up. */
export function createParticipant(deps: ParticipantDeps) {
  const { time, chance, trace, emulator, tasks, number, kind, onOpen, onOtherPhone, onMobile } = deps
  const { profile = profileOf(chance, kind.profile) } = deps
  const name = nameOf(number)
  const mobile = `0912${1_000_000 + number * 7_919}`
  const account = () => emulator.person({ firstName: `p${number}`, phone: `+98${mobile.slice(1)}` })
  let person = account()
  const accounts = [person]
  const memory = createMemory()
  const pressed: Pressed[] = []
  const family = tasks.find((task) => task.family)?.family
  family?.joins(memory)
  if (tasks.some((task) => task.family && task.role === undefined) && family) family.mobile = mobile
  let seen = ''
  let since = 0
  let isAway = false
  let isContent = false
  let forgottenAt: number | undefined
  /** Tests of roadmaps that were begun by their own links, and the roadmap that is opened in the middle of one. */
  const begunBy = new Set<string>()
  let isNestedIn: Task | undefined
  let place: Place | undefined
  let begunWith: string | undefined

  const hands = {
    taps(message: WireMessage, data: string) {
      trace.note(`p${number}`, `taps ${data}`)
      pressed.push({ data, at: time.elapsed() })
      if (data.startsWith('begin:')) begunWith = tasks[0]?.sent?.payload
      deps.onTap?.(person.id, data)
      person.rawTap(message, data)
    },
    /** `shown` is for the trace. */
    says(text: string, shown = text) {
      trace.note(`p${number}`, `says ${shown}`)
      person.say(text)
    },
  }
  const onScreen = createScreen(() => person.messages, profile.alternates > 0)
  const steps = createSteps({
    ...{ ...deps, ...hands, onScreen, profile, memory, name, mobile, family },
    lacksResult: ({ text = '' }) => left().some(({ title }) => text.includes(title)),
    asksForResult: () => onOpen(person.id),
  })
  const wayIn = createWayIn({
    desk: deps.desk,
    tasks,
    saysMobile() {
      onMobile?.(person.id)
      hands.says(family ? family.mobile : mobile, 'the mobile')
    },
    takesOtherPhone() {
      trace.note(`p${number}`, 'takes up another phone')
      person = account()
      accounts.push(person)
      onOtherPhone?.(person.id)
    },
  })
  const messages = () => accounts.flatMap((each) => each.messages)

  function isFulfilled(task: Task): boolean {
    const { role } = task
    if (deps.isTaken?.(task.token)) return true
    if (hasReport(messages(), task) || (deps.resultTo === 'organizer' && isWithOrganizers(task))) {
      if (role === undefined) task.family?.ends()
      return true
    }
    return role !== undefined && task.family?.endedWithout(role, memory) === true
  }

  /** Whether the result is where it goes: not to this chat. */
  function isWithOrganizers({ kind, token }: Task): boolean {
    if (kind === 'record') return deps.sandbox.submissions(token).some(({ accepted }) => accepted)
    return deps.sandbox.snapshot().roadmaps[token]?.generation != null
  }

  /** What this person still wants. */
  const left = () => (forgottenAt === undefined ? tasks.filter((task) => !isFulfilled(task)) : [])

  function open() {
    const ready = left().filter((task) => wayIn.linkOf(task))
    // Who waits for the others does something else meanwhile.
    const isByTurns = family !== undefined || profile.alternates > 0
    const task = ready.length > 1 && isByTurns ? chance.pick(ready) : ready[0]
    if (!task) return wayIn.asksToBeInvited()
    const { nested } = task
    if (nested !== undefined && !begunBy.has(nested)) return openNested(task, nested)
    if (memory.newest()) onOpen(person.id)
    trace.note(`p${number}`, `opens ${task.kind} ${tasks.indexOf(task)}`)
    const link = wayIn.linkOf(task)
    if (link) deps.onStart?.(person.id, link, task.title)
    person.start(link)
  }

  /** Begins a test of a roadmap by its own link. */
  function openNested(task: Task, nested: string) {
    begunBy.add(nested)
    isNestedIn = task
    trace.note(`p${number}`, `opens a test of ${tasks.indexOf(task)}`)
    person.start(`record_${nested}`)
  }

  /** In the middle of a test that was begun by its own link its roadmap is opened. */
  function openWhole(task: Task) {
    isNestedIn = undefined
    trace.note(`p${number}`, `opens ${tasks.indexOf(task)} as a whole`)
    person.start(wayIn.linkOf(task))
  }

  /** Goes on with the other test, where it stands above, or opens it. */
  function alternate(message: WireMessage) {
    const other = questionAbove(person.messages, message)
    if (other && chance.is(0.7)) steps.at.question?.(other)
    else open()
  }

  /** Does something about what is on the screen, or waits a little longer. */
  function act() {
    const message = onScreen()
    const screen = message ? JSON.stringify(message) : 'nothing'
    const isNew = screen !== seen
    if (!isNew && time.elapsed() - since < PATIENCE_MS * (0.5 + chance.next())) return
    seen = screen
    since = time.elapsed()
    if (!message) return open()
    if (isNew && family) family.forward(person.messages.map(({ text = '' }) => text))
    if (isNew && wayIn.meets(message, person.messages)) return
    if (dataOf(message).includes('forget:yes')) return decideToForget(message)
    if (!isNew && chance.is(0.5)) return chance.is(0.5) ? hands.says('/start') : open()
    if (chance.is(profile.wanders)) return steps.wander(message)
    place = placeOf(message)
    if (place) deps.onPlace?.(place)
    // Somebody who has just sent their details thinks better of it.
    const isPending = place === undefined || place === 'summary'
    // The role that was released from somebody would wait for ever.
    const isAwaited = family !== undefined && accounts.length > 1
    if (chance.is(isPending ? 6 * profile.forgets : profile.forgets) && !isAwaited)
      return hands.says('/forget')
    if (place === 'question' && isNestedIn && chance.is(0.4)) return openWhole(isNestedIn)
    if (place === 'question' && chance.is(profile.alternates)) return alternate(message)
    const step = place && steps.at[place]
    if (step) step(message)
    else if (!isNew) open()
  }

  function decideToForget(question: WireMessage) {
    if (!profile.forgets && !profile.forgetsAt) return hands.taps(question, 'forget:no')
    forgottenAt = time.elapsed()
    for (const { role, family: shared } of tasks) if (role !== undefined) shared?.leaves(role)
    let isTapped = false
    const tap = () => {
      if (!isTapped) hands.taps(question, 'forget:yes')
      isTapped = true
      time.after(3 * HESITATES_MS, thinkAgain)
    }
    if (!deps.moments || profile.forgetsAt || chance.is(0.3)) return tap()
    // While the bot is in the middle of something that is theirs, or when it is not for long.
    for (const { token } of tasks) deps.moments.awaits({ moment: 'call', about: token, act: tap })
    deps.moments.awaits({ moment: 'part', about: String(person.id), act: tap })
    time.after(HESITATES_MS, tap)
  }

  /** The test was released under the press, so that the question stands again: it goes on with another phone instead. */
  function thinkAgain() {
    const message = onScreen()
    const isAsked = message !== undefined && dataOf(message).includes('forget:yes')
    if (!isAsked || !person.messages.some(({ text = '' }) => text.includes(RELEASED))) return
    forgottenAt = undefined
    for (const { role, family: shared } of tasks) if (role !== undefined) shared?.comesBack(role)
    look()
  }

  function look() {
    isContent = left().length === 0
    if (isContent) return
    if (!isAway && !steps.isWriting()) act()
    time.after(isAway ? LEAVES_FOR_MS : chance.between(...kind.lookMs), look)
  }

  return {
    /** The account that they use now. */
    get person() {
      return person
    },
    /** How many they have used. */
    get phones() {
      return accounts.length
    },
    /** What stands in the chats of all their accounts. */
    get messages() {
      return messages()
    },
    /** All buttons that they have pressed. */
    pressed: pressed as readonly Pressed[],
    number,
    mobile: family ? family.mobile : mobile,
    tasks,
    memory,
    isFulfilled,
    losePhone: wayIn.losePhone,
    linkOf: wayIn.linkOf,
    /** Where they were in the dialog when they looked last. */
    get place() {
      return place
    },
    /** The invitation that they had as they began last. */
    get begunWith() {
      return begunWith
    },
    isReleasedAnyway: wayIn.isReleasedAnyway,
    secrets: [
      ...[name, mobile, mobile.slice(1)],
      ...tasks.flatMap((task) => (task.role === undefined ? (task.family?.names ?? []) : [])),
    ],
    /** Whether everything is done that this person came for, as they saw when they looked last. */
    isDone: () => isContent,
    get forgottenAt() {
      return forgottenAt
    },
    begin() {
      for (let phone = 0; phone < profile.phones; phone += 1) time.after(chance.below(3_000), look)
    },
    /** Does something about what has just come. */
    look: act,
    says: hands.says,
    /** Puts the phone away, or takes it up again. */
    leave(leaves: boolean) {
      isAway = leaves
    },
  }
}

/** Whether the report of this task is in the chat. */
export function hasReport(messages: readonly WireMessage[], { title }: Task): boolean {
  return messages.some(({ document, caption = '' }) => document && caption.includes(title))
}
