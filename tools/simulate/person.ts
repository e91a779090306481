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
  /** Random if absent. */
  profile?: Profile
  /** The link is opened again: a delivered result may come again. */
  onOpen: (chat: number) => void
  /** A link is opened. */
  onStart?: (chat: number, payload: string, title: string) => void
  /** The receivers of results; the participant if absent. */
  resultTo?: ResultTo
  /** The moments of the bot that people wait for. */
  moments?: Pick<Moments, 'awaits'>
  /** Where invitations are asked for. */
  desk?: Desk | undefined
  /** The person switches to a new account, and types the mobile there. */
  onOtherPhone?: (chat: number) => void
  /** Whether another client has taken the test at the service, so that the person gives up. */
  isTaken?: (token: string) => boolean
  /** The place of the dialog that the person sees. */
  onPlace?: (place: Place) => void
  onTap?: (chat: number, data: string) => void
  /** The number of an option is typed for a question. */
  onType?: (s: string, question: number, option: number) => void
  onMobile?: (chat: number) => void
}

const PATIENCE_MS = 12_000
const LEAVES_FOR_MS = 30_000
/** The time before the person confirms /forget. */
export const HESITATES_MS = 8_000

/** The data of a pressed button, and when it was pressed. */
export type Pressed = { data: string; at: number }

/** A participant with tasks, a profile and one or two phones, who does not give up. */
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
  /** Tests of roadmaps that were begun by their own links, and the roadmap to open in the middle of one. */
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

  /** Whether the result of a task is ready for the organizers, who receive it instead of this chat. */
  function isWithOrganizers({ kind, token }: Task): boolean {
    if (kind === 'record') return deps.sandbox.submissions(token).some(({ accepted }) => accepted)
    return deps.sandbox.snapshot().roadmaps[token]?.generation != null
  }

  /** The unfinished tasks. */
  const left = () => (forgottenAt === undefined ? tasks.filter((task) => !isFulfilled(task)) : [])

  function open() {
    const ready = left().filter((task) => wayIn.linkOf(task))
    // A person who waits for others in a roadmap continues with another task.
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

  /** Opens the roadmap in the middle of a test that was begun by its own link. */
  function openWhole(task: Task) {
    isNestedIn = undefined
    trace.note(`p${number}`, `opens ${tasks.indexOf(task)} as a whole`)
    person.start(wayIn.linkOf(task))
  }

  /** Continues the other test, if its question is in sight, or opens a task. */
  function alternate(message: WireMessage) {
    const other = questionAbove(person.messages, message)
    if (other && chance.is(0.7)) steps.at.question?.(other)
    else open()
  }

  /** Reacts to the screen, or waits a little longer. */
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
    // People are more likely to send /forget just after they have typed their details.
    const isPending = place === undefined || place === 'summary'
    // A released role would wait for this person forever.
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
    // Waits until the bot is in the middle of a call about a task, but not for long.
    for (const { token } of tasks) deps.moments.awaits({ moment: 'call', about: token, act: tap })
    deps.moments.awaits({ moment: 'part', about: String(person.id), act: tap })
    time.after(HESITATES_MS, tap)
  }

  /** If the test was released during the press, so that the question is still open, continues on another phone instead. */
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
    /** The account in use. */
    get person() {
      return person
    },
    /** The number of accounts used so far. */
    get phones() {
      return accounts.length
    },
    /** The messages in the chats of all accounts. */
    get messages() {
      return messages()
    },
    /** All pressed buttons. */
    pressed: pressed as readonly Pressed[],
    number,
    mobile: family ? family.mobile : mobile,
    tasks,
    memory,
    isFulfilled,
    losePhone: wayIn.losePhone,
    linkOf: wayIn.linkOf,
    /** The place of the dialog at the last look. */
    get place() {
      return place
    },
    /** The invitation at the last begin. */
    get begunWith() {
      return begunWith
    },
    isReleasedAnyway: wayIn.isReleasedAnyway,
    secrets: [
      ...[name, mobile, mobile.slice(1)],
      ...tasks.flatMap((task) => (task.role === undefined ? (task.family?.names ?? []) : [])),
    ],
    /** Whether all tasks were done at the last look. */
    isDone: () => isContent,
    get forgottenAt() {
      return forgottenAt
    },
    begin() {
      for (let phone = 0; phone < profile.phones; phone += 1) time.after(chance.below(3_000), look)
    },
    /** Reacts to the screen at once. */
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
